//! A model, and the chunks of its skeleton: INF1, EVP1, DRW1, JNT1 (formats/j3d.md §6).

use super::{
    file::{Chunk, Tool, count16, count32, file, name_table},
    materials::{Material, mat2, mat3},
    shapes::{Shape, shp1},
    textures::{Texture, tex1},
    vertices::{VertexArray, vtx1},
};

/// Which of the model files it becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelKind {
    /// `bmd2`, with MAT2: no ambient colours, lights or indirect textures.
    Bmd2,
    /// `bmd3`, with MAT3.
    #[default]
    Bmd3,
    /// `bdl4`; without the ready-made command lists, which are the same materials again.
    Bdl4,
}

/// A model as its chunks say it. Places that others speak of are those of the lists here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Kind of file to write.
    pub kind: ModelKind,
    /// Low four bits: 0 basic, 1 SoftImage, 2 Maya.
    pub flags: u16,
    /// Without the end.
    pub hierarchy: Vec<Node>,
    /// Vertex arrays of VTX1 (formats/j3d.md §6.2).
    pub vertices: Vec<VertexArray>,
    /// Blended matrices of EVP1 (formats/j3d.md §6.3).
    pub envelopes: Vec<Envelope>,
    /// `joint_from_bind` by joint, rows of a 3 × 4 matrix; as many as envelopes need.
    pub inverse_binds: Vec<[f32; 12]>,
    /// Draw matrices of DRW1 (formats/j3d.md §6.4).
    pub draw_matrices: Vec<DrawMatrix>,
    /// Joints of JNT1 (formats/j3d.md §6.5).
    pub joints: Vec<Joint>,
    /// Shapes of SHP1 (formats/j3d.md §6.6).
    pub shapes: Vec<Shape>,
    /// Materials of MAT3, or of MAT2 for [`ModelKind::Bmd2`] (formats/j3d.md §7).
    pub materials: Vec<Material>,
    /// Textures of TEX1 (formats/j3d.md §9).
    pub textures: Vec<Texture>,
}

/// A node of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// What follows lies below the last joint.
    Open,
    /// Closes the innermost open list.
    Close,
    /// Index of a joint.
    Joint(u16),
    /// Index of a material, which following shapes use.
    Material(u16),
    /// Index of a shape.
    Shape(u16),
}

/// Joints and weights that a matrix is blended of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Envelope {
    /// Joint index and weight of each influence.
    pub terms: Vec<(u16, f32)>,
}

/// A matrix that vertices are drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawMatrix {
    /// Vertices in the joint's space.
    Joint(u16),
    /// Vertices in the model's space.
    Envelope(u16),
}

/// A joint at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name in the name table.
    pub name: String,
    /// Kind as stored.
    pub kind: u16,
    /// Under Maya's rule its matrix is divided by the parent's scale.
    pub compensates_scale: bool,
    /// Scale along X, Y, Z.
    pub scale: [f32; 3],
    /// 65536 a turn.
    pub rotation: [i16; 3],
    /// Translation along X, Y, Z.
    pub translation: [f32; 3],
    /// Radius of the bounding sphere.
    pub radius: f32,
    /// Lower and upper corner of the bounding box.
    pub bounds: [[f32; 3]; 2],
}

impl Default for Joint {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: 0,
            compensates_scale: false,
            scale: [1.0; 3],
            rotation: [0; 3],
            translation: [0.0; 3],
            radius: 0.0,
            bounds: [[0.0; 3]; 2],
        }
    }
}

/// The model as a file.
pub fn encode_model(model: &Model) -> Vec<u8> {
    let chunks = [
        inf1(model),
        vtx1(&model.vertices),
        evp1(&model.envelopes, &model.inverse_binds),
        drw1(&model.draw_matrices),
        jnt1(&model.joints),
        shp1(&model.shapes),
        if model.kind == ModelKind::Bmd2 { mat2(&model.materials) } else { mat3(&model.materials) },
        tex1(&model.textures),
    ];
    let magic = match model.kind {
        ModelKind::Bmd2 => b"J3D2bmd2",
        ModelKind::Bmd3 => b"J3D2bmd3",
        ModelKind::Bdl4 => b"J3D2bdl4",
    };
    file(magic, Tool::Svr3, &chunks)
}

