use super::unreal3d;
use crate::formats::{Content, Document, Entry, EntryId, Native, Role};
use std::path::{Path, PathBuf};

/// What something can be exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExportFormat {
    /// Binary glTF: models with skin, clips, morphs and textures.
    Glb,
    /// The same as text, with numbers and textures in files beside.
    Gltf,
    /// Wavefront OBJ with MTL and textures, posed.
    Obj,
    /// ActorX mesh.
    Psk,
    /// ActorX animation.
    Psa,
    /// The pair of files, `_a.3d` and `_d.3d`, that the Unreal editor imports a mesh of moving vertices from.
    Unreal3d,
    /// Pictures as PNG.
    Png,
    /// Pictures as TGA.
    Tga,
    /// Sounds decoded, music rendered.
    Wav,
    /// DirectDraw surface: compressed pictures as they are stored.
    Dds,
    /// Text as it is.
    Txt,
    /// UnrealScript: the source of a class with its default properties.
    Uc,
    /// Brushes, actors and levels as the Unreal editor's text.
    T3d,
    /// Every field of the entry.
    Json,
    /// The entry's own bytes.
    Raw,
    /// Heights as a grey picture of 16 bits.
    Png16,
    /// Heights as a GeoTIFF of 32-bit numbers.
    Tiff,
    /// Heights as an ESRI ASCII grid.
    Asc,
    /// Heights as lines of east, north and height.
    Xyz,
    /// Objects of a landscape as a table.
    Csv,
    /// Objects as Visitor's list.
    VisitorList,
    /// Objects as Terrain Builder's list.
    TerrainBuilderList,
}

/// The names of a format, and what is exported in it.
#[cfg_attr(
    any(not(feature = "cli"), target_arch = "wasm32"),
    expect(dead_code, reason = "the command line reads the sources")
)]
pub(crate) struct ExportSpec {
    pub id: &'static str,
    pub label: &'static str,
    pub extension: &'static str,
    /// The content that is exported from a file if no entry is named, the preferred one first. Empty if the whole file is exported.
    pub sources: &'static [Content],
    /// The name of `sources` in messages.
    pub source: &'static str,
}

impl ExportFormat {
    /// All formats.
    pub const ALL: [Self; 22] = [
        Self::Glb,
        Self::Gltf,
        Self::Obj,
        Self::Psk,
        Self::Psa,
        Self::Unreal3d,
        Self::Png,
        Self::Tga,
        Self::Dds,
        Self::Wav,
        Self::Txt,
        Self::Uc,
        Self::T3d,
        Self::Png16,
        Self::Tiff,
        Self::Asc,
        Self::Xyz,
        Self::Csv,
        Self::VisitorList,
        Self::TerrainBuilderList,
        Self::Json,
        Self::Raw,
    ];

    /// The row of a format. A new format is a variant, a place in [`ExportFormat::ALL`] and a row here; `Work::files` calls its writer.
    pub(crate) fn spec(self) -> ExportSpec {
        use Content as C;
        let spec = |id, label, extension, sources, source| ExportSpec { id, label, extension, sources, source };
        match self {
            Self::Glb => {
                spec("glb", "glTF binary (.glb)", "glb", &[C::Map, C::Terrain, C::Model, C::Clip], "model or clip")
            }
            Self::Gltf => spec(
                "gltf",
                "glTF with separate textures (.gltf)",
                "gltf",
                &[C::Map, C::Terrain, C::Model, C::Clip],
                "model or clip",
            ),
            Self::Obj => {
                spec("obj", "Wavefront OBJ (.obj)", "obj", &[C::Map, C::Terrain, C::Model], "model, level or landscape")
            }
            Self::Psk => spec("psk", "ActorX mesh (.psk)", "psk", &[C::Model], "model"),
            Self::Psa => spec("psa", "ActorX animation (.psa)", "psa", &[C::Clip], "clip"),
            Self::Unreal3d => spec("3d", "Unreal vertex mesh (_a.3d, _d.3d)", "3d", &[C::Model], "model"),
            Self::Png => spec("png", "PNG image (.png)", "png", &[C::Terrain, C::Image, C::Palette, C::Font], "image"),
            Self::Tga => spec("tga", "TGA image (.tga)", "tga", &[C::Image, C::Palette, C::Font], "image"),
            Self::Dds => spec("dds", "DirectDraw surface (.dds)", "dds", &[C::Image], "image"),
            Self::Wav => spec("wav", "WAV sound (.wav)", "wav", &[C::Sound, C::Music], "sound"),
            Self::Txt => spec("txt", "Text (.txt)", "txt", &[C::Terrain, C::Text], "text"),
            Self::Uc => spec("uc", "UnrealScript (.uc)", "uc", &[C::Text], "text"),
            Self::T3d => spec("t3d", "Unreal editor text (.t3d)", "t3d", &[C::Map], "level"),
            Self::Png16 => spec("png16", "Heights as a 16-bit image (.png)", "png", &[C::Terrain], "landscape"),
            Self::Tiff => spec("tiff", "Heights as GeoTIFF, 32-bit (.tif)", "tif", &[C::Terrain], "landscape"),
            Self::Asc => spec("asc", "Heights as an ESRI grid (.asc)", "asc", &[C::Terrain], "landscape"),
            Self::Xyz => spec("xyz", "Heights as points (.xyz)", "xyz", &[C::Terrain], "landscape"),
            Self::Csv => spec("csv", "Objects as a table (.csv)", "csv", &[C::Terrain], "landscape"),
            Self::VisitorList => {
                spec("visitor-list", "Objects as a Visitor list (.txt)", "txt", &[C::Terrain], "landscape")
            }
            Self::TerrainBuilderList => spec(
                "terrain-builder-list",
                "Objects as a Terrain Builder list (.txt)",
                "txt",
                &[C::Terrain],
                "landscape",
            ),
            Self::Json => spec("json", "Fields as JSON (.json)", "json", &[], "entry"),
            Self::Raw => spec("raw", "Raw bytes (.bin)", "bin", &[], "entry"),
        }
    }

