//! An export that is being prepared.

use crate::{
    export::{ExportFormat, ExportSpace, ExportUp},
    ui::place::Place,
};
use glam::Vec3;
use std::path::Path;

/// A clip that can go into the file of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftClip {
    pub place: Place,
    pub name: String,
    /// It is one of the model's own, as far as can be told.
    pub belongs: bool,
    /// Where it is, and why it is offered.
    pub reason: String,
    /// It goes into the file.
    pub taken: bool,
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
    /// The clips that play on the model; `None` for what is not on the stage, whose own clips are looked for when it is written.
    pub clips: Option<Vec<DraftClip>>,
    /// The one of them that plays.
    pub playing: Option<Place>,
    /// Frames a second of clips that do not say, where the one that plays is one of them; what it plays at, to begin with.
    pub rate_hz: Option<f32>,
    /// glTF without helper nodes among the bones.
    pub plain_skeleton: bool,
    /// Bones are written in bind pose instead of at rest, as they are shown.
    pub bind_pose: bool,
    /// Whether the entry is the shown model and has bones.
    pub has_bones: bool,
    /// Frame of the clip that plays, for formats that hold one pose.
    pub frame: Option<f32>,
    /// OBJ as the window shows it at this moment instead of in its bind pose.
    pub posed: bool,
    /// How large it is written, and which axis is up, for formats that have a choice.
    pub space: ExportSpace,
    /// Width, height and depth of what is on the stage, in the scene's units; `None` for what is not there.
    pub extent: Option<Vec3>,
    /// OBJ in the axes of the file instead of those of `space`.
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
        self.format.is_gltf() && self.clips.as_ref().is_some_and(|clips| !clips.is_empty())
    }

    /// Whether bones go into the file.
    pub fn takes_bones(&self) -> bool {
        self.has_bones && self.format.is_gltf()
    }

    /// Whether the file holds one pose.
    pub fn takes_pose(&self) -> bool {
        self.frame.is_some() && self.format == ExportFormat::Obj
    }

    /// Width, height and depth as they are written: along X, Y and Z of the file.
    pub fn written_extent(&self) -> Option<Vec3> {
        let extent = self.extent.filter(|_| self.format.has_space() && !self.is_in_file_space())?;
        let turned = match self.space.up {
            ExportUp::Y => extent,
            ExportUp::Z => Vec3::new(extent.x, extent.z, extent.y),
        };
        Some(turned * self.space.scale)
    }

    /// Whether the file has the axes of the one that it comes from.
    pub fn is_in_file_space(&self) -> bool {
        self.file_space && self.format == ExportFormat::Obj
    }

    /// Whether a step between the samples of the ground can be chosen.
    pub fn takes_step(&self) -> bool {
        self.of_terrain && (self.format.is_gltf() || self.format == ExportFormat::Obj)
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
        !self.overwrite && crate::files::exists(&self.format.first_file(Path::new(self.path.trim())))
    }
}
