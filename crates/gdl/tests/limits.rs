//! Sheets that would take all memory and all time: what is allocated while they are built and played stays within the
//! limits, and building ends when it is called off.
#![allow(
    unsafe_code,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "an allocator that counts is unsafe by its signature; numbers are told"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cpu_time::ProcessTime;
use spinney_gdl::{BuildError, Cancel, Limits, Machine, Method, Rules};

/// Counts what is allocated now, and the most since it was asked.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Large blocks are moved by their pages, not copied.
        let now = NOW.fetch_add(size, Ordering::Relaxed) + size;
        MOST.fetch_max(now - layout.size(), Ordering::Relaxed);
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Tests that count must not run at the same time.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The most bytes that were allocated at once, beyond those that were before, and the result.
fn most_allocated<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let result = work();
    (MOST.load(Ordering::Relaxed) - before, result)
}

const BYTES: usize = 64 << 20;

fn limits() -> Limits {
    Limits { bytes: BYTES, work: 8_000_000, ..Limits::default() }
}

fn numbers(count: usize) -> String {
    (0..count).map(|number| format!("(n {number}) ")).collect()
}

/// A game in which one stays on for ever, with more rules.
fn sheet(rules: &str) -> String {
    format!(
        "(role me) (init on) (init (count zero)) (legal me stay) (<= (next on) (true on))
         (<= terminal (true off)) (goal me 50) {rules}"
    )
}

const PRODUCT: &str = "(n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g) (n ?h)";

/// Names, sheets, and whether they can be played at all.
fn hostile() -> Vec<(&'static str, String, bool)> {
    let thirty = numbers(30);
    let chain = |count: usize, rule: &dyn Fn(usize) -> String| (1..count).map(rule).collect::<String>();
    let or = "(or (true a) (true b) (n ?a))";
    vec![
        (
            "a product that no state changes, asked once",
            sheet(&format!(
                "{thirty} (<= (p ?a ?b ?c ?d ?e ?f ?g ?h) {PRODUCT}) (<= (legal me go) (p 1 2 3 4 5 6 7 8))"
            )),
            true,
        ),
        (
            "a product that depends on the state, asked once",
            sheet(&format!(
                "{thirty} (<= (p ?a ?b ?c ?d ?e ?f ?g ?h) (true on) {PRODUCT}) (<= (legal me go) (p 1 2 3 4 5 6 7 8))"
            )),
            true,
        ),
        (
            "a product of moves",
            sheet(&format!("{thirty} (<= (legal me (go ?a ?b ?c ?d ?e ?f ?g ?h)) {PRODUCT})")),
            false,
        ),
        ("a product of facts", sheet(&format!("{thirty} (<= (init (go ?a ?b ?c ?d ?e ?f ?g ?h)) {PRODUCT})")), false),
        (
            "a product of questions",
            sheet(&format!(
                "{thirty} (<= (q ?a ?b ?c ?d ?e ?f ?g ?h) (true on) {PRODUCT} (not (true (f ?a ?b ?c ?d ?e ?f ?g ?h))))
                 (<= terminal {PRODUCT} (not (q ?a ?b ?c ?d ?e ?f ?g ?h)))"
            )),
            false,
        ),
        (
            "terms that grow for ever",
            sheet("(<= (next (count (s ?x))) (true (count ?x))) (<= (legal me (say ?x)) (true (count ?x)))"),
            true,
        ),
        (
            "a chain of rules",
            sheet(&format!(
                "(<= (r 0) (true on)) {} (<= terminal (not (r 2999)))",
                chain(3_000, &|at| format!("(<= (r {at}) (r {}) (true on)) ", at - 1))
            )),
            true,
        ),
        (
            "a chain of relations with two ways each",
            sheet(&format!(
                "(<= r0 (true on)) {} (<= (legal me go) r4999) (<= (next (count zero)) r4999 (does me go))",
                chain(5_000, &|at| format!("(<= r{at} r{0} (true on)) (<= r{at} r{0} (true (count zero))) ", at - 1))
            )),
            true,
        ),
        (
            "a recursion as deep as it is long",
            sheet(&format!(
                "{} (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?y) (succ ?x ?z) (less ?z ?y)) (<= (legal me go) (less 0 2999))",
                chain(3_000, &|at| format!("(succ {} {at}) ", at - 1))
            )),
            true,
        ),
        ("many alternatives", sheet(&format!("(n 0) (<= terminal (n ?a) {})", or.repeat(14))), false),
        (
            "a rule with thousands of variables",
            sheet(&format!(
                "{thirty} (<= (legal me go) {})",
                chain(3_000, &|at| format!("(n ?x{at}) (distinct ?x{at} ?x{}) ", at.max(2) - 1))
            )),
            false,
        ),
        (
            "rules that share more and more",
            sheet(&chain(80, &|at| {
                let conditions: String = (0..at).map(|fact| format!("(true (f {fact})) ")).collect();
                format!("(<= (next (f {at})) (does me stay) {conditions}) (<= (next all) (does me stay) {conditions})")
            })),
            true,
        ),
        (
            "a graph in which everything reaches everything",
            sheet(&format!(
                "{} (<= (edge ?x ?y) (n ?x) (n ?y) (not (true (cut ?x ?y)))) (<= (reach ?x ?y) (edge ?x ?y))
                 (<= (reach ?x ?y) (reach ?x ?z) (edge ?z ?y)) (<= (legal me (go ?x)) (n ?x) (reach 0 ?x))
                 (<= (next (cut ?x 0)) (does me (go ?x))) (<= (next (cut ?x ?y)) (true (cut ?x ?y)))",
                numbers(25)
            )),
            true,
        ),
    ]
}

