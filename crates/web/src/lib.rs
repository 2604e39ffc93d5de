//! The laboratory in a browser: one server that holds the pages and answers them.
//!
//! [`serve`] listens; `guard` turns away what does not come from its own pages; `assets` are the pages themselves, `bundle` makes one script of
//! their modules.
//! `about` lists what there is, `rules` says how it is played, `position` shows positions, `think` searches them live (`icicle` is
//! the picture of a tree), [`review`] looks at whole games, `diagnosis` and `experiments` are the laboratory. What is said over the wire is described in `docs/web.md`.

mod about;
mod assets;
mod bundle;
mod diagnosis;
mod door;
pub mod drawing;
mod error;
mod events;
mod experiments;
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod icicle;
mod kept;
mod limits;
mod matches;
mod position;
pub mod review;
mod rules;
mod think;
mod wire;

pub use about::options as options_json;
pub use limits::Limits;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};
use spinney_ggp::allocator;
use spinney_ggp::memory::Memory;
use spinney_table::Laboratory;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;

/// What a server is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen at, such as `127.0.0.1:7777`; port 0 takes any free one.
    pub address: String,
    /// The folder below which runs of experiments are kept.
    pub runs: PathBuf,
    /// The folder with records of matches over HTTP.
    pub matches: PathBuf,
    /// What it takes on at most.
    pub limits: Limits,
    /// The games and agents there are.
    pub laboratory: Laboratory,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            address: "127.0.0.1:7777".to_string(),
            runs: PathBuf::from("runs"),
            matches: PathBuf::from("matches"),
            limits: Limits::default(),
            laboratory: Laboratory::standard(),
        }
    }
}

/// What all requests share.
#[derive(Debug)]
struct Shared {
    pages: assets::Pages,
    laboratory: Laboratory,
    limits: Limits,
    matches: PathBuf,
    /// Where it listens.
    address: SocketAddr,
    searches: limits::Searches,
    experiments: experiments::Runs,
    diagnoses: Arc<Semaphore>,
    /// What long bodies take.
    messages: Arc<Memory>,
    /// Places for rule sheets that are built, and for positions of rule sheets.
    builds: Semaphore,
    looks: Semaphore,
    /// Trees whose search is over.
    kept: kept::Trees,
}

type State = axum::extract::State<Arc<Shared>>;

/// Serves until `stop` is set; `started` is told the address. Searches end, and runs of experiments are left so that they
/// can be resumed.
pub fn serve(config: &Config, stop: &AtomicBool, started: impl FnOnce(SocketAddr)) -> io::Result<()> {
    allocator::bound_reserves();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // Their number is a part of the memory, too.
        .max_blocking_threads(limits::THREADS)
        .enable_all()
        .build()?;
    let result = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(&config.address).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            pages: assets::Pages::default(),
            laboratory: config.laboratory.clone(),
            limits: config.limits,
            matches: config.matches.clone(),
            address,
            searches: limits::Searches::new(&config.limits),
            experiments: experiments::Runs::new(config.laboratory.clone(), config.runs.clone()),
            diagnoses: Arc::new(Semaphore::new(config.limits.diagnoses)),
            messages: Memory::new(config.limits.message_bytes()),
            builds: Semaphore::new(limits::BUILDS),
            looks: Semaphore::new(limits::LOOKS),
            kept: kept::Trees::new(config.limits.kept_trees()),
        });
        let early = shared.clone();
        // Before somebody waits for them.
        tokio::task::spawn_blocking(move || early.pages.made(|| about::facts(&early)).len());
        started(address);
        let server = axum::serve(door::Door::new(listener), router(shared.clone()));
        tokio::select! {
            result = async { server.await } => result?,
            () = asked_to_stop(stop) => {}
        }
        shared.experiments.stop_all();
        io::Result::Ok(())
    });
    // Connections that are still open are dropped, and with them their searches.
    runtime.shutdown_timeout(Duration::from_secs(2));
    result
}

async fn asked_to_stop(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/about", get(about::about))
        .route("/api/position", post(position::position))
        .route("/api/sheet", post(position::sheet))
        .route("/api/rules", get(rules::rules))
        .route("/api/review", post(review::serve::start))
        .route("/api/think", get(think::connect))
        .route("/api/diagnose", get(diagnosis::diagnose))
        .nest("/api/experiments", experiments::routes())
        .nest("/api/matches", matches::routes())
        .fallback(assets::page)
        .layer(DefaultBodyLimit::max(limits::BODY_BYTES))
        .layer(middleware::from_fn_with_state(shared.clone(), guard::admit))
        .layer(middleware::from_fn_with_state(shared.clone(), guard::check))
        .with_state(shared)
}