/// Materials, textures or both that take a model's places, as a BMT.
pub fn encode_bmt(materials: Option<&[Material]>, textures: Option<&[Texture]>) -> Vec<u8> {
    let chunks: Vec<Vec<u8>> = materials.map(mat3).into_iter().chain(textures.map(tex1)).collect();
    file(b"J3D2bmt3", Tool::Svr3, &chunks)
}

fn inf1(model: &Model) -> Vec<u8> {
    let mut out = Chunk::new(b"INF1");
    out.u16(model.flags);
    out.u16(0xFFFF);
    out.u32(count32(model.shapes.iter().map(|shape| shape.groups.len()).sum()));
    let positions = model.vertices.iter().find(|array| array.attribute == super::vertices::attribute::POSITION);
    out.u32(count32(positions.map_or(0, VertexArray::len)));
    let hierarchy = out.slot();
    out.fill(hierarchy);
    for node in &model.hierarchy {
        out.u16s(&match node {
            Node::Open => [1, 0],
            Node::Close => [2, 0],
            Node::Joint(joint) => [0x10, *joint],
            Node::Material(material) => [0x11, *material],
            Node::Shape(shape) => [0x12, *shape],
        });
    }
    out.u16s(&[0, 0]);
    out.finish()
}

fn evp1(envelopes: &[Envelope], inverse_binds: &[[f32; 12]]) -> Vec<u8> {
    let mut out = Chunk::new(b"EVP1");
    out.u16(count16(envelopes.len()));
    out.u16(0xFFFF);
    let [counts, joints, weights, matrices] = out.slots();
    if envelopes.is_empty() {
        return out.finish();
    }
    out.fill(counts);
    for envelope in envelopes {
        out.u8(u8::try_from(envelope.terms.len()).unwrap_or(u8::MAX));
    }
    out.align(2);
    out.fill(joints);
    let terms = || envelopes.iter().flat_map(|envelope| &envelope.terms);
    terms().for_each(|(joint, _)| out.u16(*joint));
    out.align(4);
    out.fill(weights);
    terms().for_each(|(_, weight)| out.f32s(&[*weight]));
    out.fill(matrices);
    inverse_binds.iter().for_each(|matrix| out.f32s(matrix));
    out.finish()
}

fn drw1(matrices: &[DrawMatrix]) -> Vec<u8> {
    let mut out = Chunk::new(b"DRW1");
    out.u16(count16(matrices.len()));
    out.u16(0xFFFF);
    let [kinds, indices] = out.slots();
    out.fill(kinds);
    matrices.iter().for_each(|matrix| out.u8(u8::from(matches!(matrix, DrawMatrix::Envelope(_)))));
    out.align(2);
    out.fill(indices);
    for matrix in matrices {
        let (DrawMatrix::Joint(index) | DrawMatrix::Envelope(index)) = matrix;
        out.u16(*index);
    }
    out.finish()
}

fn jnt1(joints: &[Joint]) -> Vec<u8> {
    let mut out = Chunk::new(b"JNT1");
    out.u16(count16(joints.len()));
    out.u16(0xFFFF);
    let [table, remap, names] = out.slots();
    out.fill(table);
    for joint in joints {
        out.u16(joint.kind);
        out.u8(u8::from(joint.compensates_scale));
        out.u8(0xFF);
        out.f32s(&joint.scale);
        joint.rotation.iter().for_each(|angle| out.i16(*angle));
        out.u16(0xFFFF);
        out.f32s(&joint.translation);
        out.f32s(&[joint.radius]);
        joint.bounds.iter().for_each(|corner| out.f32s(corner));
    }
    out.fill(remap);
    (0..joints.len()).for_each(|joint| out.u16(count16(joint)));
    out.align(4);
    out.fill(names);
    name_table(&mut out, joints.iter().map(|joint| joint.name.as_str()));
    out.finish()
}
