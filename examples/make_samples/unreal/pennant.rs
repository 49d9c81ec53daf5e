//! A pennant as the editor's import files of a vertex mesh.

use std::f32::consts::TAU;

use bonebox::formats::unreal::encode::{FilePolygon, Vertices, encode_mesh_data, encode_mesh_frames, pack_vertex};
use glam::{Vec2, Vec3};

use super::super::SampleFile;

/// Pairs of vertices along the cloth, from the stick to its tip.
const COLUMNS: usize = 12;
/// Around the stick.
const SIDES: usize = 6;
const FRAMES: usize = 20;
/// Units of one step of a stored vertex.
const STEP: Vec3 = Vec3::new(0.125, 0.125, 0.25);

/// What the polygons are: a type of both sides, and one of one side.
const TWO_SIDED: u8 = 1;
const NORMAL: u8 = 0;
const PLACEHOLDER: u8 = 8;

const SCRIPT: &str = "\
//=============================================================================\n\
// Pennant: imports the mesh of the files beside it.\n\
//=============================================================================\n\
class Pennant extends Decoration;\n\
\n\
#exec MESH IMPORT MESH=Pennant ANIVFILE=MODELS\\Pennant_a.3d DATAFILE=MODELS\\Pennant_d.3d X=0 Y=0 Z=0\n\
#exec MESH ORIGIN MESH=Pennant X=0 Y=0 Z=0 YAW=0 PITCH=0 ROLL=0\n\
\n\
#exec MESH SEQUENCE MESH=Pennant SEQ=All STARTFRAME=0 NUMFRAMES=21\n\
#exec MESH SEQUENCE MESH=Pennant SEQ=Flutter STARTFRAME=0 NUMFRAMES=20 RATE=20\n\
#exec MESH SEQUENCE MESH=Pennant SEQ=Still STARTFRAME=20 NUMFRAMES=1\n\
#exec MESH NOTIFY MESH=Pennant SEQ=Flutter TIME=0.5 FUNCTION=Rustle\n\
\n\
#exec TEXTURE IMPORT NAME=PennantCloth FILE=MODELS\\Pennant_Cloth.bmp GROUP=Skins\n\
#exec MESHMAP NEW MESHMAP=Pennant MESH=Pennant\n\
#exec MESHMAP SCALE MESHMAP=Pennant X=0.125 Y=0.125 Z=0.25\n\
#exec MESHMAP SETTEXTURE MESHMAP=Pennant NUM=1 TEXTURE=PennantCloth\n\
\n\
defaultproperties\n\
{\n\
     DrawType=DT_Mesh\n\
     Mesh=Pennant\n\
}\n";

pub fn files() -> Vec<SampleFile> {
    let frames: Vec<Vec<Vec3>> = (0..FRAMES).map(|frame| vertices(frame as f32 / FRAMES as f32, 1.0)).collect();
    let still = vertices(0.0, 0.0);
    let count = still.len() as u16;
    let stored = |at: &Vec3| pack_vertex((*at / STEP).round().to_array().map(|v| v as i32));
    let words = frames.iter().chain([&still]).flatten().map(stored).collect();
    vec![
        SampleFile { name: "Pennant_d.3d", bytes: encode_mesh_data(&polygons(), count) },
        SampleFile { name: "Pennant_a.3d", bytes: encode_mesh_frames(&Vertices::Packed(words), count) },
        SampleFile { name: "Pennant.uc", bytes: SCRIPT.as_bytes().to_vec() },
        SampleFile { name: "Pennant_Cloth.bmp", bytes: cloth() },
    ]
}

