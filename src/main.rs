//! Arguments, then the window or a verb.

use bonebox::{
    cli::{self, Invocation},
    ui,
};
use std::{process::ExitCode, time::Instant};

fn main() -> ExitCode {
    let begun = Instant::now();
    // Drivers that are not there are tried too, and say so as errors.
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("error,wgpu_hal=off"));
    match cli::parse_args() {
        Invocation::Window { x11, status, paths } => ui::run(ui::Options { paths, x11, status, begun }),
        Invocation::Verb(verb) => cli::run(*verb),
    }
}
