//! First steps.

use crate::ui::{
    command::{Command, ExportCommand, LibraryCommand, StageCommand, TransportCommand, WindowCommand},
    place::DrawerPage,
    section::Section,
};

/// A step that a newcomer takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuideStep {
    Open,
    Play,
    Curve,
    Bytes,
    Write,
}

impl GuideStep {
    pub const ALL: [Self; 5] = [Self::Open, Self::Play, Self::Curve, Self::Bytes, Self::Write];

    /// Returns the description of the step.
    pub fn text(self) -> &'static str {
        match self {
            Self::Open => "Open samples",
            Self::Play => "Play an animation",
            Self::Curve => "Click a bone to show its curves",
            Self::Bytes => "Click a field to show its bytes",
            Self::Write => "Export a model or take a screenshot",
        }
    }

    /// Returns the label of the button.
    pub fn button(self) -> &'static str {
        match self {
            Self::Open => "Open samples",
            Self::Play => "Play",
            Self::Curve => "Show the curves",
            Self::Bytes => "Show the bytes",
            Self::Write => "Export…",
        }
    }

    /// Returns the command of the button.
    pub fn command(self) -> Option<Command> {
        match self {
            Self::Open => Some(Command::Library(LibraryCommand::OpenSamples)),
            Self::Play => Some(Command::Transport(TransportCommand::TogglePlay)),
            Self::Curve => Some(Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Curves))),
            Self::Bytes => Some(Command::Window(WindowCommand::ShowSection(Section::Bytes))),
            Self::Write => Some(Command::Export(ExportCommand::PrepareShown)),
        }
    }
}
