//! What the play-outs of games of roles learn and follow: mean returns of moves (MAST, Finnsson and Björnsson, 2008), and
//! of sequences of moves (N-grams, Tak, Winands and Björnsson, 2012). Returns go from 0 to 100.
//!
//! It is a learner like those of players, with what roles have of their own: chances by Gibbs, values that fade from move
//! to move of the game instead of being cleared, and moves before that go one role back for every step.

use super::settings::{RoleGramSettings, RoleMastSettings, RolePlayout};
use super::tree::HashedMap;
use crate::playout::hashed::HashedSums;
use crate::playout::learner::{Before, Choice, Learner, Lesson, NO_MOVE, Offer, Scope};
use crate::playout::{ActionValues, Base, Seats};
use spinney_core::arithmetic::exp;
use spinney_core::{Game, Player, Random, Workspace};

/// Sequences that are remembered; beyond them nothing new is.
const MOST_SEQUENCES: usize = 4_000_000;

/// The moves that were made last, as the sequences of a role see them: one role back for every step. `trace` are the
/// numbers of the moves of all roles, step by step.
#[inline(always)]
pub fn moves_before(trace: &[u32], roles: usize, role: usize) -> Before {
    let steps = trace.len() / roles;
    let mut before = [NO_MOVE; 2];
    for (back, number) in before.iter_mut().enumerate().take(steps) {
        let of = (role + 2 * roles - back % roles - 1) % roles;
        *number = trace[(steps - 1 - back) * roles + of];
    }
    before
}

/// The moves of a role that have been listed, all alike.
#[derive(Debug)]
pub struct Listed;

impl Base for Listed {
    #[inline(always)]
    fn draw<G: Game>(_: &G, _: &G::State, random: &mut Random, work: &mut Workspace<G>) -> Option<G::Move> {
        match work.candidates.len() {
            0 => None,
            count => Some(work.candidates[random.below(count as u32) as usize].mv),
        }
    }

    #[inline(always)]
    fn list<G: Game>(_: &G, _: &G::State, _: &mut Random, _: &mut Workspace<G>) {}

    #[inline(always)]
    fn set<'a, G: Game>(_: &G, _: &'a G::State) -> Option<&'a [u64]> {
        None
    }
}

/// How moves are chosen by their values.
#[derive(Clone, Copy, Debug)]
enum Preference {
    /// The best, but for this chance of any.
    Greedy(f32),
    /// By the Gibbs distribution of this temperature.
    Gibbs(f32),
}

/// A mean and how much it weighs.
#[derive(Clone, Copy, Debug)]
struct Mean {
    value: f32,
    weight: f32,
}

/// The learner: single moves in the table that players have, and longer sequences in a map. That is exact, unlike the
/// tables of players, which make room for what is new.
#[derive(Debug)]
pub struct RoleGrams {
    seats: Seats,
    ones: ActionValues,
    longer: HashedMap<Mean>,
    /// The longest sequence.
    longest: usize,
    /// Longer sequences count from so much weight on.
    least_weight: f32,
    preference: Preference,
    /// Values of the moves of one choice.
    values: Vec<f32>,
}

impl RoleGrams {
    /// A learner with nothing learned; `None` for play-outs that learn nothing.
    pub fn new(settings: &RolePlayout, scope: &Scope) -> Option<Self> {
        // MAST knows sequences of one move.
        let (longest, count, unseen, preference) = match *settings {
            RolePlayout::Uniform => return None,
            RolePlayout::Mast(RoleMastSettings { tau, eps, unseen }) => {
                (1, 1, unseen, eps.map_or(Preference::Gibbs(tau), Preference::Greedy))
            }
            RolePlayout::Ngram(RoleGramSettings { n, count, eps, unseen }) => {
                (n as usize, count, unseen, Preference::Greedy(eps))
            }
        };
        Some(Self {
            seats: scope.seats,
            ones: ActionValues::new(scope, unseen),
            longer: HashedMap::default(),
            longest,
            least_weight: count as f32,
            preference,
            values: Vec::new(),
        })
    }

    /// Lets what was learned count for this share of its weight.
    pub fn fade(&mut self, share: f32) {
        if share <= 0.0 {
            self.ones.clear();
            self.longer.clear();
        } else if share < 1.0 {
            self.ones.fade(share);
            self.longer.values_mut().for_each(|mean| mean.weight *= share);
        }
    }

    /// The keys of the longer sequences that end with a move, the shorter ones first.
    #[inline(always)]
    fn keys(longest: usize, number: u32, before: Before) -> impl Iterator<Item = u64> {
        let known = before.into_iter().take_while(|&number| number != NO_MOVE).count();
        (2..=longest.min(known + 1)).map(move |length| match length {
            2 => HashedSums::context(before[0], number),
            _ => HashedSums::key(HashedSums::context(before[1], before[0]), number),
        })
    }

