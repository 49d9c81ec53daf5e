//! What `export` is told.

use super::{
    ClipName, ReadingArgs, Switches,
    posing::{ClockArgs, finite, rate},
    registers::RegisterArgs,
};
use crate::{
    bytes::Cancel,
    export::{
        ExportFormat, ExportJob, ExportKind, ExportKinds, ExportUp,
        glb::{LevelLights, Lods, TextureSize},
        space::SCALES,
    },
    library::{ClipChoice, suggestion},
};
use std::path::PathBuf;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// File to export from; with --all also a folder
    #[arg(value_name = "FILE|FOLDER")]
    pub file: PathBuf,
    /// Entry path or #N id, as printed by `list`. Default: the file's main entry that has the format
    #[arg(conflicts_with = "all")]
    pub entry: Option<String>,
    /// Export all entries, each in the default format of its kind, into the folder PATH, with a manifest.json
    #[arg(long)]
    pub all: bool,
    /// With --all: export only these kinds, separated by commas: model, brush, texture, palette, font, sound, music, text, script, clip,
    /// level, landscape, data. Default: all except brush
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind)]
    pub only: Vec<ExportKind>,
    /// With --all: skip these kinds, separated by commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind)]
    pub skip: Vec<ExportKind>,
    /// Extract the files of an archive, or those below ENTRY, into the folder PATH, with a manifest.json
    #[arg(long, conflicts_with_all = ["all", "format", "clips"])]
    pub unpack: bool,
    /// Clip to export with the model: all clips of FILE, one ENTRY of it, or the fitting clip called NAME in this file or a file next to
    /// it. A file called NAME takes precedence. May be repeated. Default: as with --clips belonging
    #[arg(long = "clip", value_name = "FILE[::ENTRY]|NAME", value_parser = ClipName::parse)]
    pub clips: Vec<ClipName>,
    /// Clips to export with a model. belonging: clips that belong to the model by name, location or skeleton, in this file or else in files
    /// next to it (default). fitting: all clips in these files that play on the model. none: no clips. NAMES: clips with these names,
    /// separated by commas
    #[arg(long = "clips", value_name = "belonging|fitting|none|NAMES", value_parser = which_clips, conflicts_with = "clips")]
    pub which_clips: Option<WhichClips>,
    /// Export the model without clips, same as --clips none
    #[arg(long, conflicts_with_all = ["clips", "which_clips"])]
    pub no_clips: bool,
    /// Frame to export: the clip's frame for obj (default: bind pose), or the frame of a procedural texture for png and tga (default: 60)
    #[arg(long, value_name = "F", value_parser = finite, allow_negative_numbers = true)]
    pub frame: Option<f32>,
    /// Output format: glb, gltf, obj, psk, psa, 3d, png, tga, dds, wav, txt, uc, t3d, json or raw; for landscapes png16, tiff, asc, xyz
    /// (heights), csv, visitor-list, terrain-builder-list (objects; elevations are relative). Default: the extension of PATH. With --all,
    /// the format of models, levels and landscapes: glb or gltf
    #[arg(long, value_name = "FMT", value_parser = format)]
    pub format: Option<ExportFormat>,
    /// With --all: embed the textures in every GLB instead of sharing texture files
    #[arg(long, requires = "all")]
    pub embed: bool,
    /// Keys per second of sampled animations in a GLB (J3D). Default: the clip's frame rate
    #[arg(long, value_name = "HZ", value_parser = rate)]
    pub rate: Option<f32>,
    #[command(flatten)]
    pub clock: ClockArgs,
    /// Scale factor for models, levels and landscapes (glb, gltf, obj). Default: 1/52.5 for Unreal packages, vertex meshes and ActorX,
    /// which converts units to metres, and 1 for others. 0.01 converts centimetres to metres
    #[arg(long, value_name = "F", value_parser = scale, allow_negative_numbers = true, conflicts_with = "unpack")]
    pub scale: Option<f32>,
    /// Up axis of exported models, levels and landscapes (glb, gltf, obj). Default: y, as glTF requires
    #[arg(long, value_name = "y|z", value_parser = up, conflicts_with_all = ["unpack", "file_space"])]
    pub up: Option<ExportUp>,
    /// Size of small textures (up to 32 texels per side) in a GLB or glTF: enlarged if other programs would show them lighter than the game
    /// (default), or original
    #[arg(long, value_name = "enlarged|original", value_parser = texture_size, conflicts_with = "unpack")]
    pub texture_size: Option<TextureSize>,
    /// Search this folder and its subfolders for textures before the model's own folder
    #[arg(long, value_name = "FOLDER", value_parser = folder, conflicts_with = "unpack")]
    pub textures: Option<PathBuf>,
    #[command(flatten)]
    pub registers: RegisterArgs,
    /// Levels of detail of models (glb, gltf): msft for nodes outside the scene (MSFT_lod), nodes for scene nodes called NAME_LOD0,
    /// NAME_LOD1 and so on. Default: only the finest level
    #[arg(long, value_name = "msft|nodes", value_parser = lods, conflicts_with = "unpack")]
    pub lods: Option<Lods>,
    /// Export skeletons in a GLB or glTF without helper nodes: the bones are exactly the model's joints. Poses that need helper nodes are
    /// inexact; a note reports the deviation
    #[arg(long, conflicts_with = "unpack")]
    pub plain_skeleton: bool,
    /// Export OBJ with the axes of the original file instead of Y up
    #[arg(long)]
    pub file_space: bool,
    /// Export all mip levels of a PNG or TGA: name.png, name.mip1.png, …
    #[arg(long)]
    pub mips: bool,
    /// Landscapes in a GLB or OBJ: one vertex every N samples. Default: the smallest step with at most about a million triangles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub step: Option<u32>,
    /// GLB of levels and landscapes: combine identical objects into one node with EXT_mesh_gpu_instancing. Not all programs support it
    #[arg(long, conflicts_with = "unpack")]
    pub instances: bool,
    /// GLB of levels: export sprites as nodes without an image
    #[arg(long, conflicts_with = "unpack")]
    pub no_sprites: bool,
    /// Light in the GLB of a level. none: no light. baked: the level's light in vertex colours on unlit materials (default; with --all
    /// only if specified). punctual: the game's lights, for programs that compute lighting (Blender)
    #[arg(long, value_name = "none|baked|punctual", value_parser = lights, conflicts_with = "unpack")]
    pub lights: Option<LevelLights>,
    /// Landscapes: metres to add to eastings in tiff, asc, xyz and terrain-builder-list. Maps in Terrain Builder start at 200000
    #[arg(long, value_name = "METRES", default_value = "0", value_parser = easting, allow_negative_numbers = true)]
    pub easting: f64,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// With --all or --unpack: continue an interrupted export. Files that its manifest.json lists as complete are kept
    #[arg(long)]
    pub resume: bool,
    /// Maximum total size of the exports of one file (500M, 2G). Default: 64 MiB plus 64 times the decompressed size of the file and of the
    /// files it uses
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_output: Option<u64>,
    /// Print each note in full instead of one line per reason
    #[arg(short, long)]
    pub verbose: bool,
    /// File to write, or folder to write into
    #[arg(short, long, value_name = "PATH")]
    pub output: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub switches: Switches,
}

