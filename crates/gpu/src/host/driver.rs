//! A card: memory, kernels and launches, as the driver has them.

#![allow(unsafe_code, reason = "the driver is a C library")]

use super::tuning::Making;
use super::{apart, compile, kernels};
use crate::plain::{PlainMatch, PlainResult, PlainSeat, state};
use cudarc::driver::{CudaContext, CudaStream, DriverError, result, sys};
use spinney_core::InputError;
use std::ffi::{CString, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The oldest generation for which kernels are made.
const OLDEST: (i32, i32) = (9, 0);

/// What helps where no card does.
const LEAVE: &str = "leave --gpu out to play on the processor";

/// An error of the driver, with what was tried.
fn failed(what: &str) -> impl FnOnce(DriverError) -> InputError {
    move |error| {
        let name = error.error_string().ok().and_then(|text| text.to_str().ok()).unwrap_or("an unknown error");
        InputError::new("gpu", format!("{what}: {name}"), remedy(error.0))
    }
}

/// What helps against an error of the driver.
fn remedy(code: sys::CUresult) -> &'static str {
    use sys::CUresult::*;
    match code {
        CUDA_ERROR_OUT_OF_MEMORY => "let nobody else use the card, or play fewer games",
        CUDA_ERROR_UNSUPPORTED_PTX_VERSION => "update the driver, or leave --gpu out",
        CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES => "ask for fewer --warps or --registers",
        CUDA_ERROR_NO_BINARY_FOR_GPU => "make kernels for the generation of this card, or leave --gpu out",
        _ => "run it again, or leave --gpu out",
    }
}

/// Memory of this machine is no matter of the card.
fn failed_here(error: DriverError) -> InputError {
    match error.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
            let problem = "this machine has no memory for the results of so many games";
            InputError::new("gpu", problem, "end other programs, or play fewer games")
        }
        _ => failed("memory shared with the card")(error),
    }
}

/// Why a launch did not begin.
#[derive(Debug)]
pub enum NotStarted {
    /// The card has no memory for it, perhaps because another program has taken it meanwhile.
    NoMemory,
    /// Something else.
    Failed(InputError),
}

impl From<InputError> for NotStarted {
    fn from(error: InputError) -> Self {
        Self::Failed(error)
    }
}

/// The same for what takes memory of the card.
fn not_started(what: &str) -> impl FnOnce(DriverError) -> NotStarted {
    move |error| match error.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => NotStarted::NoMemory,
        _ => NotStarted::Failed(failed(what)(error)),
    }
}

/// One graphics card.
#[derive(Clone, Debug)]
pub struct Card {
    context: Arc<CudaContext>,
    /// Its name.
    pub name: String,
    /// Its processors.
    pub processors: u32,
    /// Its generation, as compilers call it.
    pub generation: String,
}

