//! What is set before the program begins.

/// Mesa's Vulkan drivers look for a Wayland display through `XDG_RUNTIME_DIR` and complain on standard error where it is not set. It is
/// read when a program starts: where it is missing, this one starts again in the same process.
pub fn prepare() {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::{fs::MetadataExt as _, process::CommandExt as _};
        const NAME: &str = "XDG_RUNTIME_DIR";
        let is_path = |folder: std::ffi::OsString| folder.as_encoded_bytes().starts_with(b"/");
        if std::env::var_os(NAME).is_some_and(is_path) {
            return;
        }
        let (Some(mut again), Ok(own)) = (again(&[]), std::fs::metadata("/proc/self")) else { return };
        // It returns only where it fails; the program then runs as it is.
        let _ = again.env(NAME, format!("/run/user/{}", own.uid())).exec();
    }
}

/// Starts the program again in the same process, with these arguments before its own. It returns only where that fails, or where the
/// system cannot do it.
pub fn start_again(arguments: &[&str]) {
    #[cfg(target_os = "linux")]
    if let Some(mut again) = again(arguments) {
        use std::os::unix::process::CommandExt as _;
        let _ = again.exec();
    }
    #[cfg(not(target_os = "linux"))]
    let _ = arguments;
}

/// This program with these arguments before its own.
#[cfg(target_os = "linux")]
fn again(arguments: &[&str]) -> Option<std::process::Command> {
    let mut again = std::process::Command::new(std::env::current_exe().ok()?);
    again.args(arguments).args(std::env::args_os().skip(1));
    Some(again)
}