#[test]
fn hostile_sheets_stay_within_the_limits() {
    let _alone = alone();
    for (name, text, playable) in hostile() {
        let rules = Rules::parse(&text).unwrap();
        for method in [None, Some(Method::Proof)] {
            let limits = Limits { method, ..limits() };
            // Threads of servers have no more room than this for calls.
            let build = || {
                std::thread::scope(|scope| {
                    let small = std::thread::Builder::new().stack_size(1 << 20);
                    small.spawn_scoped(scope, || Machine::build(&rules, &limits)).unwrap().join().unwrap()
                })
            };
            let (most, built) = most_allocated(build);
            // A table that grows is there twice for a moment.
            assert!(most < BYTES * 5 / 4, "{name}, {method:?}: {} MB", most >> 20);
            match built {
                Ok(machine) => {
                    assert!(playable, "{name}, {method:?}: {:?}", machine.method());
                    let (most, ()) = most_allocated(|| play(&machine));
                    assert!(most < BYTES, "{name}, {method:?}: {} MB", most >> 20);
                }
                Err(BuildError::Cancelled) => panic!("{name} was called off by nobody"),
                Err(error) => assert!(!playable, "{name}, {method:?}: {error}"),
            }
        }
    }
}

/// Some steps from the beginning.
fn play(machine: &Machine) {
    let mut cursor = machine.cursor();
    for step in 0..20 {
        assert!(!cursor.is_interrupted());
        if cursor.is_terminal() {
            return;
        }
        let last = cursor.legal_count(0).min(step + 1) - 1;
        let action = cursor.nth_legal(0, last);
        cursor.step(&[action]);
    }
    assert!(cursor.goal(0).is_some());
}

/// Processor time that building goes on for after it was called off, when it had taken `after`; `None` if it was done
/// by then.
fn rest_after_cancel(rules: &Rules, method: Option<Method>, after: Duration) -> Option<Duration> {
    let cancel = Cancel::default();
    let limits = Limits { work: u64::MAX, bytes: 400 << 20, method, ..Limits::default() }.cancelled_by(&cancel);
    std::thread::scope(|scope| {
        let started = ProcessTime::now();
        let build = scope.spawn(|| Machine::build(rules, &limits).err());
        while started.elapsed() < after && !build.is_finished() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let called = ProcessTime::now();
        cancel.cancel();
        let error = build.join().unwrap();
        (error == Some(BuildError::Cancelled)).then(|| called.elapsed())
    })
}

/// Processor time, since a busy machine may let a thread wait for as long as it likes. No other test runs meanwhile.
#[test]
fn building_ends_within_a_tenth_of_a_second_when_it_is_called_off() {
    let _alone = alone();
    let (mut longest, mut cut) = ((Duration::ZERO, ""), 0);
    for (name, text, _) in hostile() {
        let rules = Rules::parse(&text).unwrap();
        for method in [None, Some(Method::Proof)] {
            for after_ms in [0, 5, 20, 80, 300] {
                let Some(rest) = rest_after_cancel(&rules, method, Duration::from_millis(after_ms)) else { break };
                longest = longest.max((rest, name));
                cut += 1;
            }
        }
    }
    println!("{cut} times called off; at most {:.1} ms more: {}", longest.0.as_secs_f64() * 1000.0, longest.1);
    assert!(cut >= 26, "building ends at once if it is called off before: {cut}");
    assert!(longest.0 <= Duration::from_millis(100), "{longest:?}");
}

