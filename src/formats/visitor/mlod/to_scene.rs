//! A level as a scene model: left-handed X east, Y up, Z north becomes scene space.

use super::{
    info,
    level::{self, Face, Level, NORMAL, POINT},
};
use crate::{
    bytes::{
        Source,
        numbers::{counted, grouped},
    },
    formats::findings::Findings,
    scene::{Aabb, BasicMaterial, Material, MaterialKind, Mesh, Model, Surface, exact, scene_from_ground},
};
use glam::{Affine3A, Vec2, Vec3};
use std::collections::{BTreeSet, HashMap};

/// Materials that are told apart in one level.
const MAX_MATERIALS: usize = 1000;
/// Name of what stands for other models.
const PROXIES: &str = "proxies";

/// A face that can be drawn.
struct Drawn {
    face: u32,
    material: u32,
}

/// A level as a model.
pub struct Built {
    pub model: Model,
    /// The path of each material's texture; empty for a material without one, or with a formula for a colour.
    pub textures: Vec<String>,
}

/// A level as a model. Faces are counter-clockwise from outside in the file already, and stay so; stored normals point inwards.
pub fn model(name: &str, source: &Source, level: &Level, findings: &mut Findings) -> Built {
    let mut model = Model::empty(name);
    model.file_from_scene = Affine3A::from_scale(Vec3::new(1.0, 1.0, -1.0));
    let points = vectors(source, level.points_at, level.points, POINT);
    let mut mesh = Mesh { name: name.to_owned(), points, ..Mesh::default() };
    let bad = mesh.points.iter().filter(|p| !p.is_finite()).count();
    if bad > 0 {
        let (count, all) = (grouped(bad), grouped(mesh.points.len()));
        let message = format!("points with NaN or infinite coordinates, moved to the origin: {count} of {all}");
        findings.add(&info::NOT_FINITE, Some(level.points_at), message);
        mesh.points.iter_mut().filter(|p| !p.is_finite()).for_each(|p| *p = Vec3::ZERO);
    }
    let normals = vectors(source, level.normals_at, level.normals, NORMAL);
    let (mut drawn, textures) = faces(source, level, &mut model, findings);
    // Stable: faces of one material stay in the file's order.
    drawn.sort_by_key(|d| d.material);
    let mut flat = 0_usize;
    for run in drawn.chunk_by(|a, b| a.material == b.material) {
        let first_index = mesh.indices.len() as u32;
        let material = run.first().map_or(0, |d| d.material);
        let color = model.materials.get(material as usize).map_or([190, 190, 190, 255], |m| color_of(&m.name));
        for drawn in run {
            if let Some(face) = read_face(source, level, drawn.face) {
                flat = flat.saturating_add(usize::from(add_face(&mut mesh, &face, drawn.face, &normals, color)));
            }
        }
        let index_count = (mesh.indices.len() as u32).saturating_sub(first_index);
        mesh.surfaces.push(Surface { first_index, index_count, material });
    }
    if flat > 0 && !normals.is_empty() {
        let (flat, all) = (grouped(flat), grouped(level.faces.len()));
        let message = format!("faces with a missing or zero normal: {flat} of {all}");
        findings.add(&info::BAD_NORMAL, Some(level.normals_at), message);
    }
    model.meshes.push(mesh);
    Built { model, textures }
}

/// The box of what is drawn, proxies left out; `None` when nothing is.
pub fn drawn_bounds(model: &Model) -> Option<Aabb> {
    let is_shown = |s: &&Surface| model.materials.get(s.material as usize).is_some_and(|m| !m.basic().hidden);
    let points = model.meshes.iter().flat_map(|mesh| {
        let indices = mesh.surfaces.iter().filter(is_shown).flat_map(|s| {
            let first = s.first_index as usize;
            mesh.indices.get(first..first.saturating_add(s.index_count as usize)).unwrap_or_default()
        });
        indices.map(|vertex| mesh.position(*vertex as usize))
    });
    Aabb::of(points)
}

/// Vectors at the start of records.
fn vectors(source: &Source, at: u64, count: u32, stride: u64) -> Vec<Vec3> {
    let size = u64::from(count).saturating_mul(stride);
    let mut r = Level::reader(source, at..at.saturating_add(size));
    let mut vectors = Vec::with_capacity(r.whole_records(u64::from(count), stride));
    for _ in 0..count {
        let Ok([x, y, z]) = r.raw().f32s::<3>() else { break };
        vectors.push(scene_from_ground(x, y, z));
        if r.raw().skip((stride as usize).saturating_sub(12)).is_err() {
            break;
        }
    }
    vectors
}

