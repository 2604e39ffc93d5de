//! The kernels that are kept play the games of the library: their own text, run on this machine by an interpreter.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod interpreter;

use interpreter::{Card, Fault, Machine, Program};
use spinney_core::{Outcome, Player, Seed};
use spinney_gpu::host::samples::{FEATURES, Features, GAMES, Rules};
use spinney_gpu::host::{Job, Stacks, kernels};
use spinney_gpu::plain::{PlainResult, PlainSeat, state};
use spinney_search::AgentSettings;
use spinney_table::Laboratory;
use spinney_table::table::GameText;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// What came of a game, and its moves unless they cannot be.
type Played = (PlainResult, Option<Vec<String>>);

/// A match of the samples.
struct Sample {
    what: String,
    game: &'static str,
    agents: [AgentSettings; 2],
    features: &'static Features,
    job: Job,
}

impl Sample {
    fn new(laboratory: &Laboratory, game: &'static str, features: &'static Features, simulations: u32) -> Self {
        let agent = |options: &str| laboratory.agent(&format!("mcts(sims={simulations}, {options})")).unwrap();
        let agents = [agent(features.a), agent(features.b)];
        let job = Job::new(game, &agents, features.opening).unwrap().unwrap();
        let what = format!("{game}, {}, by {}", features.name, job.kernel());
        Self { what, game, agents, features, job }
    }

    fn seed(&self) -> Seed {
        Seed::new(5).named(self.features.name)
    }

    /// The game as the library plays it.
    fn own(&self, laboratory: &Laboratory, first: u32) -> GameText {
        self.own_with(laboratory, first, self.seed())
    }

    fn own_with(&self, laboratory: &Laboratory, first: u32, seed: Seed) -> GameText {
        let mut table = laboratory.open(self.game, None).unwrap();
        let seats = self.agents.each_ref().map(|agent| table.seat(agent).unwrap());
        let order = if first == 0 { seats } else { [seats[1], seats[0]] };
        table.play_game(order, self.features.opening, seed, &AtomicBool::new(false)).unwrap()
    }

    /// Games as the kernel plays them, with each agent of these as the first to move.
    fn played(&self, card: &mut Card<'_>, firsts: &[u32]) -> Result<Vec<Played>, Fault> {
        let seed = self.seed().value();
        let seats: Vec<PlainSeat> = firsts.iter().map(|&first| PlainSeat { seed, first, task: 0 }).collect();
        let played = card.play(&self.job.words(), &[*self.job.task()], &seats)?;
        Ok(played.into_iter().map(|(result, places)| (result, self.job.write(&places))).collect())
    }
}

/// The text of a kernel; where `SPINNEY_KERNEL_TEXTS` names a folder with another one, as of a change that is tried, that one.
fn text_of(kernel: &str, stacks: Stacks) -> String {
    let other = std::env::var_os("SPINNEY_KERNEL_TEXTS").filter(|_| stacks == Stacks::Together);
    let file = other.map(|folder| std::path::Path::new(&folder).join(format!("{kernel}.ptx")));
    let other = file.and_then(|file| std::fs::read_to_string(file).ok());
    other.or_else(|| kernels::text(kernel, stacks)).unwrap_or_else(|| panic!("{kernel} was not made"))
}

fn program(kernel: &str, stacks: Stacks, change: impl Fn(String) -> String) -> Result<Program, Fault> {
    Program::read(&change(text_of(kernel, stacks)))
}

/// Rules with which a game takes far longer, and by what their simulations are divided.
const SLOWER: [(&str, u32); 2] = [("havannah", 10), ("havannah(size=10)", 40)];