/// In the second state there are more moves than memory holds.
fn trap() -> String {
    sheet(&format!(
        "{} (<= (next sprung) (does me stay)) (<= (legal me (go ?a ?b ?c ?d ?e ?f ?g ?h)) (true sprung) {PRODUCT})",
        numbers(30)
    ))
}

#[test]
fn a_state_that_explodes_is_broken_off() {
    let _alone = alone();
    let limits = Limits { method: Some(Method::Proof), bytes: 16 << 20, ..Limits::default() };
    let machine = Machine::build(&Rules::parse(&trap()).unwrap(), &limits).unwrap();
    let mut cursor = machine.cursor();
    assert_eq!((cursor.legal_count(0), cursor.is_interrupted()), (1, false));
    let (most, ()) = most_allocated(|| cursor.step(&[0]));
    assert!(most < 16 << 20, "{} MB", most >> 20);
    assert!(cursor.is_interrupted() && cursor.is_terminal());
    assert_eq!((cursor.legal_count(0), cursor.goal(0)), (0, None));
    cursor.set(machine.initial());
    assert!(!cursor.is_interrupted() && !cursor.is_terminal());
    assert_eq!((cursor.legal_count(0), cursor.goal(0)), (1, Some(50)));
}

#[test]
fn a_cursor_stops_when_it_is_told() {
    let _alone = alone();
    let machine = Machine::at_once(&Rules::parse(&trap()).unwrap()).unwrap();
    let mut cursor = machine.cursor();
    let cancel = Cancel::default();
    cursor.until(Some(std::time::Instant::now()), &cancel);
    cursor.step(&[0]);
    assert!(cursor.is_interrupted(), "time was over");
    cursor.until(None, &cancel);
    cursor.set(machine.initial());
    assert!(!cursor.is_interrupted());
    cancel.cancel();
    cursor.step(&[0]);
    assert!(cursor.is_interrupted(), "it was called off");
}

#[test]
fn proofs_forget_what_they_need_no_longer() {
    let _alone = alone();
    // Every state asks new questions that no state changes.
    let text = sheet(
        "(<= (next (count (s ?x))) (true (count ?x))) (<= (same ?x ?x) (thing ?x)) (thing zero)
         (<= (legal me (say ?x)) (true (count ?x)) (not (same ?x (s ?x))))",
    );
    let limits = Limits { bytes: 4 << 20, ..Limits::only(Method::Proof) };
    let machine = Machine::build(&Rules::parse(&text).unwrap(), &limits).unwrap();
    let mut cursor = machine.cursor();
    for _ in 0..3_000 {
        cursor.step(&[cursor.nth_legal(0, 1)]);
        assert!(!cursor.is_interrupted());
    }
    assert!(cursor.bytes() < 1 << 20, "{} kB", cursor.bytes() >> 10);
}

/// Every game has a history of its own, so there is no end of new facts and moves.
const HISTORIES: &str =
    "(role me) (init (past none)) (say a) (say b) (<= (legal me (tell ?x ?h)) (say ?x) (true (past ?h)))
    (<= (next (past (then ?x ?h))) (does me (tell ?x ?h))) (<= terminal (true over)) (goal me 50)";

#[test]
fn facts_without_end_fill_no_memory() {
    let _alone = alone();
    let limits = Limits { bytes: 4 << 20, ..Limits::only(Method::Proof) };
    let machine = Machine::build(&Rules::parse(HISTORIES).unwrap(), &limits).unwrap();
    let mut random = spinney_core::Random::new(spinney_core::Seed::new(1));
    // As searches do: many games from the beginning.
    let search = || {
        let mut cursor = machine.cursor();
        for _ in 0..20_000 {
            cursor.set(machine.initial());
            for _ in 0..20 {
                let Some(action) = cursor.draw(0, &mut random) else { break };
                cursor.step(&[action]);
            }
        }
        assert!(cursor.is_interrupted(), "there is no room for all of them");
    };
    let (most, ()) = most_allocated(search);
    assert!(most < 4 << 20, "{} kB", most >> 10);
    // Whoever follows a real game still has room.
    let mut real = machine.cursor();
    real.follow_play();
    for _ in 0..100 {
        real.step(&[real.nth_legal(0, 1)]);
        assert!(!real.is_interrupted());
    }
}
