//! J3D models, written from plain descriptions and read back: vertex formats, primitives, matrices, hierarchy, materials.

use crate::kit::{
    Noise,
    j3d::{any_material, assert_cut, assert_kept, left_of, model},
    made_j3d,
    near::assert_near,
    open::{model_in, open},
};
use bonebox::{
    formats::{
        EntryId,
        j3d::encode::{
            DrawMatrix, Envelope, Group, Joint, Material, MeshVertex, Model, ModelKind, Node, Primitive, PrimitiveKind,
            Shape, ShapeAttribute, VertexArray, VertexData, VertexPool, attribute, encode_model,
        },
    },
    scene::{self, Billboard, Mesh, ScalingRule, gx::TevMaterial},
};
use glam::Vec3;
use std::collections::BTreeSet;

/// A model of one joint and one material around arrays and shapes.
fn around(vertices: Vec<VertexArray>, shapes: Vec<Shape>) -> Model {
    let mut hierarchy = vec![Node::Joint(0), Node::Open, Node::Material(0), Node::Open];
    hierarchy.extend((0..shapes.len()).map(|shape| Node::Shape(shape as u16)));
    hierarchy.extend([Node::Close, Node::Close]);
    Model {
        hierarchy,
        vertices,
        draw_matrices: vec![DrawMatrix::Joint(0)],
        joints: vec![Joint { name: "root".into(), ..Joint::default() }],
        shapes,
        materials: vec![Material::new("plain", TevMaterial::default())],
        ..Model::default()
    }
}

fn group(primitives: Vec<Primitive>) -> Group {
    Group { matrix: 0, matrices: Vec::new(), primitives }
}

/// Corners of each triangle, the least first, sorted: what a mesh draws, however it is indexed.
fn soup(mesh: &Mesh) -> Vec<[String; 3]> {
    let corner = |vertex: &u32| {
        let v = *vertex as usize;
        let point = mesh.vertex_points[v] as usize;
        let matrix = mesh.skin.as_ref().map_or(0, |skin| skin.influences_of(point)[0].joint);
        let normal = mesh.normals.get(v).map(|n| (*n * 4096.0).round());
        let uvs: Vec<_> = mesh.uv_sets.iter().map(|set| set.get(v)).collect();
        format!("{:?} {normal:?} {:?} {uvs:?} {matrix}", mesh.points[point], mesh.colors.get(v))
    };
    sorted(mesh.indices.as_chunks::<3>().0.iter().map(|triangle| triangle.each_ref().map(corner)))
}

fn sorted(triangles: impl Iterator<Item = [String; 3]>) -> Vec<[String; 3]> {
    let mut all: Vec<[String; 3]> = triangles
        .map(|mut three| {
            let least = (0..3).min_by_key(|i| three[*i].clone()).unwrap();
            three.rotate_left(least);
            three
        })
        .collect();
    all.sort();
    all
}

/// As [`soup`], of what was written.
fn wanted(triangles: &[[MeshVertex; 3]]) -> Vec<[String; 3]> {
    let corner = |vertex: &MeshVertex| {
        let normal = vertex.normal.map(|n| (Vec3::from(n) * 4096.0).round());
        let uvs: Vec<_> = vertex.uvs.iter().map(|uv| Some(glam::Vec2::from(*uv))).collect();
        let color = vertex.color.as_ref();
        format!("{:?} {normal:?} {color:?} {uvs:?} {}", Vec3::from(vertex.position), vertex.matrix)
    };
    sorted(triangles.iter().map(|three| three.each_ref().map(corner)))
}

/// Twelve points in space that are no line and no plane.
fn points() -> Vec<[f32; 3]> {
    (0..12).map(|i| [(i % 4) as f32, (i / 4) as f32, (i * i % 5) as f32]).collect()
}

