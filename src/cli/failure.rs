use super::output::{plain_lines, say};
use crate::formats::OpenError;
use std::{
    fmt::{self, Display},
    io,
    process::ExitCode,
};

/// Why a verb ended before it had done what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The command line makes no sense: exit status 2.
    Usage(String),
    /// A file cannot be opened, or what was asked is not in it: exit status 1. One sentence that names the file.
    Failed(String),
    /// Whoever read standard output has gone (`| head`): nothing is wrong and nothing more can be said.
    ClosedPipe,
}

impl Failure {
    /// What was asked cannot be done with this file.
    pub fn failed(message: impl Display) -> Self {
        Self::Failed(message.to_string())
    }

    /// The same with the file's name in front.
    pub fn of_file(file: &str, message: impl Display) -> Self {
        Self::Failed(format!("{file}: {message}"))
    }

    /// Says on standard error what went wrong and yields the exit status.
    pub fn report(&self) -> ExitCode {
        self.report_as(1)
    }

    /// As [`Failure::report`], with another status where a file cannot be opened, or what was asked is not in it.
    pub fn report_as(&self, failed: u8) -> ExitCode {
        match self {
            Self::Usage(message) => {
                say(format_args!("error: {}\n\nFor more information, try '--help'.", plain_lines(message)));
                ExitCode::from(2)
            }
            Self::Failed(message) => {
                say(format_args!("error: {}", plain_lines(message)));
                ExitCode::from(failed)
            }
            Self::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Failed(message) => f.write_str(message),
            Self::ClosedPipe => f.write_str("standard output was closed"),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Of writing to standard output; files say which file it was.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Failed(format!("cannot write to standard output: {error}")),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::from(io::Error::from(error))
    }
}
