//! An export that is being prepared.

use crate::{export::ExportFormat, ui::place::Place};
use std::path::Path;

/// Which clips go with a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportClips {
    None,
    /// The one that plays.
    Playing,
    /// All that fit the shown model.
    #[default]
    All,
}

/// An export as the dialog holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportDraft {
    pub place: Place,
    /// What the entry is called.
    pub name: String,
    /// What it can be exported as, its natural format first.
    pub formats: Vec<ExportFormat>,
    pub format: ExportFormat,
    /// Of a file that holds the entry's own bytes.
    pub own_extension: &'static str,
    /// The file to write.
    pub path: String,
    /// How many clips [`ExportClips::All`] means; 0 when the entry is not the shown model.
    pub clip_count: usize,
    pub clips: ExportClips,
    /// Frames a second of clips that do not say, where the one that plays is one of them; what it plays at, to begin with.
    pub rate_hz: Option<f32>,
    /// Frame of the clip that plays, for formats that hold one pose.
    pub frame: Option<f32>,
    /// OBJ as the window shows it at this moment instead of in its bind pose.
    pub posed: bool,
    /// OBJ in the axes of the file instead of Y up.
    pub file_space: bool,
    /// PNG or TGA of every mip instead of the largest alone.
    pub mips: bool,
    /// A landscape, which has a GLB of its own kind.
    pub of_terrain: bool,
    /// A vertex of the ground every so many samples.
    pub step: u32,
    /// Metres to add to what is east.
    pub easting: f64,
    /// Write over a file that is there.
    pub overwrite: bool,
    /// Write it however large it becomes.
    pub any_size: bool,
}

impl ExportDraft {
    /// Chooses a format; the file's ending follows.
    pub fn set_format(&mut self, format: ExportFormat) {
        self.format = format;
        self.path = Path::new(&self.path).with_extension(self.extension()).display().to_string();
    }

    fn extension(&self) -> &'static str {
        if self.format == ExportFormat::Raw { self.own_extension } else { self.format.extension() }
    }

    /// Whether clips can go into the file.
    pub fn takes_clips(&self) -> bool {
        self.clip_count > 0 && self.format == ExportFormat::Glb
    }

    /// Whether the file holds one pose.
    pub fn takes_pose(&self) -> bool {
        self.frame.is_some() && self.format == ExportFormat::Obj
    }

    /// Whether a step between the samples of the ground can be chosen.
    pub fn takes_step(&self) -> bool {
        self.of_terrain && matches!(self.format, ExportFormat::Glb | ExportFormat::Obj)
    }

    /// Whether what is east can be counted from elsewhere.
    pub fn takes_easting(&self) -> bool {
        matches!(
            self.format,
            ExportFormat::Tiff | ExportFormat::Asc | ExportFormat::Xyz | ExportFormat::TerrainBuilderList
        )
    }

    /// Whether the file is there already and must stay.
    pub fn is_in_the_way(&self) -> bool {
        !self.overwrite && Path::new(self.path.trim()).exists()
    }
}
