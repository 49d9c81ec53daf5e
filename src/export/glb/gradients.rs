//! Triangles with corners of different colours, divided so that programs that mix colours as linear light show them as the games do.

use super::{
    mesh::color_set,
    srgb,
    variant_mappings::{WrittenMaterial, WrittenMaterials},
};
use crate::scene::{Aabb, Mesh, MorphDelta, Run, Surface, VertexFrames};
use glam::Vec3;
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

/// Maximum number of times that an edge is halved.
const ROUNDS: usize = 8;
/// Triangles that a mesh may have afterwards, for each of its own.
const TIMES: usize = 4;
/// Triangles that any mesh may get in addition.
const MAX_MORE: usize = 4096;
/// Shortest edge that is divided, as a share of the mesh's diagonal.
const SHORTEST: f32 = 1.0 / 128.0;

/// Two points, or two vertices, the lower index first.
type Pair = [u32; 2];

/// Returns the mesh with the edges halved between whose ends programs show colours too light; borrowed if it has no such edge. An edge
/// is halved in all triangles at its two points, so that no gap opens. Edges whose ends are moved by different joints stay whole: the
/// joints would move the middle away from the edge.
pub fn divided<'a>(mesh: &'a Mesh, materials: &WrittenMaterials) -> Cow<'a, Mesh> {
    let mut divided = Cow::Borrowed(mesh);
    let Some(bounds) = Aabb::of(mesh.points.iter().copied().filter(|point| point.is_finite())) else { return divided };
    let shortest = bounds.diagonal() * SHORTEST;
    let most = mesh.triangle_count().saturating_mul(TIMES).saturating_add(MAX_MORE);
    let (mut seen, mut parents) = (HashMap::new(), Vec::new());
    for _ in 0..ROUNDS {
        let edges = edges(&divided, materials, shortest, &mut seen);
        // Each edge that is halved makes a triangle of each at its sides.
        let triangles = divided.indices.as_chunks::<3>().0.iter();
        let more: usize = triangles
            .map(|corners| sides(*corners).filter(|side| edges.contains(&points_of(&divided, *side))).count())
            .sum();
        if more == 0 || divided.triangle_count() + more > most {
            break;
        }
        halve(divided.to_mut(), &edges, &mut parents);
    }
    if let Cow::Owned(divided) = &mut divided {
        let first = mesh.points.len() as u32;
        move_middles(divided, first, &parents);
    }
    divided
}

/// The colours of a surface's vertices and what counts as 1, as in [`super::base_color::VertexColors::full`]. `None` if the file has no
/// colours for them that programs mix.
fn colors<'a>(mesh: &'a Mesh, material: Option<&WrittenMaterial>) -> Option<(&'a [[u8; 4]], u8)> {
    let key = WrittenMaterial::vertex_colors_of(material);
    let colors = material.is_none_or(|material| material.front.is_none()).then_some(key.color).flatten();
    colors.and_then(|set| Some((color_set(mesh, set)?.as_slice(), key.full)))
}

/// Edges to halve, by their points.
fn edges(
    mesh: &Mesh,
    materials: &WrittenMaterials,
    shortest: f32,
    seen: &mut HashMap<(u8, [u8; 2]), bool>,
) -> HashSet<Pair> {
    let mut found = HashSet::new();
    for surface in surfaces(mesh).iter() {
        let Some((colors, full)) = colors(mesh, materials.get(surface.material)) else { continue };
        for side in mesh.corners_of(surface).as_chunks::<3>().0.iter().flat_map(|corners| sides(*corners)) {
            let [Some(from), Some(to)] = side.map(|vertex| colors.get(vertex as usize)) else { continue };
            let [a, b] = side.map(|vertex| mesh.position(vertex as usize));
            let is_long = a.distance(b) > shortest;
            let mut lighter = (0..3).filter(|part| from[*part] != to[*part]).map(|part| {
                let pair = [from[part].min(to[part]), from[part].max(to[part])];
                let [low, high] = pair;
                *seen.entry((full, pair)).or_insert_with(|| srgb::lightening(low, high, full) > srgb::MAX_LIGHTENING)
            });
            if is_long && lighter.any(|lighter| lighter) {
                let points = points_of(mesh, side);
                let [a, b] = points.map(|point| mesh.skin.as_ref().map(|skin| skin.influences_of(point as usize)));
                if a == b && (points[1] as usize) < mesh.points.len() {
                    found.insert(points);
                }
            }
        }
    }
    found
}