/// Vertices at a moment of the loop, from 0 to 1: the triangle that the mesh is held by, the cloth, the stick.
fn vertices(t: f32, wind: f32) -> Vec<Vec3> {
    let mut list = vec![Vec3::new(0.0, 0.0, -40.0), Vec3::new(0.0, 0.0, -30.0), Vec3::new(8.0, 0.0, -40.0)];
    for column in 0..=COLUMNS {
        let along = column as f32 / COLUMNS as f32;
        let phase = TAU * (1.4 * along - t);
        let aside = wind * 9.0 * along * phase.sin();
        let half = 14.0 * (1.0 - along) + 0.75;
        let x = 3.0 + (84.0 - 4.0 * wind) * along;
        let middle = 34.0 - (1.0 - wind) * 26.0 * along * along + wind * 2.0 * along * (phase + 0.8).cos();
        list.extend([middle + half, middle - half].map(|z| Vec3::new(x, aside, z)));
    }
    for z in [-60.0, 52.0] {
        list.extend((0..SIDES).map(|side| {
            let (sin, cos) = (side as f32 / SIDES as f32 * TAU).sin_cos();
            Vec3::new(cos * 2.0, sin * 2.0, z)
        }));
    }
    list.push(Vec3::new(0.0, 0.0, 58.0));
    list
}

fn polygons() -> Vec<FilePolygon> {
    let polygon = |vertices: [usize; 3], uvs: [[u8; 2]; 3], surface: u8, texture: u8| FilePolygon {
        vertices: vertices.map(|vertex| vertex as u16),
        surface,
        uvs,
        texture,
        ..FilePolygon::default()
    };
    let mut list = vec![polygon([0, 1, 2], [[0; 2]; 3], PLACEHOLDER, 0)];
    let cloth = 3;
    for column in 0..COLUMNS {
        let [upper, lower] = [0, 1].map(|edge| cloth + column * 2 + edge);
        let u = |column: usize| (column * 255 / COLUMNS) as u8;
        let (near, far) = (u(column), u(column + 1));
        list.push(polygon([upper, upper + 2, lower], [[near, 0], [far, 0], [near, 255]], TWO_SIDED, 1));
        list.push(polygon([lower, upper + 2, lower + 2], [[near, 255], [far, 0], [far, 255]], TWO_SIDED, 1));
    }
    let (bottom, top) = (cloth + (COLUMNS + 1) * 2, cloth + (COLUMNS + 1) * 2 + SIDES);
    let tip = top + SIDES;
    for side in 0..SIDES {
        let next = (side + 1) % SIDES;
        // Clockwise from outside.
        list.push(polygon([bottom + side, top + side, top + next], [[0, 255], [0, 0], [8, 0]], NORMAL, 1));
        list.push(polygon([bottom + side, top + next, bottom + next], [[0, 255], [8, 0], [8, 255]], NORMAL, 1));
        list.push(polygon([top + side, tip, top + next], [[0, 8], [4, 0], [8, 8]], NORMAL, 1));
    }
    list
}

/// Stripes across the cloth, a disc on them, and wood at its start: 64 × 32 pixels of a palette of 256 colours.
fn cloth() -> Vec<u8> {
    const SIZE: [usize; 2] = [64, 32];
    const COLORS: [[u8; 3]; 5] = [[250, 236, 200], [196, 44, 52], [36, 60, 120], [244, 196, 60], [120, 84, 48]];
    let pixel = |x: usize, y: usize| {
        let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        match () {
            () if x < 3 => 4,
            () if at.distance(Vec2::new(18.0, 16.0)) < 7.0 => 3,
            () if x % 16 < 5 => 2,
            () if (10..22).contains(&y) => 0,
            () => 1,
        }
    };
    let start = 14 + 40 + 256 * 4;
    let mut bytes = b"BM".to_vec();
    let word = |value: usize| (value as u32).to_le_bytes();
    bytes.extend([start + SIZE[0] * SIZE[1], 0, start, 40, SIZE[0], SIZE[1]].map(word).as_flattened());
    bytes.extend([1, 0, 8, 0]);
    bytes.extend([0, SIZE[0] * SIZE[1], 2835, 2835, 256, 0].map(word).as_flattened());
    bytes.extend(COLORS.iter().flat_map(|[r, g, b]| [*b, *g, *r, 0]));
    bytes.resize(start, 0);
    // Rows from below.
    bytes.extend((0..SIZE[1]).rev().flat_map(|y| (0..SIZE[0]).map(move |x| pixel(x, y))));
    bytes
}