    /// The mean of the single move's value and of the longer sequences as far as they are known.
    #[inline(always)]
    fn value(&self, seat: usize, id: usize, before: Before) -> f32 {
        let (mut sum, mut count) = (self.ones.mean_of_seat(seat, id), 1.0);
        for key in Self::keys(self.longest, self.seats.number(seat, id), before) {
            match self.longer.get(&key) {
                Some(mean) if mean.weight >= self.least_weight => {
                    sum += mean.value;
                    count += 1.0;
                }
                _ => break,
            }
        }
        sum / count
    }

    /// The place of the chosen one of these moves; `None` if any will do.
    #[inline(always)]
    fn prefer(
        &mut self,
        seat: usize,
        ids: impl Iterator<Item = usize>,
        before: Before,
        random: &mut Random,
    ) -> Option<usize> {
        if let Preference::Greedy(epsilon) = self.preference
            && random.chance(epsilon)
        {
            return None;
        }
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        values.extend(ids.map(|id| self.value(seat, id, before)));
        let place = match self.preference {
            Preference::Greedy(_) => best(&values, random),
            Preference::Gibbs(temperature) => gibbs(&mut values, temperature, random),
        };
        self.values = values;
        Some(place)
    }

    /// Learns the return of a move.
    #[inline(always)]
    fn learn(&mut self, number: u32, before: Before, value: f32) {
        self.ones.add_for(self.seats.seat(number), self.seats.id(number), value);
        for key in Self::keys(self.longest, number, before) {
            if let Some(mean) = self.longer.get_mut(&key) {
                mean.weight += 1.0;
                mean.value += (value - mean.value) / mean.weight;
            } else if self.longer.len() < MOST_SEQUENCES {
                self.longer.insert(key, Mean { value, weight: 1.0 });
            }
        }
    }
}

impl Learner for RoleGrams {
    fn clear(&mut self, _: Player) {
        self.fade(0.0);
    }

    /// The last step first.
    fn teach(&mut self, lesson: &Lesson<'_>) {
        let roles = self.seats.count();
        for step in (0..lesson.played.len() / roles).rev() {
            let (before, now) = lesson.played.split_at(step * roles);
            for (role, (&number, &value)) in now.iter().zip(&lesson.returns[step * roles..]).take(roles).enumerate() {
                self.learn(number, moves_before(before, roles, role), value);
            }
        }
    }

    #[inline(always)]
    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        choice.list();
        let (game, state, candidates) = (choice.game, choice.state, &choice.work.candidates);
        let ids = candidates.iter().map(|candidate| game.move_id(state, candidate.mv));
        let place = self.prefer(choice.seat, ids, choice.context.before, choice.random);
        Offer::or_pass(place.and_then(|place| candidates.get(place)).map(|candidate| candidate.mv))
    }
}

/// The place of the highest value; equal ones are equally likely.
#[inline(always)]
pub fn best(values: &[f32], random: &mut Random) -> usize {
    let (mut place, mut highest, mut equals) = (0, f32::NEG_INFINITY, 0);
    for (candidate, &value) in values.iter().enumerate() {
        if value > highest {
            (place, highest, equals) = (candidate, value, 1);
        } else if value == highest {
            equals += 1;
            if random.below(equals) == 0 {
                place = candidate;
            }
        }
    }
    place
}

