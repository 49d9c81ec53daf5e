use super::Beside;
use crate::export::{ExportError, ExportSpace};

/// How many bytes a file may have.
#[derive(Clone, Debug)]
pub struct Room {
    name: String,
    most: u64,
}

impl Room {
    /// Room for `most` bytes of what is called `name`.
    pub fn new(name: &str, most: u64) -> Self {
        Self { name: name.to_owned(), most }
    }

    /// As much as the format has.
    pub fn all() -> Self {
        Self::new("", u64::MAX)
    }

    /// Makes sure that the file may have so many bytes.
    ///
    /// # Errors
    /// [`ExportError::OverBudget`] when that is more than there is room for.
    pub fn check(&self, bytes: u64) -> Result<(), ExportError> {
        if bytes > self.most {
            return Err(ExportError::OverBudget { name: self.name.clone(), size: bytes, most: self.most });
        }
        Ok(())
    }
}

/// How a GLB is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GlbOptions {
    /// Keys a second of animations that are sampled; the clip's own frames a second without one.
    pub rate_hz: Option<f32>,
    /// Frames a second of clips that do not say ([`crate::scene::Clip::rate_is_assumed`]); what their format mostly has without
    /// one.
    pub assumed_rate_hz: Option<f32>,
    /// Equal things that are placed in a level or stand on a landscape are one node (`EXT_mesh_gpu_instancing`).
    pub instances: bool,
    /// Sprites of levels are nodes without a mesh.
    pub without_sprites: bool,
    /// The size that small textures are written with.
    pub texture_size: TextureSize,
    /// The form that coarser levels of a model are written in.
    pub lods: Lods,
    /// The form that the light of a level is written in.
    pub lights: LevelLights,
    /// The only material set among the clips takes the place of the model's materials. Otherwise, and where there are several,
    /// sets are variants of them.
    pub wears_set: bool,
    /// Without helper nodes, which makes some poses inexact.
    pub plain_skeleton: bool,
    /// Joints rest in the bind pose of the file's inverse bind matrices. Of GLB and OBJ.
    pub bind_pose: bool,
    /// Options that notes refer to.
    pub names: OptionNames,
}

/// Names of options for notes, such as `--pose bind` or a menu item. Notes do not refer to an option without a name.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OptionNames {
    /// Exports the bind pose of a model.
    pub bind_pose: &'static str,
    /// Exports the light of a level.
    pub baked_light: &'static str,
    /// Exports textures at their original size.
    pub original_size: &'static str,
}

impl OptionNames {
    /// The end of a note that refers to an option: its name and its effect in brackets.
    pub fn hint(name: &str, effect: &str) -> String {
        if name.is_empty() { String::new() } else { format!(" ({name} {effect})") }
    }
}

/// How the light of a level is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LevelLights {
    /// No lights; light maps as occlusion textures.
    None,
    /// No lights; light maps in the colours of vertices, on unlit materials. It looks the same in every program.
    Baked,
    /// The game's lights (`KHR_lights_punctual`); light maps as occlusion textures.
    #[default]
    Punctual,
}

impl LevelLights {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::None, Self::Baked, Self::Punctual];

    /// As the command line names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Baked => "baked",
            Self::Punctual => "punctual",
        }
    }
}

/// How many texels small textures are written with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextureSize {
    /// Three times their own or more, where programs that mix texels as linear light would show them lighter.
    #[default]
    Enlarged,
    /// Their own.
    Original,
}

impl TextureSize {
    /// All choices.
    pub const ALL: [Self; 2] = [Self::Enlarged, Self::Original];

    /// As the command line names it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Enlarged => "enlarged",
            Self::Original => "original",
        }
    }
}

/// How coarser levels of a model are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lods {
    /// The finest level alone.
    #[default]
    None,
    /// As nodes outside of the scene that the finest level's node names (`MSFT_lod`). What does not know the extension shows the
    /// finest level.
    Msft,
    /// As nodes of the scene, called `NAME_LOD0`, `NAME_LOD1` and so on.
    Nodes,
}

/// What a file may be like, whatever is in it.
#[derive(Clone, Debug)]
pub struct Output {
    /// Maximum size of the file.
    pub room: Room,
    /// Scale and up axis of the file.
    pub space: ExportSpace,
    /// The files for pictures, and for the numbers of a `.gltf`. Without it everything is in one file.
    pub beside: Option<Beside>,
}

/// Sizes as they are, Y up.
impl From<Room> for Output {
    fn from(room: Room) -> Self {
        Self { room, space: ExportSpace::default(), beside: None }
    }
}
