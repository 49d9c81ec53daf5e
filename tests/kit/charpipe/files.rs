//! Small files of every kind of the character pipeline, for tests that damage them.

use bonebox::formats::{
    charpipe::encode::{
        Actor, Arrangement, Bank, BankVersion, Block, Bone, Build, ColorKind, Colors, Control, Draw, Face, FaceKind,
        FaceRecord, Geometry, Layout, Lighting, Mesh, NumberKind, Parts, Positions, PrimitiveKind, Quantization,
        QuaternionCurve, QuaternionKey, Rotation, RotationKeys, Sequence, Setting, SkinVertex, State, Texture, Track,
        UserData, UvSet, VectorCurve, VectorKey, Vertex, Width, arrange, encode_act, encode_anm, encode_archive,
        encode_block, encode_faces, encode_gpl, encode_skn, encode_tex, encode_tpl,
    },
    gx::encode::TextureFormat,
};

/// Their names and bytes: a block with everything, an archive, the loose files, a palette of Superstar Baseball, banks of
/// every version with every curve.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let arranged = arrange(&vertices(), Arrangement::default());
    let slots = arranged.stored.clone();
    let block = Block {
        gpl: encode_gpl(&geometry(Build::Common, Some(slots.clone()))),
        act: encode_act(&actor()),
        tex: encode_tex(&textures()),
        skn: encode_skn(&arranged.skin),
        sixth: vec![6; 8],
        faces: encode_faces(&[face(arranged.slots[0])]),
        eighth: vec![8; 8],
    };
    let bank = |version, curves| encode_anm(&bank(version, curves));
    let [first, second] = [(VectorCurve::Bezier, 0), (VectorCurve::Hermite, 1)];
    let whole = encode_block(&block);
    let prop = encode_block(&Block { gpl: encode_gpl(&geometry(Build::Common, None)), ..Block::default() });
    let archive = encode_archive(&[prop, bank(BankVersion::Sluggers2006, first), vec![1; 32]]);
    let file = |name: &str, bytes| (name.to_owned(), bytes);
    vec![
        file("made.model", whole),
        file("made.models", archive),
        file("made.gpl", block.gpl.clone()),
        file("made_baseball.gpl", encode_gpl(&geometry(Build::Baseball, None))),
        file("made.act", block.act.clone()),
        file("made.skn", block.skn.clone()),
        file("made.tpl", encode_tpl(&textures())),
        file("made.anm", bank(BankVersion::Sdk, first)),
        file("made_2007.anm", bank(BankVersion::Sluggers2007, second)),
    ]
}

/// A line of bones, the last on its own; lists of all kinds.
fn vertices() -> Vec<SkinVertex> {
    let vertex = |i: usize| {
        let weights = match i {
            0..4 => vec![(0, 256)],
            4..8 => vec![(0, 100), (1, 156)],
            8..12 => vec![(0, 90), (1, 120), (2, 46)],
            12 => vec![(2, 256)],
            _ => vec![(0, 50), (1, 206)],
        };
        SkinVertex {
            position: [(i % 4) as f32, (i / 4) as f32, (i % 3) as f32],
            normal: [0.0, 0.0, 1.0],
            weights,
            accumulated: i >= 13,
        }
    };
    (0..15).map(vertex).collect()
}

fn actor() -> Actor {
    let parts = Parts {
        scale: Some([1.0, 2.0, 1.0]),
        rotation: Some(Rotation::Euler([10.0, 20.0, 30.0])),
        translation: Some([0.0, 1.0, 0.0]),
        ..Parts::default()
    };
    let axes = Parts { rotation: None, scale_axes: Some([0.0, 0.6, 0.0, 0.8]), ..parts };
    let mut bones = vec![
        Bone::new(0, None, None),
        Bone::new(1, Some(0), Some(Control::Parts(parts))),
        Bone::new(2, Some(1), Some(Control::Parts(axes))),
        Bone::new(3, None, Some(Control::Matrix([1.0, 0.0, 0.0, 3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]))),
    ];
    bones[3].mesh = Some(1);
    bones[2].inherits = false;
    Actor {
        id: 3,
        bones,
        geometry: "made.gpl".to_owned(),
        skin_mesh: Some(0),
        user_data: vec![
            UserData::Tracks(vec![2, 0xFFFF, 0, 1]),
            UserData::Mirrors(vec![[0, 3], [1, 3], [2, 3], [3, 3]]),
            UserData::Other { kind: 4, count: 1, data: vec![1, 2, 3, 4] },
        ],
        uncounted: false,
    }
}

