//! What a clip says by itself, without a model to drive.

use super::{
    BoundJoint, Clip, Joint, JointIndex, Material, MaterialKind, Mesh, MeshIndex, Model, PoseOptions, Skeleton,
    Transform,
    bound_parts::{AnimatedColor, BoundParts, Values, driven},
    gx::TextureSrt,
};
use glam::Vec3;

/// Everything that a clip drives by place or by a material's name, at a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipValues {
    /// Joints that the clip drives whole, in the order of their indices.
    pub joints: Vec<JointValues>,
    /// In the order of the clip's names, each once.
    pub materials: Vec<MaterialValues>,
    /// Mesh and whether it is drawn.
    pub visible: Vec<(MeshIndex, bool)>,
}

/// A joint that is driven whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointValues {
    /// Index of the joint.
    pub joint: JointIndex,
    /// Transform relative to the parent.
    pub local: Transform,
    /// Radians about X, Y and Z; the rotation is `Rz · Ry · Rx`.
    pub euler: Vec3,
}

/// What is driven of a material, by slot or register.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialValues {
    /// Name of the material, as the clip has it.
    pub name: String,
    /// Texture-matrix slot and the slot's matrix.
    pub texture_srt: Vec<(u8, TextureSrt)>,
    /// Texture-map slot and the number of the texture in it.
    pub textures: Vec<(u8, u32)>,
    /// C0 to C2.
    pub registers: Vec<(u8, [f32; 4])>,
    /// K0 to K3.
    pub konst: Vec<(u8, [f32; 4])>,
    /// Material colour 0, RGBA in 0..255; `None` if the clip does not drive it.
    pub color: Option<[f32; 4]>,
}

impl ClipValues {
    /// Evaluates the clip at a frame, without a model.
    pub fn at(clip: &Clip, frame: f32, options: PoseOptions) -> Self {
        let model = stand_in(clip);
        let (parts, _) = BoundParts::new(clip, &model, &mut Vec::new());
        let keys = Values::of(clip, options);
        let joint = |bound: &BoundJoint| JointValues {
            joint: bound.joint,
            local: keys.joint(bound, frame, options.smooth_rotation),
            euler: keys.euler(bound, frame),
        };
        let mut materials: Vec<MaterialValues> = Vec::new();
        materials.extend(model.materials.iter().map(|m| MaterialValues { name: m.name.clone(), ..Default::default() }));
        for bound in &parts.matrices {
            if let (Some(material), Some((slot, matrix))) =
                (materials.get_mut(bound.material.as_usize()), keys.texture_matrix(bound, frame))
            {
                material.texture_srt.push((slot, matrix));
            }
        }
        for bound in &parts.slots {
            if let Some(material) = materials.get_mut(bound.material.as_usize()) {
                material.textures.push((bound.slot, keys.value(Some(bound.channel), frame, 0.0) as u32));
            }
        }
        for bound in &parts.colors {
            let color = keys.color(bound, frame);
            let Some(material) = materials.get_mut(bound.material.as_usize()) else { continue };
            match bound.color {
                AnimatedColor::Register(index) => material.registers.push((index, color)),
                AnimatedColor::Konst(index) => material.konst.push((index, color)),
                AnimatedColor::Material => material.color = Some(color),
            }
        }
        Self {
            joints: parts.joints.iter().map(joint).collect(),
            materials,
            visible: parts.meshes.iter().map(|(c, mesh)| (*mesh, keys.is_visible(*c, frame))).collect(),
        }
    }
}

/// A model that has just what the clip drives.
fn stand_in(clip: &Clip) -> Model {
    let (joints, meshes) = driven(clip);
    let joint = Joint { name: String::new(), parent: None, bind: Transform::IDENTITY, ..Joint::default() };
    let mut model = Model::empty("");
    model.skeleton = Some(Skeleton::new(vec![joint; joints], Vec::new()));
    model.meshes = vec![Mesh::default(); meshes];
    let kind = MaterialKind::Tev(Box::default());
    let mut met = std::collections::HashSet::new();
    for name in clip.materials.iter() {
        if met.insert(name) {
            model.materials.push(Material { name: name.clone(), kind: kind.clone() });
        }
    }
    model
}
