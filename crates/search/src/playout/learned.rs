//! The learners in use and the moves of the running simulation. In play-outs good replies are asked first, then pairs,
//! then sequences, then single moves; the policy under all of them decides the rest.

use super::Base;
use super::cmc::Cmc;
use super::learner::{Choice, Context, Learner, Lesson, NO_MOVE, Offer, Outcomes, Scope, Sets};
#[cfg(target_arch = "nvptx64")]
use super::learner::{few_runs, find_few};
use super::mast::{ActionValues, Mast};
use super::ngram::Ngrams;
use super::reply::Replies;
use super::seats::Seats;
use super::settings::PlayoutSettings;
use alloc::vec::Vec;
use core::marker::PhantomData;
use spinney_core::Workspace;
#[cfg(target_arch = "nvptx64")]
use spinney_core::bits;
use spinney_core::game::{Game, Player};
use spinney_core::random::Random;

/// Declares the standard learners in the order in which they are asked. A field of the same name in
/// [`PlayoutSettings`] holds the options of each.
macro_rules! learners {
    ($($field:ident: $learner:ty,)+) => {
        /// The standard learners of a play-out.
        #[derive(Debug)]
        pub struct Learners {
            $(pub(crate) $field: Option<$learner>,)+
        }

        impl Learners {
            #[inline(always)]
            fn new(playout: &PlayoutSettings, scope: &Scope, contexts: bool) -> Self {
                let is_in = |looks_back: bool| contexts || !looks_back;
                Self { $($field: match &playout.$field {
                    Some(own) if is_in(<$learner>::LOOKS_BACK) => Some(<$learner>::new(own, scope)),
                    _ => None,
                },)+ }
            }

            fn look_back(&self) -> bool {
                $(<$learner>::LOOKS_BACK && self.$field.is_some())||+
            }

            #[inline(always)]
            fn clear(&mut self, searcher: Player, contexts: bool) {
                $(if (!<$learner>::LOOKS_BACK || contexts)
                    && let Some(own) = &mut self.$field
                {
                    own.clear(searcher);
                })+
            }

            #[inline(always)]
            fn teach(&mut self, lesson: &Lesson<'_>, contexts: bool) {
                $(if (!<$learner>::LOOKS_BACK || contexts)
                    && let Some(own) = &mut self.$field
                {
                    own.teach(lesson);
                })+
            }

            #[inline(always)]
            fn choose<G: Game, B: Base>(
                &mut self,
                choice: &mut Choice<'_, G, B>,
                looks_back: bool,
            ) -> Offer<G::Move> {
                $(if (!<$learner>::LOOKS_BACK || looks_back)
                    && let Some(own) = &mut self.$field
                {
                    match own.choose(choice) {
                        Offer::Pass => {}
                        offer => return offer,
                    }
                })+
                Offer::Pass
            }
        }
    };
}

learners! {
    lgr: Replies,
    cmc: Cmc,
    ngram: Ngrams,
    mast: Mast,
}

/// The learners in use: those of spinney and, before them, one's own.
#[derive(Debug)]
pub struct Learned<L = ()> {
    /// Moves of this simulation as numbers (see [`Seats`]), those in the tree first.
    pub played: Vec<u32>,
    standard: Learners,
    own: L,
    /// Whether any of them looks at the moves before.
    looks_back: bool,
    /// Before the simulation, and now.
    root: Context,
    now: Context,
    /// Number of moves that this simulation made in the tree.
    tree_moves: usize,
    sets: Sets,
}

impl<L: Learner> Learned<L> {
    /// The learners of a play-out whose settings are resolved; `history` asks for values of single moves as well.
    pub fn new(playout: &PlayoutSettings, history: bool, scope: &Scope, own: L) -> Self {
        let mut standard = Learners::new(playout, scope, L::CONTEXTS);
        if history && standard.mast.is_none() {
            standard.mast = Some(Mast::values_alone(scope));
        }
        Self {
            played: Vec::with_capacity(1024),
            looks_back: standard.look_back() || L::LOOKS_BACK,
            standard,
            own,
            root: Context::NOTHING,
            now: Context::NOTHING,
            tree_moves: 0,
            sets: Sets::new(scope),
        }
    }

    /// Values of single moves, where something learns them.
    #[inline(always)]
    pub fn values(&self) -> Option<&ActionValues> {
        self.standard.mast.as_ref().map(|mast| &mast.values)
    }

    /// The same, to be changed.
    #[cfg(feature = "std")]
    pub(crate) fn values_mut(&mut self) -> Option<&mut ActionValues> {
        self.standard.mast.as_mut().map(|mast| &mut mast.values)
    }

