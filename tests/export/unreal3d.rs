//! Vertex meshes of Unreal packages as the pair of files that the editor imports, read by what formats/unreal.md §8.8 says, and opened
//! again.

use crate::kit::{
    self,
    open::{clip_in, load_of, model_in},
};
use bonebox::{
    bytes::{Cancel, Limits},
    export::{
        ExportFormat, ExportJob, ExportSource, Exported, export_entry, formats_for, natural_format, obj::ObjSpace,
    },
    formats::{
        Content, Entry, EntryId, LoadOptions,
        unreal::VertexMesh,
        unreal::encode::{
            Export, LodData, LodFace, LodMaterial, LodWedge, MeshData, PackageWriter, Ref, Sequence, Tri, Vertices,
            pack_vertex, write_lod_mesh, write_mesh,
        },
    },
    library::{OpenFile, OpenOptions},
    scene::{BasicMaterial, BindingOptions, Blend, Clip, Model, Target},
};
use glam::Vec3;
use std::{path::Path, sync::Arc};

fn open(path: &Path) -> OpenFile {
    OpenOptions::new().open(path).unwrap_or_else(|e| panic!("{e}"))
}

fn export(file: &OpenFile, entry: EntryId, target: &Path) -> Result<Exported, String> {
    let none = |_: &Model, _| Vec::new();
    let source = ExportSource {
        file: &file.name,
        document: file.document.as_ref(),
        resolver: file.resolver(),
        limits: Limits::default(),
        load: LoadOptions::default(),
        binding: BindingOptions::default(),
        clips_for: &none,
        model_for: &|_, _| None,
        frame: None,
        obj_space: ObjSpace::File,
        glb: Default::default(),
        space: &|_| Default::default(),
        registers: &[],
        mips: false,
        terrain: Default::default(),
    };
    let job =
        ExportJob { cancel: Cancel::never(), progress: &|_, _, _| {}, force: false, max_output: None, resume: false };
    export_entry(&source, entry, ExportFormat::Unreal3d, target, &job).map_err(|e| e.to_string())
}

struct Polygon {
    vertices: [u32; 3],
    surface: u8,
    uvs: [[u8; 2]; 3],
    texture: u8,
}