#[test]
fn positions_in_every_format() {
    for kind in 0..5 {
        for shift in [0, 2] {
            let shift = if kind == 4 { 0 } else { shift };
            let array = VertexArray {
                attribute: attribute::POSITION,
                count: 1,
                kind,
                shift,
                data: VertexData::Numbers(points().into_iter().flatten().collect()),
            };
            let vertices = [[0], [1], [5]].map(|v| v.to_vec()).to_vec();
            for index in [ShapeAttribute::index8(attribute::POSITION), ShapeAttribute::index16(attribute::POSITION)] {
                let primitive = Primitive { kind: PrimitiveKind::Triangles, vertices: vertices.clone() };
                let shape = Shape { attributes: vec![index], groups: vec![group(vec![primitive])], ..Shape::default() };
                let read = model("made.bmd", &encode_model(&around(vec![array.clone()], vec![shape])));
                let places: Vec<Vec3> =
                    read.meshes[0].indices.iter().map(|v| read.meshes[0].position(*v as usize)).collect();
                // Clockwise fronts of the chip are counter-clockwise ones of the scene.
                let all = points();
                let wanted = [[0, 5, 1], [5, 1, 0], [1, 0, 5]].map(|t| t.map(|i: usize| Vec3::from(all[i])).to_vec());
                assert!(wanted.contains(&places), "kind {kind}, shift {shift}: {places:?}");
            }
        }
    }
}

#[test]
fn colours_in_every_format() {
    let colors = [[0xFF, 0x84, 0x08, 0x44], [0x00, 0xFF, 0xFF, 0xFF], [0x88, 0x00, 0x10, 0x00]];
    // What each keeps: five and six bits, eight, four, six; the missing ones repeated from the top.
    let bits = |value: u8, bits: u32| {
        let kept = value >> (8 - bits);
        let mut out = 0_u32;
        for _ in 0..8_u32.div_ceil(bits) {
            out = out << bits | u32::from(kept);
        }
        (out >> (8_u32.div_ceil(bits) * bits - 8)) as u8
    };
    for kind in 0..6 {
        let kept = colors.map(|[r, g, b, a]| match kind {
            0 => [bits(r, 5), bits(g, 6), bits(b, 5), 255],
            1 | 2 => [r, g, b, 255],
            3 => [bits(r, 4), bits(g, 4), bits(b, 4), bits(a, 4)],
            4 => [bits(r, 6), bits(g, 6), bits(b, 6), bits(a, 6)],
            _ => [r, g, b, a],
        });
        let has_alpha = u32::from(kind > 2);
        let arrays = vec![
            VertexArray::floats(attribute::POSITION, 1, points().into_iter().flatten().collect()),
            VertexArray { kind, count: has_alpha, ..VertexArray::colors(0, colors.to_vec()) },
        ];
        let attributes = vec![ShapeAttribute::index8(attribute::POSITION), ShapeAttribute::index8(attribute::COLOR)];
        let vertices = (0..3).map(|i| vec![i, i]).collect();
        let primitive = Primitive { kind: PrimitiveKind::Triangles, vertices };
        let shape = Shape { attributes, groups: vec![group(vec![primitive])], ..Shape::default() };
        let read = model("made.bmd", &encode_model(&around(arrays, vec![shape])));
        let mesh = &read.meshes[0];
        for (color, point) in kept.iter().zip(points()) {
            let vertex =
                (0..mesh.vertex_count()).find(|v| mesh.position(*v) == Vec3::from(point)).expect("it is there");
            assert_eq!(mesh.colors[vertex], *color, "kind {kind}");
        }
    }
}