fn read_face(source: &Source, level: &Level, index: u32) -> Option<Face> {
    let start = *level.faces.get(index as usize)?;
    level::read_face(&mut Level::reader(source, start..level.faces_end), level.kind).ok()
}

/// Adds the textures and materials that a level's faces name; what is a formula for a colour is no file.
pub fn named_files(source: &Source, level: &Level, to: &mut BTreeSet<String>) {
    for index in 0..level.faces.len() as u32 {
        let Some(face) = read_face(source, level, index) else { continue };
        let names = [face.texture, face.material].into_iter().filter(|name| !name.is_empty() && !name.starts_with('#'));
        to.extend(names);
    }
}

/// Faces that can be drawn, with the paths of the textures of the materials that they have.
fn faces(source: &Source, level: &Level, model: &mut Model, findings: &mut Findings) -> (Vec<Drawn>, Vec<String>) {
    let proxies = proxies(source, level);
    let mut known: HashMap<(String, String), u32> = HashMap::new();
    let mut hidden = None;
    let mut textures: Vec<String> = Vec::new();
    let mut drawn = Vec::with_capacity(level.faces.len());
    let (mut bad, mut unnamed) = (0_usize, 0_usize);
    for index in 0..level.faces.len() as u32 {
        let Some(face) = read_face(source, level, index) else { continue };
        let corners = face.corners.iter().take(face.count as usize);
        if !matches!(face.count, 3 | 4) || corners.clone().any(|c| c.point >= level.points) {
            bad = bad.saturating_add(1);
            continue;
        }
        let material = if proxies.get(index as usize).copied().unwrap_or(false) {
            *hidden.get_or_insert_with(|| add_material(model, PROXIES.to_owned(), true))
        } else if let Some(known) = known.get(&(face.texture.clone(), face.material.clone())) {
            *known
        } else if known.len() < MAX_MATERIALS {
            let material = add_material(model, material_name(&face), false);
            textures.resize(material as usize, String::new());
            textures.push(if face.texture.starts_with('#') { String::new() } else { face.texture.clone() });
            known.insert((face.texture, face.material), material);
            material
        } else {
            unnamed = unnamed.saturating_add(1);
            (model.materials.len() as u32).saturating_sub(1)
        };
        drawn.push(Drawn { face: index, material });
    }
    if bad > 0 {
        let (bad, all) = (grouped(bad), grouped(level.faces.len()));
        let message = format!("skipped invalid faces: {bad} of {all}");
        findings.add(&info::BAD_FACE, level.faces.first().copied(), message);
    }
    if unnamed > 0 {
        let faces = counted(unnamed, "face");
        let message = format!("more than {MAX_MATERIALS} materials. One material is used for the remaining {faces}");
        findings.add(&info::TOO_MANY_MATERIALS, level.faces.first().copied(), message);
    }
    (drawn, textures)
}

fn add_material(model: &mut Model, name: String, hidden: bool) -> u32 {
    let kind = MaterialKind::Basic(BasicMaterial { hidden, ..BasicMaterial::default() });
    model.materials.push(Material { name, kind });
    (model.materials.len() as u32).saturating_sub(1)
}

/// A texture that is a plain colour says more than a material; otherwise the material's own name, else its texture's.
fn material_name(face: &Face) -> String {
    if plain_color(&face.texture).is_some() {
        return face.texture.clone();
    }
    let names = [&face.material, &face.texture].into_iter().find(|name| !name.is_empty());
    names.cloned().unwrap_or_else(|| "no material".to_owned())
}

/// Which faces stand for other models.
fn proxies(source: &Source, level: &Level) -> Vec<bool> {
    let shape = level.shape();
    let mut marked = Vec::new();
    for start in level.tags.iter() {
        let Ok(tag) = level::read_tag(&mut Level::reader(source, *start..level.tags_end), shape) else { break };
        let size = tag.data.end.saturating_sub(tag.data.start);
        let members = u64::from(shape.points).saturating_add(u64::from(shape.faces));
        if !tag.is_proxy() || size != members {
            continue;
        }
        marked.resize(level.faces.len(), false);
        let first = tag.data.start.saturating_add(u64::from(shape.points)) as usize;
        let bytes = source.as_slice().get(first..tag.data.end as usize).unwrap_or_default();
        for (mark, _) in marked.iter_mut().zip(bytes).filter(|(_, byte)| **byte != 0) {
            *mark = true;
        }
    }
    marked
}