/// The two files, by hand.
struct Pair {
    polygons: Vec<Polygon>,
    vertex_count: usize,
    frames: Vec<Vec<[i32; 3]>>,
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

impl Pair {
    fn read(folder: &Path, stem: &str) -> Self {
        let read = |half: &str| std::fs::read(folder.join(format!("{stem}_{half}.3d"))).unwrap();
        let (data, frames) = (read("d"), read("a"));
        let (polygons, vertex_count) = (u16_at(&data, 0), u16_at(&data, 2));
        assert_eq!(data.len(), 48 + polygons * 16);
        let polygon = |p: &[u8]| Polygon {
            vertices: [0, 2, 4].map(|at| u16_at(p, at) as u32),
            surface: p[6],
            uvs: [[p[8], p[9]], [p[10], p[11]], [p[12], p[13]]],
            texture: p[14],
        };
        let (count, size) = (u16_at(&frames, 0), u16_at(&frames, 2));
        assert_eq!(frames.len(), 4 + count * size);
        let frame = |frame: &[u8]| match size / vertex_count {
            4 => frame.chunks_exact(4).map(packed).collect(),
            8 => frame.chunks_exact(8).map(|v| [0, 2, 4].map(|at| u16_at(v, at) as u16 as i16 as i32)).collect(),
            other => panic!("{other} bytes a vertex"),
        };
        Self {
            polygons: data[48..].chunks_exact(16).map(polygon).collect(),
            vertex_count,
            frames: frames[4..].chunks_exact(size).map(frame).collect(),
        }
    }
}

/// 11, 11 and 10 bits, signed, from the lowest on.
fn packed(bytes: &[u8]) -> [i32; 3] {
    let word = i32::from_le_bytes(bytes.try_into().unwrap());
    [word << 21 >> 21, word << 10 >> 21, word >> 22]
}

/// A corner: its point and its texture coordinates.
type Corner = (u32, [u8; 2]);

/// The corners from the smallest on, so that equal triangles are equal however they begin.
fn turned(mut corners: [Corner; 3]) -> [Corner; 3] {
    let first = (0..3).min_by_key(|at| corners[*at]).unwrap();
    corners.rotate_left(first);
    corners
}

/// What a type says of a surface, by the table of the document.
fn look_of(surface: u8) -> (Blend, bool, bool, bool, bool) {
    let (blend, two_sided, hidden) = match surface & 0xF {
        0 => (Blend::Opaque, false, false),
        1 => (Blend::Opaque, true, false),
        2 => (Blend::Translucent, true, false),
        3 => (Blend::Masked, true, false),
        4 => (Blend::Modulated, true, false),
        8 => (Blend::Opaque, true, true),
        other => panic!("type {other}"),
    };
    (blend, two_sided, hidden, surface & 0x10 != 0, surface & 0x40 != 0)
}

fn look(basic: &BasicMaterial) -> (Blend, bool, bool, bool, bool) {
    (basic.blend, basic.two_sided || basic.hidden, basic.hidden, basic.unlit, basic.environment)
}

/// Exports a mesh and holds the files against the model and its clips.
fn check(file: &OpenFile, entry: &Entry, folder: &Path) -> Pair {
    let what = format!("{}: {}", file.name, entry.path());
    let model = model_in(load_of(file, entry.id));
    let made = export(file, entry.id, &folder.join("Made.3d")).unwrap();
    let names: Vec<String> = made.paths.iter().map(|p| p.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names[..3], ["Made_d.3d", "Made_a.3d", "Made.uc"], "{what}");
    let pair = Pair::read(folder, "Made");
    let mesh = &model.meshes[0];
    let frames = mesh.vertex_frames.as_ref().unwrap();
    assert_eq!((pair.frames.len(), pair.vertex_count), (frames.frame_count() as usize, mesh.points.len()), "{what}");
    for (number, frame) in pair.frames.iter().enumerate() {
        for (vertex, (stored, place)) in frame.iter().zip(frames.positions(number as u32)).enumerate() {
            let wanted = model.file_from_scene.transform_point3(*place);
            let stored = Vec3::from(stored.map(|v| v as f32));
            assert!(stored.distance(wanted) < 2e-2, "{what}: frame {number}, vertex {vertex}: {stored} {wanted}");
        }
    }
    let is_mirrored = model.file_from_scene.matrix3.determinant() < 0.0;
    let corner = |v: u32| (mesh.vertex_points[v as usize], mesh.uv_sets[0][v as usize].to_array().map(byte));
    let mut wanted = Vec::new();
    for surface in &mesh.surfaces {
        let look = look(&model.materials[surface.material as usize].basic());
        let first = surface.first_index as usize;
        for t in mesh.indices[first..first + surface.index_count as usize].as_chunks::<3>().0 {
            let [a, b, c] = t.map(corner);
            wanted.push((turned(if is_mirrored { [a, c, b] } else { [a, b, c] }), format!("{look:?}")));
        }
    }
    let of_file = |p: &Polygon| {
        let corners = [0, 1, 2].map(|at| (p.vertices[at], p.uvs[at]));
        (turned(corners), format!("{:?}", look_of(p.surface)))
    };
    let mut found: Vec<_> = pair.polygons.iter().map(of_file).collect();
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted, "{what}");
    check_lines(file, entry, folder, &model);
    check_again(file, entry, folder, &model);
    pair
}