/// Value of `--clips`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhichClips {
    Unnamed(ClipChoice),
    None,
    Named(Vec<String>),
}

fn which_clips(text: &str) -> Result<WhichClips, String> {
    Ok(match text {
        "belonging" => WhichClips::Unnamed(ClipChoice::Belonging),
        "fitting" => WhichClips::Unnamed(ClipChoice::Fitting),
        "none" => WhichClips::None,
        names => {
            let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
            if names.iter().any(String::is_empty) {
                return Err("expected belonging, fitting, none, or names separated by commas".to_owned());
            }
            WhichClips::Named(names)
        }
    })
}

impl Args {
    /// Returns which clips are exported with a model, or `None` if clips are specified by name or disabled.
    pub fn clip_choice(&self) -> Option<ClipChoice> {
        match &self.which_clips {
            _ if self.no_clips || !self.clips.is_empty() => None,
            None => Some(ClipChoice::default()),
            Some(WhichClips::Unnamed(choice)) => Some(*choice),
            Some(WhichClips::None | WhichClips::Named(_)) => None,
        }
    }

    /// Returns true if clips are specified by name or file.
    pub fn has_named_clips(&self) -> bool {
        !self.clips.is_empty() || matches!(self.which_clips, Some(WhichClips::Named(_)))
    }
}