/// Adds a face's triangles; whether some corner had no normal of its own.
fn add_face(mesh: &mut Mesh, face: &Face, source: u32, normals: &[Vec3], color: [u8; 4]) -> bool {
    let count = face.count.min(4);
    let corners = face.corners.iter().take(count as usize);
    let place = |corner: Option<&level::Corner>| {
        corner.and_then(|c| mesh.points.get(c.point as usize)).copied().unwrap_or_default()
    };
    let [a, b, c] = [0, 1, 2].map(|i| place(face.corners.get(i)));
    let facing = (b - a).cross(c - a).normalize_or(Vec3::Y);
    let first = mesh.vertex_points.len() as u32;
    let mut flat = false;
    mesh.uv_sets.resize(1, Vec::new());
    for corner in corners {
        let stored = normals.get(corner.normal as usize).map(|normal| -*normal);
        let normal = stored.and_then(Vec3::try_normalize);
        flat |= normal.is_none();
        mesh.vertex_points.push(corner.point);
        mesh.vertex_sources.push(corner.point);
        mesh.normals.push(normal.unwrap_or(facing));
        mesh.colors.push(color);
        if let Some(set) = mesh.uv_sets.first_mut() {
            let uv = Vec2::from(corner.uv);
            set.push(if uv.is_finite() { uv } else { Vec2::ZERO });
        }
    }
    for second in 1..count.saturating_sub(1) {
        let triangle = [0, second, second.saturating_add(1)].map(|corner| first.saturating_add(corner));
        mesh.indices.extend(triangle);
        mesh.triangle_sources.push(source);
    }
    flat
}

/// The colour of a texture that is a formula for one, as the games' tools write it: `#(argb,8,8,3)color(0.2,0.4,0.1,1,co)`.
fn plain_color(name: &str) -> Option<[u8; 4]> {
    let (_, formula) = name.strip_prefix("#(")?.split_once(')')?;
    let (kind, numbers) = formula.strip_suffix(')')?.split_once('(')?;
    let mut parts = numbers.split(',').map(|part| part.trim().parse::<f32>().ok().filter(|v| v.is_finite()));
    let mut part = || Some((parts.next()?? * 255.0).round().clamp(0.0, 255.0) as u8);
    kind.eq_ignore_ascii_case("color").then_some(())?;
    Some([part()?, part()?, part()?, 255])
}

/// The colour that a name says, else a muted one that it always has: the textures themselves are in a format of the games.
fn color_of(name: &str) -> [u8; 4] {
    if let Some(color) = plain_color(name) {
        return color;
    }
    let hash = name
        .bytes()
        .fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193));
    let turn = std::f32::consts::TAU * (hash >> 8) as f32 / 16_777_216.0;
    let part = |shift: f32| (176.0 + 34.0 * exact::cos(turn + shift)) as u8;
    [part(0.0), part(-2.094), part(2.094), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_muted_colours_without_regard_to_case() {
        assert_eq!(color_of("ca\\Wall.paa"), color_of("CA\\wall.PAA"));
        assert_ne!(color_of("a"), color_of("b"));
        for name in ["", "a", "ca\\wall.paa", "ca\\roof.paa"] {
            let [r, g, b, a] = color_of(name);
            assert!([r, g, b].iter().all(|c| (140..=212).contains(c)) && a == 255, "{name}");
        }
    }

    #[test]
    fn formulas_for_one_colour_are_that_colour() {
        assert_eq!(color_of("#(argb,8,8,3)color(0.2,0.4,1,1,CO)"), [51, 102, 255, 255]);
        assert_eq!(plain_color("#(rgb,1,1,1)Color(2, -1, 0.5, 0)"), Some([255, 0, 128, 255]));
        for other in
            ["", "#", "#(argb,8,8,3)", "#(argb,8,8,3)color(", "#(argb,8,8,3)color(0.1,nan,1)", "#(a)fresnel(1,1,1)"]
        {
            assert_eq!(plain_color(other), None, "{other}");
        }
    }
}