impl Card {
    /// How many cards there are; an error if there is no driver.
    pub fn count() -> Result<usize, InputError> {
        // SAFETY: it only looks for the library.
        if !unsafe { sys::is_culib_present() } {
            return Err(InputError::new("gpu", "no NVIDIA driver is installed", LEAVE));
        }
        let count = CudaContext::device_count().map_err(failed("the driver does not start"))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// The card of this number.
    pub fn open(number: usize) -> Result<Self, InputError> {
        let count = Self::count()?;
        if number >= count {
            return Err(InputError::new(
                "gpu",
                format!("there is no card {number}; {count} are here"),
                "name another with --device",
            ));
        }
        let context = CudaContext::new(number).map_err(failed("the card does not start"))?;
        let name = context.name().map_err(failed("the card has no name"))?;
        let capability = context.compute_capability().map_err(failed("the card's generation"))?;
        if capability < OLDEST {
            let (own, oldest) = (format!("{}.{}", capability.0, capability.1), format!("{}.{}", OLDEST.0, OLDEST.1));
            let problem = format!("{name} is of generation {own}; kernels are made for {oldest} and later");
            return Err(InputError::new("gpu", problem, LEAVE));
        }
        let attribute = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        let processors = context.attribute(attribute).map_err(failed("the card's processors"))?;
        let generation = format!("sm_{}{}", capability.0, capability.1);
        Ok(Self { context, name, processors: processors.unsigned_abs(), generation })
    }

    /// Lets the calling thread use the card.
    pub fn bind(&self) -> Result<(), InputError> {
        self.context.bind_to_thread().map_err(failed("the card"))
    }

    /// Bytes that are free.
    pub fn free_bytes(&self) -> Result<u64, InputError> {
        self.bind()?;
        Ok(self.context.mem_get_info().map_err(failed("the card's memory"))?.0 as u64)
    }

    /// Compiles a kernel for the card; this takes seconds the first time. Before it is started its stack must be held.
    pub fn load(&self, name: &str, making: Making) -> Result<Kernel, InputError> {
        self.bind()?;
        let Some(text) = kernels::text(name, making.stacks) else {
            return Err(InputError::new(
                "gpu",
                format!("the kernel {name} was not made"),
                "make it with cargo xtask kernels",
            ));
        };
        let behind = apart::bytes(&text);
        let ready = compile::find(name, text.as_bytes(), making.registers, &self.generation);
        let ready = ready.and_then(|image| match self.load_image(&image, making) {
            Ok(module) => Some(module),
            Err(_) => {
                // Half of a file, or made for another driver: the text still serves.
                compile::forget(name, text.as_bytes(), making.registers, &self.generation);
                None
            }
        });
        let module = match ready {
            Some(module) => module,
            // The driver reads a text up to a zero.
            None => self.load_image(&(text + "\0").into_bytes(), making).map_err(|(error, line)| {
                failed(&format!("the kernel {name} does not fit the card or the driver {line}"))(error)
            })?,
        };
        let function = |function: &str| {
            let function = CString::new(function).unwrap_or_default();
            // SAFETY: the module has been loaded and is never unloaded.
            unsafe { result::module::get_function(module, function) }.map_err(failed("the kernel has no such function"))
        };
        let (prepare, play) = (function("prepare")?, function("play")?);
        Ok(Kernel { name: name.to_string(), card: self.clone(), prepare, play, behind })
    }

    /// Loads a compiled kernel, or a text that ends with a zero; an error comes with a line of the driver's log.
    fn load_image(&self, image: &[u8], making: Making) -> Result<sys::CUmodule, (DriverError, String)> {
        let mut module = std::ptr::null_mut();
        let mut log = vec![0u8; 8192];
        let mut options = vec![
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            sys::CUjit_option::CU_JIT_MAX_REGISTERS,
        ];
        let mut values: Vec<*mut c_void> =
            vec![log.as_mut_ptr().cast(), log.len() as *mut c_void, making.registers as usize as *mut c_void];
        // SAFETY: image, options and values outlive the call, and a text ends with a zero.
        let code = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                image.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        code.result().map(|()| module).map_err(|error| {
            let log = String::from_utf8_lossy(&log);
            (error, log.trim_matches(['\0', '\n', ' ']).lines().next().unwrap_or_default().to_string())
        })
    }

    /// Lets every thread have a stack of so many bytes at least, before anything runs beside which it cannot become larger. One
    /// thread does so for all kernels: of two, one could lower what the other has just raised.
    pub(super) fn hold_stack(&self, bytes: usize) -> Result<(), InputError> {
        self.bind()?;
        let mut known = 0;
        // SAFETY: both talk of the context that is bound to this thread, and the first writes to a value of its own.
        unsafe {
            let limit = sys::CUlimit::CU_LIMIT_STACK_SIZE;
            sys::cuCtxGetLimit(&mut known, limit).result().map_err(failed("the stacks of threads"))?;
            if known < bytes {
                sys::cuCtxSetLimit(limit, bytes).result().map_err(failed("the stacks of threads"))?;
            }
        }
        Ok(())
    }

    fn take(&self, bytes: usize) -> Result<Memory, NotStarted> {
        // SAFETY: it is freed when the value is dropped.
        let address = unsafe { result::malloc_sync(bytes) }.map_err(not_started("memory of the card"))?;
        Ok(Memory { card: self.clone(), address })
    }

    fn give<T>(&self, values: &[T]) -> Result<Memory, NotStarted> {
        let memory = self.take(size_of_val(values).max(1))?;
        // SAFETY: there is room for them.
        unsafe { result::memcpy_htod_sync(memory.address, values) }.map_err(failed("a copy to the card"))?;
        Ok(memory)
    }
}

/// Memory of a card.
struct Memory {
    card: Card,
    address: sys::CUdeviceptr,
}

impl Drop for Memory {
    fn drop(&mut self) {
        let _ = self.card.bind();
        // SAFETY: it was taken once, and nothing on the card uses it any more: launches wait for their end first.
        let _ = unsafe { result::free_sync(self.address) };
    }
}

/// Memory of this machine that the card writes to.
struct Shared<T> {
    card: Card,
    start: *mut T,
    count: usize,
}

// SAFETY: the memory belongs to the value.
unsafe impl<T: Send> Send for Shared<T> {}

impl<T: Copy> Shared<T> {
    fn new(card: &Card, count: usize, fill: T) -> Result<Self, InputError> {
        let bytes = (count * size_of::<T>()).max(1);
        // Portable and mapped into the card's addresses.
        // SAFETY: it is freed when the value is dropped, and filled before anybody reads it.
        unsafe {
            let start = result::malloc_host(bytes, 0x01 | 0x02).map_err(failed_here)?.cast::<T>();
            (0..count).for_each(|index| start.add(index).write(fill));
            Ok(Self { card: card.clone(), start, count })
        }
    }