/// The surfaces of a mesh; all of its triangles as one if it has none.
fn surfaces(mesh: &Mesh) -> Cow<'_, [Surface]> {
    let all = Surface { first_index: 0, index_count: mesh.indices.len() as u32, material: u32::MAX };
    if mesh.surfaces.is_empty() { vec![all].into() } else { mesh.surfaces.as_slice().into() }
}

fn sides([a, b, c]: [u32; 3]) -> impl Iterator<Item = Pair> {
    [[a, b], [b, c], [c, a]].map(sorted).into_iter()
}

fn sorted([a, b]: Pair) -> Pair {
    [a.min(b), a.max(b)]
}

fn points_of(mesh: &Mesh, vertices: Pair) -> Pair {
    sorted(vertices.map(|vertex| mesh.vertex_points.get(vertex as usize).copied().unwrap_or(u32::MAX)))
}

/// Halves edges. `parents` gets the two ends of each new point.
fn halve(mesh: &mut Mesh, edges: &HashSet<Pair>, parents: &mut Vec<Pair>) {
    let mut points = HashMap::new();
    let mut vertices = HashMap::new();
    let surfaces = surfaces(mesh).into_owned();
    let (mut indices, mut written) = (Vec::with_capacity(mesh.indices.len() * 2), Vec::with_capacity(surfaces.len()));
    for surface in surfaces {
        let first_index = indices.len() as u32;
        for corners in mesh.corners_of(&surface).to_vec().as_chunks::<3>().0 {
            let mut middle = |side: Pair| {
                let side = sorted(side);
                let ends = points_of(mesh, side);
                edges.contains(&ends).then(|| {
                    let point = *points.entry(ends).or_insert_with(|| {
                        parents.push(ends);
                        add_point(mesh, ends)
                    });
                    *vertices.entry(side).or_insert_with(|| add_vertex(mesh, side, point))
                })
            };
            let [a, b, c] = *corners;
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(&mut middle);
            // Turned so that the halved edges come first.
            let (corners, middles) = match (ab, bc, ca) {
                (None, Some(_), _) => ([b, c, a], [bc, ca, ab]),
                (_, None, Some(_)) => ([c, a, b], [ca, ab, bc]),
                _ => ([a, b, c], [ab, bc, ca]),
            };
            let [a, b, c] = corners;
            match middles {
                [Some(ab), Some(bc), Some(ca)] => indices.extend([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca]),
                [Some(ab), Some(bc), None] => indices.extend([ab, b, bc, a, ab, bc, a, bc, c]),
                [Some(ab), ..] => indices.extend([a, ab, c, ab, b, c]),
                _ => indices.extend(corners),
            }
        }
        written.push(Surface { first_index, index_count: indices.len() as u32 - first_index, ..surface });
    }
    mesh.indices = indices;
    mesh.triangle_sources.clear();
    if !mesh.surfaces.is_empty() {
        mesh.surfaces = written;
    }
}

/// Adds the middle of two values to a list with one value for each vertex or point; empties any other list.
fn grow<T: Copy>(values: &mut Vec<T>, count: usize, [a, b]: Pair, middle: impl Fn(T, T) -> T) {
    match (values.get(a as usize), values.get(b as usize)) {
        (Some(a), Some(b)) if values.len() == count => values.push(middle(*a, *b)),
        _ => values.clear(),
    }
}

