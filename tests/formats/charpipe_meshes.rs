//! Meshes of the character pipeline: made files, each with one thing in it, and the models of the corpus.

use crate::kit::open::{Opened, model_in, open};
use bonebox::{
    formats::{
        Children, EntryId, Field, Value,
        charpipe::encode::{
            Actor, Block, Bone, Build, ColorKind, Colors, Control, Draw, Geometry, Layout, Lighting, Mesh, NumberKind,
            Positions, PrimitiveKind, Quantization, Setting, State, UvSet, Vertex, Width, encode_act, encode_block,
            encode_gpl,
        },
        coverage::coverage,
    },
    scene::{self, Frame, Model, skinning},
};
use glam::{Affine3A, Vec2, Vec3};
use std::sync::Arc;

/// Opens bytes and loads them as a model; all that is found comes along.
fn load(name: &str, bytes: Vec<u8>) -> (Opened, Arc<Model>) {
    let mut opened = open(name, bytes);
    let model = model_in(opened.load_adding(EntryId::FILE).unwrap());
    (opened, model)
}

/// The only mesh of a palette that is as it should be, whose bytes are all read.
fn mesh_of(mesh: Mesh) -> scene::Mesh {
    let (opened, model) = load("made.gpl", encode_gpl(&Geometry { meshes: vec![mesh], ..Geometry::default() }));
    assert_eq!(opened.codes(), [""; 0]);
    assert_all_is_read(&opened);
    model.meshes[0].clone()
}

fn assert_all_is_read(opened: &Opened) {
    opened.assert_read();
    let opaque = coverage(opened.document.as_ref()).opaque;
    let padding: u64 = opaque.iter().filter(|s| s.name == "padding").map(|s| s.size).sum();
    assert!(padding < 400, "{}: {padding} bytes are said to fill up", opened.name);
}

const INDEX8: Layout = Layout {
    matrix: false,
    position: Width::Index8,
    normal: Width::None,
    colors: [Width::None; 2],
    uvs: [Width::None; 8],
};

fn corner(position: u16) -> Vertex {
    Vertex { position, ..Vertex::default() }
}

fn corners(positions: &[u16]) -> Vec<Vertex> {
    positions.iter().copied().map(corner).collect()
}

/// Points in a row, of no matter what shape.
fn row(count: u16) -> Positions {
    let values = (0..count).map(|i| [f32::from(i), f32::from(i * i), 0.0]).collect();
    Positions::Plain { quantization: Quantization::FLOAT, components: 3, values }
}

fn draws(positions: Positions, layout: Layout, draws: Vec<Draw>) -> Mesh {
    let states = vec![State::drawing(Setting::Layout(layout), draws)];
    Mesh { name: "made".to_owned(), positions, states, ..Mesh::default() }
}

fn fixed(kind: NumberKind, shift: u8) -> Quantization {
    Quantization { kind, shift }
}

fn triangle(layout: Layout) -> Vec<State> {
    vec![State::drawing(Setting::Layout(layout), vec![Draw::Primitive(PrimitiveKind::Triangles, corners(&[0, 1, 2]))])]
}

/// Triangles by the file's own numbers of positions.
fn by_position(mesh: &scene::Mesh) -> Vec<u32> {
    mesh.indices.iter().map(|vertex| mesh.vertex_sources[*vertex as usize]).collect()
}

