//! Root parallelism: searches that know nothing of each other, whose roots are added up at the end.

use super::stop::{Pool, Shift, join};
use crate::agent::{Agent, Decision, Task};
use crate::analysis::{Analysis, Candidate, Position};
use crate::budget::{Budget, StopReason};
use crate::decide::{self, Standing};
use crate::drive::expected_at;
use crate::insight::Insight;
use crate::mcts::Totals;
use crate::search::{Search, think};
use crate::settings::FinalMove;
use crate::tree::Proof;
use spinney_core::game::Game;
use std::time::Duration;

/// Searches with a tree each, for every kind of game. What is reported while they run is what the first of them has found.
#[derive(Debug)]
pub struct Roots<S> {
    members: Vec<S>,
    final_move: FinalMove,
    /// The agent as it is written.
    written: String,
    simulations_per_second: Option<f64>,
}

impl<S> Roots<S> {
    /// These searches, of which there is at least one; together they play by this rule.
    pub fn new(members: Vec<S>, final_move: FinalMove, written: String) -> Self {
        Self { members, final_move, written, simulations_per_second: None }
    }
}

impl<G: Game, S: Search<G> + Send> Agent<G> for Roots<S> {
    #[inline(never)]
    fn choose(&mut self, game: &G, position: &Position<'_, G>, task: &mut Task<'_, G>) -> Decision<G::Move> {
        let pace = self.members[0].pace();
        let budget = task.budget.unwrap_or(pace.budget);
        let threads = self.members.len();
        let speed = self.simulations_per_second.unwrap_or(f64::from(pace.simulations_per_second) * threads as f64);
        let share = expected_at(&budget, speed) / threads as u64;
        let pool = Pool::start(budget, task.stop, threads, false);
        for (number, member) in (0..).zip(&mut self.members) {
            let seed = if number == 0 { task.seed } else { task.seed.child(number) };
            member.begin(game, position, share, seed);
        }
        if let (false, Some(mv)) = (task.explain, self.members[0].lone_move()) {
            return Decision { mv, simulations: 0, explanation: None };
        }
        let Some((first, others)) = self.members.split_first_mut() else { unreachable!("there is a search") };
        std::thread::scope(|scope| {
            let pool = &pool;
            let alone = |member| scope.spawn(move || work(member, game, pool, None, &mut |_| {}));
            let others: Vec<_> = others.iter_mut().map(alone).collect();
            work(first, game, pool, task.interval(), &mut |member: &mut S| {
                let analysis = Analysis { elapsed: pool.elapsed(), ..member.analysis() };
                task.report(|| analysis, &|path| member.look(path));
            });
            join(others);
        });
        let stopped = pool.reason();
        let analyses: Vec<_> = self.members.iter_mut().map(Search::analysis).collect();
        let merged = merged(&analyses, self.final_move);
        let simulations = merged.totals.simulations;
        if stopped == StopReason::Time && simulations > 0 {
            self.simulations_per_second = Some(simulations as f64 / pool.elapsed().as_secs_f64().max(1e-6));
        }
        let mv = merged.candidates.first().map_or_else(|| self.members[0].decide(), |best| best.mv);
        let explained = || Analysis { elapsed: pool.elapsed(), stopped: Some(stopped), ..merged };
        Decision { mv, simulations, explanation: task.explain.then(explained) }
    }

    fn look(&self, path: &[G::Move]) -> Option<Insight<G::Move>> {
        self.members[0].look(path)
    }

    fn new_game(&mut self) {
        self.members.iter_mut().for_each(Search::new_game);
    }

    fn describe(&self) -> String {
        self.written.clone()
    }

    fn budget(&self) -> Budget {
        self.members[0].pace().budget
    }
}

/// One search thinks, and tells what it has found every `interval`.
#[inline(never)]
fn work<G: Game, S: Search<G>>(
    member: &mut S,
    game: &G,
    pool: &Pool<'_>,
    interval: Option<Duration>,
    tell: &mut dyn FnMut(&mut S),
) {
    let mut shift = Shift::new(pool, interval, || false);
    pool.end(think(member, game, &mut shift, |member, _| tell(member)));
}

