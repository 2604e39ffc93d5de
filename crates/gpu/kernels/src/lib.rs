//! A kernel: every thread takes the next game of a queue, plays it whole, and takes another.
//!
//! `prepare` makes the rules of the game once for all threads, `play` plays.

#![no_std]
#![feature(abi_ptx, asm_experimental_arch, stdarch_nvptx)]

extern crate alloc;

use alloc::boxed::Box;
use core::alloc::{GlobalAlloc, Layout};
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use spinney_core::lanes::{converge, meet};
use spinney_gpu::compiled::kinds::{ALL, LEARNING, POLICY, STILL, UNIFORM};
use spinney_gpu::duel::duel;
use spinney_gpu::games::{self, Words};
use spinney_gpu::plain::{PlainMatch, PlainResult, PlainSeat};

/// Memory of threads: each has a slice of its own, whose first word says how much of it is used.
struct Slices;

/// Where the slices begin, how long each is, and how many threads of a warp have one.
static BASE: AtomicU64 = AtomicU64::new(0);
static SLICE: AtomicU64 = AtomicU64::new(0);
static LANES: AtomicU32 = AtomicU32::new(1);

/// Threads of a warp, which run in step or wait for each other.
const WARP: u32 = 32;

/// What a slice holds before what is given out.
const HEADER: u64 = 16;

/// The number of this thread among all of the launch.
#[inline(always)]
fn own_number() -> u32 {
    // SAFETY: these only read registers.
    let (block, size, thread) = unsafe { (_block_idx_x(), _block_dim_x(), _thread_idx_x()) };
    block as u32 * size as u32 + thread as u32
}

#[inline(always)]
fn own_slice() -> *mut u64 {
    let own = own_number();
    let number = own / WARP * LANES.load(Ordering::Relaxed) + own % WARP;
    (BASE.load(Ordering::Relaxed) + u64::from(number) * SLICE.load(Ordering::Relaxed)) as *mut u64
}

/// Ends the thread: its game stays one that has not been played, and the host tries it again with more room.
#[inline(always)]
fn give_up() -> ! {
    // While the rules are made there are no warps.
    if CREWS.load(Ordering::Relaxed) != 0 {
        own_crew().gone.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: nobody waits for a thread that has left.
    unsafe { core::arch::asm!("exit;", options(noreturn)) }
}

// SAFETY: what is given out lies in the thread's own slice, is aligned and is given out once.
unsafe impl GlobalAlloc for Slices {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the host has set the base to memory of one slice for every thread.
        unsafe {
            let own = own_slice();
            let align = layout.align() as u64;
            let start = (*own + align - 1) & !(align - 1);
            let end = start + layout.size() as u64;
            if end > SLICE.load(Ordering::Relaxed) {
                give_up();
            }
            *own = end;
            own.cast::<u8>().add(start as usize)
        }
    }

    /// All of it is free again when the next game begins.
    #[inline(always)]
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static SLICES: Slices = Slices;

#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    give_up()
}

/// What is common to all threads of a launch.
#[repr(C)]
pub struct Launch {
    /// The matches.
    tasks: *const PlainMatch,
    /// The games.
    seats: *const PlainSeat,
    /// What came of each.
    results: *mut PlainResult,
    /// The moves of each.
    moves: *mut u16,
    /// The number of games.
    count: u32,
    /// Moves kept of each.
    kept: u32,
    /// The next game to be taken.
    next: AtomicU32,
    /// Not 0 when everybody shall stop.
    stop: AtomicU32,
    /// The rules.
    rules: u64,
    /// Simulations made so far.
    simulations: AtomicU64,
    /// The warps.
    crews: *const Crew,
    /// Threads of a warp that begin new games together, at least.
    together: u32,
}

/// What the threads of a warp know of each other.
#[repr(C)]
pub struct Crew {
    /// Threads that wait for others to begin new games with.
    idle: AtomicU32,
    /// Threads that have given up.
    gone: AtomicU32,
}

/// The warps of this launch, for threads that give up.
static CREWS: AtomicU64 = AtomicU64::new(0);

/// What the warp of this thread knows.
#[inline(always)]
fn own_crew() -> &'static Crew {
    // SAFETY: `play` has set the address to one for each warp, which live as long as the launch.
    unsafe { &*(CREWS.load(Ordering::Relaxed) as *const Crew).add((own_number() / WARP) as usize) }
}