    /// Begins a search for `player`; `before` are the last two moves of the game as numbers, the last first.
    pub fn begin_search(&mut self, player: Player, before: [u32; 2]) {
        self.standard.clear(player, L::CONTEXTS);
        self.own.clear(player);
        self.root = Context::NOTHING;
        for &index in before.iter().rev().filter(|&&index| index != NO_MOVE) {
            self.root.add(index);
        }
    }

    /// Begins a simulation at the root.
    #[inline(always)]
    pub fn begin_simulation(&mut self) {
        self.played.clear();
        self.tree_moves = usize::MAX;
        self.now = self.root;
    }

    /// A move of this simulation.
    #[inline(always)]
    pub fn made(&mut self, player: Player, move_id: usize) {
        let index = ActionValues::index(player, move_id);
        self.played.push(index);
        if L::CONTEXTS && self.looks_back {
            self.now.add(index);
        }
    }

    /// Begins the play-out of this simulation.
    #[inline(always)]
    pub fn begin_playout(&mut self) {
        self.tree_moves = self.played.len();
        self.now.own_in_playout = [NO_MOVE; 2];
    }

    /// Chooses a move of the play-out; `None` if there is none.
    #[inline(always)]
    pub fn choose<G: Game, B: Base>(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        random: &mut Random,
        work: &mut Workspace<G>,
    ) -> Option<G::Move> {
        let (context, sets, seat) = (&self.now, self.sets, player.index());
        let (seats, base) = (Seats::TWO, PhantomData::<B>);
        let mut choice = Choice {
            game,
            state,
            player,
            seat,
            seats,
            context,
            // What is chosen from is found by all threads, whether values or the policy decide: they need the same.
            #[cfg(target_arch = "nvptx64")]
            few: find_few::<G, B>(game, state, random),
            random,
            work,
            sets,
            base,
        };
        let offer = match self.own.choose(&mut choice) {
            Offer::Pass => self.standard.choose(&mut choice, L::CONTEXTS && self.looks_back),
            offer => offer,
        };
        #[cfg(target_arch = "nvptx64")]
        if const { few_runs::<G>() > 1 } {
            let place = match offer {
                Offer::Place(first, set, place) => Some((first, set, place)),
                Offer::Pass => B::draw_place(game, state, choice.random),
                _ => None,
            };
            if let (Some(runs), Some((first, set, place))) = (const { G::MOVE_RUNS }, place) {
                return Some(runs.move_at(game, first, bits::select(set, place).trailing_zeros()));
            }
        }
        match offer {
            #[cfg(target_arch = "nvptx64")]
            Offer::Place(..) => None,
            Offer::Play(mv) => Some(mv),
            Offer::NoMove => None,
            Offer::Pass => B::draw(game, state, choice.random, choice.work),
        }
    }

    /// Learns from the first `moves` moves of the simulation; `outcome` is how it ended and `reward` what the tree was
    /// given, both for the first player.
    #[inline(always)]
    pub fn teach(&mut self, moves: usize, outcome: f32, reward: f32) {
        let lesson = Lesson {
            played: &self.played[..moves],
            tree_moves: self.tree_moves.min(moves),
            before: self.root.before,
            outcome,
            reward,
            returns: &[],
        };
        self.standard.teach(&lesson, L::CONTEXTS);
        self.own.teach(&lesson);
    }
}

impl Learned {
    /// Nothing is learned.
    pub fn nothing() -> Self {
        Self::new(&PlayoutSettings::default(), false, &Scope::new(0, Outcomes::Results), ())
    }
}

/// Nothing of one's own.
impl Learner for () {
    const LOOKS_BACK: bool = false;

    #[inline(always)]
    fn clear(&mut self, _: Player) {}

    #[inline(always)]
    fn teach(&mut self, _: &Lesson<'_>) {}

    #[inline(always)]
    fn choose<G: Game, B: Base>(&mut self, _: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        Offer::Pass
    }
}

/// One learner and then others.
impl<A: Learner, T: Learner> Learner for (Option<A>, T) {
    const LOOKS_BACK: bool = A::LOOKS_BACK || T::LOOKS_BACK;

    fn clear(&mut self, searcher: Player) {
        if let Some(own) = &mut self.0 {
            own.clear(searcher);
        }
        self.1.clear(searcher);
    }

    #[inline(always)]
    fn teach(&mut self, lesson: &Lesson<'_>) {
        if let Some(own) = &mut self.0 {
            own.teach(lesson);
        }
        self.1.teach(lesson);
    }

    #[inline(always)]
    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        match self.0.as_mut().map_or(Offer::Pass, |own| own.choose(choice)) {
            Offer::Pass => self.1.choose(choice),
            offer => offer,
        }
    }
}