    /// Where the card finds it.
    fn address(&self) -> Result<sys::CUdeviceptr, InputError> {
        let mut address = 0;
        // SAFETY: the memory is mapped.
        let code = unsafe { sys::cuMemHostGetDevicePointer_v2(&mut address, self.start.cast(), 0) };
        code.result().map_err(failed("memory shared with the card"))?;
        Ok(address)
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        let _ = self.card.bind();
        // SAFETY: as for the card's own memory.
        let _ = unsafe { result::free_host(self.start.cast()) };
    }
}

/// A kernel on a card.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    card: Card,
    prepare: sys::CUfunction,
    play: sys::CUfunction,
    /// Bytes of a thread behind all slices.
    behind: u64,
}

// SAFETY: functions of a module may be used by any thread.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

/// What is common to all threads of a launch; the kernels have the same.
#[repr(C)]
struct Launch {
    tasks: u64,
    seats: u64,
    results: u64,
    moves: u64,
    count: u32,
    kept: u32,
    next: u32,
    stop: u32,
    rules: u64,
    simulations: u64,
    crews: u64,
    together: u32,
}

/// Room for the rules of a game and their tables.
const RULES_BYTES: usize = 16 << 20;

/// Threads of a warp.
pub(super) const WARP: u32 = 32;

/// How a launch is spread over the card.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Threads that play, each a game at a time.
    pub threads: u32,
    /// Threads of a warp that play; the others are left out, because threads that part wait for each other.
    pub lanes: u32,
    /// Warps of a block.
    pub warps: u32,
    /// Bytes of a thread.
    pub slice: u64,
    /// Threads of a warp that begin new games together, at least.
    pub together: u32,
}

/// Games that are being played.
pub struct Running {
    card: Card,
    stream: Arc<CudaStream>,
    /// To reach the card while the other stream is busy.
    beside: Arc<CudaStream>,
    launch: Memory,
    results: Shared<PlainResult>,
    moves: Shared<u16>,
    kept: usize,
    seen: Vec<bool>,
    _kept_alive: Vec<Memory>,
}

