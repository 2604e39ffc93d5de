//! The threads of a warp play the library's games too, and stay together.

use super::{Program, Taken, Warp, bytes_in_step, play_in_step};
use crate::{FEATURES, Sample, program, text_of};
use spinney_gpu::host::{Job, Stacks};
use spinney_gpu::plain::{PlainSeat, state};
use spinney_table::Laboratory;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Bytes for the trees and lists of a thread.
const SLICE_BYTES: usize = 6 << 20;

/// Warps of a processor that share its caches.
const WARPS: usize = 16;

fn seats(count: u64) -> Vec<PlainSeat> {
    (0..count).map(|game| PlainSeat { seed: 100 + game, first: game as u32 % 2, task: 0 }).collect()
}

/// More games than threads: some end early and take another.
#[test]
fn threads_in_step_play_the_same_games() {
    let laboratory = Laboratory::standard();
    for features in &FEATURES[..4] {
        let sample = Sample::new(&laboratory, "breakthrough(rows=6, columns=5)", features, 3);
        let program = program(&sample.job.kernel(), Stacks::Together, |text| text).unwrap();
        let mut warp = Warp::new(&program, bytes_in_step(SLICE_BYTES), WARPS, [u64::MAX; 2]);
        let (words, seats) = (sample.job.words(), seats(40));
        let played = play_in_step(&mut warp, SLICE_BYTES, (&words, sample.job.task()), &seats);
        for ((result, places), seat) in played.unwrap_or_else(|fault| panic!("{fault}")).into_iter().zip(seats) {
            let own = sample.own_with(&laboratory, seat.first, spinney_core::Seed::new(seat.seed));
            assert_eq!(result.state, state::PLAYED, "{}", sample.what);
            assert_eq!(sample.job.write(&places), Some(own.moves), "{}, {seat:?}", sample.what);
        }
    }
}

/// A loop that some threads leave early, and in which some take a longer way.
#[test]
fn threads_meet_again() {
    let text = |meeting: &str| {
        format!(
            ".visible .entry play(.param .u64 play_param_0)\n{{\n.reg .pred %p<4>;\n.reg .b32 %r<6>;\n\
             mov.u32 %r1, %tid.x;\nmov.b32 %r2, 0;\nbra.uni LOOP;\n\
             LOOP:\nadd.s32 %r2, %r2, 1;\nand.b32 %r3, %r1, 1;\nsetp.eq.b32 %p1, %r3, 0;\n@%p1 bra {meeting};\n\
             mov.b32 %r4, 2;\nsetp.eq.b32 %p2, %r2, %r1;\n@%p2 bra OUT;\n\
             MEET:\nsetp.lt.u32 %p3, %r2, 10;\n@%p3 bra LOOP;\nOUT:\nret;\n}}\n"
        )
    };
    let issued = |text: &str| {
        let program = Program::read(text).unwrap_or_else(|fault| panic!("{fault}"));
        let mut warp = Warp::new(&program, 4096, WARPS, [0, u64::MAX]);
        warp.run("play", &[0], u32::MAX).unwrap_or_else(|fault| panic!("{fault}"));
        warp.lines.values().map(|taken| taken.issued).sum::<u64>()
    };
    // Whoever goes on meets nobody before the loop has ended, as one of the ways leaves it: 16 and 16 threads run it twice, and
    // those of odd numbers below 10 part once more.
    let apart = issued(&text("MEET"));
    // All odd threads come to the end of their way before they leave.
    let together = issued(&text("MEET").replace("@%p2 bra OUT;\nMEET:", "MEET:"));
    assert!(together < apart * 3 / 4, "{together} and {apart} instructions");
}

/// What each line of a kernel took, written where `SPINNEY_KERNEL_LINES` says.
fn write_lines(kernel: &str, text: &str, warp: &Warp<'_>, simulations: f64) {
    let Some(folder) = std::env::var_os("SPINNEY_KERNEL_LINES") else { return };
    let taken: HashMap<u32, &Taken> = warp.lines.iter().map(|((_, line), taken)| (*line, taken)).collect();
    let mut written = String::from("   issued threads    waited  fetched  touched  line\n");
    for (line, number) in text.lines().zip(1..) {
        match taken.get(&number) {
            Some(taken) => {
                let [issued, waited, fetched, touched] =
                    [taken.issued, taken.waited, taken.fetched, taken.touched].map(|count| count as f64 / simulations);
                let _ = write!(
                    written,
                    "{issued:9.2} {:7.1} {waited:9.1} {fetched:8.2} {touched:8.1} ",
                    taken.threads_at_work()
                );
            }
            None => written.push_str(&" ".repeat(46)),
        }
        let _ = writeln!(written, "{number:5} {line}");
    }
    let folder = std::path::Path::new(&folder);
    std::fs::write(folder.join(format!("{kernel}.txt")), written).unwrap();
    if let Some(origins) = origins_of(kernel) {
        let mut tree = Origin::default();
        let mut function = "";
        for ((line, number), origin) in text.lines().zip(1..).zip(origins.lines()) {
            function = line.split_once("Begin function ").map_or(function, |(_, name)| name);
            if let Some(taken) = taken.get(&number) {
                tree.add(taken, std::iter::once(function).chain(origin.trim_end_matches([' ', ']']).rsplit(" @[ ")));
            }
        }
        let mut written = String::from(" issued  threads  touched   text line of the sources, the outermost first\n");
        tree.write(&mut written, &tree.taken, 0);
        std::fs::write(folder.join(format!("{kernel}.tree.txt")), written).unwrap();
    }
}

