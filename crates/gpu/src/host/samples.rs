//! Matches that show every game and every feature: what tests and `spinney gpu check` play on both machines.

/// A game with its options, and what it has.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The game as it is written.
    pub game: &'static str,
    /// Whether it has a policy of its own.
    pub has_policy: bool,
    /// Whether positions are evaluated, so that play-outs can be cut off.
    pub has_evaluation: bool,
    /// The names of the only features that it is played with; all where there are none.
    pub only: &'static [&'static str],
}

impl Rules {
    const fn new(game: &'static str) -> Self {
        Self { game, has_policy: true, has_evaluation: true, only: &[] }
    }

    const fn without_policy(game: &'static str) -> Self {
        Self { has_policy: false, ..Self::new(game) }
    }

    const fn without_both(game: &'static str) -> Self {
        Self { has_evaluation: false, ..Self::without_policy(game) }
    }

    /// The name of the game.
    pub fn name(&self) -> &'static str {
        self.game.split('(').next().unwrap_or_default()
    }
}

/// Games with their own rules, those of the published engine, and every other option at once.
pub const GAMES: &[Rules] = &[
    Rules::new("amazons(size=8)"),
    Rules::new("amazons(size=8, variant=engine2014)"),
    Rules::new("amazons(size=10)"),
    Rules::new("breakthrough"),
    Rules::new("breakthrough(rows=6, columns=5)"),
    Rules::new("cannon"),
    Rules::new("cannon(variant=engine2014)"),
    Rules::new("cannon(corners=on, strict_shots=on)"),
    Rules::without_policy("checkers"),
    Rules::without_policy("checkers(variant=engine2014)"),
    Rules::without_policy("checkers(king_slide_limit=6, repetition=on)"),
    Rules::new("chinese-checkers"),
    Rules::new("chinese-checkers(variant=engine2014)"),
    // With other play-outs such a game takes hundreds of moves, and all of them longer than everything else here.
    Rules { only: &["policy", "policy-mast", "options", "cutoff"], ..Rules::new("chinese-checkers(forward=off)") },
    Rules::without_both("havannah(size=5)"),
    Rules::without_both("havannah"),
    Rules::without_both("havannah(size=10)"),
    Rules::new("pentalath"),
    Rules::new("pentalath(variant=engine2014)"),
];

/// What two agents have beside their simulations.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// What is shown.
    pub name: &'static str,
    /// Options of agent A.
    pub a: &'static str,
    /// Options of agent B.
    pub b: &'static str,
    /// Random plies before them.
    pub opening: u32,
    /// What the game must have.
    pub needs: Needs,
}

/// What features ask of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// A policy of its own.
    Policy,
    /// An evaluation.
    Evaluation,
}

impl Features {
    /// Whether a game is played with them, and has what they need.
    pub fn suit(&self, rules: &Rules) -> bool {
        if !rules.only.is_empty() && !rules.only.contains(&self.name) {
            return false;
        }
        match self.needs {
            Needs::Nothing => true,
            Needs::Policy => rules.has_policy,
            Needs::Evaluation => rules.has_evaluation,
        }
    }
}

/// Every match that is compared: all games with all features that suit them.
pub fn all() -> impl Iterator<Item = (&'static Rules, &'static Features)> {
    GAMES.iter().flat_map(|rules| {
        FEATURES.iter().filter(|features| features.suit(rules)).map(move |features| (rules, features))
    })
}

/// Play-outs, bonuses in all their forms, and the deviations of the published engine. Each thing that a kernel knows is in
/// one of them, see `tests/samples.rs`; plain agents are beside changed ones.
pub const FEATURES: &[Features] = &[
    Features {
        name: "uniform",
        a: "playout=uniform",
        b: "playout=uniform, solver=off, c=0.7",
        opening: 0,
        needs: Needs::Nothing,
    },
    Features {
        name: "policy",
        a: "playout=policy, qb",
        b: "playout=policy+cutoff(plies=8, reward=winner), rb(k=1.5, mean=subtree)",
        opening: 2,
        needs: Needs::Policy,
    },
    Features {
        name: "uniform-mast",
        a: "playout=uniform+mast(eps=0.4), rb(a=joint), qb(a=joint)",
        b: "playout=uniform+mast(eps=0.2, learn=altered), rb, warmup=0.2",
        opening: 0,
        needs: Needs::Nothing,
    },
    Features {
        name: "policy-mast",
        a: "playout=policy+mast(eps=0.5), rb(a=0.25, k=online, mean=depth)",
        b: "playout=policy+mast(eps=0.3)+cutoff(plies=20), qb(k=online, mean=subtree)",
        opening: 1,
        needs: Needs::Policy,
    },
    Features {
        name: "mixed",
        a: "playout=uniform+mast(eps=0.6), qb(k=4, mean=depth), samples=10",
        b: "playout=uniform",
        opening: 0,
        needs: Needs::Nothing,
    },
    Features {
        name: "engine2014",
        a: "variant=engine2014, rb, qb",
        b: "variant=engine2014",
        opening: 0,
        needs: Needs::Nothing,
    },
    Features {
        name: "options",
        a: "playout=uniform+cap(plies=60), expand=one, final_move=robust_max, reward=quality",
        b: "playout=uniform+cap(plies=30), solver=draws, final_move=mean, reward=sigmoid, ties=first",
        opening: 4,
        needs: Needs::Nothing,
    },
    Features {
        name: "quirks",
        a: "quirks=solver_sign+late_ties+extra_simulation+runs_on+first_move, qb(a=0.25)",
        b: "quirks=loss_trap+saturation+game_plies+kept_covariance+signed, rb, qb",
        opening: 0,
        needs: Needs::Nothing,
    },
    Features {
        name: "cutoff",
        a: "playout=uniform+cutoff(plies=6), qb, warmup=0.1",
        b: "playout=uniform+cutoff(plies=0, reward=winner), rb, samples=20",
        opening: 3,
        needs: Needs::Evaluation,
    },
];