/// Opens what was written: either file has the mesh of the package, its clips and its textures, and is written as the same files.
fn check_again(file: &OpenFile, entry: &Entry, folder: &Path, model: &Model) {
    let mesh_of = |file: &OpenFile, entry| {
        file.document.ask(entry, |can, entry| can.editor?.vertex_mesh(entry)).unwrap().unwrap()
    };
    let own = mesh_of(file, entry.id);
    for name in ["Made_d.3d", "Made_a.3d"] {
        let again = open(&folder.join(name));
        let what = format!("{}: {}: {name}", file.name, entry.path());
        assert_eq!(again.document.format().id, "mesh3d", "{what}");
        assert_eq!(again.diagnostics, [], "{what}");
        let read = mesh_of(&again, EntryId::FILE);
        // Bit for bit.
        assert_eq!((&read.vertices, read.frame_vertices, read.frames), (&own.vertices, own.frame_vertices, own.frames));
        assert_eq!((&read.polygons, read.left_out), (&own.polygons, 0), "{what}");
        assert_eq!((read.scale, read.origin, read.rot_origin), (own.scale, own.origin, own.rot_origin), "{what}");
        assert_eq!(read.name, own.name, "{what}");
        let sequences: Vec<Sequence> = own.sequences.iter().map(without_none).collect();
        assert_eq!(read.sequences, sequences, "{what}");
        assert_eq!(slots_of(&read), slots_of(&own), "{what}");

        let shown = model_in(load_of(&again, EntryId::FILE));
        assert_eq!((&shown.name, shown.file_from_scene), (&model.name, model.file_from_scene), "{what}");
        assert_eq!(shown.meshes[0].points, model.meshes[0].points, "{what}");
        let frames = |model: &Model| model.meshes[0].vertex_frames.as_ref().unwrap().all_positions().to_vec();
        assert!(frames(&shown) == frames(model), "{what}");
        assert_eq!(triangles_of(&shown), triangles_of(model), "{what}");
        let clips = |file: &OpenFile, parent| -> Vec<Clip> {
            let below = |e: &&Entry| e.parent == Some(parent) && e.content == Content::Clip;
            let entries = file.document.outline().entries().iter().filter(below);
            entries.map(|e| (*clip_in(load_of(file, e.id))).clone()).collect()
        };
        let played = clips(&again, EntryId::FILE);
        match own.sequences.len() {
            0 => {
                assert!(played.iter().all(|clip| clip.name == "All frames" && clip.frame_count as usize == own.frames))
            }
            _ => assert_eq!(format!("{played:?}"), format!("{:?}", clips(file, entry.id)), "{what}"),
        }

        let second = tempfile::tempdir().unwrap();
        export(&again, EntryId::FILE, &second.path().join("Made.3d")).unwrap();
        for name in ["Made_d.3d", "Made_a.3d", "Made.uc"] {
            let [first, second] = [folder, second.path()].map(|folder| std::fs::read(folder.join(name)).unwrap());
            assert!(first == second, "{what}: {name}\n{}", String::from_utf8_lossy(&second));
        }
    }
}

/// A sequence as its line has it: no group is none.
fn without_none(sequence: &Sequence) -> Sequence {
    let group = if sequence.group == "None" { String::new() } else { sequence.group.clone() };
    Sequence { group, ..sequence.clone() }
}

/// The names of the textures of the slots that polygons use.
fn slots_of(mesh: &VertexMesh) -> Vec<(usize, String)> {
    let mut used: Vec<usize> = mesh.polygons.iter().map(|p| usize::from(p.texture)).collect();
    used.sort_unstable();
    used.dedup();
    let named =
        used.into_iter().filter_map(|slot| Some((slot, mesh.textures.get(slot)?.rsplit('.').next()?.to_owned())));
    named.filter(|(_, name)| !name.is_empty()).collect()
}

/// The triangles of a model with the looks of their surfaces: what their material is called and how large its picture is, where
/// they are seen.
fn triangles_of(model: &Model) -> Vec<([Corner; 3], String)> {
    let mesh = &model.meshes[0];
    let corner = |v: u32| (mesh.vertex_points[v as usize], mesh.uv_sets[0][v as usize].to_array().map(byte));
    let mut triangles = Vec::new();
    for surface in &mesh.surfaces {
        let material = &model.materials[surface.material as usize];
        let basic = material.basic();
        let image = basic.image.map(|image| &model.images[image as usize]);
        let seen = (&material.name, image.map(|image| (image.width, image.height)));
        let look = format!("{:?} {:?}", look(&basic), Some(seen).filter(|_| !basic.hidden));
        let first = surface.first_index as usize;
        for t in mesh.indices[first..first + surface.index_count as usize].as_chunks::<3>().0 {
            triangles.push((turned(t.map(corner)), look.clone()));
        }
    }
    triangles.sort();
    triangles
}

