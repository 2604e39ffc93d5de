//! Round robins: every player meets every other on every sheet, with the seats swapped, and the results are summed up as
//! the laboratory does.

use crate::manager::Played;
use serde::Serialize;
use spinney_core::InputError;
use spinney_gdl::expression::Expression;
use spinney_stats::{
    Confidence, GameResult, Interval, Pentanomial, Trinomial, independent_interval, pentanomial_interval,
};
use std::collections::BTreeMap;

/// A match of a tournament: a sheet, and who sits where; nobody means random moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Number of the sheet.
    pub sheet: usize,
    /// Round, from 0.
    pub round: usize,
    /// Numbers of the players in the order of the roles that choose.
    pub seats: Vec<Option<usize>>,
}

/// How many roles of a sheet choose: all but `random`, which is chance.
///
/// # Errors
/// What is not made of expressions.
pub fn count_players(sheet: &str) -> Result<usize, InputError> {
    let is_player = |expression: &Expression| match expression {
        Expression::List(_, members) => match members.as_slice() {
            [Expression::Name(_, word), Expression::Name(_, name)] => {
                word.eq_ignore_ascii_case("role") && !name.eq_ignore_ascii_case("random")
            }
            _ => false,
        },
        Expression::Name(..) => false,
    };
    Ok(Expression::read_all(sheet)?.iter().filter(|each| is_player(each)).count())
}

/// All matches: alone where a sheet is for one; in both seats against everybody where it is for two; with more roles every
/// player in every seat, and random moves where there are too few players.
///
/// ```
/// use spinney_ggp::tournament::schedule;
/// let seats = |roles, players| schedule(&[roles], players, 1).into_iter().map(|each| each.seats).collect::<Vec<_>>();
/// assert_eq!(seats(2, 2), [[Some(0), Some(1)], [Some(1), Some(0)]]);
/// assert_eq!(seats(1, 2), [[Some(0)], [Some(1)]]);
/// assert_eq!(seats(3, 2).last().unwrap(), &[Some(1), None, Some(0)]);
/// ```
pub fn schedule(roles: &[usize], players: usize, rounds: usize) -> Vec<Pairing> {
    let mut matches = Vec::new();
    for round in 0..rounds {
        for (sheet, &roles) in roles.iter().enumerate() {
            let mut add = |seats| matches.push(Pairing { sheet, round, seats });
            match roles {
                2 => {
                    for one in 0..players {
                        for other in one + 1..players {
                            add(vec![Some(one), Some(other)]);
                            add(vec![Some(other), Some(one)]);
                        }
                    }
                }
                _ => {
                    let places = players.max(roles);
                    for turn in 0..places {
                        let seat =
                            |role: usize| Some((role + places - turn) % places).filter(|&player| player < players);
                        let seats: Vec<Option<usize>> = (0..roles).map(seat).collect();
                        if seats.iter().any(Option::is_some) {
                            add(seats);
                        }
                    }
                }
            }
        }
    }
    matches
}

/// What a player has achieved.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Standing {
    /// Who it is.
    pub player: String,
    /// Matches that were played to their end.
    pub matches: u64,
    /// Mean goal, from 0 to 100.
    pub mean_goal: f64,
    /// Wins, draws and losses against each of the others in its matches, by goals.
    pub wins: u64,
    /// See `wins`.
    pub draws: u64,
    /// See `wins`.
    pub losses: u64,
    /// Score against the others from 0 to 1, a draw being half a win, with its 95 % interval.
    pub score: Option<[f64; 3]>,
    /// Moves that were late, illegal or did not come.
    pub errors: u64,
    /// The slowest reply in milliseconds.
    pub slowest_ms: u64,
}

/// Two players against each other, in pairs of matches with the seats swapped.
#[derive(Clone, Debug, Serialize)]
pub struct Encounter {
    /// One player.
    pub one: String,
    /// The other.
    pub other: String,
    /// Pairs of matches.
    pub pairs: u64,
    /// Score of the first from 0 to 1, with its 95 % interval.
    pub score: Option<[f64; 3]>,
}

/// Results of a tournament so far.
#[derive(Debug)]
pub struct Results {
    names: Vec<String>,
    standings: Vec<Standing>,
    goals: Vec<u64>,
    against: Vec<Trinomial>,
    /// Results of the player with the lower number, by the two of them, the sheet and the round.
    open: BTreeMap<(usize, usize, usize, usize), GameResult>,
    pairs: BTreeMap<(usize, usize), Pentanomial>,
}

fn with_interval(score: Option<f64>, interval: Option<Interval>) -> Option<[f64; 3]> {
    score.zip(interval).map(|(score, interval)| [score, interval.low, interval.high])
}

impl Results {
    /// Of nothing yet.
    pub fn new(names: Vec<String>) -> Self {
        let standings = names.iter().map(|name| Standing { player: name.clone(), ..Standing::default() }).collect();
        let count = names.len();
        Self {
            names,
            standings,
            goals: vec![0; count],
            against: vec![Trinomial::default(); count],
            open: BTreeMap::new(),
            pairs: BTreeMap::new(),
        }
    }

