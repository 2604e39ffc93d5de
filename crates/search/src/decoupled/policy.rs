//! The play-out policies of games of roles: uniform, mean returns of moves (MAST, Finnsson and Björnsson, 2008), and of
//! sequences of moves (N-grams, Tak, Winands and Björnsson, 2012). Returns go from 0 to 100.

use super::settings::{RoleGramSettings, RoleMastSettings, RolePlayout};
use super::tree::HashedMap;
use spinney_core::Random;
use spinney_core::arithmetic::exp;
use spinney_core::random::mix;

/// Longest sequence of moves.
pub const LONGEST: usize = 3;
/// Sequences that are remembered; beyond them nothing new is.
const MOST_SEQUENCES: usize = 4_000_000;

/// A mean and how much it weighs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Mean {
    value: f32,
    weight: f32,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.weight += 1.0;
        self.value += (value - self.value) / self.weight;
    }
}

/// The moves that were made last, newest first, as the sequences of a role see them: one role back for every step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    moves: [u32; LONGEST - 1],
    known: usize,
}

impl Context {
    /// The context of `role` after the moves of all roles in `trace`, step by step.
    #[inline(always)]
    pub fn new(trace: &[u32], roles: usize, role: usize) -> Self {
        let steps = trace.len() / roles;
        let mut context = Self::default();
        for back in 0..steps.min(LONGEST - 1) {
            let of = (role + roles * LONGEST - back - 1) % roles;
            context.moves[back] = trace[(steps - 1 - back) * roles + of];
            context.known += 1;
        }
        context
    }

    /// A number for the sequence of the last `length` moves and this one.
    #[inline(always)]
    fn key(&self, role: usize, id: u32, length: usize) -> u64 {
        let start = mix((role as u64) << 40 | (length as u64) << 32 | u64::from(id));
        self.moves[..length].iter().fold(start, |key, &mv| mix(key ^ u64::from(mv)))
    }
}

/// What play-outs follow and have learned.
#[derive(Debug)]
pub struct Policy {
    settings: RolePlayout,
    move_ids: usize,
    single: Vec<Mean>,
    sequences: HashedMap<Mean>,
    /// Values of the moves of one choice.
    values: Vec<f32>,
}

impl Policy {
    /// A policy that knows nothing yet.
    pub fn new(settings: &RolePlayout, roles: usize, move_ids: usize) -> Self {
        let places = if *settings == RolePlayout::Uniform { 0 } else { roles * move_ids };
        Self {
            settings: settings.clone(),
            move_ids,
            single: vec![Mean::default(); places],
            sequences: HashedMap::default(),
            values: Vec::new(),
        }
    }

    /// Whether choices are uniform and nothing is learned.
    #[inline(always)]
    pub fn is_uniform(&self) -> bool {
        self.settings == RolePlayout::Uniform
    }

    /// Lets what was learned count for this share of its weight.
    pub fn decay(&mut self, share: f32) {
        if share >= 1.0 {
            return;
        }
        self.single.iter_mut().for_each(|mean| mean.weight *= share);
        if share <= 0.0 {
            self.single.iter_mut().for_each(|mean| *mean = Mean::default());
            self.sequences.clear();
        }
        self.sequences.values_mut().for_each(|mean| mean.weight *= share);
    }

    /// The place of the chosen one of these moves.
    #[inline(always)]
    pub fn choose(&mut self, role: usize, ids: &[u32], context: &Context, random: &mut Random) -> usize {
        if ids.len() == 1 {
            return 0;
        }
        match &self.settings {
            RolePlayout::Uniform => random.below(ids.len() as u32) as usize,
            RolePlayout::Mast(RoleMastSettings { eps: Some(eps), .. })
            | RolePlayout::Ngram(RoleGramSettings { eps, .. })
                if random.chance(*eps) =>
            {
                random.below(ids.len() as u32) as usize
            }
            RolePlayout::Mast(own) => {
                let (unseen, temperature) = (own.unseen, own.eps.is_none().then_some(own.tau));
                self.values.clear();
                let row = &self.single[role * self.move_ids..];
                self.values.extend(ids.iter().map(|&id| value(row[id as usize], unseen)));
                match temperature {
                    Some(temperature) => gibbs(&mut self.values, temperature, random),
                    None => best(&self.values, random),
                }
            }
            RolePlayout::Ngram(own) => {
                self.values.clear();
                for &id in ids {
                    let single = self.single[role * self.move_ids + id as usize];
                    let (mut sum, mut count) = (value(single, own.unseen), 1.0);
                    for length in 1..=context.known.min(own.n as usize - 1) {
                        match self.sequences.get(&context.key(role, id, length)) {
                            Some(mean) if mean.weight >= own.count as f32 => {
                                sum += mean.value;
                                count += 1.0;
                            }
                            _ => break,
                        }
                    }
                    self.values.push(sum / count);
                }
                best(&self.values, random)
            }
        }
    }