/// All kernels of a game play all features that are theirs, with so many simulations that it takes a second or two.
/// Variants of the game take turns, and so do agents.
fn all_kernels_play(name: &str, simulations: u32) {
    let laboratory = Laboratory::standard();
    let variants: Vec<&Rules> = GAMES.iter().filter(|rules| rules.name() == name).collect();
    let own = kernels::all().filter(|(game, _)| *game == name);
    let ways = own
        .enumerate()
        .flat_map(|(number, (_, kind))| [Stacks::Together, Stacks::Apart].map(|stacks| (number, kind, stacks)));
    for (number, kind, stacks) in ways {
        let kernel = format!("{name}-{kind}");
        let program = program(&kernel, stacks, |text| text).unwrap_or_else(|fault| panic!("{kernel}: {fault}"));
        let mut card = Card::new(&program);
        let samples: Vec<Sample> = FEATURES
            .iter()
            .map(|features| (features, variants.iter().filter(|rules| features.suit(rules)).collect::<Vec<_>>()))
            .filter(|(_, suitable)| !suitable.is_empty())
            .enumerate()
            .map(|(turn, (features, suitable))| {
                let game = suitable[(turn + turn / 3) % suitable.len()].game;
                let slower = SLOWER.iter().find(|(slower, _)| *slower == game).map_or(1, |(_, divisor)| *divisor);
                Sample::new(&laboratory, game, features, (simulations / slower).max(1))
            })
            .filter(|sample| sample.job.kernel() == kernel)
            .collect();
        assert!(!samples.is_empty(), "no sample uses {kernel}");
        for (sample, turn) in samples.iter().zip(0..) {
            // The first kernel, which is that of the published tables or the smallest, plays everything with stacks apart
            // too, the others half of it.
            if stacks == Stacks::Apart && number > 0 && turn % 2 == 1 {
                continue;
            }
            // A kernel of a single game plays it with both agents first.
            let firsts = if samples.len() == 1 { vec![0, 1] } else { vec![turn % 2] };
            let played = sample.played(&mut card, &firsts).unwrap_or_else(|fault| panic!("{}: {fault}", sample.what));
            for ((result, moves), first) in played.into_iter().zip(firsts) {
                let own = sample.own(&laboratory, first);
                let what = format!("{}, first {first}", sample.what);
                let winner = [Outcome::Draw, Outcome::Win(Player::BOTH[0]), Outcome::Win(Player::BOTH[1])];
                assert_eq!(result.state, state::PLAYED, "{what}");
                assert_eq!(moves, Some(own.moves), "{what}");
                assert_eq!(
                    (winner[result.winner as usize], result.simulations),
                    (own.outcome, own.simulations),
                    "{what}"
                );
            }
        }
    }
}

macro_rules! games {
    ($($test:ident: $name:literal, $simulations:literal;)+) => {
        $(
            #[test]
            fn $test() {
                all_kernels_play($name, $simulations);
            }
        )+

        #[test]
        fn no_game_is_left_out() {
            let made: BTreeSet<&str> = kernels::all().map(|(game, _)| game).collect();
            assert_eq!(made, BTreeSet::from([$($name),+]));
        }
    };
}

games! {
    kernels_play_amazons: "amazons", 3;
    kernels_play_breakthrough: "breakthrough", 40;
    kernels_play_cannon: "cannon", 3;
    kernels_play_checkers: "checkers", 20;
    kernels_play_chinese_checkers: "chinese-checkers", 2;
    kernels_play_havannah: "havannah", 40;
    kernels_play_pentalath: "pentalath", 30;
}