/// A place with chance proportional to e^(value / temperature).
fn gibbs(values: &mut [f32], temperature: f32, random: &mut Random) -> usize {
    let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for value in values.iter_mut() {
        *value = exp(f64::from((*value - highest) / temperature)) as f32;
        total += *value;
    }
    let mut ticket = random.unit() * total;
    for (place, weight) in values.iter().enumerate() {
        ticket -= weight;
        if ticket < 0.0 {
            return place;
        }
    }
    values.len() - 1
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use spinney_core::Seed;

    fn learner(settings: &RolePlayout, roles: usize, move_ids: usize) -> RoleGrams {
        RoleGrams::new(settings, &Scope::of_roles(roles, move_ids)).unwrap()
    }

    /// Three roles, two steps: each learns its own return, and the pair with the role before it.
    #[test]
    fn every_role_learns_its_own_returns() {
        let settings = RolePlayout::Ngram(RoleGramSettings { count: 1, n: 2, ..RoleGramSettings::default() });
        let (seats, mut learner) = (Seats::new(3), learner(&settings, 3, 8));
        let played: Vec<u32> = [1, 2, 3, 4, 5, 6]
            .iter()
            .zip([0, 1, 2].into_iter().cycle())
            .map(|(&id, role)| seats.number(role, id))
            .collect();
        learner.teach(&Lesson::of_roles(&played, &[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]));
        learner.learn(played[4], [NO_MOVE; 2], 20.0);
        assert_eq!(learner.value(2, 3, [NO_MOVE; 2]), 30.0);
        assert_eq!(learner.value(1, 5, [NO_MOVE; 2]), 35.0);
        assert_eq!(learner.value(1, 5, [played[0], NO_MOVE]), (35.0 + 50.0) / 2.0);
        assert_eq!(learner.value(1, 5, [played[1], NO_MOVE]), 35.0);
    }

    /// One return at half weight beside a new one: a third and two thirds.
    #[test]
    fn values_fade_and_are_forgotten() {
        let mut learner = learner(&RolePlayout::Mast(RoleMastSettings::default()), 2, 4);
        let number = Seats::TWO.number(1, 3);
        learner.learn(number, [NO_MOVE; 2], 90.0);
        learner.fade(0.5);
        assert_eq!(learner.value(1, 3, [NO_MOVE; 2]), 90.0);
        learner.learn(number, [NO_MOVE; 2], 60.0);
        assert_eq!(learner.value(1, 3, [NO_MOVE; 2]), 70.0);
        learner.fade(0.0);
        assert_eq!(learner.value(1, 3, [NO_MOVE; 2]), 100.0);
    }

    /// Two roles in turn: what a role sees is the other's last move, then its own before that.
    #[test]
    fn moves_before_go_back_one_role_for_every_step() {
        // Steps: (1, 0), (0, 2), (3, 0); 0 stands for doing nothing.
        let trace = [1, 0, 0, 2, 3, 0];
        assert_eq!(moves_before(&trace, 2, 1), [3, 2]);
        assert_eq!(moves_before(&trace[..4], 2, 0), [2, 1]);
        assert_eq!(moves_before(&trace[..2], 2, 1), [1, NO_MOVE]);
        assert_eq!(moves_before(&[4, 5, 6], 1, 0), [6, 5]);
        assert_eq!(moves_before(&[1, 2, 3, 4, 5, 6], 3, 0), [6, 2]);
    }

    /// The pair (1 after 9) has been seen often enough and weighs as much as the single move, the pair (2 after 9) has
    /// not: (20 + 80) / 2 is above 40.
    #[test]
    fn sequences_count_once_they_are_known() {
        let settings = RolePlayout::Ngram(RoleGramSettings { count: 2, eps: 0.0, ..RoleGramSettings::default() });
        let mut learner = learner(&settings, 2, 16);
        let number = |id| Seats::TWO.number(0, id);
        let (empty, after) = ([NO_MOVE; 2], [Seats::TWO.number(1, 9), NO_MOVE]);
        learner.learn(number(1), after, 80.0);
        learner.learn(number(1), after, 80.0);
        (0..4).for_each(|_| learner.learn(number(1), empty, -10.0));
        learner.learn(number(2), after, 90.0);
        learner.learn(number(2), empty, -10.0);
        let mut random = Random::new(Seed::new(1));
        assert_eq!(learner.prefer(0, 1..3, after, &mut random), Some(0));
        assert_eq!(learner.prefer(0, 1..3, empty, &mut random), Some(1));
        // What is unseen is worth 100, and the other role has seen nothing.
        assert_eq!(learner.prefer(0, 1..4, after, &mut random), Some(2));
        assert_eq!(learner.value(1, 1, after), 100.0);
    }

    #[test]
    fn gibbs_prefers_by_the_exponential() {
        let settings = RolePlayout::Mast(RoleMastSettings::default());
        let mut learner = learner(&settings, 1, 2);
        learner.learn(Seats::new(1).number(0, 0), [NO_MOVE; 2], 60.0);
        learner.learn(Seats::new(1).number(0, 1), [NO_MOVE; 2], 50.0);
        let mut random = Random::new(Seed::new(1));
        let first = (0..20_000).filter(|_| learner.prefer(0, 0..2, [NO_MOVE; 2], &mut random) == Some(0)).count();
        let expected = 1.0 / (1.0 + (-1f64).exp());
        assert!((first as f64 / 20_000.0 - expected).abs() < 0.015, "{first}");
    }

    #[test]
    fn equal_moves_are_equally_likely() {
        let mut random = Random::new(Seed::new(2));
        let mut counts = [0; 3];
        (0..30_000).for_each(|_| counts[best(&[5.0, 5.0, 5.0], &mut random)] += 1);
        assert!(counts.iter().all(|&count| (9_700..10_300).contains(&count)), "{counts:?}");
    }
}
