//! Puts Helix together: meshes, bones, skin, textures and facial poses in one block.

use super::{
    pictures::{self, number},
    sheet::{Sheet, Weld, weld},
    shell,
    snail::{self, Face, TABLE, bone},
};
use bonebox::formats::charpipe::encode::{
    self as charpipe, Actor, Arranged, Arrangement, Block, Bone, ColorKind, Colors, Control, Draw, FaceKind,
    FaceRecord, Geometry, Layout, Lighting, Mesh, Positions, PrimitiveKind, Quantization, Setting, SkinVertex, State,
    UserData, UvSet, Vertex, Width, arrange, encode_act, encode_block, encode_faces, encode_gpl, encode_skn,
    encode_tex, whole_weights,
};
use glam::{Quat, Vec3};
use std::collections::HashMap;

const PALETTE: &str = "helix.tpl";
/// Fixed point of positions: ±16 units.
const SHIFT: u8 = 11;
/// Sluggers' usual pixel state.
const PIXEL: u32 = 0x374;

/// The file.
pub fn block() -> Vec<u8> {
    let actor = actor();
    let neutral = snail::sheets(Face::default()).map(Vec::from);
    let all: Vec<Sheet> = neutral.into_iter().flatten().collect();
    let weld = weld(&all);
    let vertices = vertices(&actor, &all, &weld);
    let arranged = arrange(&vertices, Arrangement { shift: SHIFT, ..Arrangement::default() });
    let meshes = vec![
        skinned(&all, &weld, &arranged),
        rigid("shell", &shell::sheets(), ColorKind::Rgb565, shell_states),
        rigid("eye", &snail::eyeball(), ColorKind::Rgb8, |draws| plain_states(number::EYE, draws)),
    ];
    encode_block(&Block {
        gpl: encode_gpl(&Geometry { meshes, ..Geometry::default() }),
        act: encode_act(&actor),
        tex: encode_tex(&pictures::textures()),
        skn: encode_skn(&arranged.skin),
        faces: encode_faces(&faces(&weld, &arranged)),
        ..Block::default()
    })
}

/// How a bone rests in its parent.
pub fn rest_turn(number: usize) -> Quat {
    match bone::STALKS.iter().position(|stalk| stalk[3] == number) {
        Some(index) => Quat::from_rotation_y((if index == 0 { 9.0_f32 } else { -9.0 }).to_radians()),
        None => Quat::IDENTITY,
    }
}

/// Where a bone rests in its parent.
pub fn rest_place(number: usize) -> Vec3 {
    let rest = snail::rest();
    let (parent, at) = rest[number];
    // No bone with children is turned.
    parent.map_or(at, |parent| at - rest[parent].1)
}

/// The animation track of a bone.
pub fn track_of(number: usize) -> u16 {
    if number == bone::ROOT { 0xFFFF } else { (number as u16 * 7 + 3) % 32 }
}

fn actor() -> Actor {
    let rest = snail::rest();
    let table_place = |number: usize| TABLE.iter().position(|n| *n == number);
    let bones = TABLE.iter().map(|number| {
        let number = *number;
        let [x, y, z] = rest_place(number).to_array();
        let control = match rest_turn(number) {
            _ if number == bone::ROOT => None,
            turn if turn == Quat::IDENTITY => Some(Control::at([x, y, z])),
            turn => Some(Control::placed(turn.to_array(), [x, y, z])),
        };
        let mesh = match number {
            bone::SHELL => Some(1),
            _ if bone::STALKS.iter().any(|stalk| stalk[3] == number) => Some(2),
            _ => None,
        };
        let parent = rest[number].0.and_then(table_place);
        Bone { mesh, draw_priority: u8::from(number != bone::ROOT), ..Bone::new(number as u16, parent, control) }
    });
    let mirror = |number: usize| {
        let pairs = bone::STALKS[0].into_iter().zip(bone::STALKS[1]).chain([(bone::FEELERS[0], bone::FEELERS[1])]);
        let found = pairs.into_iter().find(|(left, right)| *left == number || *right == number);
        found.map_or(number, |(left, right)| if left == number { right } else { left })
    };
    Actor {
        id: 1,
        bones: bones.collect(),
        geometry: "helix.gpl".to_owned(),
        skin_mesh: Some(0),
        user_data: vec![
            UserData::Tracks((0..bone::COUNT).map(track_of).collect()),
            UserData::Mirrors((0..bone::COUNT).map(|number| [mirror(number) as u8, 3]).collect()),
        ],
        uncounted: false,
    }
}

fn vertices(actor: &Actor, sheets: &[Sheet], weld: &Weld) -> Vec<SkinVertex> {
    let spots: Vec<_> = sheets.iter().flat_map(|sheet| &sheet.spots).collect();
    let numbers = actor.numbers();
    let number = |bone: usize| numbers[TABLE.iter().position(|n| *n == bone).expect("every bone is in the table")];
    let vertex = |(first, normal): (&usize, Vec3)| {
        let spot = spots[*first];
        let weights: Vec<(u16, f32)> = spot.weights.iter().map(|(bone, weight)| (number(*bone), *weight)).collect();
        let weights = whole_weights(&weights);
        // Feelers are put together of additions alone.
        let accumulated = spot.weights.iter().any(|(bone, _)| bone::FEELERS.contains(bone));
        SkinVertex { position: spot.position.to_array(), normal: normal.to_array(), weights, accumulated }
    };
    weld.first.iter().zip(weld.normals(sheets)).map(vertex).collect()
}