/// What a simulation of whole games takes: instructions, loads and stores in the stack of the thread and elsewhere, and the pieces
/// of 32 bytes that are touched elsewhere, as a card would fetch them for a thread. A list that is written in every ply, a copy
/// made byte by byte, or a node that lies in many places, would be seen here and on no processor. The limits are at most a
/// tenth above what was counted.
#[test]
fn simulations_take_no_more_than_they_did() {
    let (laboratory, mut failures) = (Laboratory::standard(), Vec::<String>::new());
    for (game, agent, most) in [
        ("breakthrough", "mcts(sims=100, playout=uniform)", [7900, 200, 96, 20]),
        ("breakthrough", "mcts(sims=100, qb)", [18_300, 715, 310, 68]),
        ("breakthrough", "mcts(sims=400, variant=engine2014, qb)", [14_800, 635, 300, 64]),
        ("amazons(size=8, variant=engine2014)", "mcts(sims=20, variant=engine2014, qb)", [50_300, 1730, 1560, 497]),
        ("cannon(variant=engine2014)", "mcts(sims=20, variant=engine2014, qb)", [63_700, 1790, 484, 46]),
        ("pentalath(variant=engine2014)", "mcts(sims=100, variant=engine2014, qb)", [17_000, 660, 469, 76]),
        ("checkers(variant=engine2014)", "mcts(sims=50, variant=engine2014, qb)", [10_560, 596, 151, 58]),
        ("chinese-checkers(variant=engine2014)", "mcts(sims=10, variant=engine2014, qb)", [45_800, 2480, 880, 174]),
        ("havannah(size=8)", "mcts(sims=20, playout=uniform)", [38_000, 2650, 1300, 133]),
    ] {
        let agent = laboratory.agent(agent).unwrap();
        let job = Job::new(game, &[agent.clone(), agent], 0).unwrap().unwrap();
        let program = program(&job.kernel(), Stacks::Together, |text| text).unwrap();
        let mut card = Card::new(&program);
        let played = card.play(&job.words(), &[*job.task()], &[PlainSeat { seed: 7, first: 0, task: 0 }]).unwrap();
        let simulations: u64 = played[0].0.simulations.iter().sum();
        let counts = card.counts();
        let taken = [counts.instructions, counts.near, counts.far, counts.pieces].map(|count| count / simulations);
        println!("{}: {taken:?} a simulation, {} plies", job.kernel(), played[0].0.plies);
        if !taken.iter().zip(most).all(|(taken, most)| *taken <= most) {
            failures.push(format!("{game}: {taken:?}, at most {most:?}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// What `kernels/words.ll` moves, overlapping upwards, downwards and not at all, with and without a rest beyond whole words. A
/// kernel holds what it needs.
#[test]
fn memory_is_moved_whole() {
    moves_whole("breakthrough-policy-mast", &[1, 2, 8, 16]);
    moves_whole("amazons-policy-mast", &[2, 4, 8, 16]);
}

fn moves_whole(kernel: &str, words: &[usize]) {
    let program = program(kernel, Stacks::Together, |text| text).unwrap();
    let bytes: Vec<u8> = (0..320).map(|number| number as u8).collect();
    let mut machine = Machine::new(&program, 1 << 12);
    let taken = machine.memory.taken();
    let mut is_right = |kind: &str, word: usize, from: usize, to: usize, length: usize| {
        let mut expected = bytes.clone();
        expected.copy_within(from..from + length, to);
        machine.memory.give_back(taken);
        let place = machine.memory.put(&bytes);
        let arguments = [place + to as u64, place + from as u64, length as u64];
        machine.run(&format!("spinney_$_{kind}_$_{word}"), &arguments).unwrap();
        let found = machine.memory.get(place, bytes.len()).unwrap();
        assert_eq!(found, expected, "{kind} {length} bytes from {from} to {to} by {word}");
    };
    for &word in words {
        for (from, to) in [(0, 1), (1, 0), (3, 3), (0, 5), (6, 1), (0, 12), (12, 0)] {
            (0..=100).for_each(|length| is_right("move", word, from * word, to * word, length));
        }
    }
    // Where both addresses allow it, bytes are copied by words too.
    for (from, to) in [(0, 128), (8, 160), (1, 128), (0, 129), (3, 131), (4, 128)] {
        (0..=100).for_each(|length| is_right("copy", 1, from, to, length));
    }
}

#[test]
fn a_thread_that_leaves_has_taken_one_game() {
    // The host tells by this number what was never begun.
    let sample = Sample::new(&Laboratory::standard(), "breakthrough(rows=6, columns=5)", &FEATURES[0], 2);
    let begun = |change: &dyn Fn(String) -> String| {
        let program = program(&sample.job.kernel(), Stacks::Together, change)?;
        let mut card = Card::new(&program);
        let played = sample.played(&mut card, &[0, 1, 0]);
        Ok::<_, Fault>((played.is_ok(), card.begun()))
    };
    assert_eq!(begun(&|text| text), Ok((true, 4)), "three games, and none left");
    // A slice as short as the number of lanes holds nothing.
    assert_eq!(begun(&|text| text.replacen("[play_param_2]", "[play_param_3]", 1)), Ok((false, 1)));
}

#[test]
fn wrong_kernels_are_seen() {
    let laboratory = Laboratory::standard();
    let sample = Sample::new(&laboratory, "breakthrough(rows=6, columns=5)", &FEATURES[0], 10);
    let own = sample.own(&laboratory, 0);
    let played = |change: &dyn Fn(String) -> String| {
        let program = program(&sample.job.kernel(), Stacks::Together, change)?;
        let mut card = Card::new(&program);
        card.most_jumps = 3_000_000;
        sample.played(&mut card, &[0]).map(|mut games| games.remove(0).1)
    };
    assert_eq!(played(&|text| text), Ok(Some(own.moves.clone())));
    for (from, to) in [
        ("xor.b64", "or.b64"),
        ("mul.hi.u64", "mul.lo.s64"),
        ("setp.gt.f32", "setp.lt.f32"),
        ("popc.b64", "clz.b64"),
        ("shr.u64", "shr.s64"),
        ("div.rn.f32", "div.approx.f32"),
    ] {
        let changed = played(&|text| text.replace(from, to));
        assert_ne!(changed, Ok(Some(own.moves.clone())), "{from} as {to} is not seen");
    }
    // The number of the next game stays where it is: the first is played for ever.
    let stuck = played(&|text| {
        let kept =
            |line: &str| if line.contains("atom.global.add.u32") { line.replace(", 1;", ", 0;") } else { line.into() };
        text.lines().map(kept).collect::<Vec<String>>().join("\n")
    });
    assert_eq!(stuck.unwrap_err().problem, "it runs too long");
    // One operand alone: a thread takes the number of lanes for the length of its slice, and gives up.
    let narrow = played(&|text| text.replacen("[play_param_2]", "[play_param_3]", 1));
    assert_eq!(narrow.unwrap_err().problem, "exit");
}
