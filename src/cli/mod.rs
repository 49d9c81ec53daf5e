//! The command line: one file a verb. Text for people on standard output, or one JSON document with `--json`; diagnostics
//! and progress on standard error.
//!
//! Exit status: 0 done; 1 a file cannot be opened as anything, or what was asked is not in it; 2 wrong usage. Of `diff`: 0 the same;
//! 1 different; 2 anything else.

mod companions;
mod contact_sheet;
pub mod diff;
pub mod export;
mod export_all;
mod export_args;
mod export_kit;
pub mod find;
mod find_rows;
mod folded_findings;
pub mod index;
pub mod inspect;
mod joints;
pub mod list;
mod output;
pub mod pose;
mod posing;
mod reading;
mod registers;
pub mod render;
mod render_args;
mod rendering;
mod selection;
mod shading;
mod switches;
mod thumbnail;
pub mod verify;

pub use output::Failure;
pub use reading::ReadingArgs;
pub use selection::ClipName;
pub use shading::ShadingSwitch;
pub use switches::{PoseSwitch, RootConjugateSwitch, Switches, TranslationSwitch};

use clap::{CommandFactory as _, Parser as _};
use std::{ffi::OsString, path::PathBuf, process::ExitCode};

/// Action that the arguments request.
#[derive(Clone, Debug)]
pub enum Invocation {
    /// Open the window with these files and folders.
    Window {
        /// Use X11 even if Wayland is available (Linux).
        x11: bool,
        /// Use Wayland even if X11 is available (Linux).
        wayland: bool,
        /// File to which the window's status is written.
        status: Option<PathBuf>,
        /// Saved view to restore.
        view: Option<PathBuf>,
        paths: Vec<PathBuf>,
    },
    /// Run a command without a window.
    Verb(Box<Verb>),
}

impl Invocation {
    /// Returns true if the action needs a graphics driver.
    pub fn draws(&self) -> bool {
        match self {
            Self::Window { .. } => true,
            Self::Verb(verb) => matches!(**verb, Verb::Render(_)),
        }
    }
}

/// Viewer and converter for the assets of old games.
///
/// Without a command, opens the window with the given files and folders. To open a file named like a command, add its
/// folder: ./list
#[derive(Debug, clap::Parser)]
#[command(name = "bonebox", version, args_conflicts_with_subcommands = true, max_term_width = 120)]
struct CommandLine {
    /// Use X11 (Linux); the default if X11 is available, because it supports drag and drop
    #[arg(long, conflicts_with = "wayland")]
    x11: bool,
    /// Use Wayland even if X11 is available (Linux); files cannot be dropped on the window
    #[arg(long)]
    wayland: bool,
    /// Write the window's status to FILE as JSON and keep it up to date, for scripts
    #[arg(long, value_name = "FILE")]
    status: Option<PathBuf>,
    /// Restore a saved view: a .bonebox-view file, or a screenshot saved with F12
    #[arg(long, value_name = "FILE")]
    view: Option<PathBuf>,
    /// Files and folders to open in the window
    #[arg(value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
    #[command(subcommand)]
    verb: Option<Verb>,
}

/// Commands that run without a window.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Verb {
    /// List the contents of a file
    List(list::Args),
    /// Show every field of an entry with its offset and size
    Inspect(inspect::Args),
    /// Search a collection: names, texts, references, dependencies, duplicates, fitting clips
    Find(find::Args),
    /// Read everything and report errors, opaque data and unread bytes
    Verify(verify::Args),
    /// Print the pose of a model at one frame in file space: bones, points, morphs
    Pose(pose::Args),
    /// Export an entry, or everything, to formats that other programs read
    Export(export::Args),
    /// Compare two files, folders or containers
    Diff(diff::Args),
    /// Index folders, containers and files for fast searches
    Index(index::Args),
    /// Render a model, level or landscape, a clip or a turntable as PNG, GIF, animated PNG, WebP or video, or a contact sheet
    Render(render::Args),
}

/// Returns the commands and options, from which manual pages and shell completions are generated.
pub fn command() -> clap::Command {
    CommandLine::command()
}

/// Reads the program's arguments. For wrong usage, `--help` and `--version`, prints a message and ends the process.
pub fn parse_args() -> Invocation {
    parse(std::env::args_os()).unwrap_or_else(|error| error.exit())
}

/// Reads arguments. The first argument is the program's name.
///
/// # Errors
/// Returns an error for wrong usage, and if help or the version is requested.
pub fn parse(args: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Invocation, clap::Error> {
    let line = CommandLine::try_parse_from(args)?;
    Ok(match line.verb {
        Some(verb) => Invocation::Verb(Box::new(verb)),
        None => {
            let CommandLine { x11, wayland, status, view, paths, .. } = line;
            Invocation::Window { x11, wayland, status, view, paths }
        }
    })
}

/// Runs a command. Prints errors on standard error.
pub fn run(verb: Verb) -> ExitCode {
    let result = match &verb {
        Verb::List(args) => list::run(args),
        Verb::Inspect(args) => inspect::run(args),
        Verb::Find(args) => find::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Pose(args) => pose::run(args),
        Verb::Export(args) => export::run(args),
        // Status 1 says that something differs, so that what cannot be done is 2.
        Verb::Diff(args) => return diff::run(args).unwrap_or_else(|failure| failure.report_as(2)),
        Verb::Index(args) => index::run(args),
        Verb::Render(args) => render::run(args),
    };
    result.unwrap_or_else(|failure| failure.report())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn files_open_the_window_and_verbs_do_not() {
        let parse = |args: &[&str]| parse(std::iter::once("bonebox").chain(args.iter().copied()));
        let window = |args: &[&str]| match parse(args) {
            Ok(Invocation::Window { x11, wayland, paths, .. }) => Some(([x11, wayland], paths)),
            _ => None,
        };
        let neither = [false, false];
        assert_eq!(window(&[]), Some((neither, vec![])));
        assert_eq!(window(&["a.psk", "b"]), Some((neither, vec!["a.psk".into(), "b".into()])));
        assert_eq!(window(&["--x11", "./list"]), Some(([true, false], vec!["./list".into()])));
        assert_eq!(window(&["--wayland", "./list"]), Some(([false, true], vec!["./list".into()])));
        assert_eq!(window(&["--view", "walk.bonebox-view"]), Some((neither, Vec::new())));
        assert_eq!(window(&["a.psk", "list"]), Some((neither, vec!["a.psk".into(), "list".into()])));
        assert!(matches!(parse(&["list", "a.psk"]), Ok(Invocation::Verb(_))));
        for wrong in [&["list"][..], &["list", "a", "b"], &["--no-such"], &["--x11", "--wayland"]] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
        assert_eq!(parse(&["--help"]).unwrap_err().exit_code(), 0);
        assert_eq!(parse(&["--version"]).unwrap_err().exit_code(), 0);
    }
}
