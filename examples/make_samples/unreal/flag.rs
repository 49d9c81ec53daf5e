//! A flag on its pole, moved vertex by vertex: a breeze and a storm.

use std::f32::consts::TAU;

use bonebox::formats::unreal::encode::{
    Bounds, LodData, LodFace, LodMaterial, LodWedge, MeshData, Ref, Sequence, Vertices, pack_vertex,
};
use glam::{Vec2, Vec3};

use super::super::mesh::smoothstep;

/// Quads of the cloth.
const COLUMNS: usize = 16;
const ROWS: usize = 12;
/// The cloth, in units: how far it reaches from the pole, and its upper and lower edge.
const REACH: f32 = 76.0;
const TOP: f32 = 52.0;
const BOTTOM: f32 = 2.0;
/// The pole.
const SIDES: usize = 8;
const POLE: [(f32, f32); 7] =
    [(-60.0, 3.2), (-56.0, 3.2), (-55.0, 2.0), (54.0, 1.6), (56.0, 3.4), (60.5, 3.4), (63.0, 0.2)];
/// Units of one step of a stored vertex; z has fewer steps.
const STEP: Vec3 = Vec3::new(0.125, 0.125, 0.25);
/// The first vertices belong to the triangle that says where the mesh is held.
const SPECIAL: usize = 3;

const FRAMES: usize = 24;
const RATE_HZ: f32 = 20.0;
const TWO_SIDED: u32 = 0x100;

/// A vertex of the model before it is put in order: how early it goes when detail is lost (0 never), and where it is.
struct Vertex {
    level: u32,
    uv: Vec2,
    /// Index among those not yet in order that it becomes when it goes.
    becomes: usize,
    place: Place,
}

enum Place {
    /// Along the cloth from the pole, and down from its top.
    Cloth(Vec2),
    Still(Vec3),
}

/// Where a spot of the cloth is at a moment from 0 to 1 of a loop.
fn cloth(at: Vec2, t: f32, storm: bool) -> Vec3 {
    let (gain, waves, speed, sag) = if storm { (13.0, 2.1, 2.0, 3.0) } else { (8.5, 1.2, 1.0, 10.0) };
    let loose = smoothstep(-0.05, 0.85, at.x);
    let phase = TAU * (waves * at.x - speed * t) + 0.9 * at.y;
    let ripple = (phase).sin() + 0.35 * (phase * 2.0 + 1.3 * at.y + 0.7).sin() * if storm { 1.2 } else { 0.5 };
    let gust = 1.0 + 0.22 * (TAU * t + 2.0 * at.x).sin();
    let y = gain * loose * ripple * gust * 0.62;
    // Cloth does not stretch: what goes aside is missing along the way.
    let x = REACH * at.x * (1.0 - 0.055 * (gain / 8.5) * loose) + 1.2 * loose * (phase + 1.0).cos();
    let droop = sag * at.x * at.x * (1.0 + 0.25 * (TAU * t + 0.8).sin());
    let flap = if storm { 3.4 * loose * (TAU * speed * t - 2.6 * at.x).sin() } else { 0.0 };
    Vec3::new(x + 2.0, y, TOP + (BOTTOM - TOP) * at.y - droop + flap)
}

fn vertices() -> Vec<Vertex> {
    let mut list = Vec::new();
    // The cloth: of every two neighbours the odd one goes first, then of every four, and so on, three times.
    let rank = |i: usize| if i == 0 { 3 } else { i.trailing_zeros().min(3) };
    for row in 0..=ROWS {
        for column in 0..=COLUMNS {
            let (a, b) = (rank(column), rank(row));
            let kept = if column == COLUMNS {
                b.min(3)
            } else if row == ROWS {
                a
            } else {
                a.min(b)
            };
            let level = 3 - kept;
            // It becomes a neighbour that stays longer.
            let step = 1 << kept;
            let (mut to_column, mut to_row) = (column, row);
            if level > 0 {
                if a == kept && column != COLUMNS && column % (step * 2) != 0 {
                    to_column = column - step;
                }
                if b == kept && row != ROWS && row % (step * 2) != 0 {
                    to_row = row - step;
                }
            }
            let at = Vec2::new(column as f32 / COLUMNS as f32, row as f32 / ROWS as f32);
            let becomes = to_row * (COLUMNS + 1) + to_column;
            list.push(Vertex { level, uv: at, becomes, place: Place::Cloth(at) });
        }
    }
    for (ring, (z, radius)) in POLE.iter().enumerate() {
        for side in 0..=SIDES {
            let (sin, cos) = ((side % SIDES) as f32 / SIDES as f32 * TAU).sin_cos();
            let becomes = list.len();
            let uv = Vec2::new(side as f32 / SIDES as f32 * 0.5, (ring as f32 * 0.37).fract());
            let place = Place::Still(Vec3::new(cos * radius, sin * radius, *z));
            list.push(Vertex { level: 0, uv, becomes, place });
        }
    }
    list
}

/// Triangles of quads that are numbered row by row, `across` vertices each.
fn quads(first: usize, columns: usize, rows: usize, material: u16, faces: &mut Vec<([usize; 3], u16)>) {
    for row in 0..rows {
        for column in 0..columns {
            let a = first + row * (columns + 1) + column;
            let (b, c, d) = (a + 1, a + columns + 2, a + columns + 1);
            let pair = if (row + column) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            faces.extend(pair.map(|corners| (corners, material)));
        }
    }
}

