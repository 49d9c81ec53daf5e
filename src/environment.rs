//! What is set before the program begins.

/// Two things that are read from the environment when a program starts: where they are not set, it starts again in the same process.
///
/// Mesa's Vulkan drivers look for a Wayland display through `XDG_RUNTIME_DIR` and complain on standard error where it is not set. The
/// GNU C library puts larger and larger buffers on its heap, where what is closed later leaves holes; with a threshold of our own
/// what a file held goes back to the system when it is closed.
pub fn prepare() {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::{fs::MetadataExt as _, process::CommandExt as _};
        const THRESHOLD: (&str, &str) = ("MALLOC_MMAP_THRESHOLD_", "262144");
        let is_path = |folder: std::ffi::OsString| folder.as_encoded_bytes().starts_with(b"/");
        let has_runtime_dir = std::env::var_os("XDG_RUNTIME_DIR").is_some_and(is_path);
        let (Ok(program), Ok(own)) = (std::env::current_exe(), std::fs::metadata("/proc/self")) else { return };
        if has_runtime_dir && std::env::var_os(THRESHOLD.0).is_some() {
            return;
        }
        let mut again = std::process::Command::new(program);
        again.args(std::env::args_os().skip(1)).env(THRESHOLD.0, THRESHOLD.1);
        if !has_runtime_dir {
            again.env("XDG_RUNTIME_DIR", format!("/run/user/{}", own.uid()));
        }
        // It returns only where it fails; the program then runs as it is.
        let _ = again.exec();
    }
}
