//! Games of one player, who plays for a high score.

use crate::game::Game;

/// A game of one player; it says so with `const SCORE: Option<Score<Self>> = Some(Score::of())` and ends with
/// [`Outcome::Scored`](crate::Outcome::Scored).
pub trait Solitaire: Game {
    /// The score on the game's own scale: the sum of rewards so far, the return when it is over.
    fn score(&self, state: &Self::State) -> f64;
}

/// The function of a [`Solitaire`] as a constant of its game: known when a search is compiled, absent where two play.
pub struct Score<G: Game> {
    score: fn(&G, &G::State) -> f64,
}

impl<G: Solitaire> Score<G> {
    /// The score of `G`.
    pub const fn of() -> Self {
        Self { score: G::score }
    }
}

impl<G: Game> Score<G> {
    /// See [`Solitaire::score`].
    #[inline(always)]
    pub fn of_state(&self, game: &G, state: &G::State) -> f64 {
        (self.score)(game, state)
    }
}