/// The mesh with `textures` of cloth and pole.
pub fn mesh(cloth_texture: Ref, pole_texture: Ref) -> (MeshData, LodData) {
    let list = vertices();
    let mut faces = Vec::new();
    quads(0, COLUMNS, ROWS, 0, &mut faces);
    quads((COLUMNS + 1) * (ROWS + 1), SIDES, POLE.len() - 1, 1, &mut faces);

    // In order of how long they stay.
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by_key(|index| (list[*index].level, *index));
    let mut number = vec![0usize; list.len()];
    for (place, index) in order.iter().enumerate() {
        number[*index] = place;
    }
    let becomes: Vec<usize> = order.iter().map(|index| number[list[*index].becomes]).collect();
    let kept = |mut vertex: usize, count: usize| {
        while vertex >= count && becomes[vertex] < vertex {
            vertex = becomes[vertex];
        }
        vertex
    };
    // A face is gone when two of its corners have become one.
    let level = |corners: [usize; 3]| {
        let whole = |count: usize| {
            let [a, b, c] = corners.map(|corner| kept(corner, count));
            a != b && b != c && c != a
        };
        (0..=list.len()).rev().take_while(|count| whole(*count)).last().unwrap_or(list.len())
    };
    let mut faces: Vec<(usize, LodFace)> = faces
        .iter()
        .map(|(corners, material)| {
            let corners = corners.map(|corner| number[corner]);
            (level(corners), LodFace { wedges: corners.map(|corner| corner as u16), material: *material })
        })
        .collect();
    faces.sort_by_key(|(level, _)| *level);

    let mut frames = Vec::new();
    for (storm, frame) in [false, true].into_iter().flat_map(|storm| (0..FRAMES).map(move |frame| (storm, frame))) {
        let t = frame as f32 / FRAMES as f32;
        let held = [Vec3::new(0.0, 0.0, -30.0), Vec3::new(0.0, 0.0, -20.0), Vec3::new(8.0, 0.0, -30.0)];
        let model = order.iter().map(|index| match list[*index].place {
            Place::Cloth(at) => cloth(at, t, storm),
            Place::Still(at) => at,
        });
        frames.push(held.into_iter().chain(model).collect::<Vec<Vec3>>());
    }
    let stored = |at: &Vec3| pack_vertex((*at / STEP).round().to_array().map(|v| v as i32));
    let bounds = |frame: &Vec<Vec3>| Bounds::of(frame.iter().skip(SPECIAL).map(|at| (*at / STEP).to_array()));
    let all = Bounds::of(frames.iter().flat_map(|frame| frame.iter().map(|at| at.to_array())));
    let sequence = |name: &str, start: usize, notifications: Vec<(f32, String)>| Sequence {
        name: name.to_owned(),
        group: "None".to_owned(),
        start_frame: start as i32,
        frame_count: FRAMES as i32,
        notifications,
        rate_hz: RATE_HZ,
    };
    let mesh = MeshData {
        bounds: all,
        vertices: Vertices::Packed(frames.iter().flatten().map(stored).collect()),
        sequences: vec![
            sequence("Breeze", 0, vec![(0.5, "Rustle".to_owned())]),
            sequence("Storm", FRAMES, vec![(0.25, "Flap".to_owned()), (0.75, "Flap".to_owned())]),
        ],
        textures: vec![cloth_texture, pole_texture],
        frame_bounds: frames.iter().map(bounds).collect(),
        frame_vertices: (SPECIAL + list.len()) as i32,
        frames: frames.len() as i32,
        or_flags: TWO_SIDED,
        scale: STEP.to_array(),
        ..MeshData::default()
    };
    let wedge = |index: &usize| LodWedge {
        vertex: number[*index] as u16,
        uv: (list[*index].uv * 255.0).round().to_array().map(|v| v as u8),
    };
    let special = |index: usize| (index < SPECIAL).then_some(index as u16);
    let lod = LodData {
        collapse_points: (0..SPECIAL + list.len())
            .map(|index| special(index).unwrap_or_else(|| (becomes[index - SPECIAL] + SPECIAL) as u16))
            .collect(),
        face_levels: faces.iter().map(|(level, _)| *level as u16).collect(),
        faces: faces.iter().map(|(_, face)| *face).collect(),
        collapse_wedges: becomes.iter().map(|wedge| *wedge as u16).collect(),
        wedges: order.iter().map(wedge).collect(),
        materials: vec![LodMaterial { poly_flags: TWO_SIDED, texture: 0 }, LodMaterial { poly_flags: 0, texture: 1 }],
        special_faces: vec![LodFace { wedges: [0, 1, 2], material: 0 }],
        model_vertices: list.len() as i32,
        special_vertices: SPECIAL as i32,
        mesh_scale_max: STEP.max_element(),
        hysteresis: 0.0,
        strength: 1.0,
        // Those that become no other.
        min_vertices: becomes.iter().enumerate().filter(|(index, into)| **into >= *index).count() as i32,
        morph: 0.0,
        z_displacement: 0.0,
        remap_vertices: Vec::new(),
        old_frame_vertices: (SPECIAL + list.len()) as i32,
    };
    (mesh, lod)
}