    /// Adds a match; one that was called off counts only its errors.
    pub fn add(&mut self, pairing: &Pairing, played: &Played) {
        let is_chance = |role: &usize| played.roles[*role].eq_ignore_ascii_case("random");
        let roles: Vec<usize> = (0..played.roles.len()).filter(|role| !is_chance(role)).collect();
        let seated = || roles.iter().zip(&pairing.seats).filter_map(|(&role, seat)| Some((role, (*seat)?)));
        for (role, player) in seated() {
            let own = &mut self.standings[player];
            own.errors += played.steps.iter().filter(|step| !step.errors[role].is_empty()).count() as u64;
            let slowest = played.steps.iter().map(|step| step.milliseconds[role]).max().unwrap_or(0);
            own.slowest_ms = own.slowest_ms.max(slowest);
            let Some(goal) = played.goals.get(role) else { continue };
            own.matches += 1;
            self.goals[player] += u64::from(goal.unwrap_or(0));
            for (rival_role, rival) in seated().filter(|&(_, rival)| rival != player) {
                let result = compare(played.goals[role], played.goals[rival_role]);
                self.against[player].add(result);
                if roles.len() == 2 && player < rival {
                    self.add_to_pair((player, rival, pairing.sheet, pairing.round), result);
                }
            }
        }
    }

    fn add_to_pair(&mut self, place: (usize, usize, usize, usize), result: GameResult) {
        match self.open.remove(&place) {
            Some(first) => self.pairs.entry((place.0, place.1)).or_default().add(first, result),
            None => drop(self.open.insert(place, result)),
        }
    }

    /// The players, best first.
    pub fn standings(&self) -> Vec<Standing> {
        let mut all: Vec<Standing> = self.standings.clone();
        for (number, own) in all.iter_mut().enumerate() {
            let against = &self.against[number];
            own.mean_goal = self.goals[number] as f64 / own.matches.max(1) as f64;
            (own.wins, own.draws, own.losses) = (against.wins, against.draws, against.losses);
            own.score = with_interval(against.score(), independent_interval(against, Confidence::default()));
        }
        all.sort_by(|a, b| b.mean_goal.total_cmp(&a.mean_goal));
        all
    }

    /// Every two players who met in pairs of matches.
    pub fn encounters(&self) -> Vec<Encounter> {
        let encounter = |(&(one, other), pairs): (&(usize, usize), &Pentanomial)| Encounter {
            one: self.names[one].clone(),
            other: self.names[other].clone(),
            pairs: pairs.pairs(),
            score: with_interval(pairs.score(), pentanomial_interval(pairs, Confidence::default())),
        };
        self.pairs.iter().map(encounter).collect()
    }
}

fn compare(own: Option<u8>, other: Option<u8>) -> GameResult {
    match own.unwrap_or(0).cmp(&other.unwrap_or(0)) {
        std::cmp::Ordering::Greater => GameResult::Win,
        std::cmp::Ordering::Equal => GameResult::Draw,
        std::cmp::Ordering::Less => GameResult::Loss,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use crate::manager::Step;

    fn played(goals: &[u8], errors: [&str; 2]) -> Played {
        let step = Step {
            step: 1,
            moves: vec!["a".to_string(); 2],
            errors: errors.map(str::to_string).to_vec(),
            milliseconds: vec![30, 70],
        };
        Played {
            id: "m".to_string(),
            roles: vec!["left".to_string(), "right".to_string()],
            steps: vec![step],
            goals: goals.iter().map(|&goal| Some(goal)).collect(),
            states: Vec::new(),
        }
    }

    #[test]
    fn everybody_sits_everywhere_once() {
        // Three players on a sheet for two: three pairs, both ways, two rounds.
        let matches = schedule(&[2], 3, 2);
        assert_eq!(matches.len(), 12);
        for player in 0..3 {
            for seat in 0..2 {
                assert_eq!(matches.iter().filter(|each| each.seats[seat] == Some(player)).count(), 4);
            }
        }
        let matches = schedule(&[3], 3, 1);
        assert!((0..3).all(|player| (0..3).all(|seat| matches.iter().any(|each| each.seats[seat] == Some(player)))));
        assert_eq!(count_players("(role a) (ROLE random) (role b) (<= (role c) x)"), Ok(2));
    }

    /// Player 0 wins 100:0 and loses 40:60; one move of player 1 was late, and a match was called off.
    #[test]
    fn results_are_summed_up_by_hand() {
        let mut results = Results::new(vec!["one".to_string(), "two".to_string()]);
        let pairing = |seats: [usize; 2]| Pairing { sheet: 0, round: 0, seats: seats.map(Some).to_vec() };
        results.add(&pairing([0, 1]), &played(&[100, 0], ["", "late"]));
        results.add(&pairing([1, 0]), &played(&[60, 40], ["", ""]));
        results.add(&pairing([0, 1]), &played(&[], ["", "late"]));
        let standings = results.standings();
        let own = &standings[0];
        assert_eq!((own.player.as_str(), own.matches, own.mean_goal, own.errors), ("one", 2, 70.0, 0));
        assert_eq!((own.wins, own.draws, own.losses, own.slowest_ms), (1, 0, 1, 70));
        assert_eq!((standings[1].mean_goal, standings[1].errors), (30.0, 2));
        let encounters = results.encounters();
        assert_eq!((encounters.len(), encounters[0].pairs, encounters[0].score.unwrap()[0]), (1, 1, 0.5));
    }
}