#[test]
fn every_command_is_drawn_or_passed_over() {
    let primitive = |kind, positions: &[u16]| Draw::Primitive(kind, corners(positions));
    let list = vec![
        primitive(PrimitiveKind::Quads, &[0, 1, 2, 3, 4, 5, 6, 7]),
        Draw::Bytes(vec![0; 5]),
        primitive(PrimitiveKind::Triangles, &[0, 1, 2]),
        Draw::Bytes(vec![0x61, 1, 2, 3, 4]),
        primitive(PrimitiveKind::Strip, &[0, 1, 2, 3]),
        Draw::Bytes(vec![0x08, 1, 2, 3, 4, 5]),
        primitive(PrimitiveKind::Fan, &[4, 5, 6, 7]),
        Draw::Bytes(vec![0x10, 0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
        primitive(PrimitiveKind::Lines, &[0, 1, 2, 3]),
        primitive(PrimitiveKind::LineStrip, &[4, 5, 6]),
        primitive(PrimitiveKind::Points, &[0]),
    ];
    let mesh = mesh_of(draws(row(8), INDEX8, list));
    // Turned over: the chip's front faces are clockwise.
    #[rustfmt::skip]
    let expected = [
        0, 2, 1, 0, 3, 2,  4, 6, 5, 4, 7, 6,
        0, 2, 1,
        0, 2, 1, 1, 2, 3,
        4, 6, 5, 4, 7, 6,
    ];
    assert_eq!(by_position(&mesh), expected);
    let lines: Vec<[u32; 2]> = mesh.lines.iter().map(|l| l.map(|v| mesh.vertex_sources[v as usize])).collect();
    assert_eq!(lines, [[0, 1], [2, 3], [4, 5], [5, 6]]);
    assert_eq!((mesh.vertex_count(), mesh.surfaces.len()), (8, 1));
    assert_eq!(mesh.line_surfaces, [scene::Surface { first_index: 0, index_count: 8, material: 0 }]);
}

#[test]
fn lines_have_the_material_of_their_state() {
    let lines = |positions: &[u16]| vec![Draw::Primitive(PrimitiveKind::Lines, corners(positions))];
    let texture = |index| {
        State::drawing(
            Setting::Texture { index, layer: 0, wrap: [0, 0], min_filter: 1, mag_filter: 1 },
            lines(&[index * 2, index * 2 + 1, 4, 5]),
        )
    };
    let states = vec![State::set(Setting::Layout(INDEX8)), texture(0), texture(1)];
    let made = Mesh { name: "made".to_owned(), positions: row(6), states, ..Mesh::default() };
    let geometry = Geometry { meshes: vec![made], ..Geometry::default() };
    let (_, model) = load("made.gpl", encode_gpl(&geometry));
    let mesh = &model.meshes[0];
    assert_eq!((mesh.surfaces.len(), mesh.indices.len(), model.materials.len()), (0, 0, 2));
    let runs = mesh.line_surfaces.iter().map(|run| {
        let sources = mesh.lines_of(run).iter().map(|ends| ends.map(|vertex| mesh.vertex_sources[vertex as usize]));
        (run.material, sources.collect::<Vec<_>>())
    });
    assert_eq!(runs.collect::<Vec<_>>(), [(0, vec![[0, 1], [4, 5]]), (1, vec![[2, 3], [4, 5]])]);
}

#[test]
fn numbers_of_every_type_come_out() {
    let values = vec![[1.5, 2.0, 3.25], [0.0, 7.5, 1.0], [4.0, 0.25, 0.5]];
    let types = [
        fixed(NumberKind::U8, 4),
        fixed(NumberKind::S8, 4),
        fixed(NumberKind::U16, 9),
        Quantization::s16(11),
        Quantization::FLOAT,
        Quantization::s16(2),
    ];
    for (quantization, components) in types.into_iter().flat_map(|q| [(q, 3), (q, 2)]) {
        let positions = Positions::Plain { quantization, components, values: values.clone() };
        let mesh = mesh_of(Mesh { positions, states: triangle(INDEX8), ..Mesh::default() });
        let expected: Vec<Vec3> =
            values.iter().map(|v| Vec3::from(*v) * Vec3::new(1.0, 1.0, f32::from(components - 2))).collect();
        assert_eq!(mesh.points, expected, "{quantization:?} of {components}");
    }
}

#[test]
fn negative_numbers_come_out() {
    let values = vec![[-1.5, 2.0, -3.25], [-7.0, 0.0, 1.0], [0.0, -0.25, 0.5]];
    for quantization in [fixed(NumberKind::S8, 2), Quantization::s16(4), Quantization::FLOAT] {
        let positions = Positions::Plain { quantization, components: 3, values: values.clone() };
        let mesh = mesh_of(Mesh { positions, states: triangle(INDEX8), ..Mesh::default() });
        assert_eq!(mesh.points, values.iter().map(|v| Vec3::from(*v)).collect::<Vec<_>>(), "{quantization:?}");
    }
}

#[test]
fn colours_of_every_kind_come_out() {
    // Numbers that each kind can say.
    let kinds = [
        (ColorKind::Rgb565, [[255, 0, 0, 255], [0, 255, 255, 255]]),
        (ColorKind::Rgb8, [[1, 2, 3, 255], [250, 251, 252, 255]]),
        (ColorKind::Rgbx8, [[1, 2, 3, 255], [250, 251, 252, 255]]),
        (ColorKind::Rgba4, [[0x11, 0x22, 0x33, 0x44], [0xFF, 0xEE, 0, 0x88]]),
        (ColorKind::Rgba6, [[255, 0, 0, 255], [0, 255, 255, 0]]),
        (ColorKind::Rgba8, [[1, 2, 3, 4], [250, 251, 252, 253]]),
    ];
    for (kind, values) in kinds {
        let layout = Layout { colors: [Width::Index8, Width::Index8], ..INDEX8 };
        let vertices = (0..3).map(|i| Vertex { colors: [i & 1, 1 - (i & 1)], ..corner(i) }).collect();
        let draw = Draw::Primitive(PrimitiveKind::Triangles, vertices);
        let mesh = Mesh { colors: Some(Colors { kind, values: values.to_vec() }), ..draws(row(3), layout, vec![draw]) };
        let mesh = mesh_of(mesh);
        assert_eq!(mesh.colors, [values[0], values[1], values[0]], "{kind:?}");
        assert_eq!(mesh.second_colors, [values[1], values[0], values[1]], "{kind:?}");
    }
}

fn uv_set(quantization: Quantization, values: &[[f32; 2]]) -> UvSet {
    UvSet { quantization, components: 2, values: values.to_vec(), palette: "made.tpl".to_owned() }
}

#[test]
fn texture_coordinates_of_several_channels_come_out() {
    let mut uvs = [Width::None; 8];
    (uvs[0], uvs[1], uvs[3]) = (Width::Index8, Width::Index16, Width::Index8);
    let layout = Layout { uvs, ..INDEX8 };
    let vertex = |i: u16| Vertex { uvs: [i, 2 - i, 0, i / 2, 0, 0, 0, 0], ..corner(i) };
    let list = vec![Draw::Primitive(PrimitiveKind::Triangles, (0..3).map(vertex).collect())];
    let set = |quantization| uv_set(quantization, &[[0.0, 0.5], [0.25, 1.0], [0.75, 0.125]]);
    let uv_sets = vec![
        set(Quantization::s16(14)),
        set(fixed(NumberKind::U8, 6)),
        set(Quantization::FLOAT),
        set(fixed(NumberKind::U16, 8)),
    ];
    let mesh = mesh_of(Mesh { uv_sets, ..draws(row(3), layout, list) });
    let [a, b, c] = [Vec2::new(0.0, 0.5), Vec2::new(0.25, 1.0), Vec2::new(0.75, 0.125)];
    assert_eq!(mesh.uv_sets, [vec![a, b, c], vec![c, b, a], vec![], vec![a, a, b]]);
}

#[test]
fn narrow_and_wide_numbers_select_the_same() {
    let light = Lighting {
        normals: Some((Quantization::s16(14), vec![[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])),
        ambient_percent: 40.0,
    };
    let made = |width| {
        let layout = Layout { position: width, normal: width, ..INDEX8 };
        let vertex = |i: u16| Vertex { normal: i & 1, ..corner(i) };
        let list = vec![Draw::Primitive(PrimitiveKind::Strip, (0..5).map(vertex).collect())];
        mesh_of(Mesh { lighting: Some(light.clone()), ..draws(row(5), layout, list) })
    };
    let (narrow, wide) = (made(Width::Index8), made(Width::Index16));
    assert_eq!(narrow.indices, wide.indices);
    assert_eq!((narrow.triangle_count(), &narrow.normals), (3, &wide.normals));
    assert_eq!(narrow.normals, [Vec3::X, Vec3::NEG_Z, Vec3::X, Vec3::NEG_Z, Vec3::X]);
}

#[test]
fn the_built_in_table_of_normals_is_worked_out_of_the_triangles() {
    let light = Lighting { normals: None, ambient_percent: 0.0 };
    let layout = Layout { normal: Width::Index8, ..INDEX8 };
    // Two triangles that share an edge, each with a normal of its own.
    let values = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let vertex = |position, normal| Vertex { position, normal, ..Vertex::default() };
    let list = vec![Draw::Primitive(
        PrimitiveKind::Triangles,
        [vertex(0, 7), vertex(1, 7), vertex(2, 7), vertex(0, 9), vertex(3, 9), vertex(1, 9)].to_vec(),
    )];
    let positions = Positions::Plain { quantization: Quantization::FLOAT, components: 3, values };
    let mesh = mesh_of(Mesh { lighting: Some(light), ..draws(positions, layout, list) });
    // Clockwise in the file, so they look the other way.
    assert_eq!(mesh.normals, [Vec3::NEG_Z, Vec3::NEG_Z, Vec3::NEG_Z, Vec3::NEG_Y, Vec3::NEG_Y, Vec3::NEG_Y]);
    assert_eq!(mesh.vertex_points, [0, 1, 2, 0, 3, 1]);
}

#[test]
fn states_stay_until_they_are_set_again_and_lists_in_the_same_state_are_one_surface() {
    let texture = |index, layer| Setting::Texture { index, layer, wrap: [1, 2], min_filter: 5, mag_filter: 1 };
    let draw = || vec![Draw::Primitive(PrimitiveKind::Triangles, corners(&[0, 1, 2]))];
    let mut mesh = draws(row(3), INDEX8, Vec::new());
    mesh.states = vec![
        State::set(Setting::Layout(INDEX8)),
        State::drawing(texture(0, 0), draw()),
        State::drawing(Setting::Shader { name: *b"Spec", strength: 9 }, draw()),
        State::drawing(texture(3, 1), draw()),
        State::drawing(texture(4, 1), draw()),
        State::drawing(texture(3, 1), draw()),
    ];
    let (_, model) = load("made.gpl", encode_gpl(&Geometry { meshes: vec![mesh], ..Geometry::default() }));
    let surfaces: Vec<(u32, u32)> = model.meshes[0].surfaces.iter().map(|s| (s.material, s.index_count)).collect();
    assert_eq!(surfaces, [(0, 3), (1, 3), (2, 6), (3, 3)]);
    assert_eq!((model.materials.len(), model.meshes[0].vertex_count()), (4, 3));
}

#[test]
fn unknown_states_change_nothing_and_their_lists_are_drawn() {
    let mut mesh = draws(row(3), INDEX8, Vec::new());
    let draw = vec![Draw::Primitive(PrimitiveKind::Triangles, corners(&[0, 1, 2]))];
    let other = Setting::Other { id: 0x2A, params: [1, 2, 3], setting: 77 };
    mesh.states = vec![State::set(Setting::Layout(INDEX8)), State::drawing(other, draw)];
    let (opened, model) = load("made.gpl", encode_gpl(&Geometry { meshes: vec![mesh], ..Geometry::default() }));
    assert_eq!(opened.codes(), ["charpipe.unknown-state"]);
    assert_eq!(model.triangle_count(), 1);
    assert_all_is_read(&opened);
}

#[test]
fn the_pixel_state_is_spelled_out() {
    let mut mesh = draws(row(3), INDEX8, Vec::new());
    mesh.states = vec![State::set(Setting::Pixel(0x571))];
    let opened = open("made.gpl", encode_gpl(&Geometry { meshes: vec![mesh], ..Geometry::default() }));
    let tree = opened.document.fields(EntryId::FILE).unwrap();
    let states = find(&tree.fields, "DisplayStates").unwrap();
    let Children::Table(table) = &states.children else { panic!() };
    let Children::Fields(fields) = table.row(0).unwrap().children else { panic!() };
    let value = |name: &str| find(&fields, name).unwrap().value;
    let name = |name: &str| match value(name) {
        Value::Enum { name, .. } => name.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!([value("DoubleSided"), value("DepthTest"), value("DepthWrite")], [true, true, true].map(Value::Bool));
    assert_eq!([value("Fog"), value("AlphaWrite"), value("EarlyDepth")], [false, true, false].map(Value::Bool));
    assert_eq!([name("Blend"), name("DepthCompare"), name("AlphaTest")], ["none", "less or equal", "at least 0.5"]);
}

/// Three triangles, of which one state draws the first two and the next one the last two.
#[test]
fn lists_that_share_bytes_are_drawn_and_each_byte_is_read_once() {
    let list = [[0, 1, 2], [1, 2, 3], [2, 3, 4]];
    let list = list.map(|triangle| Draw::Primitive(PrimitiveKind::Triangles, corners(&triangle)));
    let mut mesh = draws(row(5), INDEX8, list.to_vec());
    mesh.states.push(State::set(Setting::Pixel(0x571)));
    let mut bytes = encode_gpl(&Geometry { meshes: vec![mesh], ..Geometry::default() });
    let tree = open("made.gpl", bytes.clone()).document.fields(EntryId::FILE).unwrap();
    let states = find(&tree.fields, "DisplayStates").unwrap();
    let Children::Table(table) = &states.children else { panic!() };
    let places = [0, 1].map(|state| {
        let Children::Fields(fields) = table.row(state).unwrap().children else { panic!() };
        ["ListOffset", "ListSize"].map(|name| find(&fields, name).unwrap().offset as usize)
    });
    let start = u32::from_be_bytes(bytes[places[0][0]..places[0][0] + 4].try_into().unwrap());
    for (place, value) in [(places[0][1], 12), (places[1][0], start + 6), (places[1][1], 12)] {
        bytes[place..place + 4].copy_from_slice(&u32::to_be_bytes(value));
    }
    let (opened, model) = load("made.gpl", bytes);
    assert_eq!(opened.codes(), [""; 0]);
    assert_all_is_read(&opened);
    assert_eq!(by_position(&model.meshes[0]), [0, 2, 1, 1, 3, 2, 1, 3, 2, 2, 4, 3]);
    let tree = opened.document.fields(EntryId::FILE).unwrap();
    let second = find(&tree.fields, "PrimitiveList1").unwrap();
    let own = find(&tree.fields, "PrimitiveList1, unshared bytes").unwrap();
    assert!(second.mirror && !own.mirror);
    assert_eq!((second.size, own.size, own.offset), (12, 6, second.offset + 6));
}

fn find(fields: &[Field], name: &str) -> Option<Field> {
    let mut stack: Vec<Field> = fields.to_vec();
    while let Some(field) = stack.pop() {
        if field.name == name {
            return Some(field);
        }
        if let Children::Fields(fields) = field.children {
            stack.extend(fields);
        }
    }
    None
}

#[test]
fn arrays_at_odd_offsets_are_read() {
    let geometry = |odd| {
        let uv_sets = vec![uv_set(Quantization::s16(14), &[[0.5, 0.25]])];
        let mut uvs = [Width::None; 8];
        uvs[0] = Width::Index8;
        let layout = Layout { colors: [Width::Index8, Width::None], normal: Width::Index8, uvs, ..INDEX8 };
        let light = Lighting { normals: Some((Quantization::s16(14), vec![[0.0, -1.0, 0.0]])), ambient_percent: 0.0 };
        let mesh = Mesh {
            colors: Some(Colors { kind: ColorKind::Rgb565, values: vec![[255, 0, 255, 255], [0, 0, 255, 255]] }),
            lighting: Some(light),
            uv_sets,
            states: triangle(layout),
            positions: Positions::Plain {
                quantization: Quantization::s16(3),
                components: 3,
                values: vec![[1.0, -2.0, 3.0], [4.0, 5.5, -6.0], [0.125, 8.0, 9.0]],
            },
            ..Mesh::default()
        };
        Geometry { meshes: vec![mesh.clone(), mesh], odd, user_data: vec![1, 2, 3], ..Geometry::default() }
    };
    let [(_, even), (opened, odd)] = [false, true].map(|odd| load("made.gpl", encode_gpl(&geometry(odd))));
    assert_eq!(opened.codes(), [""; 0]);
    assert_all_is_read(&opened);
    let opaque = coverage(opened.document.as_ref()).opaque;
    assert!(opaque.iter().any(|span| span.name == "user data" && span.size == 3));
    for (even, odd) in even.meshes.iter().zip(&odd.meshes) {
        assert_eq!((&even.points, &even.normals), (&odd.points, &odd.normals));
        assert_eq!((&even.colors, &even.uv_sets), (&odd.colors, &odd.uv_sets));
        assert_eq!(odd.points[1], Vec3::new(4.0, 5.5, -6.0));
    }
}

fn bones(count: u16) -> Actor {
    let bone = |id: u16| {
        let control = Control::at([f32::from(id) * 10.0, 0.0, 0.0]);
        Bone::new(id, None, Some(control))
    };
    Actor { bones: (0..count).map(bone).collect(), ..Actor::default() }
}

fn stitched(build: Build) -> (Opened, Arc<Model>) {
    let layout = Layout { matrix: true, ..INDEX8 };
    let vertex = |position, matrix| Vertex { matrix, ..corner(position) };
    let list = |a, b| Draw::Primitive(PrimitiveKind::Triangles, vec![vertex(0, a), vertex(1, a), vertex(2, b)]);
    let mesh = Mesh {
        name: "stitched".to_owned(),
        positions: row(3),
        states: vec![
            State::set(Setting::Layout(layout)),
            State::set(Setting::Matrix { slot: 0, bone: 2 }),
            State::drawing(Setting::Matrix { slot: 3, bone: 1 }, vec![list(0, 3)]),
            // The slot is loaded anew: the same number, another bone.
            State::drawing(Setting::Matrix { slot: 0, bone: 0 }, vec![list(0, 3)]),
        ],
        ..Mesh::default()
    };
    let gpl = encode_gpl(&Geometry { meshes: vec![mesh], build, ..Geometry::default() });
    // Bones are walked in another order than that of their table: 2, 0, 1.
    let mut actor = Actor { skin_mesh: Some(0), ..bones(3) };
    (actor.bones[0].parent, actor.bones[1].parent) = (Some(2), Some(0));
    load("made.model", encode_block(&Block { gpl, act: encode_act(&actor), ..Block::default() }))
}

#[test]
fn stitched_meshes_follow_the_bones_whose_matrices_are_loaded() {
    for build in [Build::Common, Build::Baseball] {
        let (opened, model) = stitched(build);
        assert_eq!(opened.codes(), [""; 0], "{build:?}");
        assert_all_is_read(&opened);
        let mesh = &model.meshes[0];
        let skin = mesh.skin.as_ref().unwrap();
        let moved: Vec<(u32, u32)> = mesh
            .vertex_points
            .iter()
            .zip(&mesh.vertex_sources)
            .map(|(point, source)| (*source, skin.influences_of(*point as usize)[0].joint))
            .collect();
        assert_eq!(moved, [(0, 1), (1, 1), (2, 0), (0, 2), (1, 2)], "{build:?}");
        // They are stored where they stand in bind pose.
        let posed = skinning::skinned_points(&model, mesh, &Frame::bind(&model));
        assert_eq!(posed[0], Vec3::ZERO);
        let mut frame = Frame::bind(&model);
        frame.world_from_bind[1] = Affine3A::from_translation(Vec3::Y);
        let posed = skinning::skinned_points(&model, mesh, &frame);
        assert_eq!((posed[0], posed[3]), (Vec3::Y, Vec3::ZERO));
    }
}

#[test]
fn meshes_stand_on_their_bones_as_often_as_bones_draw_them_and_in_their_order() {
    let mesh = |name: &str| Mesh { name: name.to_owned(), ..draws(row(3), INDEX8, vec![triangle_draw()]) };
    let gpl = encode_gpl(&Geometry { meshes: vec![mesh("a"), mesh("b"), mesh("c")], ..Geometry::default() });
    let mut actor = bones(3);
    (actor.bones[0].mesh, actor.bones[0].draw_priority) = (Some(1), 5);
    (actor.bones[1].mesh, actor.bones[1].draw_priority) = (Some(0), 1);
    (actor.bones[2].mesh, actor.bones[2].draw_priority) = (Some(1), 1);
    let bytes = encode_block(&Block { gpl, act: encode_act(&actor), ..Block::default() });
    let (opened, model) = load("made.model", bytes);
    assert_eq!(opened.codes(), ["charpipe.undrawn-mesh"]);
    let names: Vec<&str> = model.meshes.iter().map(|m| m.name.as_str()).collect();
    assert_eq!((names, model.draw_order.as_slice()), (vec!["a", "b", "b", "c"], [0, 1, 2].as_slice()));
    let first: Vec<f32> = model.meshes.iter().map(|m| m.points[0].x).collect();
    assert_eq!(first, [10.0, 20.0, 0.0, 0.0]);
    let joint = |mesh: usize| model.meshes[mesh].skin.as_ref().unwrap().influences_of(1)[0].joint;
    assert_eq!([joint(0), joint(1), joint(2)], [1, 2, 0]);
    assert!(model.meshes[3].skin.is_none());
}

fn triangle_draw() -> Draw {
    Draw::Primitive(PrimitiveKind::Triangles, corners(&[0, 1, 2]))
}

#[test]
fn a_skinned_object_without_a_skin_shows_what_is_stored() {
    let slots = vec![[0, 0, 0, 0, 0, 2048], [2048, 0, 0, 0, 2048, 0], [0, 4096, 0, 2048, 0, 0], [512, 0, 0, 1, 1, 1]];
    let layout = Layout { normal: Width::Index8, ..INDEX8 };
    let vertices = (0..3).map(|i| Vertex { normal: i, ..corner(i) }).collect();
    let mesh = Mesh {
        positions: Positions::Skinned { shift: 11, slots, count: 3 },
        lighting: Some(Lighting { normals: None, ambient_percent: 0.0 }),
        ..draws(row(0), layout, vec![Draw::Primitive(PrimitiveKind::Triangles, vertices)])
    };
    let (opened, model) = load("made.gpl", encode_gpl(&Geometry { meshes: vec![mesh], ..Geometry::default() }));
    // The slot behind the count is what a skin would write.
    assert_all_is_read(&opened);
    let tree = opened.document.fields(EntryId::FILE).unwrap();
    assert!(find(&tree.fields, "SlotsPastCount").is_some());
    assert_eq!(model.meshes[0].points, [Vec3::ZERO, Vec3::X, Vec3::new(0.0, 2.0, 0.0)]);
    assert_eq!(model.meshes[0].normals, [Vec3::Z, Vec3::Y, Vec3::X]);
}

#[test]
fn a_mesh_can_be_looked_at_alone() {
    let mesh = |name: &str, count| Mesh { name: name.to_owned(), ..draws(row(count), INDEX8, vec![triangle_draw()]) };
    let bytes = encode_gpl(&Geometry { meshes: vec![mesh("a", 3), mesh("", 7)], ..Geometry::default() });
    let opened = open("made.gpl", bytes);
    let entry = opened.document.outline().get(EntryId(2)).unwrap();
    assert_eq!((&*entry.path(), entry.class.as_ref()), ("Mesh 1", "Mesh"));
    let model = model_in(opened.load(EntryId(2)).0.unwrap());
    assert_eq!((model.meshes.len(), model.meshes[0].points.len()), (1, 7));
    assert!(opened.document.fields(EntryId(2)).unwrap().fields.iter().all(|field| field.mirror));
}
