//! Matches that show every game and every feature: what tests and `spinney gpu check` play on both machines.

/// Games with the rules of the game and those of the published engine, and whether they have a policy.
pub const GAMES: [(&str, bool); 14] = [
    ("amazons(size=8)", true),
    ("amazons(size=8, variant=engine2014)", true),
    ("amazons(size=10)", true),
    ("breakthrough", true),
    ("breakthrough(rows=6, columns=5)", true),
    ("cannon", true),
    ("cannon(variant=engine2014)", true),
    ("checkers", false),
    ("checkers(variant=engine2014)", false),
    ("chinese-checkers", true),
    ("chinese-checkers(variant=engine2014)", true),
    ("havannah(size=5)", false),
    ("pentalath", true),
    ("pentalath(variant=engine2014)", true),
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
    /// Whether the game must have a policy.
    pub needs_policy: bool,
}

/// Play-outs, bonuses in all their forms, and the deviations of the published engine.
pub const FEATURES: &[Features] = &[
    Features {
        name: "uniform",
        a: "playout=uniform",
        b: "playout=uniform, solver=off, c=0.7",
        opening: 0,
        needs_policy: false,
    },
    Features { name: "policy", a: "playout=policy, qb", b: "playout=policy", opening: 2, needs_policy: true },
    Features {
        name: "uniform-mast",
        a: "playout=uniform+mast(eps=0.4), rb(a=joint), qb(a=joint)",
        b: "playout=uniform+mast(eps=0.2, learn=altered), rb",
        opening: 0,
        needs_policy: false,
    },
    Features {
        name: "policy-mast",
        a: "playout=policy+mast(eps=0.5), rb(a=0.25, k=online, mean=depth)",
        b: "playout=policy+mast(eps=0.3), qb(mean=subtree)",
        opening: 1,
        needs_policy: true,
    },
    Features {
        name: "mixed",
        a: "playout=uniform+mast(eps=0.6), qb",
        b: "playout=uniform",
        opening: 0,
        needs_policy: false,
    },
    Features {
        name: "engine2014",
        a: "variant=engine2014, rb, qb",
        b: "variant=engine2014",
        opening: 0,
        needs_policy: false,
    },
    Features {
        name: "options",
        a: "playout=uniform+cap(plies=60), expand=one, final_move=robust_max, reward=quality",
        b: "playout=uniform+cap(plies=30), solver=draws, final_move=mean, reward=sigmoid, ties=first",
        opening: 4,
        needs_policy: false,
    },
    Features {
        name: "quirks",
        a: "quirks=solver_sign+late_ties+runs_on, qb(a=0.25)",
        b: "quirks=loss_trap+game_plies+saturation, rb",
        opening: 0,
        needs_policy: false,
    },
];
