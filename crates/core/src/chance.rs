//! Games in which chance takes turns, and the event that is their control variate.

use crate::game::Game;
use crate::list::List;
use crate::stream::Stream;

/// An outcome of a chance turn and its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likely<M> {
    /// The outcome, which `apply` makes happen.
    pub mv: M,
    /// Its probability.
    pub probability: f64,
}

/// A game with chance; it says so with `const LUCK: Option<Luck<Self>> = Some(Luck::of())` and answers
/// [`Turn::Chance`](crate::Turn::Chance) where dice roll.
///
/// What is drawn through the supplied [`Stream`] gets common random numbers and antithetic variates with no other code,
/// and a game that names an event and its probability gets control variates.
pub trait Chance: Game {
    /// Appends the outcomes of a chance turn, each once, with their probabilities; `apply` makes one happen.
    fn outcomes(&self, state: &Self::State, outcomes: &mut List<Likely<Self::Move>>);

    /// Lets chance take its turn: draws an outcome through the stream, makes it happen and returns it. Nothing that a
    /// player can see differs from having applied the outcome.
    ///
    /// Antithetic variates work as far as low numbers of the stream stand for bad luck. The default lists the outcomes
    /// and takes their order; override it to draw without listing.
    fn draw_outcome(&self, state: &mut Self::State, stream: &mut Stream) -> Self::Move {
        let mut outcomes = List::new();
        self.outcomes(state, &mut outcomes);
        let mut ticket = stream.unit();
        let drawn = outcomes.iter().find(|outcome| {
            ticket -= outcome.probability;
            ticket < 0.0
        });
        let drawn = drawn.or(outcomes.last()).map(|outcome| outcome.mv).unwrap_or_default();
        self.apply(state, drawn);
        drawn
    }

    /// Draws anew what chance has decided but no player can see yet, such as the order of a pile of cards; searches do
    /// so before each simulation. Games in which all is seen leave it out.
    #[inline(always)]
    fn redraw_hidden(&self, state: &mut Self::State, stream: &mut Stream) {
        let _ = (state, stream);
    }

    /// The probability of the event that is the game's control variate, at a chance turn; `None` where a game has no
    /// such event.
    #[inline(always)]
    fn event_probability(&self, _state: &Self::State) -> Option<f64> {
        None
    }

    /// Whether this outcome, which has led to `state`, was the event; asked only where it has a probability.
    #[inline(always)]
    fn event(&self, _state: &Self::State, _outcome: Self::Move) -> bool {
        unreachable!("a game that gives an event its probability also tells whether it happened")
    }
}

type ListOutcomes<G> = fn(&G, &<G as Game>::State, &mut List<Likely<<G as Game>::Move>>);

/// The functions of [`Chance`] as a constant of its game: known when a search is compiled, absent where there is none.
pub struct Luck<G: Game> {
    outcomes: ListOutcomes<G>,
    draw_outcome: fn(&G, &mut G::State, &mut Stream) -> G::Move,
    redraw_hidden: fn(&G, &mut G::State, &mut Stream),
    event_probability: fn(&G, &G::State) -> Option<f64>,
    event: fn(&G, &G::State, G::Move) -> bool,
}

impl<G: Chance> Luck<G> {
    /// The chance of `G`.
    pub const fn of() -> Self {
        Self {
            outcomes: G::outcomes,
            draw_outcome: G::draw_outcome,
            redraw_hidden: G::redraw_hidden,
            event_probability: G::event_probability,
            event: G::event,
        }
    }
}

impl<G: Game> Luck<G> {
    /// See [`Chance::outcomes`].
    pub fn outcomes(&self, game: &G, state: &G::State, outcomes: &mut List<Likely<G::Move>>) {
        (self.outcomes)(game, state, outcomes);
    }

    /// See [`Chance::draw_outcome`].
    #[inline(always)]
    pub fn draw_outcome(&self, game: &G, state: &mut G::State, stream: &mut Stream) -> G::Move {
        (self.draw_outcome)(game, state, stream)
    }

    /// See [`Chance::redraw_hidden`].
    #[inline(always)]
    pub fn redraw_hidden(&self, game: &G, state: &mut G::State, stream: &mut Stream) {
        (self.redraw_hidden)(game, state, stream);
    }

    /// See [`Chance::event_probability`].
    #[inline(always)]
    pub fn event_probability(&self, game: &G, state: &G::State) -> Option<f64> {
        (self.event_probability)(game, state)
    }

    /// See [`Chance::event`].
    #[inline(always)]
    pub fn event(&self, game: &G, state: &G::State, outcome: G::Move) -> bool {
        (self.event)(game, state, outcome)
    }
}
