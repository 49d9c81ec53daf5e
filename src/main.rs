//! Arguments, then the window or a verb.

use bonebox::{
    cli::{self, Invocation},
    ui,
};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Drivers that are not there are tried too, and say so as errors.
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("error,wgpu_hal=off"));
    match cli::parse_args() {
        Invocation::Window { x11, paths } => ui::run(ui::Options { paths, x11 }),
        Invocation::Verb(verb) => cli::run(*verb),
    }
}
