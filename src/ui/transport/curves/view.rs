//! What the curves remember.

use crate::ui::{
    query::Filter,
    transport::curves::{
        lines::Lines,
        window::{Scale, Window},
    },
};
use egui::Pos2;
use std::collections::HashMap;

/// The clip, whether it is in real units, and whether in the scene's axes.
type ModelStage = (u64, bool, bool);

/// Scale, whether it is each line's own, which clip in which values, and how many lines.
type Basis = (Scale, bool, Option<ModelStage>, usize);

/// What the panel remembers between frames.
#[derive(Default)]
pub struct CurvesView {
    /// What the rest belongs to.
    pub made_for: Option<ModelStage>,
    /// The model whose bones' names the lines have.
    pub named_for: Option<u64>,
    pub lines: Lines,
    /// By line.
    pub shown: Vec<bool>,
    /// By group: its lines are listed.
    pub open: Vec<bool>,
    pub filter: Filter,
    pub window: Window,
    pub drag: Drag,
    pub drawn: Drawn,
    /// The line that the list is pointed at, and the one that the plot is.
    pub pointed: Option<usize>,
    pub near: Option<usize>,
    /// The file's own numbers.
    pub raw: bool,
    pub no_tangents: bool,
    /// Every line over its own extent.
    pub level: bool,
    /// The bone whose curves were brought up last.
    pub bone: Option<String>,
    /// The group that the list goes to next.
    pub scroll_to: Option<usize>,
    /// The list was asked for in a narrow panel, or sent away in a wide one.
    pub list_asked: Option<bool>,
}

/// What a drag that began on the plot does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drag {
    #[default]
    Nothing,
    Pan,
    Seek,
}

/// Lines as they were drawn last: while only the playhead moves they stay as they are.
#[derive(Default)]
pub struct Drawn {
    /// What they were worked out for.
    pub of: Option<Basis>,
    pub runs: HashMap<usize, Vec<Vec<Pos2>>>,
}
