//! Both files of a mesh and its script: found next to each other, and combined.

use super::{
    half::Half,
    import_lines::ImportLines,
    info,
    layout::{FrameFile, PolygonFile, VertSize},
    textures,
};
use crate::{
    bytes::{Source, numbers::counted, text},
    formats::{
        FileRequest, LoadContext, OpenContext, common_codes,
        field_reader::Fault,
        file_name,
        findings::Findings,
        unreal::{
            VertexMesh,
            encode::FilePolygon,
            mesh::{AnimSeq, Mesh, Tri, clip_of, model_of_files, poly_flags, scene_from_mesh, vertex_mesh_of_files},
        },
    },
    scene::{Clip, Model},
};

/// Bytes of a script that are looked at.
const LARGEST_SCRIPT: usize = 1 << 20;
/// Where scripts lie, beside the folder of models.
const SCRIPTS: &[&str] = &["Classes"];

/// The other file of the pair of a mesh.
pub fn find<T>(
    half: Half,
    common: &str,
    cx: &OpenContext<'_>,
    findings: &mut Findings,
    read: impl FnOnce(&Source) -> Result<T, Fault>,
) -> Option<T> {
    let stem = half.stem(common);
    let request = FileRequest { stem: &stem, extensions: &["3d"], subfolders: false, siblings: &[] };
    let Some(found) = cx.resolver.find(&request) else {
        let (file, holds) = (cx.file, half.holds());
        let message = format!("{stem}.3d was not found next to {file}: the model cannot be shown without its {holds}");
        findings.add(&common_codes::MISSING_FILE, None, message);
        return None;
    };
    let source = found.source.in_memory().map_err(Source::read_failed);
    let read = source.and_then(|source| match Half::of(source.as_slice(), &stem)? {
        other if other != half => Err(format!("it contains {} instead of {}", other.holds(), half.holds())),
        _ => read(&source).map_err(|fault| fault.to_string()),
    });
    read.map_err(|why| findings.add(&info::BAD_PARTNER, None, format!("{} cannot be read: {why}", found.name))).ok()
}

/// What the script of the mesh's name says of it.
pub fn import_lines(common: &str, cx: &OpenContext<'_>, findings: &mut Findings) -> Option<ImportLines> {
    let request = FileRequest { stem: common, extensions: &["uc"], subfolders: false, siblings: SCRIPTS };
    let missing = "the sequences, textures and scale are unknown";
    let Some(found) = cx.resolver.find(&request) else {
        let message = format!("{common}.uc was not found next to {} or in the Classes folder: {missing}", cx.file);
        findings.add(&common_codes::MISSING_FILE, None, message);
        return None;
    };
    let size = found.source.len().min(LARGEST_SCRIPT);
    let script = found.source.slice(0, size as u64).and_then(|start| start.in_memory().ok())?;
    let text = decode(script.as_slice());
    let stems = [Half::Frames, Half::Polygons].map(|half| half.stem(common));
    let is_ours = |path: &str| {
        let stem = file_name::stem(file_name::last_part(path));
        stems.iter().any(|own| own.eq_ignore_ascii_case(stem))
    };
    let lines = ImportLines::read(&text, is_ours);
    if lines.is_none() {
        let message = format!("{} does not import {}: {missing}", found.name, cx.file);
        findings.add(&common_codes::MISSING_FILE, None, message);
    }
    lines
}

/// A text of either kind that the editor writes.
fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => text::utf_16_le(rest),
        [0xEF, 0xBB, 0xBF, rest @ ..] => text::decode(rest),
        _ => text::decode(bytes),
    }
}

/// What is known of a mesh: either file may be missing.
pub struct Pair {
    pub polygons: Option<PolygonFile>,
    pub frames: Option<FrameFile>,
    pub size: VertSize,
    pub lines: ImportLines,
    /// Those of the script, or one of all frames.
    pub sequences: Vec<AnimSeq>,
}

impl Pair {
    /// `common`: what the names of the two files have in common, which the mesh is called without a script.
    pub fn new(
        polygons: Option<PolygonFile>,
        frames: Option<FrameFile>,
        lines: Option<ImportLines>,
        common: &str,
        findings: &mut Findings,
    ) -> Self {
        let mut size = VertSize::default();
        if let (Some(polygons), Some(frames)) = (&polygons, &frames) {
            let (bytes, vertices) = (frames.frame_size, polygons.vertices);
            size = VertSize::of(bytes, vertices).unwrap_or_else(|| {
                let vertices = counted(vertices, "vertex");
                let message = format!(
                    "a frame has {bytes} bytes for {vertices}, neither 4 nor 8 bytes per vertex; 4 bytes are used"
                );
                // Both counts stand behind the first two bytes of their files.
                findings.add(&info::FRAME_SIZE, Some(2), message);
                VertSize::Packed
            });
        }
        let lines = lines.unwrap_or_else(|| ImportLines { mesh: common.to_owned(), ..ImportLines::default() });
        let sequences = lines.sequences.clone();
        let mut pair = Self { polygons, frames, size, lines, sequences };
        pair.report_sequences(findings);
        if pair.sequences.is_empty() && pair.frame_count() > 1 {
            let frames = pair.frame_count().into();
            pair.sequences.push(AnimSeq { name: "All frames".into(), frames, ..AnimSeq::default() });
        }
        pair
    }

