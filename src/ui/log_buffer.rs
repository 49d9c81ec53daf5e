//! What the program itself logs: to standard error as ever, and the newest lines kept for the log panel.

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};
use web_time::Instant;

/// Lines kept.
const MAX_LINES: usize = 2_000;
/// Longer messages are cut for the panel; standard error has them whole.
const MAX_CHARS: usize = 2_000;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramLine {
    /// Seconds since the program started.
    pub time_secs: f64,
    pub level: Level,
    /// Module that says it.
    pub target: String,
    pub message: String,
}

/// The newest lines, oldest first. Clones share them.
#[derive(Clone, Default)]
pub struct LogBuffer {
    lines: Arc<Mutex<VecDeque<ProgramLine>>>,
}

impl LogBuffer {
    pub fn push(&self, line: ProgramLine) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() >= MAX_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// Looks at the lines.
    pub fn with<R>(&self, look: impl FnOnce(&VecDeque<ProgramLine>) -> R) -> R {
        look(&self.lines.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn clear(&self) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Makes this the program's logger, in front of the one that `RUST_LOG` describes (warnings without it). Does nothing
    /// when there is a logger already.
    pub fn install(&self) {
        let stderr = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).build();
        let level = stderr.filter().max(LevelFilter::Info);
        let tee = Tee { stderr, buffer: self.clone(), start: Instant::now() };
        if log::set_boxed_logger(Box::new(tee)).is_ok() {
            log::set_max_level(level);
        }
    }
}

struct Tee {
    stderr: env_logger::Logger,
    buffer: LogBuffer,
    start: Instant,
}

impl Tee {
    /// Everything of this program, of others what is worth a warning: drivers and toolkits are chatty.
    fn keeps(metadata: &Metadata<'_>) -> bool {
        let own = metadata.target().starts_with("bonebox");
        metadata.level() <= if own { Level::Info } else { Level::Warn }
    }
}

impl Log for Tee {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.stderr.enabled(metadata) || Self::keeps(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if self.stderr.matches(record) {
            self.stderr.log(record);
        }
        if Self::keeps(record.metadata()) {
            self.buffer.push(ProgramLine {
                time_secs: self.start.elapsed().as_secs_f64(),
                level: record.level(),
                target: record.target().to_owned(),
                message: record.args().to_string().chars().take(MAX_CHARS).collect(),
            });
        }
    }

    fn flush(&self) {
        self.stderr.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_stay_and_foreign_chatter_is_left_out() {
        let buffer = LogBuffer::default();
        for i in 0..MAX_LINES + 5 {
            let message = i.to_string();
            buffer.push(ProgramLine { time_secs: 0.0, level: Level::Info, target: String::new(), message });
        }
        buffer.with(|lines| {
            assert_eq!(lines.len(), MAX_LINES);
            assert_eq!(lines[0].message, "5");
        });
        let tee = Tee {
            stderr: env_logger::Builder::new().filter_level(LevelFilter::Off).build(),
            buffer: LogBuffer::default(),
            start: Instant::now(),
        };
        for (target, level) in [
            ("bonebox::ui", Level::Info),
            ("wgpu_hal", Level::Info),
            ("wgpu_hal", Level::Warn),
            ("bonebox", Level::Debug),
        ] {
            tee.log(&Record::builder().target(target).level(level).args(format_args!("x")).build());
        }
        tee.buffer.with(|lines| {
            let kept: Vec<_> = lines.iter().map(|l| (l.target.as_str(), l.level)).collect();
            assert_eq!(kept, [("bonebox::ui", Level::Info), ("wgpu_hal", Level::Warn)]);
        });
    }
}