/// Parses a number of bytes with an optional unit: K, M, G or T, in powers of 1024.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "expected a number of bytes, such as 500M or 2G".to_owned();
    let (digits, unit) = match text.char_indices().last() {
        Some((at, unit)) if unit.is_ascii_alphabetic() => (&text[..at], unit.to_ascii_uppercase()),
        _ => (text, 'B'),
    };
    let power = "BKMGT".find(unit).ok_or_else(wrong)?;
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1024_u64.pow(power as u32)).ok_or_else(wrong)
}

/// Parses the path of an existing folder.
pub fn folder(text: &str) -> Result<PathBuf, String> {
    Some(PathBuf::from(text)).filter(|path| path.is_dir()).ok_or_else(|| "no such folder".to_owned())
}

fn easting(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|e: &f64| e.is_finite()).ok_or_else(|| "expected a number, in metres".to_owned())
}

fn scale(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|scale| SCALES.contains(scale))
        .ok_or_else(|| format!("expected a number from {} to {}", SCALES.start(), SCALES.end()))
}

fn lods(text: &str) -> Result<Lods, String> {
    match text.to_ascii_lowercase().as_str() {
        "msft" => Ok(Lods::Msft),
        "nodes" => Ok(Lods::Nodes),
        _ => Err("expected msft or nodes".to_owned()),
    }
}

fn lights(text: &str) -> Result<LevelLights, String> {
    let found = LevelLights::ALL.into_iter().find(|lights| lights.id().eq_ignore_ascii_case(text));
    found.ok_or_else(|| "expected none, baked or punctual".to_owned())
}

fn up(text: &str) -> Result<ExportUp, String> {
    let found = ExportUp::ALL.into_iter().find(|up| up.id().eq_ignore_ascii_case(text));
    found.ok_or_else(|| "expected y or z".to_owned())
}

fn texture_size(text: &str) -> Result<TextureSize, String> {
    let found = TextureSize::ALL.into_iter().find(|size| size.id().eq_ignore_ascii_case(text));
    found.ok_or_else(|| "expected enlarged or original".to_owned())
}

fn format(text: &str) -> Result<ExportFormat, String> {
    ExportFormat::from_id(text).ok_or_else(|| {
        if let Some(detour) = by_blender(text) {
            return detour;
        }
        let known: Vec<&str> = ExportFormat::ALL.iter().map(|f| f.id()).collect();
        format!("expected one of {}{}", known.join(", "), suggestion(text, known.iter().copied()))
    })
}

/// Returns instructions for a format that Blender can export and Bonebox cannot, by its extension.
pub fn by_blender(ending: &str) -> Option<String> {
    let operator = ExportFormat::blender_operator(ending)?;
    let old = match ending.to_ascii_lowercase().as_str() {
        "dae" => " (up to Blender 4.5)",
        "3ds" => " (a Blender extension)",
        _ => "",
    };
    Some(format!(
        "Bonebox cannot export .{ending}: export a .glb, import it into Blender and export it there with {operator}{old}; \
         see docs/CLIENTS.md#fbx"
    ))
}

fn kind(text: &str) -> Result<ExportKind, String> {
    let is_called =
        |kind: ExportKind| ["", "s", "es"].iter().any(|end| format!("{}{end}", kind.id()).eq_ignore_ascii_case(text));
    ExportKind::ALL.into_iter().find(|kind| is_called(*kind)).ok_or_else(|| {
        let known = ExportKind::ALL.map(ExportKind::id);
        format!("expected one or more of {}{}", known.join(", "), suggestion(text, known))
    })
}

impl Args {
    pub fn job<'a>(&self, progress: &'a (dyn Fn(u64, u64, &str) + Sync)) -> ExportJob<'a> {
        let (force, max_output, resume) = (self.force, self.max_output, self.resume);
        ExportJob { cancel: Cancel::never(), progress, force, max_output, resume }
    }

    /// Returns the kinds of entries that `--all` exports.
    pub fn kinds(&self) -> ExportKinds {
        let asked = if self.only.is_empty() { ExportKinds::usual() } else { ExportKinds::of(&self.only) };
        asked.without(&self.skip)
    }
}

/// Returns the option that allows exports of this size, rounded up to whole MiB.
pub fn allowing(size: u64) -> String {
    format!("(--max-output {}M allows this size)", size.div_ceil(1 << 20))
}