    fn report_sequences(&self, findings: &mut Findings) {
        let Some(frames) = &self.frames else { return };
        for sequence in &self.sequences {
            let end = i64::from(sequence.start_frame).saturating_add(sequence.frames.into());
            if sequence.start_frame < 0 || sequence.frames < 0 || end > frames.whole.into() {
                let (name, first, count, whole) = (&sequence.name, sequence.start_frame, sequence.frames, frames.whole);
                let whole = counted(whole, "frame");
                let message = format!(
                    "the sequence {name} starts at frame {first} with a length of {count}, but the file has {whole}"
                );
                findings.add(&info::FRAMES_CUT, None, message);
            }
        }
    }

    fn frame_count(&self) -> u16 {
        self.frames.as_ref().map_or(0, |frames| frames.whole)
    }

    /// Vertices that polygons can name: those of a frame, or as many as the polygons' file counts.
    pub fn vertex_count(&self) -> u16 {
        match (&self.frames, &self.polygons) {
            (Some(frames), _) => self.size.stride(frames.frame_size),
            (None, Some(polygons)) => polygons.vertices,
            (None, None) => 0,
        }
    }

    fn is_whole(&self, polygon: &FilePolygon) -> bool {
        polygon.vertices.iter().all(|vertex| *vertex < self.vertex_count())
    }

    /// The polygons that name a vertex that does not exist, by number.
    pub fn bad_polygons(&self) -> impl Iterator<Item = (usize, &FilePolygon)> {
        let polygons = self.polygons.iter().flat_map(|file| file.polygons.iter().enumerate());
        polygons.filter(|(_, polygon)| !self.is_whole(polygon))
    }

    /// Whether there is something to draw.
    pub fn is_shown(&self) -> bool {
        let drawn = |file: &PolygonFile| file.polygons.iter().any(|polygon| self.is_whole(polygon));
        self.frame_count() > 0 && self.polygons.as_ref().is_some_and(drawn)
    }

    /// The mesh as packages have it; `None` where there is nothing to draw.
    fn mesh(&self) -> Option<Mesh> {
        let (Some(polygons), Some(frames), true) = (&self.polygons, &self.frames, self.is_shown()) else { return None };
        let tri = |polygon: &FilePolygon| Tri {
            vertices: polygon.vertices,
            uvs: polygon.uvs,
            poly_flags: poly_flags(polygon.surface),
            texture: polygon.texture.into(),
        };
        Some(Mesh {
            verts: frames.verts(self.size),
            is_wide: self.size == VertSize::Wide,
            tris: polygons.polygons.iter().map(tri).collect(),
            sequences: self.lines.sequences.clone(),
            frame_verts: self.vertex_count().into(),
            anim_frames: frames.whole.into(),
            scale: self.scale(),
            origin: self.lines.origin,
            rot_origin: self.lines.rot_origin,
            ..Mesh::default()
        })
    }

    /// Without a script, steps of z are twice those of x and y where it has a bit less.
    fn scale(&self) -> [f32; 3] {
        let unsaid = match self.size {
            VertSize::Packed => [1.0, 1.0, 2.0],
            VertSize::Wide => [1.0; 3],
        };
        self.lines.scale.unwrap_or(unsaid)
    }

    pub fn model(&self, cx: &mut LoadContext<'_>) -> Option<Model> {
        let mesh = self.mesh()?;
        let mut model = Model::empty(&self.lines.mesh);
        let slots = textures::slots(&self.lines, &mut model, cx);
        Some(model_of_files(model, &mesh, slots, cx))
    }

    /// A sequence as a clip; `None` when there is none of this number.
    pub fn clip(&self, number: usize) -> Option<Clip> {
        let sequence = self.sequences.get(number)?;
        let placed = scene_from_mesh(self.scale(), self.lines.origin, self.lines.rot_origin);
        Some(clip_of(&self.lines.mesh, sequence, self.frame_count().into(), &placed))
    }

    /// The mesh as it is written again.
    pub fn vertex_mesh(&self) -> Option<VertexMesh> {
        let polygons = &self.polygons.as_ref()?.polygons;
        let last = self.lines.textures.last_key_value().map_or(0, |(slot, _)| usize::from(*slot).saturating_add(1));
        let mut textures = vec![String::new(); last];
        for (slot, texture) in &self.lines.textures {
            if let Some(name) = textures.get_mut(usize::from(*slot)) {
                name.clone_from(&texture.name);
            }
        }
        Some(VertexMesh { name: self.lines.mesh.clone(), textures, ..vertex_mesh_of_files(&self.mesh()?, polygons) })
    }
}