#[test]
fn primitives_of_every_kind() {
    // Triangles of each, as the chip takes them: clockwise.
    let triangles = |kind| -> Vec<[u16; 3]> {
        match kind {
            PrimitiveKind::Quads | PrimitiveKind::Quads2 => vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]],
            PrimitiveKind::Triangles => vec![[0, 1, 2], [3, 4, 5]],
            PrimitiveKind::Strip => {
                vec![[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4], [4, 5, 6], [5, 7, 6]]
            }
            PrimitiveKind::Fan => (1..7).map(|i| [0, i, i + 1]).collect(),
            PrimitiveKind::Lines | PrimitiveKind::LineStrip | PrimitiveKind::Points => Vec::new(),
        }
    };
    for kind in PrimitiveKind::ALL {
        let count = if kind == PrimitiveKind::Triangles { 6 } else { 8 };
        let vertices = (0..count).map(|i| vec![i]).collect();
        let attributes = vec![ShapeAttribute::index8(attribute::POSITION)];
        let groups = vec![group(vec![Primitive { kind, vertices }])];
        let positions = VertexArray::floats(attribute::POSITION, 1, points().into_iter().flatten().collect());
        let bytes = encode_model(&around(vec![positions], vec![Shape { attributes, groups, ..Shape::default() }]));
        let read = model_in(open("made.bmd", bytes).asset(EntryId::FILE));
        let all = points();
        let written: Vec<[MeshVertex; 3]> = (triangles(kind).into_iter())
            .map(|[a, b, c]| [a, c, b].map(|i| MeshVertex { position: all[usize::from(i)], ..MeshVertex::default() }))
            .collect();
        let places = |soup: Vec<[String; 3]>| -> Vec<[String; 3]> {
            soup.into_iter().map(|t| t.map(|c| c[..c.find(']').unwrap_or(c.len())].to_owned())).collect()
        };
        assert_eq!(places(soup(&read.meshes[0])), places(wanted(&written)), "{kind:?}");
    }
}

/// A strip of squares whose corners have matrices of their own: more than a group can load.
fn chain(joints: u16) -> Vec<[MeshVertex; 3]> {
    let corner = |i: u16, side: u16| MeshVertex {
        position: [f32::from(i), f32::from(side), 0.25],
        normal: Some([0.0, 0.0, 1.0]),
        color: Some([i as u8, side as u8, 7, 255]),
        uvs: vec![[f32::from(i) / 4.0, f32::from(side)], [0.5, f32::from(i)]],
        matrix: i % joints,
    };
    let squares = (0..60).flat_map(|i| {
        let [a, b, c, d] = [corner(i, 0), corner(i + 1, 0), corner(i + 1, 1), corner(i, 1)];
        [[a.clone(), b, c.clone()], [a, c, d]]
    });
    squares.collect()
}

#[test]
fn groups_of_matrices_and_what_they_keep() {
    let triangles = chain(25);
    let mut pool = VertexPool::default();
    let shape = pool.shape(&triangles);
    assert!(shape.groups.len() > 5);
    assert!(shape.groups.iter().all(|group| group.matrices.len() <= 10));
    assert!(shape.groups.iter().any(|group| group.matrices.contains(&0xFFFF)));
    assert!(shape.groups.iter().flat_map(|g| &g.primitives).any(|p| p.kind == PrimitiveKind::Strip));
    let mut written = around(pool.arrays(), vec![shape]);
    written.joints = (0..20).map(|i| Joint { name: format!("j{i}"), ..Joint::default() }).collect();
    written.hierarchy.splice(2..2, (1..20).map(Node::Joint));
    written.envelopes = (0..5).map(|i| Envelope { terms: vec![(i, 0.25), (i + 5, 0.5), (i + 9, 0.25)] }).collect();
    let unit = [1.0, 0.0, 0.0, 3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -2.0];
    written.inverse_binds = vec![unit; 20];
    written.draw_matrices = (0..20).map(DrawMatrix::Joint).chain((0..5).map(DrawMatrix::Envelope)).collect();
    let read = model("made.bmd", &encode_model(&written));
    assert_eq!(soup(&read.meshes[0]), wanted(&triangles));
    let matrices = &read.skeleton.as_ref().expect("joints").draw_matrices;
    assert_eq!(matrices.len(), 25);
    let terms: Vec<(u32, f32)> = matrices[21].terms.iter().map(|term| (term.joint, term.weight)).collect();
    assert_eq!(terms, [(1, 0.25), (6, 0.5), (10, 0.25)]);
    assert_eq!(matrices[21].terms[0].joint_from_bind.translation, glam::Vec3A::new(3.0, 0.0, -2.0));
    assert_eq!((matrices[3].terms.len(), matrices[3].terms[0].joint), (1, 3));
}

