//! Arguments, then the window or a verb; in a browser the page.

#[cfg(not(target_arch = "wasm32"))]
use bonebox::{
    cli::{self, Invocation},
    environment, ui,
};
#[cfg(not(target_arch = "wasm32"))]
use std::{process::ExitCode, time::Instant};

/// Returns freed memory to the system within seconds, including the graphics driver's. The C library's allocator keeps it: after
/// closing a game's packages, more than their size. See P15 in docs/FIGURES.md; build.rs has the settings.
#[cfg(all(feature = "allocator", target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[cfg(target_arch = "wasm32")]
fn main() {
    bonebox::ui::start_page();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> ExitCode {
    let begun = Instant::now();
    // Drivers that are not there are tried too, and say so as errors.
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("error,wgpu_hal=off"));
    let invocation = cli::parse_args();
    if invocation.draws() {
        environment::prepare();
    }
    match invocation {
        Invocation::Window { x11, wayland, status, view, paths } => {
            let by_option = [(x11, ui::WindowSystem::X11), (wayland, ui::WindowSystem::Wayland)];
            let asked = by_option.into_iter().find_map(|(is_asked, system)| is_asked.then_some(system));
            ui::run(ui::Options { paths, view, asked, status, begun })
        }
        Invocation::Verb(verb) => cli::run(*verb),
    }
}