    /// Learns the return of a role's move.
    #[inline(always)]
    pub fn learn(&mut self, role: usize, id: u32, context: &Context, value: f32) {
        self.single[role * self.move_ids + id as usize].add(value);
        if let RolePlayout::Ngram(own) = &self.settings {
            for length in 1..=context.known.min(own.n as usize - 1) {
                let key = context.key(role, id, length);
                if let Some(mean) = self.sequences.get_mut(&key) {
                    mean.add(value);
                } else if self.sequences.len() < MOST_SEQUENCES {
                    self.sequences.insert(key, Mean { value, weight: 1.0 });
                }
            }
        }
    }
}

fn value(mean: Mean, unseen: f32) -> f32 {
    if mean.weight > 0.0 { mean.value } else { unseen }
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
    use super::*;
    use spinney_core::Seed;

    /// Two roles in turn: what a role sees is the other's last move, then its own before that.
    #[test]
    fn a_context_goes_back_one_role_for_every_step() {
        // Steps: (1, 0), (0, 2), (3, 0); 0 stands for doing nothing.
        let trace = [1, 0, 0, 2, 3, 0];
        let second = Context::new(&trace, 2, 1);
        assert_eq!((second.moves, second.known), ([3, 2], 2));
        let early = Context::new(&trace[..4], 2, 0);
        assert_eq!((early.moves, early.known), ([2, 1], 2));
        assert_eq!(Context::new(&trace[..2], 2, 1).known, 1);
        assert_eq!(Context::new(&[4, 5, 6], 1, 0).moves, [6, 5]);
    }

    /// The pair (1 after 9) has been seen often enough and weighs as much as the single move, the pair (2 after 9) has
    /// not: (20 + 80) / 2 is above 40.
    #[test]
    fn sequences_count_once_they_are_known() {
        let settings = RolePlayout::Ngram(RoleGramSettings { count: 2, eps: 0.0, ..RoleGramSettings::default() });
        let mut policy = Policy::new(&settings, 2, 16);
        let (empty, after) = (Context::default(), Context::new(&[9, 9], 2, 0));
        policy.learn(0, 1, &after, 80.0);
        policy.learn(0, 1, &after, 80.0);
        (0..4).for_each(|_| policy.learn(0, 1, &empty, -10.0));
        policy.learn(0, 2, &after, 90.0);
        policy.learn(0, 2, &empty, -10.0);
        let mut random = Random::new(Seed::new(1));
        assert_eq!(policy.choose(0, &[1, 2], &after, &mut random), 0);
        assert_eq!(policy.choose(0, &[1, 2], &empty, &mut random), 1);
        // The other role knows nothing of it, and what is unseen is worth 100.
        assert_eq!(policy.choose(0, &[1, 2, 3], &after, &mut random), 2);
    }

    #[test]
    fn gibbs_prefers_by_the_exponential() {
        let settings = RolePlayout::Mast(RoleMastSettings::default());
        let mut policy = Policy::new(&settings, 1, 2);
        policy.learn(0, 0, &Context::default(), 60.0);
        policy.learn(0, 1, &Context::default(), 50.0);
        let mut random = Random::new(Seed::new(1));
        let first = (0..20_000).filter(|_| policy.choose(0, &[0, 1], &Context::default(), &mut random) == 0).count();
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
