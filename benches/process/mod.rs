//! A program that is measured from outside.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// What running a program took.
pub struct Ran {
    pub secs: f64,
    /// The most memory that it held, in MiB.
    pub peak: u64,
    pub stdout: String,
}

/// Runs a program to its end.
pub fn run(mut program: Command) -> Ran {
    let begin = Instant::now();
    let mut running = program.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    let status = PathBuf::from(format!("/proc/{}/status", running.id()));
    let mut peak = 0;
    while running.try_wait().expect("the program is ours").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0);
        peak = peak.max(kib / 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    let secs = begin.elapsed().as_secs_f64();
    let output = running.wait_with_output().expect("the program has ended");
    Ran { secs, peak, stdout: String::from_utf8_lossy(&output.stdout).into_owned() }
}