/// What searches of the same position know together.
pub fn merged<M: Copy + Eq>(analyses: &[Analysis<M>], rule: FinalMove) -> Analysis<M> {
    let mut candidates: Vec<Candidate<M>> = Vec::new();
    for candidate in analyses.iter().flat_map(|analysis| &analysis.candidates) {
        match candidates.iter_mut().find(|known| known.mv == candidate.mv) {
            Some(known) => *known = together(known, candidate),
            None => candidates.push(candidate.clone()),
        }
    }
    let standing = |of: &Candidate<M>| Standing { visits: of.visits, mean: of.mean, proof: of.proof };
    let proven = analyses.iter().map(|analysis| analysis.proof).find(|&proof| proof != Proof::Unknown);
    Analysis {
        candidates: decide::ordered(&candidates, &|a, b| decide::compare(rule, &standing(b), &standing(a))),
        proof: proven.unwrap_or(Proof::Unknown),
        totals: analyses.iter().fold(Totals::NONE, |totals, analysis| totals.with(&analysis.totals)),
        nodes: analyses.iter().map(|analysis| analysis.nodes).sum(),
        bytes: analyses.iter().map(|analysis| analysis.bytes).sum(),
        ..Analysis::nothing()
    }
}

/// A move as two searches know it: counts are added, moments are those of all simulations.
fn together<M: Copy>(a: &Candidate<M>, b: &Candidate<M>) -> Candidate<M> {
    let visits = a.visits + b.visits;
    let share = |of: &Candidate<M>| if visits == 0 { 0.0 } else { f64::from(of.visits) / f64::from(visits) };
    let both = |value: &dyn Fn(&Candidate<M>) -> f64| share(a) * value(a) + share(b) * value(b);
    let mean = both(&|of| f64::from(of.mean));
    let square = both(&|of| f64::from(of.deviation).powi(2) + f64::from(of.mean).powi(2));
    Candidate {
        mv: a.mv,
        visits,
        mean: mean as f32,
        deviation: (square - mean * mean).max(0.0).sqrt() as f32,
        proof: if a.proof == Proof::Unknown { b.proof } else { a.proof },
        variation: if a.visits >= b.visits { a.variation.clone() } else { b.variation.clone() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(mv: u8, visits: u32, mean: f32, proof: Proof) -> Candidate<u8> {
        Candidate { mv, visits, mean, deviation: 0.5, proof, variation: vec![mv, visits as u8] }
    }

    fn analysis(candidates: Vec<Candidate<u8>>) -> Analysis<u8> {
        Analysis { candidates, nodes: 7, ..Analysis::nothing() }
    }

    /// 10 visits of mean 0.4 and 30 of mean 0: mean 0.1, E x² = 0.25 × (0.25 + 0.16) + 0.75 × 0.25 = 0.29, and
    /// 0.29 − 0.01 = 0.28 is the variance.
    #[test]
    fn roots_are_added_up() {
        let one = analysis(vec![candidate(1, 10, 0.4, Proof::Unknown), candidate(2, 9, 0.0, Proof::Unknown)]);
        let two = analysis(vec![candidate(2, 40, -0.5, Proof::Loss), candidate(1, 30, 0.0, Proof::Unknown)]);
        let both = merged(&[one, two], FinalMove::Visits);
        assert_eq!(both.candidates.iter().map(|one| (one.mv, one.visits)).collect::<Vec<_>>(), [(1, 40), (2, 49)]);
        let best = &both.candidates[0];
        assert!((best.mean - 0.1).abs() < 1e-6 && (best.deviation.powi(2) - 0.28).abs() < 1e-6, "{best:?}");
        assert_eq!((best.variation.clone(), both.nodes, both.candidates[1].proof), (vec![1, 30], 14, Proof::Loss));
    }
}
