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
        let (Ok(program), Ok(own)) = (std::env::current_exe(), std::fs::metadata("/proc/self")) else { return };
        let mut again = std::process::Command::new(program);
        again.args(std::env::args_os().skip(1)).env(NAME, format!("/run/user/{}", own.uid()));
        // It returns only where it fails; the program then runs as it is.
        let _ = again.exec();
    }
}
