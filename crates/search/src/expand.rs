//! Expansion: a leaf gets its children, and the solver sees which of them end the game.

use crate::amaf::Blend;
use crate::nodes::Nodes;
use crate::settings::{MctsSettings, Prior, Select, Solver, Ties};
use crate::tree::{NodeId, Proof};
use spinney_core::Workspace;
use spinney_core::game::{Game, Outcome, Player};
use spinney_core::random::Random;

/// How a leaf is expanded.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// Look at every child for the end of the game.
    pub looks_ahead: bool,
    /// What the solver proves.
    pub solver: Solver,
    select: Select,
    prior: Prior,
    bias: bool,
    /// Children carry the values of their moves at any time.
    amaf: bool,
    shuffles: bool,
}

impl Expansion {
    /// The way of these settings.
    pub fn new(settings: &MctsSettings) -> Self {
        let all = settings.expansion.expand == crate::settings::Expand::All;
        Self {
            looks_ahead: all && settings.expansion.solver != Solver::Off,
            solver: settings.expansion.solver,
            select: settings.select.standard(),
            prior: settings.terms.prior,
            bias: settings.terms.bias > 0.0,
            amaf: Blend::new(&settings.terms).is_some(),
            shuffles: Blend::new(&settings.terms).is_some() && settings.ties != Some(Ties::First),
        }
    }

    /// Gives `node` its children. Returns `None` if there is no room; else a child that wins at once, if any.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the parts of a search that an expansion touches")]
    pub fn expand<G: Game, T: Nodes<Move = G::Move>>(
        &self,
        game: &G,
        state: &G::State,
        player: Player,
        tree: &mut T,
        node: NodeId,
        work: &mut Workspace<G>,
        random: &mut Random,
    ) -> Option<Option<NodeId>> {
        work.list_moves(game, state);
        if self.shuffles || T::SHARED {
            // With RAVE all children compete from the start, so their order tells equal ones apart.
            for place in 1..work.moves.len() {
                work.moves.swap(place, random.below(place as u32 + 1) as usize);
            }
        }
        let (mut has_children, mut winning) = (false, None);
        for number in 0..if self.looks_ahead { work.moves.len() } else { 0 } {
            if let Some(outcome) = game.outcome_after(state, work.moves[number], work)
                && let Some(proof) = self.proof_of(outcome, player)
            {
                // What is proven is noted at a place, so one such child gives places to all.
                if !has_children && !tree.add_children(node, &work.moves) {
                    return None;
                }
                has_children = true;
                let child = tree.child(node, number as u32);
                tree.prove(child, proof);
                if proof == Proof::Win {
                    winning = Some(child);
                }
            }
        }
        if !has_children && !tree.list_children(node, &work.moves) {
            return None;
        }
        if self.amaf {
            let mut moves = work.moves.iter();
            tree.update_amaf(node, |amaf| {
                amaf.move_id = moves.next().map_or(0, |&mv| game.move_id(state, mv) as u32);
            });
        }
        if self.select == Select::Puct {
            self.set_priors(game, state, tree, node, work, random);
        } else if self.bias {
            for number in 0..tree.places(node) {
                let child = tree.child(node, number);
                let mut next = state.clone();
                game.advance(&mut next, tree.mv(child), work);
                tree.set_prior(child, game.evaluate(&next, player).unwrap_or(0.0));
            }
        }
        Some(if tree.publish(node) { winning } else { None })
    }

    /// What an outcome proves for `player`, if the solver is to know of it.
    #[inline(always)]
    pub fn proof_of(&self, outcome: Outcome, player: Player) -> Option<Proof> {
        match (outcome, self.solver) {
            (_, Solver::Off) | (Outcome::Draw, Solver::On) | (Outcome::Scored, _) => None,
            (Outcome::Draw, Solver::Draws) => Some(Proof::Draw),
            (Outcome::Win(winner), _) if winner == player => Some(Proof::Win),
            (Outcome::Win(_), _) => Some(Proof::Loss),
        }
    }

    /// Shares of the play-out policy's weights plus one for every legal move, so that none has a prior of zero.
    fn set_priors<G: Game, T: Nodes<Move = G::Move>>(
        &self,
        game: &G,
        state: &G::State,
        tree: &mut T,
        node: NodeId,
        work: &mut Workspace<G>,
        random: &mut Random,
    ) {
        let children = tree.places(node);
        work.candidates.clear();
        if self.prior == Prior::Policy
            && let Some(policy) = const { G::POLICY }
        {
            policy.list(game, state, random, work);
        }
        let weights: u32 = work.candidates.iter().map(|candidate| candidate.weight).sum();
        let total = (weights + children) as f32;
        for number in 0..children {
            let child = tree.child(node, number);
            let mv = tree.mv(child);
            let own: u32 =
                work.candidates.iter().filter(|candidate| candidate.mv == mv).map(|candidate| candidate.weight).sum();
            tree.set_prior(child, (own + 1) as f32 / total);
        }
    }
}