/// A model whose attributes are out of the chip's order, and its vertices as declared or in the chip's.
pub fn out_of_order(as_declared: bool) -> Vec<u8> {
    let attributes = vec![ShapeAttribute::index16(attribute::TEXTURE), ShapeAttribute::index8(attribute::POSITION)];
    // So many coordinates that places read in the wrong order lead out of the positions.
    let uvs: Vec<f32> = (0..600).map(|i| i as f32 / 8.0).collect();
    let vertices = vec![vec![299, 0], vec![298, 1], vec![290, 5]];
    let groups = vec![group(vec![Primitive { kind: PrimitiveKind::Triangles, vertices }])];
    let arrays = vec![
        VertexArray::floats(attribute::POSITION, 1, points().into_iter().flatten().collect()),
        VertexArray::floats(attribute::TEXTURE, 1, uvs),
    ];
    let shape = Shape { attributes, groups, as_declared, ..Shape::default() };
    encode_model(&around(arrays, vec![shape]))
}

/// Attributes out of the chip's order are in its order in the lists all the same; some tools leave them as declared.
#[test]
fn attributes_out_of_order() {
    for as_declared in [false, true] {
        let read = model_in(open("made.bmd", out_of_order(as_declared)).asset(EntryId::FILE));
        let mesh = &read.meshes[0];
        let mut found: Vec<(Vec3, f32)> =
            mesh.indices.iter().map(|v| (mesh.position(*v as usize), mesh.uv_sets[0][*v as usize].x)).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        let all = points();
        let wanted = [(0, 299), (1, 298), (5, 290)].map(|(p, t)| (Vec3::from(all[p]), (t * 2) as f32 / 8.0));
        assert_eq!(found, wanted, "as declared: {as_declared}");
    }
}

