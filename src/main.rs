//! Arguments, then the window or a verb.

use bonebox::{
    cli::{self, Invocation},
    environment, ui,
};
use std::{process::ExitCode, time::Instant};

fn main() -> ExitCode {
    let begun = Instant::now();
    // Drivers that are not there are tried too, and say so as errors.
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("error,wgpu_hal=off"));
    let invocation = cli::parse_args();
    if invocation.draws() {
        environment::prepare();
    }
    match invocation {
        Invocation::Window { x11, status, view, paths } => ui::run(ui::Options { paths, view, x11, status, begun }),
        Invocation::Verb(verb) => cli::run(*verb),
    }
}