fn geometry(build: Build, slots: Option<Vec<[i16; 6]>>) -> Geometry {
    let layout = |wide| {
        let width = if wide { Width::Index16 } else { Width::Index8 };
        let mut uvs = [Width::None; 8];
        uvs[0] = width;
        Layout { position: width, normal: width, colors: [width, Width::None], uvs, matrix: !wide }
    };
    let corner = |position: u16| Vertex { position, normal: position, ..Vertex::default() };
    let draw = |kind, count: u16| Draw::Primitive(kind, (0..count).map(corner).collect());
    let every = vec![
        Draw::Bytes(vec![0, 0x61, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0]),
        draw(PrimitiveKind::Quads, 4),
        draw(PrimitiveKind::Triangles, 3),
        draw(PrimitiveKind::Strip, 4),
        draw(PrimitiveKind::Fan, 4),
        draw(PrimitiveKind::Lines, 2),
        draw(PrimitiveKind::LineStrip, 3),
        draw(PrimitiveKind::Points, 2),
    ];
    let texture =
        |index, layer| State::set(Setting::Texture { index, layer, wrap: [0, 2], min_filter: 1, mag_filter: 1 });
    let common = [
        State::set(Setting::Pixel(0x571)),
        State::set(Setting::Shader { name: *b"Spec", strength: 90 }),
        State::drawing(
            Setting::Other { id: 9, params: [1, 2, 3], setting: 4 },
            vec![draw(PrimitiveKind::Triangles, 3)],
        ),
    ];
    let mut states = vec![texture(0, 0), texture(1, 1), State::set(Setting::Tev(0xFFFF_FF10))];
    states.push(State::set(Setting::Matrix { slot: 0, bone: 1 }));
    states.push(State::drawing(Setting::Layout(layout(false)), every));
    if build == Build::Common {
        states.extend(common);
    }
    let rigid = Mesh {
        name: "rigid".to_owned(),
        positions: Positions::Plain {
            quantization: Quantization { kind: NumberKind::S8, shift: 5 },
            components: 3,
            values: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.5]],
        },
        colors: Some(Colors { kind: ColorKind::Rgba6, values: vec![[255, 0, 255, 255]] }),
        uv_sets: vec![UvSet {
            quantization: Quantization { kind: NumberKind::U8, shift: 7 },
            components: 2,
            values: vec![[0.5, 1.0]],
            palette: "made.tpl".to_owned(),
        }],
        lighting: Some(Lighting {
            normals: Some((Quantization::FLOAT, vec![[0.0, 0.0, 1.0]; 4])),
            ambient_percent: 40.0,
        }),
        states,
    };
    let skinned = slots.map(|slots| Mesh {
        name: "skinned".to_owned(),
        positions: Positions::Skinned { shift: 11, count: slots.len() as u16, slots },
        lighting: Some(Lighting { normals: None, ambient_percent: 40.0 }),
        states: vec![State::drawing(
            Setting::Layout(Layout { position: Width::Index16, normal: Width::Index16, ..Layout::default() }),
            vec![draw(PrimitiveKind::Strip, 9)],
        )],
        ..Mesh::default()
    });
    Geometry { meshes: skinned.into_iter().chain([rigid]).collect(), user_data: vec![9; 4], build, odd: true }
}

fn textures() -> Vec<Texture> {
    let rgba: Vec<u8> = (0..8 * 8 * 4).map(|i| (i * 7) as u8).collect();
    let plain = Texture { levels: 2, min_filter: 5, ..Texture::new(TextureFormat::Cmpr, 8, 8, rgba.clone()) };
    vec![plain, Texture::new(TextureFormat::C4, 8, 8, rgba)]
}

fn face(slot: u16) -> Face {
    let record = |kind, components: u8, value: i16| FaceRecord {
        mesh: 0,
        kind,
        components,
        runs: vec![[slot, 2], [slot + 3, 1]],
        poses: (0..3).map(|pose| vec![value * (pose + 1); 3 * usize::from(components)]).collect(),
    };
    Face { records: vec![record(FaceKind::Position, 6, 100)] }
}

fn bank(version: BankVersion, (curve, eased): (VectorCurve, u8)) -> Bank {
    let keys = |at: f32| -> Vec<VectorKey> {
        let value = |i: f32| [i + at, i * 0.5, -i];
        let key = |i: f32| VectorKey { control_in: [0.1; 3], control_out: [0.2; 3], ease_out: 0.3, ..value(i).into() };
        [0.0, 1.0, 2.0].map(key).to_vec()
    };
    let times = vec![0.0, 10.0, 20.0];
    let turns = [0.0_f32, 0.3, 0.6].map(|angle| QuaternionKey::from([0.0, angle.sin(), 0.0, angle.cos()])).to_vec();
    let squad = if eased == 1 { QuaternionCurve::EasedSquad } else { QuaternionCurve::Squad };
    let track = |id| Track { quantization: Quantization::s16(8), ..Track::new(id, 30.0, times.clone()) };
    let tracks = vec![
        Track {
            scale: Some((curve, keys(1.0))),
            rotation: Some(RotationKeys::Quaternion(squad, turns.clone())),
            translation: Some((curve, keys(0.0))),
            ..track(0)
        },
        Track {
            rotation: Some(RotationKeys::Euler(VectorCurve::Bezier, keys(30.0))),
            translation: Some((VectorCurve::Step, keys(0.0))),
            replaces: false,
            ..track(1)
        },
        Track { rotation: Some(RotationKeys::Quaternion(QuaternionCurve::Slerp, turns)), ..track(2) },
        Track { matrices: vec![[1.0, 0.0, 0.0, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]; 3], ..track(3) },
    ];
    let rest = Sequence { name: "rest".to_owned(), tracks: Vec::new() };
    let sequences = vec![Sequence { name: "all".to_owned(), tracks }, rest];
    Bank { version, id: 4, sequences, user_data: vec![1, 2, 3, 4] }
}