fn byte(share: f32) -> u8 {
    (share * 255.0).round() as u8
}

/// Sequences and scale as the lines say them.
fn check_lines(file: &OpenFile, entry: &Entry, folder: &Path, model: &Model) {
    let text = std::fs::read_to_string(folder.join("Made.uc")).unwrap();
    let lines: Vec<Vec<&str>> =
        text.lines().filter(|l| l.starts_with("#exec MESH")).map(|l| l.split(' ').collect()).collect();
    let value = |line: &[&str], key: &str| {
        let found = line.iter().find_map(|part| part.strip_prefix(key)?.strip_prefix('='));
        found.unwrap_or_else(|| panic!("no {key} in {line:?}")).to_owned()
    };
    let is = |line: &&Vec<&str>, kind: &str| line[1..3].join(" ") == kind;
    let clips: Vec<Arc<Clip>> = file
        .document
        .outline()
        .entries()
        .iter()
        .filter(|e| e.parent == Some(entry.id) && e.content == Content::Clip)
        .map(|e| clip_in(load_of(file, e.id)))
        .collect();
    let sequences: Vec<&Vec<&str>> = lines.iter().filter(|line| is(line, "MESH SEQUENCE")).collect();
    assert_eq!(sequences.len(), clips.len());
    for (line, clip) in sequences.iter().zip(&clips) {
        assert_eq!(value(line, "SEQ"), clip.name);
        assert_eq!(value(line, "NUMFRAMES").parse::<u32>().unwrap(), clip.frame_count);
        assert_eq!(value(line, "RATE").parse::<f32>().unwrap(), clip.rate_hz);
        let Target::VertexFrames { first, .. } = clip.channels[0].target else { panic!("{:?}", clip.channels) };
        assert_eq!(value(line, "STARTFRAME").parse::<u32>().unwrap(), first);
    }
    let notified = lines.iter().filter(|line| is(line, "MESH NOTIFY")).count();
    assert_eq!(notified, clips.iter().map(|clip| clip.markers.len()).sum::<usize>());
    let scale = lines.iter().find(|line| is(line, "MESHMAP SCALE")).unwrap();
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| model.file_from_scene.inverse().transform_vector3(axis).length());
    for (axis, length) in ["X", "Y", "Z"].into_iter().zip(axes) {
        assert!((value(scale, axis).parse::<f32>().unwrap().abs() - length).abs() < 1e-4, "{scale:?} {length}");
    }
}

#[test]
fn a_mesh_of_the_samples_arrives_whole() {
    let file = open(&kit::samples().join("Bonebox.u"));
    let entry = file.document.outline().find("FlagMesh").unwrap();
    assert!(formats_for(&*file.document, entry.id).contains(&ExportFormat::Unreal3d));
    assert_eq!(natural_format(&*file.document, entry), Some(ExportFormat::Glb));
    let folder = tempfile::tempdir().unwrap();
    let pair = check(&file, entry, folder.path());
    assert_eq!((pair.polygons[0].vertices, pair.polygons[0].surface), ([0, 1, 2], 8), "the attachment triangle leads");
    assert_eq!(pair.frames.len(), 48);
    // Nothing is written over what is there.
    assert!(export(&file, entry.id, &folder.path().join("Made_a.3d")).unwrap_err().contains("already exists"));
    // A mesh on bones has no frames.
    let boned = file.document.outline().find("OssieMesh").unwrap();
    assert!(!formats_for(&*file.document, boned.id).contains(&ExportFormat::Unreal3d));
    assert!(export(&file, boned.id, &folder.path().join("Boned.3d")).unwrap_err().contains("cannot be exported as 3d"));
}