/// Values that are there once each.
struct Pool<T> {
    values: Vec<T>,
    known: HashMap<Vec<u8>, u16>,
}

impl<T: Clone> Pool<T> {
    fn new() -> Self {
        Self { values: Vec::new(), known: HashMap::new() }
    }

    fn index(&mut self, key: Vec<u8>, value: T) -> u16 {
        *self.known.entry(key).or_insert_with(|| {
            self.values.push(value);
            (self.values.len() - 1) as u16
        })
    }
}

fn color_bytes(shade: Vec3) -> [u8; 4] {
    let [r, g, b] = (shade.clamp(Vec3::ZERO, Vec3::ONE) * 255.0).round().to_array().map(|part| part as u8);
    [r, g, b, 255]
}

/// Colours and texture coordinates of sheets, and what draws each.
struct Drawn {
    colors: Pool<[u8; 4]>,
    uvs: Pool<[f32; 2]>,
}

impl Drawn {
    fn new() -> Self {
        Self { colors: Pool::new(), uvs: Pool::new() }
    }

    /// A sheet's primitives; `points` has the point of each of its spots.
    fn draw(&mut self, sheet: &Sheet, points: &[u16], kind: PrimitiveKind) -> Vec<Draw> {
        let mut vertices = Vec::new();
        for (spot, point) in sheet.spots.iter().zip(points) {
            let color = color_bytes(spot.shade);
            // As the array keeps them.
            let uv = (spot.uv * 2048.0).round() / 2048.0;
            let key = uv.to_array().map(f32::to_be_bytes).concat();
            let color = self.colors.index(color.to_vec(), color);
            let uv = self.uvs.index(key, uv.to_array());
            let uvs = [uv, 0, 0, 0, 0, 0, 0, 0];
            vertices.push(Vertex { position: *point, normal: *point, colors: [color, 0], uvs, ..Vertex::default() });
        }
        let wide = sheet.columns + 1;
        // Clockwise, as the chip wants it.
        let quads = (0..sheet.rows).flat_map(|row| (0..sheet.columns).map(move |column| row * wide + column));
        let quads = quads.map(|a| [a, a + wide, a + wide + 1, a + 1].map(|spot| vertices[spot]));
        match kind {
            PrimitiveKind::Quads => vec![Draw::Primitive(kind, quads.flatten().collect())],
            PrimitiveKind::Triangles => {
                vec![Draw::Primitive(kind, quads.flat_map(|[a, b, c, d]| [a, b, c, a, c, d]).collect())]
            }
            _ => {
                let row = |row: usize| {
                    let pairs = (0..wide).flat_map(|column| [row * wide + column, (row + 1) * wide + column]);
                    Draw::Primitive(PrimitiveKind::Strip, pairs.map(|spot| vertices[spot]).collect())
                };
                (0..sheet.rows).map(row).collect()
            }
        }
    }

    fn mesh(self, name: &str, kind: ColorKind, positions: Positions, lighting: Lighting, states: Vec<State>) -> Mesh {
        Mesh {
            name: name.to_owned(),
            positions,
            colors: Some(Colors { kind, values: self.colors.values }),
            uv_sets: vec![UvSet {
                quantization: Quantization::s16(11),
                components: 2,
                values: self.uvs.values,
                palette: PALETTE.to_owned(),
            }],
            lighting: Some(lighting),
            states,
        }
    }
}

fn layout() -> State {
    let mut uvs = [Width::None; 8];
    uvs[0] = Width::Index16;
    State::set(Setting::Layout(Layout {
        matrix: false,
        position: Width::Index16,
        normal: Width::Index16,
        colors: [Width::Index16, Width::None],
        uvs,
    }))
}

fn texture(index: u16, layer: u8, wrap: u8, min_filter: u8) -> State {
    State::set(Setting::Texture { index, layer, wrap: [wrap; 2], min_filter, mag_filter: 1 })
}

fn shader(name: [u8; 4], strength: u8, draws: Vec<Draw>) -> State {
    State::drawing(Setting::Shader { name, strength }, draws)
}

fn shell_states(draws: Vec<Draw>) -> Vec<State> {
    vec![
        texture(number::SHELL, 0, 1, 1),
        texture(number::NACRE, 1, 0, 1),
        State::set(Setting::Tev(0xFFFF_FF10)),
        layout(),
        State::set(Setting::Pixel(PIXEL)),
        shader(*b"Spec", 150, draws),
    ]
}

fn plain_states(index: u16, draws: Vec<Draw>) -> Vec<State> {
    vec![
        texture(index, 0, 0, 1),
        State::set(Setting::Tev(0xFFFF_FFF0)),
        layout(),
        State::set(Setting::Pixel(PIXEL)),
        shader([0; 4], 0, draws),
    ]
}

