//! Made J3D files of a size that is asked for; benches, tests and reports share them.
#![allow(dead_code, reason = "each user takes its part")]

use bonebox::{
    formats::{
        gx::encode::TextureFormat,
        j3d::encode::{
            AxisTracks, DrawMatrix, Joint, JointClip, Key, Material, MeshVertex, Model, Node, Texture, Track,
            VertexPool, encode_bck, encode_model,
        },
    },
    scene::gx::{Attenuation, ChannelControl, Combiner, Diffuse, TevMaterial, TevStage, TexGen},
};

/// What a made model has of everything.
#[derive(Clone, Copy)]
pub struct Size {
    /// Each a sheet of squares with a place of its own.
    pub shapes: usize,
    /// Along a side of a shape.
    pub squares: usize,
    pub joints: usize,
    /// Each with a texture and another number of stages.
    pub materials: usize,
    /// Texels along a side of a texture.
    pub texels: u16,
}

/// A BMD of about 80 KB, as models of the time are.
pub const USUAL: Size = Size { shapes: 12, squares: 12, joints: 24, materials: 6, texels: 64 };
/// A model of 1,000 shapes.
pub const THOUSAND_SHAPES: Size = Size { shapes: 1_000, squares: 4, joints: 50, materials: 20, texels: 32 };

/// A model as a BMD: shapes in rows over a square of ten units each, on joints that hang in one chain.
pub fn bmd(size: Size) -> Vec<u8> {
    encode_model(&model(size))
}

/// As [`bmd`], not written yet.
pub fn model(size: Size) -> Model {
    let mut pool = VertexPool::default();
    let side = (size.shapes as f32).sqrt().ceil().max(1.0);
    let joint_of = |shape: usize| (shape * size.joints / size.shapes.max(1)) as u16;
    let shapes = (0..size.shapes)
        .map(|shape| {
            let at = [(shape as f32 % side) * 10.0, 0.0, (shape as f32 / side).floor() * 10.0];
            pool.shape(&sheet(at, size.squares, joint_of(shape)))
        })
        .collect();
    let mut hierarchy = Vec::new();
    for joint in 0..size.joints {
        hierarchy.extend([Node::Joint(joint as u16), Node::Open]);
        for shape in (0..size.shapes).filter(|shape| usize::from(joint_of(*shape)) == joint) {
            let material = (shape % size.materials.max(1)) as u16;
            hierarchy.extend([Node::Material(material), Node::Open, Node::Shape(shape as u16), Node::Close]);
        }
    }
    hierarchy.extend(vec![Node::Close; size.joints]);
    Model {
        hierarchy,
        vertices: pool.arrays(),
        draw_matrices: (0..size.joints).map(|joint| DrawMatrix::Joint(joint as u16)).collect(),
        joints: (0..size.joints).map(|i| Joint { name: format!("joint{i}"), ..Joint::default() }).collect(),
        shapes,
        materials: (0..size.materials).map(material).collect(),
        textures: (0..size.materials).map(|i| texture(i, size.texels)).collect(),
        ..Model::default()
    }
}

fn sheet([x, y, z]: [f32; 3], squares: usize, matrix: u16) -> Vec<[MeshVertex; 3]> {
    let corner = |column: usize, row: usize| {
        let (u, v) = (column as f32 / squares as f32, row as f32 / squares as f32);
        let height = (u * 6.0).sin() + (v * 5.0).cos();
        MeshVertex {
            position: [x + u * 9.0, y + height, z + v * 9.0],
            normal: Some([0.0, 1.0, 0.0]),
            color: Some([(u * 255.0) as u8, (v * 255.0) as u8, 128, 255]),
            uvs: vec![[u * 2.0, v * 2.0]],
            matrix,
        }
    };
    let mut triangles = Vec::new();
    for row in 0..squares {
        for column in 0..squares {
            let [a, b, c, d] =
                [corner(column, row), corner(column, row + 1), corner(column + 1, row + 1), corner(column + 1, row)];
            triangles.extend([[a.clone(), b, c.clone()], [a, c, d]]);
        }
    }
    triangles
}

/// Material number `index`: one to four stages, so that four kinds of shaders serve them all.
fn material(index: usize) -> Material {
    let first = TevStage {
        color: Combiner::adding([15, 8, 10, 15]),
        alpha: Combiner::adding([7, 4, 5, 7]),
        tex_coord: Some(0),
        texture: Some(0),
        channel: 4,
        ..TevStage::default()
    };
    let tint = TevStage {
        color: Combiner::adding([15, 0, 14, 15]),
        alpha: Combiner::adding([7, 7, 7, 0]),
        channel: 4,
        ..first
    };
    let mut stages = vec![first];
    stages.extend(vec![tint; index % 4]);
    let lit = ChannelControl {
        lit: true,
        material_from_vertex: true,
        light_mask: 1,
        diffuse: Diffuse::Clamped,
        attenuation: Attenuation::Spot,
        ..ChannelControl::default()
    };
    let mut textures = [None; 8];
    textures[0] = Some(index as u32);
    let state = TevMaterial {
        channel_count: 1,
        channels: [lit, ChannelControl::default(), ChannelControl::default(), ChannelControl::default()],
        texgens: vec![TexGen { kind: 1, source: 4, matrix: 60 }],
        textures,
        konst: [[240, 250, (index * 40) as u8, 255], [255; 4], [255; 4], [255; 4]],
        stages,
        ..TevMaterial::default()
    };
    Material::new(&format!("material{index}"), state)
}

fn texture(index: usize, side: u16) -> Texture {
    let rgba: Vec<u8> = (0..usize::from(side) * usize::from(side))
        .flat_map(|texel| {
            let (x, y) = (texel % usize::from(side), texel / usize::from(side));
            let shade = if (x / 8 + y / 8) % 2 == 0 { 220 } else { 140 };
            [shade, (x * 255 / usize::from(side)) as u8, (index * 37 % 256) as u8, 255]
        })
        .collect();
    Texture::of_rgba(&format!("texture{index}"), TextureFormat::Cmpr, [side, side], 1, &rgba)
}

/// A BCK with so many keys on each of three rotations of each joint, and constants for the rest.
pub fn bck(joints: usize, keys: u16) -> Vec<u8> {
    let track = |seed: usize| {
        let key = |k: u16| {
            let value = ((seed * 7 + usize::from(k) * 13) % 997) as f32 * 8.0;
            Key { frame: f32::from(k) * 5.0, value, tangent_in: 30.0, tangent_out: 30.0 }
        };
        Track::Keys((0..keys).map(key).collect())
    };
    let joint = |joint: usize| {
        std::array::from_fn(|axis| AxisTracks {
            scale: Track::Constant(1.0),
            rotation: track(joint * 3 + axis),
            translation: Track::Constant(joint as f32),
        })
    };
    encode_bck(&JointClip {
        loop_mode: 2,
        duration: keys.saturating_sub(1) * 5,
        joints: (0..joints).map(joint).collect(),
        ..JointClip::default()
    })
}