#[test]
fn meshes_of_the_corpus_arrive_whole() {
    let Some(corpus) = kit::corpus_beside() else { return };
    let mut seen = 0;
    for path in kit::files_below(&corpus.join("unreal")) {
        let Ok(file) = OpenOptions::new().open(path) else { continue };
        for entry in file.document.outline().with_content(Content::Model) {
            if !file.document.has(entry.id, |can, entry| Some(can.editor?.has_vertex_mesh(entry))) {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            check(&file, entry, folder.path());
            seen += 1;
        }
    }
    assert_eq!(seen, 3);
}

fn package(folder: &Path, class: &str, write: impl FnOnce(&mut PackageWriter, Ref)) -> OpenFile {
    let mut package = PackageWriter::new(69, 0);
    let class = package.class("Engine", class);
    write(&mut package, class);
    let path = folder.join("Made.u");
    std::fs::write(&path, package.finish()).unwrap();
    open(&path)
}

fn first_model(file: &OpenFile) -> &Entry {
    file.document.outline().with_content(Content::Model).next().unwrap()
}

/// Two frames of a tetrahedron, a side of it in each of four looks.
fn tetrahedron(vertices: Vertices) -> MeshData {
    let side =
        |(vertices, poly_flags, texture)| Tri { vertices, uvs: [[0, 1], [254, 2], [3, 255]], poly_flags, texture };
    MeshData {
        vertices,
        triangles: [
            ([0, 2, 1], 0x102, 1),
            ([0, 1, 3], 0x40_0104, 0),
            ([0, 3, 2], 0x4910, 0),
            // The files know no side of what is modulated, and no slot below 0.
            ([1, 2, 3], 0x40, -1),
        ]
        .map(side)
        .to_vec(),
        sequences: vec![Sequence {
            name: "Grow".into(),
            group: "None".into(),
            start_frame: 1,
            frame_count: 1,
            notifications: vec![(0.5, "Pop".into())],
            rate_hz: 12.5,
        }],
        textures: vec![Ref::NULL; 2],
        frame_vertices: 4,
        frames: 2,
        scale: [1.0, 1.0, 2.0],
        origin: [1.0, 0.0, -3.0],
        rotation_origin: [0, 16384, 0],
        ..MeshData::default()
    }
}

#[test]
fn sixteen_bits_stay_sixteen_bits_and_what_the_files_cannot_say_is_noted() {
    let places = [[0, 0, 0], [3000, 0, 0], [0, -3000, 0], [0, 0, 32767]];
    let frames = [places, places.map(|p: [i16; 3]| p.map(|v| v / 2))].concat();
    let words = frames.iter().map(|p| pack_vertex(p.map(|v| i32::from(v) / 64))).collect();
    for (vertices, each) in [(Vertices::Wide(frames.clone()), 8), (Vertices::Packed(words), 4)] {
        let folder = tempfile::tempdir().unwrap();
        let mesh = tetrahedron(vertices);
        let file = package(folder.path(), "Mesh", |package, class| {
            package.add(&Export::new(class, "Tetra"), |out| write_mesh(out, &mesh));
        });
        let made = export(&file, first_model(&file).id, &folder.path().join("Made.3d")).unwrap();
        assert_eq!(made.notes.len(), 1, "{:?}", made.notes);
        assert!(made.notes[0].starts_with("1 polygon with unsupported flags or texture slots"), "{:?}", made.notes);
        let pair = Pair::read(folder.path(), "Made");
        let surfaces: Vec<(u8, u8)> = pair.polygons.iter().map(|p| (p.surface, p.texture)).collect();
        assert_eq!(surfaces, [(3, 1), (0x12, 0), (0xE1, 0), (4, 0)]);
        assert_eq!(pair.polygons[1].uvs, [[0, 1], [254, 2], [3, 255]]);
        let size = std::fs::metadata(folder.path().join("Made_a.3d")).unwrap().len();
        assert_eq!(size, 4 + 2 * 4 * each);
        let shift = if each == 8 { 1 } else { 64 };
        let wanted: Vec<[i32; 3]> = frames.iter().map(|p| p.map(|v| i32::from(v) / shift)).collect();
        assert_eq!(pair.frames.concat(), wanted);
        let text = std::fs::read_to_string(folder.path().join("Made.uc")).unwrap();
        for line in [
            "#exec MESH ORIGIN MESH=Tetra X=1 Y=0 Z=-3 YAW=64 PITCH=0 ROLL=0",
            "#exec MESH SEQUENCE MESH=Tetra SEQ=Grow STARTFRAME=1 NUMFRAMES=1 RATE=12.5",
            "#exec MESH NOTIFY MESH=Tetra SEQ=Grow TIME=0.5 FUNCTION=Pop",
            "#exec MESHMAP SCALE MESHMAP=Tetra X=1 Y=1 Z=2",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}

/// A square whose vertices are found through the list of a mesh that was imported anew: 3 special ones, then 4, of 5 that are stored.
#[test]
fn vertices_that_are_remapped_are_those_of_the_frames() {
    let stored = [[5, 5, 5], [0, 0, 0], [10, 0, 0], [10, 10, 0], [0, 10, 0]];
    let mesh = MeshData {
        vertices: Vertices::Packed(stored.iter().chain(&stored).map(|p| pack_vertex(*p)).collect()),
        textures: vec![Ref::NULL],
        frame_vertices: 7,
        frames: 2,
        scale: [1.0; 3],
        ..MeshData::default()
    };
    let face = |wedges| LodFace { wedges, material: 0 };
    let lod = LodData {
        faces: vec![face([0, 1, 2]), face([0, 2, 3])],
        wedges: (0..4).map(|vertex| LodWedge { vertex, uv: [vertex as u8 * 80, 7] }).collect(),
        materials: vec![LodMaterial { poly_flags: 0x100, texture: 0 }],
        special_faces: vec![face([0, 1, 2])],
        model_vertices: 4,
        special_vertices: 3,
        remap_vertices: vec![0, 1, 2, 1, 2, 3, 4],
        old_frame_vertices: 5,
        ..LodData::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let file = package(folder.path(), "LodMesh", |package, class| {
        package.add(&Export::new(class, "Square"), |out| write_lod_mesh(out, &mesh, &lod));
    });
    let pair = check(&file, first_model(&file), folder.path());
    let vertices: Vec<[u32; 3]> = pair.polygons.iter().map(|p| p.vertices).collect();
    assert_eq!(vertices, [[0, 1, 2], [1, 2, 3], [1, 3, 4]]);
    let uvs = pair.polygons[1].uvs;
    assert_eq!((uvs, pair.polygons[1].surface), ([[0, 7], [80, 7], [160, 7]], 1));
    assert_eq!(pair.frames[1], stored);
}

#[test]
fn textures_are_pictures_of_256_colours_beside_the_mesh() {
    let file = open(&kit::samples().join("Bonebox.u"));
    let entry = file.document.outline().find("FlagMesh").unwrap();
    let model = model_in(load_of(&file, entry.id));
    let folder = tempfile::tempdir().unwrap();
    let made = export(&file, entry.id, &folder.path().join("Made.3d")).unwrap();
    assert_eq!(made.paths.len(), 3 + model.images.len(), "{:?}", made.paths);
    let text = std::fs::read_to_string(folder.path().join("Made.uc")).unwrap();
    for (path, image) in made.paths[3..].iter().zip(&model.images) {
        let picture = image::open(path).unwrap().to_rgba8();
        assert_eq!(picture.dimensions(), (image.width, image.height), "{path:?}");
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(text.contains(&format!("FILE=MODELS\\{name} GROUP=Skins")), "{name}\n{text}");
        let again = model_in(load_of(&open(&folder.path().join("Made_d.3d")), EntryId::FILE));
        let shown = again.images.iter().find(|shown| image.name.ends_with(&shown.name)).unwrap();
        assert_eq!((shown.width, shown.height), (image.width, image.height));
        let near = |(a, b): (&[u8; 4], &[u8; 4])| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) < 24);
        assert!(shown.rgba.as_chunks().0.iter().zip(image.rgba.as_chunks().0).all(near), "{name}");
        let number = |line: &str| line.contains("SETTEXTURE MESHMAP=FlagMesh NUM=");
        assert!(text.lines().any(number), "{text}");
    }
}