impl Kernel {
    /// Registers of a thread that plays, and bytes of the largest stack of its functions.
    pub fn size(&self) -> Result<[i32; 2], InputError> {
        self.card.bind()?;
        let attribute = |function, attribute| {
            // SAFETY: the function belongs to a module that is never unloaded.
            unsafe { result::function::get_function_attribute(function, attribute) }.map_err(failed("the kernel"))
        };
        let stack = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES;
        Ok([
            attribute(self.play, sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            attribute(self.play, stack)?.max(attribute(self.prepare, stack)?),
        ])
    }

    /// Begins to play these games. A kernel is used by one launch at a time: its memory is known to all of its threads.
    pub fn start(
        &self,
        words: &crate::games::Words,
        tasks: &[PlainMatch],
        seats: &[PlainSeat],
        kept: u32,
        spread: Spread,
    ) -> Result<Running, NotStarted> {
        let card = &self.card;
        card.bind()?;
        let stream = card.context.new_stream().map_err(failed("a stream"))?;
        let beside = card.context.new_stream().map_err(failed("a stream"))?;
        let blocks = spread.threads.div_ceil(spread.lanes * spread.warps).max(1);
        let arena = card.take(
            (u64::from(blocks * spread.warps * spread.lanes) * (spread.slice + self.behind) + apart::LINE) as usize,
        )?;
        let rules = card.take(RULES_BYTES)?;
        let (tasks, words) = (card.give(tasks)?, card.give(words.as_slice())?);
        let results = Shared::new(card, seats.len(), PlainResult::default())?;
        let moves = Shared::new(card, seats.len() * kept as usize, 0u16)?;
        let seen = vec![false; seats.len()];
        let (count, seats) = (seats.len() as u32, card.give(seats)?);
        // Two counts for each warp, see `Crew` of the kernels.
        let crews = card.give(&vec![[0u32; 2]; (blocks * spread.warps) as usize])?;
        let launch = card.give(&[Launch {
            tasks: tasks.address,
            seats: seats.address,
            results: results.address()?,
            moves: moves.address()?,
            count,
            kept,
            next: 0,
            stop: 0,
            rules: 0,
            simulations: 0,
            crews: crews.address,
            together: spread.together,
        }])?;
        let (mut own, mut room, mut bytes, mut options) =
            (launch.address, rules.address, RULES_BYTES as u64, words.address);
        let (mut slices, mut slice, mut lanes) = (arena.address, spread.slice, spread.lanes);
        let block = (spread.warps * WARP, 1, 1);
        // SAFETY: the parameters are those of the kernels, and everything they point to lives as long as the launch.
        unsafe {
            let parameters: &mut [*mut c_void] = &mut [
                (&raw mut own).cast(),
                (&raw mut room).cast(),
                (&raw mut bytes).cast(),
                (&raw mut options).cast(),
            ];
            result::launch_kernel(self.prepare, (1, 1, 1), (1, 1, 1), 0, stream.cu_stream(), parameters)
                .map_err(not_started("the start of a kernel"))?;
            let parameters: &mut [*mut c_void] = &mut [
                (&raw mut own).cast(),
                (&raw mut slices).cast(),
                (&raw mut slice).cast(),
                (&raw mut lanes).cast(),
            ];
            if let Err(error) =
                result::launch_kernel(self.play, (blocks, 1, 1), block, 0, stream.cu_stream(), parameters)
            {
                // The other may still run, and its memory is freed here.
                let _ = stream.synchronize();
                return Err(not_started("the start of a kernel")(error));
            }
        }
        let _kept_alive = vec![arena, rules, tasks, words, seats, crews];
        Ok(Running {
            card: card.clone(),
            stream,
            beside,
            launch,
            results,
            moves,
            kept: kept as usize,
            seen,
            _kept_alive,
        })
    }
}

impl Running {
    /// Whether all threads have ended; an error if the kernel broke off.
    pub fn has_ended(&self) -> Result<bool, InputError> {
        self.card.bind()?;
        // SAFETY: the stream lives as long as the value.
        match unsafe { sys::cuStreamQuery(self.stream.cu_stream()) } {
            sys::CUresult::CUDA_SUCCESS => Ok(true),
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            code => Err(failed("a kernel broke off")(DriverError(code))),
        }
    }