#[test]
fn the_rest_of_a_model() {
    let mut noise = Noise::new(9);
    for kind in [ModelKind::Bmd3, ModelKind::Bdl4, ModelKind::Bmd2] {
        for rule in 0..3_u16 {
            let mut written =
                made_j3d::model(made_j3d::Size { shapes: 9, squares: 3, joints: 4, materials: 3, texels: 8 });
            (written.kind, written.flags) = (kind, rule);
            written.joints[2] = Joint {
                name: "肩".into(),
                compensates_scale: true,
                scale: [1.0, 2.0, 0.5],
                rotation: [0x4000, 0, -0x2000],
                translation: [1.0, 2.0, 3.0],
                ..Joint::default()
            };
            (written.shapes[4].matrix_type, written.shapes[5].matrix_type) = (1, 2);
            for (index, material) in written.materials.iter_mut().enumerate() {
                material.state = any_material(&mut noise);
                material.state.translucent = index == 1;
                material.state.textures = [None; 8];
                if kind == ModelKind::Bmd2 {
                    // It has no place for these.
                    let plain = TevMaterial::default();
                    material.state.ambient_colors = plain.ambient_colors;
                    (material.state.lights, material.state.indirect_orders) = (plain.lights, plain.indirect_orders);
                    material.state.indirect_matrices = plain.indirect_matrices;
                    material.state.stages.iter_mut().for_each(|stage| stage.indirect = Default::default());
                }
            }
            let opened = open("made.bmd", encode_model(&written));
            opened.assert_read();
            assert_eq!(opened.codes(), [""; 0], "{kind:?}");
            let read = model_in(opened.asset(EntryId::FILE));
            let skeleton = read.skeleton.as_ref().expect("joints");
            assert_eq!(
                skeleton.scaling(),
                [ScalingRule::Standard, ScalingRule::SoftImage, ScalingRule::Maya][usize::from(rule)]
            );
            let joint = &skeleton.joints()[2];
            assert_eq!((joint.name.as_str(), joint.parent, joint.compensates_scale), ("肩", Some(1), true));
            assert_eq!(joint.bind.translation, Vec3::new(1.0, 2.0, 3.0));
            assert_eq!(joint.bind.scale, Vec3::new(1.0, 2.0, 0.5));
            assert_eq!((read.meshes[4].billboard, read.meshes[5].billboard), (Billboard::Full, Billboard::UprightY));
            for (was, is) in written.materials.iter().zip(&read.materials) {
                assert_eq!(is.name, was.name);
                let mut state = is.tev().expect("a material in full").clone();
                for (was, is) in was.state.texture_matrices.iter().zip(&mut state.texture_matrices) {
                    if let (Some(was), Some(is)) = (was, is) {
                        assert_near(&is.rotation, &was.rotation, 1e-5, &read.name);
                        is.rotation = was.rotation;
                    }
                }
                assert_eq!(state, was.state, "{kind:?}");
            }
            assert_eq!(read.draw_order, [0, 1, 2, 3, 4, 5, 6, 7, 8], "{kind:?}");
            assert_eq!(read.textures.len(), 3);
            assert_eq!(scene::gx::Texture::size(&read.textures[0]), (8, 8));
        }
    }
}

/// Written small and damaged everywhere: each word set to what counts and offsets go wrong with.
#[test]
fn every_word_at_its_worst_gives_a_document_or_an_error() {
    let small = made_j3d::Size { shapes: 2, squares: 1, joints: 2, materials: 1, texels: 8 };
    for (name, bytes) in [("made.bmd", made_j3d::bmd(small)), ("made.bck", made_j3d::bck(2, 3))] {
        let whole = open(name, bytes.as_slice());
        let mut seen = BTreeSet::new();
        for at in (0..bytes.len().saturating_sub(3)).step_by(4) {
            for worst in [u32::MAX, i32::MAX as u32, 0x8000_0000, 0, 0x0001_FFFF, 0xFFFF_0001] {
                let mut damaged = bytes.clone();
                damaged[at..at + 4].copy_from_slice(&worst.to_be_bytes());
                let left = left_of(name, &damaged);
                // The first eight bytes say what it is.
                assert_eq!(left.is_some(), at >= 8, "{name} damaged at {at}");
                let Some(left) = left else { continue };
                assert_kept(&whole, &left, at);
                seen.extend(left.codes());
            }
        }
        let wanted: &[&str] = match name {
            "made.bmd" => &[
                "j3d.absent-record",
                "j3d.bad-chunk",
                "j3d.bad-hierarchy",
                "j3d.bad-index",
                "j3d.bad-names",
                "j3d.bad-shape",
                "j3d.bad-table",
                "j3d.bad-texture",
                "j3d.bad-value",
                "j3d.chunk-count",
                "j3d.chunk-size",
                "j3d.file-size",
                "j3d.not-finite",
                "j3d.short-array",
                "j3d.unknown-chunk",
                "j3d.unknown-code",
                "j3d.unreadable-chunk",
            ],
            _ => &["j3d.cut-table", "j3d.loop-mode", "j3d.not-finite", "j3d.track-bounds"],
        };
        assert!(wanted.iter().all(|code| seen.contains(code)), "{name}: {seen:?}");
        for length in 0..bytes.len() {
            let left = left_of(name, &bytes[..length]);
            assert_eq!(left.is_some(), length >= 32, "{name} cut at {length}");
            left.inspect(|left| assert_cut(&whole, left, length));
        }
    }
}