    /// The name on the command line.
    pub fn id(self) -> &'static str {
        self.spec().id
    }

    /// The name in dialogs.
    pub fn label(self) -> &'static str {
        self.spec().label
    }

    /// The extension without the dot. Sounds and music in their own bytes have one of their own instead of `bin`: see
    /// [`super::sound::own_file`].
    pub fn extension(self) -> &'static str {
        self.spec().extension
    }

    /// Whether it can be written in another size, and with another axis up.
    pub fn has_space(self) -> bool {
        self.is_gltf() || self == Self::Obj
    }

    /// The first of the files that an export to `target` writes.
    pub fn first_file(self, target: &Path) -> PathBuf {
        if self == Self::Unreal3d { unreal3d::first_file(target) } else { target.to_owned() }
    }

    /// Whether it is glTF: in one file, or with files beside.
    pub fn is_gltf(self) -> bool {
        matches!(self, Self::Glb | Self::Gltf)
    }

    /// Whether only a landscape has it.
    pub fn is_of_terrain(self) -> bool {
        self.is_of_heights() || matches!(self, Self::Csv | Self::VisitorList | Self::TerrainBuilderList)
    }

    /// Whether it holds the ground of a landscape and nothing that stands on it.
    pub fn is_of_heights(self) -> bool {
        matches!(self, Self::Png16 | Self::Tiff | Self::Asc | Self::Xyz)
    }

    /// The format that a name or an extension stands for, without regard to case; of several with one extension the one that is
    /// called like it.
    pub fn from_id(id: &str) -> Option<Self> {
        let id = id.to_ascii_lowercase();
        match id.as_str() {
            "pskx" => Some(Self::Psk),
            "psax" => Some(Self::Psa),
            "geotiff" => Some(Self::Tiff),
            // What sounds and music may be in their own bytes.
            "it" | "s3m" | "xm" | "mod" | "ogg" | "mp2" | "mp3" | "flac" => Some(Self::Raw),
            _ => Self::ALL.into_iter().find(|f| f.id() == id || f.extension() == id),
        }
    }

    /// The Blender operator that writes files with this ending from a GLB, which Bonebox does not write itself.
    pub fn blender_operator(ending: &str) -> Option<&'static str> {
        match ending.to_ascii_lowercase().as_str() {
            "fbx" => Some("bpy.ops.export_scene.fbx"),
            "usd" | "usda" | "usdc" | "usdz" => Some("bpy.ops.wm.usd_export"),
            "stl" => Some("bpy.ops.wm.stl_export"),
            "ply" => Some("bpy.ops.wm.ply_export"),
            "abc" => Some("bpy.ops.wm.alembic_export"),
            "blend" => Some("bpy.ops.wm.save_as_mainfile"),
            // Blender 4.5 was the last with COLLADA, 2.79 the last with 3DS as a part of it.
            "dae" => Some("bpy.ops.wm.collada_export"),
            "3ds" => Some("bpy.ops.export_scene.max3ds"),
            _ => None,
        }
    }
}

/// What an entry is exported as when nothing else is asked for; `None` for what only groups others.
pub fn natural_format(document: &dyn Document, entry: &Entry) -> Option<ExportFormat> {
    match entry.content {
        Content::Text => natural_text_format(entry),
        Content::Model | Content::Map | Content::Terrain => Some(ExportFormat::Glb),
        // Frames of a mesh's vertices are in the file of the mesh.
        Content::Clip if entry.role == Role::VertexSequence => None,
        // A PSA of it would be empty, and a GLB wants a model.
        Content::Clip if entry.role == Role::SurfaceClip => Some(ExportFormat::Json),
        // What is a file of its own knows bones by number: a GLB has them even where no model is found, a PSA has not.
        Content::Clip if entry.id == EntryId::FILE || document.is_member(entry.id) => Some(ExportFormat::Glb),
        Content::Clip => Some(ExportFormat::Psa),
        Content::Image | Content::Palette | Content::Font => Some(ExportFormat::Png),
        // Without bytes they are said to be stripped.
        Content::None if entry.size == 0 && matches!(entry.role, Role::Sound | Role::Music) => Some(ExportFormat::Raw),
        // What an actor says is in the file of its level.
        Content::None | Content::Actor => None,
        _ => Some(ExportFormat::Raw),
    }
}

