//! Arguments, then the window.

use bonebox::ui;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut options = ui::Options::default();
    for argument in std::env::args_os().skip(1) {
        if argument == "--x11" {
            options.x11 = true;
        } else {
            options.paths.push(argument.into());
        }
    }
    ui::run(options)
}