fn skinned(sheets: &[Sheet], weld: &Weld, arranged: &Arranged) -> Mesh {
    let slots: Vec<u16> = weld.points.iter().map(|point| arranged.slots[*point]).collect();
    let mut drawn = Drawn::new();
    let (mut skin, mut mouth) = (Vec::new(), Vec::new());
    let mut start = 0;
    for (index, sheet) in sheets.iter().enumerate() {
        let points = &slots[start..start + sheet.spots.len()];
        start += sheet.spots.len();
        // Lids in quads and feelers in triangles, the rest in strips.
        let kind = match index {
            2 | 5 => PrimitiveKind::Quads,
            3 | 6 => PrimitiveKind::Triangles,
            _ => PrimitiveKind::Strip,
        };
        let draws = drawn.draw(sheet, points, kind);
        if index + 1 == sheets.len() { mouth.extend(draws) } else { skin.extend(draws) }
    }
    let states = vec![
        texture(number::SKIN, 0, 1, 5),
        texture(number::GLEAM, 1, 0, 1),
        State::set(Setting::Tev(0xFFFF_FF10)),
        layout(),
        State::set(Setting::Pixel(PIXEL)),
        shader(*b"Spec", 60, skin),
        texture(number::MOUTH, 0, 0, 1),
        State::set(Setting::Tev(0xFFFF_FFF0)),
        shader([0; 4], 0, mouth),
    ];
    let count = arranged.stored.len() as u16;
    let positions = Positions::Skinned { shift: SHIFT, slots: arranged.stored.clone(), count };
    drawn.mesh("helix", ColorKind::Rgb8, positions, Lighting { normals: None, ambient_percent: 50.0 }, states)
}

fn rigid(name: &str, sheets: &[Sheet], kind: ColorKind, states: impl Fn(Vec<Draw>) -> Vec<State>) -> Mesh {
    let weld = weld(sheets);
    let spots: Vec<_> = sheets.iter().flat_map(|sheet| &sheet.spots).collect();
    let points: Vec<u16> = weld.points.iter().map(|point| *point as u16).collect();
    let mut drawn = Drawn::new();
    let draws = sheets.iter().flat_map(|sheet| drawn.draw(sheet, &points, PrimitiveKind::Strip)).collect();
    let values = weld.first.iter().map(|spot| spots[*spot].position.to_array()).collect();
    let normals = weld.normals(sheets).iter().map(Vec3::to_array).collect();
    let positions = Positions::Plain { quantization: Quantization::s16(SHIFT), components: 3, values };
    let lighting = Lighting { normals: Some((Quantization::s16(14), normals)), ambient_percent: 50.0 };
    drawn.mesh(name, kind, positions, lighting, states(draws))
}

/// Lids that shut; a mouth that smiles and gasps.
fn faces(weld: &Weld, arranged: &Arranged) -> Vec<charpipe::Face> {
    let neutral = numbers(weld, Face::default());
    let record = |others: &[Face]| {
        let posed: Vec<Vec<[i16; 6]>> = others.iter().map(|face| numbers(weld, *face)).collect();
        let mut moved: Vec<usize> =
            (0..neutral.len()).filter(|point| posed.iter().any(|pose| pose[*point] != neutral[*point])).collect();
        moved.sort_by_key(|point| arranged.slots[*point]);
        let mut runs: Vec<[u16; 2]> = Vec::new();
        for point in &moved {
            let slot = arranged.slots[*point];
            match runs.last_mut() {
                Some([first, length]) if *first + *length == slot => *length += 1,
                _ => runs.push([slot, 1]),
            }
        }
        let of = |pose: &dyn Fn(usize) -> [i16; 6]| moved.iter().flat_map(|point| pose(*point)).collect::<Vec<i16>>();
        let mut poses = vec![of(&|point| neutral[point])];
        for pose in &posed {
            poses.push(of(&|point| std::array::from_fn(|i| pose[point][i] - neutral[point][i])));
        }
        charpipe::Face { records: vec![FaceRecord { mesh: 0, kind: FaceKind::Position, components: 6, runs, poses }] }
    };
    let with = |blink, smile, gasp| Face { blink, smile, gasp };
    vec![record(&[with(1.0, 0.0, 0.0)]), record(&[with(0.0, 1.0, 0.0), with(0.0, 0.0, 1.0)])]
}

/// Positions and normals of the points, as the skin keeps them.
fn numbers(weld: &Weld, face: Face) -> Vec<[i16; 6]> {
    let sheets: Vec<Sheet> = snail::sheets(face).into_iter().flatten().collect();
    let spots: Vec<_> = sheets.iter().flat_map(|sheet| &sheet.spots).collect();
    let fixed = |at: Vec3| (at * f32::from(1_u16 << SHIFT)).round().to_array().map(|part| part as i16);
    let point = |(first, normal): (&usize, Vec3)| {
        let [[x, y, z], [nx, ny, nz]] = [fixed(spots[*first].position), fixed(normal)];
        [x, y, z, nx, ny, nz]
    };
    weld.first.iter().zip(weld.normals(&sheets)).map(point).collect()
}