fn unit(a: Vec3, b: Vec3) -> Vec3 {
    (a + b).normalize_or(a)
}

/// Adds the point between two points that the same joints move.
fn add_point(mesh: &mut Mesh, ends: Pair) -> u32 {
    let count = mesh.points.len();
    grow(&mut mesh.point_normals, count, ends, unit);
    grow(&mut mesh.points, count, ends, Vec3::midpoint);
    if let Some(skin) = &mut mesh.skin {
        skin.runs.resize(count, Run::default());
        let [a, b] = ends.map(|end| end as usize);
        let mut run = skin.runs[a];
        if skin.has_sources() {
            let pairs = skin.sources_of(a).iter().zip(skin.sources_of(b));
            let middles: Vec<_> = pairs.map(|(a, b)| a.midpoint(b)).collect();
            let influences = skin.influences_of(a).to_vec();
            run = Run { first: skin.influences.len() as u32, count: influences.len() as u32 };
            skin.influences.extend(influences);
            skin.sources.extend(middles);
        }
        skin.runs.push(run);
    }
    count as u32
}

/// Adds the vertex between two vertices.
fn add_vertex(mesh: &mut Mesh, ends: Pair, point: u32) -> u32 {
    let count = mesh.vertex_points.len();
    let color = |a: [u8; 4], b: [u8; 4]| std::array::from_fn(|part| a[part].midpoint(b[part]));
    grow(&mut mesh.normals, count, ends, unit);
    for uvs in &mut mesh.uv_sets {
        grow(uvs, count, ends, glam::Vec2::midpoint);
    }
    grow(&mut mesh.colors, count, ends, color);
    grow(&mut mesh.second_colors, count, ends, color);
    grow(&mut mesh.tangents, count, ends, |[a, b], [c, d]| [unit(a, c), unit(b, d)]);
    grow(&mut mesh.texture_matrix_slots, count, ends, |a, _| a);
    grow(&mut mesh.vertex_sources, count, ends, |a, _| a);
    grow(&mut mesh.vertex_zones, count, ends, |a, _| a);
    mesh.vertex_points.push(point);
    count as u32
}