    /// Simulations made so far, of games that have not ended too.
    pub fn simulations(&self) -> Result<u64, InputError> {
        self.word(std::mem::offset_of!(Launch, simulations))
    }

    /// How many games threads have taken; those after them were never begun. More than there are once a thread has found
    /// none left.
    pub fn begun(&self) -> Result<usize, InputError> {
        self.word::<u32>(std::mem::offset_of!(Launch, next)).map(|next| next as usize)
    }

    /// The word of the launch at this place.
    fn word<T: Copy + Default>(&self, offset: usize) -> Result<T, InputError> {
        self.card.bind()?;
        let mut word = [T::default()];
        // SAFETY: the word is there, and the value outlives the copy, which is waited for.
        unsafe { result::memcpy_dtoh_async(&mut word, self.launch.address + offset as u64, self.beside.cu_stream()) }
            .map_err(failed("a copy from the card"))?;
        self.beside.synchronize().map_err(failed("a copy from the card"))?;
        Ok(word[0])
    }

    /// Asks all threads to stop.
    pub fn ask_to_stop(&self) -> Result<(), InputError> {
        self.card.bind()?;
        let place = self.launch.address + std::mem::offset_of!(Launch, stop) as u64;
        // SAFETY: the word is there, and the value outlives the copy, which is waited for.
        unsafe { result::memcpy_htod_async(place, &[1u32], self.beside.cu_stream()) }
            .map_err(failed("a copy to the card"))?;
        self.beside.synchronize().map_err(failed("a copy to the card"))
    }

    /// The numbers of games of which nothing was heard.
    pub fn unheard(&self) -> impl Iterator<Item = usize> + '_ {
        self.seen.iter().enumerate().filter(|(_, is_seen)| !**is_seen).map(|(number, _)| number)
    }

    /// Hands on every game that has ended since the last call, with its number and the places of its moves.
    pub fn collect(&mut self, mut keep: impl FnMut(usize, PlainResult, &[u16])) {
        for number in 0..self.results.count {
            if self.seen[number] {
                continue;
            }
            // SAFETY: the number is one of the results. The card writes the state last, so the rest is whole once it is set.
            unsafe {
                let own = self.results.start.add(number);
                let known = AtomicU32::from_ptr(&raw mut (*own).state).load(Ordering::Acquire);
                if known == state::WAITING {
                    continue;
                }
                let result = own.read_volatile();
                let plies = (result.plies as usize).min(self.kept);
                let moves = std::slice::from_raw_parts(self.moves.start.add(number * self.kept), plies);
                self.seen[number] = true;
                keep(number, result, moves);
            }
        }
    }
}

impl Drop for Running {
    /// Nothing is freed under the feet of running threads.
    fn drop(&mut self) {
        if !matches!(self.has_ended(), Ok(true)) {
            let _ = self.ask_to_stop();
            let _ = self.stream.synchronize();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sys::CUresult::*;

    #[test]
    fn errors_say_what_helps() {
        assert!(remedy(CUDA_ERROR_UNSUPPORTED_PTX_VERSION).starts_with("update the driver"));
        assert!(remedy(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES).contains("--warps"));
        assert!(remedy(CUDA_ERROR_NO_BINARY_FOR_GPU).contains("generation"));
        assert!(remedy(CUDA_ERROR_UNKNOWN).starts_with("run it again"));
        let here = failed_here(DriverError(CUDA_ERROR_OUT_OF_MEMORY));
        assert!(here.problem.contains("this machine") && !here.remedy.contains("card"), "{here}");
        assert!(matches!(not_started("memory")(DriverError(CUDA_ERROR_OUT_OF_MEMORY)), NotStarted::NoMemory));
    }
}