/// A class is a script file, as the text that it was made from is. What lies within a class is in the file of the class.
fn natural_text_format(entry: &Entry) -> Option<ExportFormat> {
    match entry.role {
        Role::Class | Role::Script => Some(ExportFormat::Uc),
        Role::ClassMember => None,
        _ => Some(ExportFormat::Txt),
    }
}

/// What an entry can be exported as, its natural format first.
pub fn formats_for(document: &dyn Document, entry: EntryId) -> Vec<ExportFormat> {
    let Some(found) = document.outline().get(entry) else { return Vec::new() };
    let mut formats = match found.content {
        Content::Model => vec![ExportFormat::Glb, ExportFormat::Gltf, ExportFormat::Obj, ExportFormat::Psk],
        Content::Map => vec![ExportFormat::Glb, ExportFormat::Gltf, ExportFormat::Obj],
        Content::Terrain => {
            let own = ExportFormat::ALL.into_iter().filter(|f| f.is_of_terrain());
            [ExportFormat::Glb, ExportFormat::Gltf, ExportFormat::Obj].into_iter().chain(own).collect()
        }
        Content::Clip if found.role == Role::VertexSequence => vec![ExportFormat::Glb, ExportFormat::Gltf],
        Content::Clip if found.role == Role::SurfaceClip => {
            vec![ExportFormat::Json, ExportFormat::Glb, ExportFormat::Gltf]
        }
        Content::Clip if natural_format(document, found) == Some(ExportFormat::Psa) => {
            vec![ExportFormat::Psa, ExportFormat::Glb, ExportFormat::Gltf]
        }
        Content::Clip => vec![ExportFormat::Glb, ExportFormat::Gltf, ExportFormat::Psa],
        // Its own bytes are its natural format.
        Content::Sound | Content::Music => vec![ExportFormat::Raw, ExportFormat::Wav],
        Content::Image => vec![ExportFormat::Png, ExportFormat::Tga, ExportFormat::Dds],
        Content::Palette | Content::Font => vec![ExportFormat::Png, ExportFormat::Tga],
        Content::Text if natural_text_format(found) == Some(ExportFormat::Txt) => {
            vec![ExportFormat::Txt, ExportFormat::Uc]
        }
        Content::Text => vec![ExportFormat::Uc, ExportFormat::Txt],
        _ => Vec::new(),
    };
    if entry == EntryId::FILE {
        match document.native() {
            Some(Native::Psk(_)) => formats.push(ExportFormat::Psk),
            Some(Native::Psa(_)) => formats.push(ExportFormat::Psa),
            None => {}
        }
    }
    if document.has(entry, |can, entry| Some(can.editor?.has_vertex_mesh(entry))) {
        formats.push(ExportFormat::Unreal3d);
    }
    if document.has(entry, |can, entry| Some(can.editor?.has_t3d(entry))) {
        formats.push(ExportFormat::T3d);
    }
    if !formats.contains(&ExportFormat::Json) {
        formats.push(ExportFormat::Json);
    }
    if found.size > 0 && !formats.contains(&ExportFormat::Raw) {
        formats.push(ExportFormat::Raw);
    }
    formats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_name_and_its_extension() {
        for format in ExportFormat::ALL {
            assert_eq!(ExportFormat::from_id(format.id()), Some(format));
            let shared = matches!(format.extension(), "png" | "txt") && format.id() != format.extension();
            let by_extension = ExportFormat::from_id(&format.extension().to_uppercase());
            assert!((by_extension == Some(format)) != shared, "{format:?}: {by_extension:?}");
            assert!(format.label().contains(&format!(".{}", format.extension())));
        }
        assert_eq!(ExportFormat::from_id("pskx"), Some(ExportFormat::Psk));
        assert_eq!(ExportFormat::from_id("GeoTIFF"), Some(ExportFormat::Tiff));
        assert_eq!(ExportFormat::from_id("S3M"), Some(ExportFormat::Raw));
        assert_eq!(ExportFormat::from_id("exe"), None);
    }

    #[test]
    fn the_documentation_lists_every_format_with_its_extension() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let read = |name: &str| std::fs::read_to_string(docs.join(name)).unwrap();
        let (manual, schema) = (read("CLI.md"), read("schema/manifest.json"));
        let rows: Vec<&str> = manual.lines().filter(|line| line.starts_with("| `")).collect();
        for format in ExportFormat::ALL {
            let (id, extension) = (format!("`{}`", format.id()), format!(".{}`", format.extension()));
            let cells = |row: &str| row.split('|').map(str::to_owned).collect::<Vec<_>>();
            let is_row = |row: &&str| cells(row)[1].contains(&id) && cells(row)[2].contains(&extension);
            assert_eq!(rows.iter().filter(|row| is_row(row)).count(), 1, "{id} in docs/CLI.md");
            assert!(schema.contains(&format!("{:?}", format.id())), "{id} in docs/schema/manifest.json");
        }
    }
}