/// Gives new points the middle of what morphs and frames of vertices make of their ends. `first` is the index of the first of them.
fn move_middles(mesh: &mut Mesh, first: u32, parents: &[Pair]) {
    for morph in &mut mesh.morphs {
        let mut deltas: HashMap<u32, [Vec3; 2]> = HashMap::new();
        for delta in &morph.deltas {
            let [position, normal] = deltas.entry(delta.point).or_default();
            *position += delta.position;
            *normal += delta.normal;
        }
        for (point, ends) in (first..).zip(parents) {
            let [a, b] = ends.map(|end| deltas.get(&end).copied());
            if a.is_some() || b.is_some() {
                let [a, b] = [a, b].map(Option::unwrap_or_default);
                let [position, normal] = [a[0].midpoint(b[0]), a[1].midpoint(b[1])];
                deltas.insert(point, [position, normal]);
                morph.deltas.push(MorphDelta { point, position, normal });
            }
        }
    }
    mesh.vertex_frames = mesh.vertex_frames.take().and_then(|frames| {
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        for frame in 0..frames.frame_count() {
            let (mut places, mut turned) = (frames.positions(frame).to_vec(), frames.normals(frame).to_vec());
            for ends in parents {
                let count = places.len();
                grow(&mut places, count, *ends, Vec3::midpoint);
                grow(&mut turned, count, *ends, unit);
            }
            positions.append(&mut places);
            normals.append(&mut turned);
        }
        VertexFrames::new(mesh.points.len(), positions, normals)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Influence, Morph, Skin};
    use glam::Vec2;

    const RED: [u8; 4] = [255, 0, 0, 255];
    const BLACK: [u8; 4] = [0, 0, 0, 255];

    /// A triangle whose X and Y are the shares of its second and third corner.
    fn triangle(colors: [[u8; 4]; 3]) -> Mesh {
        Mesh {
            points: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            vertex_points: vec![0, 1, 2],
            normals: vec![Vec3::Z; 3],
            uv_sets: vec![vec![Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(0.0, 8.0)]],
            colors: colors.to_vec(),
            indices: vec![0, 1, 2],
            ..Mesh::default()
        }
    }

    fn of(mesh: &Mesh) -> Cow<'_, Mesh> {
        divided(mesh, &WrittenMaterials::default())
    }

    /// IEC 61966-2-1, in steps of 255.
    fn decoded(value: f64) -> f64 {
        let value = value / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    }

    fn encoded(value: f64) -> f64 {
        255.0 * if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
    }

    /// The largest difference of red between the linear mixture of decoded corners and `wanted` at X and Y.
    fn error(mesh: &Mesh, wanted: impl Fn(f64, f64) -> f64) -> f64 {
        let mut most: f64 = 0.0;
        for corners in mesh.indices.as_chunks::<3>().0 {
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let shares = [f64::from(20 - i - j) / 20.0, f64::from(i) / 20.0, f64::from(j) / 20.0];
                    let mix = |of: &dyn Fn(usize) -> f64| -> f64 {
                        corners.iter().zip(shares).map(|(corner, share)| of(*corner as usize) * share).sum()
                    };
                    let shown = encoded(mix(&|corner| decoded(f64::from(mesh.colors[corner][0]))));
                    let [x, y] = [0, 1].map(|axis| mix(&|corner| f64::from(mesh.position(corner)[axis])));
                    most = most.max((shown - wanted(x, y)).abs());
                }
            }
        }
        most
    }

    #[test]
    fn colours_between_unlike_corners_arrive() {
        // At a quarter from black to red: 1.055 · 0.25^(1/2.4) − 0.055 = 0.5371 instead of 0.25, which is 73.2 of 255.
        let red_and_black = triangle([RED, BLACK, BLACK]);
        let wanted = |x: f64, y: f64| 255.0 * (1.0 - x - y);
        assert!((error(&red_and_black, wanted) - 73.2).abs() < 0.1);
        let divided = of(&red_and_black);
        // The limit, and less than one for halves that bytes cannot hold.
        let after = error(&divided, wanted);
        println!("{} triangles, {after} of 255", divided.triangle_count());
        assert!(after < f64::from(srgb::MAX_LIGHTENING) + 1.0, "{after}");
        let three = triangle([RED, BLACK, [120, 0, 0, 255]]);
        assert!(error(&of(&three), |x, y| 255.0 * (1.0 - x - y) + 120.0 * y) < 5.0);
        let mut area = 0.0;
        for [a, b, c] in
            divided.indices.as_chunks::<3>().0.iter().map(|corners| corners.map(|c| divided.position(c as usize)))
        {
            let normal = (b - a).cross(c - a);
            assert!(normal.z > 0.0, "turned over");
            area += normal.z / 2.0;
        }
        assert!((area - 0.5).abs() < 1e-6, "{area}");
        for vertex in 0..divided.vertex_count() {
            let at = divided.position(vertex).truncate();
            assert_eq!((divided.uv_sets[0][vertex], divided.normals[vertex]), (at * Vec2::new(4.0, 8.0), Vec3::Z));
        }
    }

    #[test]
    fn meshes_without_strong_gradients_stay() {
        assert!(matches!(of(&triangle([[130, 100, 0, 255], [100, 100, 0, 0], [100, 120, 9, 255]])), Cow::Borrowed(_)));
        assert!(matches!(of(&Mesh { colors: vec![RED], ..triangle([RED, BLACK, BLACK]) }), Cow::Borrowed(_)));
        // Another point makes the mesh 200 times larger.
        let mut small = triangle([RED, BLACK, BLACK]);
        small.points.push(Vec3::X * 200.0);
        assert!(matches!(of(&small), Cow::Borrowed(_)));
        // Vertices of no point, triangles of no vertex.
        let lost = Mesh { vertex_points: vec![1, 9, 9], ..triangle([RED, BLACK, RED]) };
        assert!(matches!(of(&lost), Cow::Borrowed(_)));
        let lost = Mesh { indices: vec![0, 7, 8], ..triangle([RED, BLACK, BLACK]) };
        assert!(matches!(of(&lost), Cow::Borrowed(_)));
    }

    #[test]
    fn neighbours_are_divided_at_the_same_places() {
        // The second triangle has vertices of its own, one colour and no gradient.
        let mut mesh = triangle([RED, BLACK, BLACK]);
        mesh.points.push(Vec3::new(-1.0, 0.0, 0.0));
        mesh.vertex_points.extend([0, 2, 3]);
        mesh.colors.extend([[90; 4]; 3]);
        mesh.normals.extend([Vec3::Z; 3]);
        mesh.uv_sets.clear();
        mesh.indices.extend([3, 4, 5]);
        let divided = of(&mesh);
        let mut sides_of: HashMap<Pair, usize> = HashMap::new();
        for corners in divided.indices.as_chunks::<3>().0 {
            for side in sides(*corners) {
                *sides_of.entry(points_of(&divided, side)).or_default() += 1;
            }
        }
        let open = |side: &Pair| {
            let [a, b] = side.map(|point| divided.points[point as usize]);
            let middle = a.midpoint(b);
            // The outline of both: X + Y = 1, Y = 0, and X = Y − 1.
            (middle.x + middle.y - 1.0).abs() < 1e-6 || middle.y == 0.0 || (middle.x - middle.y + 1.0).abs() < 1e-6
        };
        assert!(divided.indices.len() > 30);
        assert!(sides_of.iter().all(|(side, count)| *count == if open(side) { 1 } else { 2 }), "{sides_of:?}");
    }

    #[test]
    fn middles_move_as_their_edges() {
        let mut mesh = triangle([RED, BLACK, BLACK]);
        let influence = |joint, weight| Influence { joint, weight };
        let influences =
            vec![influence(0, 0.5), influence(1, 0.5), influence(0, 0.5), influence(1, 0.5), influence(0, 1.0)];
        let runs = [(0, 2), (2, 2), (4, 1)].map(|(first, count)| Run { first, count }).to_vec();
        mesh.skin = Some(Skin { runs, influences, ..Skin::default() });
        let delta = |point, position| MorphDelta { point, position, normal: Vec3::ZERO };
        mesh.morphs = vec![Morph { name: "up".into(), deltas: vec![delta(0, Vec3::Z), delta(0, Vec3::Z)] }];
        let frames =
            [mesh.points.clone(), mesh.points.iter().map(|point| *point + Vec3::Z * point.x).collect()].concat();
        mesh.vertex_frames = VertexFrames::new(3, frames, vec![Vec3::Z; 6]);
        let divided = of(&mesh);
        // Only the edge along X has the same joints at both ends.
        assert!(divided.points.len() > 4 && divided.points[3..].iter().all(|point| point.y == 0.0));
        let skin = divided.skin.as_ref().unwrap();
        for point in 0..divided.points.len() {
            let expected = mesh.skin.as_ref().unwrap().influences_of(if point == 2 { 2 } else { 0 });
            assert_eq!(skin.influences_of(point), expected);
            let x = divided.points[point].x;
            let moved: Vec3 =
                divided.morphs[0].deltas.iter().filter(|d| d.point as usize == point).map(|d| d.position).sum();
            assert_eq!(moved, if point == 2 { Vec3::ZERO } else { Vec3::Z * 2.0 * (1.0 - x) });
            let frames = divided.vertex_frames.as_ref().unwrap();
            assert_eq!(frames.positions(1)[point], divided.points[point] + Vec3::Z * x);
        }
    }
}
