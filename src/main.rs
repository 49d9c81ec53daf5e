//! Arguments, then the window or a verb.

use bonebox::{
    cli::{self, Invocation},
    ui,
};
use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::init();
    match cli::parse_args() {
        Invocation::Window { x11, paths } => ui::run(ui::Options { paths, x11 }),
        Invocation::Verb(verb) => cli::run(*verb),
    }
}