/// Where each line of the text of a kernel comes from, if `cargo xtask kernels --lines` has written it.
fn origins_of(kernel: &str) -> Option<String> {
    let folder = std::env::var_os("SPINNEY_KERNEL_TEXTS")?;
    std::fs::read_to_string(std::path::Path::new(&folder).join(format!("{kernel}.origins"))).ok()
}

/// What the instructions from a line of the sources took, with all that is inlined there.
#[derive(Default)]
struct Origin {
    taken: Taken,
    lines: u32,
    inner: HashMap<String, Origin>,
}

impl Origin {
    fn add<'a>(&mut self, taken: &Taken, mut places: impl Iterator<Item = &'a str>) {
        self.taken.add(taken);
        self.lines += 1;
        if let Some(place) = places.next() {
            // The end of the path, and no column.
            let place = place.rsplit_once(':').map_or(place, |(line, _)| line);
            let start = place.rmatch_indices('/').nth(2).map_or(0, |(start, _)| start + 1);
            self.inner.entry(place[start..].to_string()).or_default().add(taken, places);
        }
    }

    /// All that took a hundredth of `whole`, with what is inlined there.
    fn write(&self, written: &mut String, whole: &Taken, depth: usize) {
        let part = |own: u64, of: u64| 100.0 * own as f64 / of.max(1) as f64;
        let mut inner: Vec<_> = self.inner.iter().collect();
        inner.sort_by_key(|(place, own)| (std::cmp::Reverse(own.taken.issued), *place));
        for (place, own) in inner {
            let share = part(own.taken.issued, whole.issued);
            if share >= 1.0 {
                let touched = part(own.taken.touched, whole.touched);
                let threads = own.taken.threads_at_work();
                let _ = writeln!(
                    written,
                    "{share:5.1} %   {threads:5.1}  {touched:5.1} %  {:5} {:depth$}{place}",
                    own.lines, ""
                );
                own.write(written, whole, depth + 1);
            }
        }
    }
}

/// Instructions that a warp issues for a simulation of each of its threads, and how many of them are at work. Where threads that
/// have parted do not meet again before a loop has ended, a warp runs as one thread after the other, which no processor
/// notices: with the tables' agents 1.1 to 1.5 of 32 threads had been at work, and 7 to 9 before loops and rare branches were shortened. Limits are a tenth above and below what was
/// counted.
#[test]
fn threads_stay_together() {
    let (laboratory, mut failures) = (Laboratory::standard(), Vec::<String>::new());
    for (game, agent, waits, (most, least)) in [
        ("breakthrough", "mcts(sims=100, playout=uniform)", [100, 300], (17_700, 18.7)),
        ("breakthrough", "mcts(sims=100, variant=engine2014, qb)", [100, 200], (65_300, 11.6)),
        ("amazons(size=8, variant=engine2014)", "mcts(sims=30, variant=engine2014, qb)", [30, 38], (322_000, 8.9)),
        ("cannon(variant=engine2014)", "mcts(sims=30, variant=engine2014, qb)", [30, 50], (140_000, 16.4)),
        ("checkers(variant=engine2014)", "mcts(sims=50, variant=engine2014, qb)", [50, 100], (46_200, 10.1)),
        ("chinese-checkers(variant=engine2014)", "mcts(sims=30, variant=engine2014, qb)", [30, 40], (268_000, 10.6)),
        ("pentalath(variant=engine2014)", "mcts(sims=50, variant=engine2014, qb)", [50, 100], (51_900, 11.1)),
        ("havannah(size=8)", "mcts(sims=30, playout=uniform)", [30, 50], (73_200, 20.2)),
    ] {
        let agent = laboratory.agent(agent).unwrap();
        let job = Job::new(game, &[agent.clone(), agent], 0).unwrap().unwrap();
        let text = text_of(&job.kernel(), Stacks::Together);
        let program = Program::read(&text).unwrap_or_else(|fault| panic!("{fault}"));
        let mut warp = Warp::new(&program, bytes_in_step(SLICE_BYTES), WARPS, waits);
        play_in_step(&mut warp, SLICE_BYTES, (&job.words(), job.task()), &seats(32))
            .unwrap_or_else(|fault| panic!("{}: {fault}", job.kernel()));
        // Two waits are a simulation.
        let simulations = (waits[1] - waits[0]) as f64 / 2.0;
        let mut all = Taken::default();
        warp.lines.values().for_each(|taken| all.add(taken));
        let (issued, threads) = (all.issued as f64 / simulations, all.threads_at_work());
        let [cycles, missed, far] = warp.counted().map(|count| count as f64 / simulations);
        println!(
            "{}: {issued:.0} instructions, {threads:.1} threads at work, {:.0} lines of the first cache, {cycles:.0} cycles \
             alone; for each thread {:.0} pieces from the second cache or memory, {:.0} from memory",
            job.kernel(),
            all.touched as f64 / simulations,
            missed / 32.0,
            far / 32.0
        );
        write_lines(&job.kernel(), &text, &warp, simulations);
        if issued > f64::from(most) || threads < least {
            failures.push(format!("{game}: {issued:.0} instructions, {threads:.1} threads"));
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}
