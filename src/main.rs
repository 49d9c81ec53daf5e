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
    let invocation = cli::parse_args();
    if invocation.draws() {
        set_runtime_dir();
    }
    match invocation {
        Invocation::Window { x11, status, view, paths } => ui::run(ui::Options { paths, view, x11, status, begun }),
        Invocation::Verb(verb) => cli::run(*verb),
    }
}

/// Mesa's Vulkan drivers look for a Wayland display through `XDG_RUNTIME_DIR` and complain on standard error where it is not
/// set: then the program starts again in the same process, with the folder that the system gives its users.
fn set_runtime_dir() {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::{fs::MetadataExt as _, process::CommandExt as _};
        let is_set =
            std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| folder.as_encoded_bytes().starts_with(b"/"));
        let (false, Ok(program), Ok(own)) = (is_set, std::env::current_exe(), std::fs::metadata("/proc/self")) else {
            return;
        };
        let mut again = std::process::Command::new(program);
        again.args(std::env::args_os().skip(1)).env("XDG_RUNTIME_DIR", format!("/run/user/{}", own.uid()));
        // It returns only where it fails, and then the complaint is all that is lost.
        let _ = again.exec();
    }
}