/// A thread whose game has ended waits until enough of its warp have: play-outs of old games are short and those of young ones
/// long, and a warp takes as long as its longest one. It meets the others as if it made simulations, twice in each.
#[inline(always)]
fn gather(launch: &Launch, lanes: u32) {
    let crew = own_crew();
    // Whoever plays looks at nothing of this, so that all who wait see the same between the two meetings.
    crew.idle.fetch_add(1, Ordering::Relaxed);
    loop {
        converge();
        let is_over = launch.next.load(Ordering::Relaxed) >= launch.count;
        let is_stopped = launch.stop.load(Ordering::Relaxed) != 0;
        let here = lanes - crew.gone.load(Ordering::Relaxed).min(lanes);
        let are_enough = crew.idle.load(Ordering::Relaxed) >= launch.together.min(here);
        // Hidden from the compiler, which would meet twice in the text.
        let goes_on = meet(u32::from(is_over | is_stopped | are_enough));
        converge();
        if goes_on != 0 {
            break;
        }
    }
    crew.idle.fetch_sub(1, Ordering::Relaxed);
}

macro_rules! kernels {
    ($($feature:literal: $game:ident;)+) => {$(
        #[cfg(feature = $feature)]
        use games::$game as rules;
    )+};
}

kernels! {
    "amazons": amazons;
    "breakthrough": breakthrough;
    "cannon": cannon;
    "checkers": checkers;
    "chinese-checkers": chinese_checkers;
    "havannah": havannah;
    "pentalath": pentalath;
}

const KINDS: u8 = if cfg!(feature = "mixed") {
    ALL
} else {
    let base = if cfg!(any(feature = "policy", feature = "policy-mast")) { POLICY } else { UNIFORM };
    base | if cfg!(any(feature = "uniform-mast", feature = "policy-mast")) { LEARNING } else { STILL }
};

/// The type of the rules, which has no name that all kernels share.
#[inline(always)]
fn rules_at<G>(_: fn(&Words) -> G, address: u64) -> &'static G {
    // SAFETY: `prepare` has put them there, and nobody changes them.
    unsafe { &*(address as *const G) }
}

/// Makes the rules, in memory of their own.
///
/// # Safety
/// One thread runs this before any other, with `arena` of `bytes` bytes that outlive the launch.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn prepare(launch: *mut Launch, arena: *mut u64, bytes: u64, words: *const Words) {
    BASE.store(arena as u64, Ordering::Relaxed);
    SLICE.store(bytes, Ordering::Relaxed);
    LANES.store(1, Ordering::Relaxed);
    CREWS.store(0, Ordering::Relaxed);
    // SAFETY: as above.
    unsafe {
        *arena = HEADER;
        (*launch).rules = Box::into_raw(Box::new(rules(&*words))) as u64;
    }
}

/// Plays games until none is left.
///
/// # Safety
/// `arena` holds a slice of `slice` bytes for the first `lanes` threads of every warp, and everything in `launch` is as long
/// as it says.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn play(launch: *const Launch, arena: *mut u64, slice: u64, lanes: u32) {
    // SAFETY: it only reads a register.
    if unsafe { _thread_idx_x() } as u32 % WARP >= lanes {
        return;
    }
    // All threads write the same.
    BASE.store(arena as u64, Ordering::Relaxed);
    SLICE.store(slice, Ordering::Relaxed);
    LANES.store(lanes, Ordering::Relaxed);
    // SAFETY: as the host promises.
    let launch = unsafe { &*launch };
    CREWS.store(launch.crews as u64, Ordering::Relaxed);
    let game = rules_at(rules, launch.rules);
    loop {
        let number = launch.next.fetch_add(1, Ordering::Relaxed);
        if number >= launch.count || launch.stop.load(Ordering::Relaxed) != 0 {
            return;
        }
        // SAFETY: the number is one of a game.
        unsafe {
            let number = number as usize;
            *own_slice() = HEADER;
            let seat = &*launch.seats.add(number);
            let task = &*launch.tasks.add(seat.task as usize);
            let moves = launch.moves.add(number * launch.kept as usize);
            let is_stopped = || launch.stop.load(Ordering::Relaxed) != 0;
            let count = |simulations| {
                launch.simulations.fetch_add(simulations, Ordering::Relaxed);
            };
            let keep = |ply, place| *moves.add(ply) = place;
            let mut result = duel::<_, KINDS>(game, task, seat, is_stopped, count, keep);
            result.bytes = *own_slice();
            let own = launch.results.add(number);
            let state = core::mem::take(&mut result.state);
            own.write(result);
            // The host looks at results while others are played: the word that says so comes last.
            core::sync::atomic::fence(Ordering::SeqCst);
            AtomicU32::from_ptr(&raw mut (*own).state).store(state, Ordering::Relaxed);
        }
        if launch.together > 1 {
            gather(launch, lanes);
        }
    }
}
