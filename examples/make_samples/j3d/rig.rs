//! Joints at rest, and the matrices that vertices are drawn with.

use bonebox::formats::j3d::encode::{DrawMatrix, Envelope, Joint};
use glam::{Affine3A, EulerRot, Quat, Vec3};

/// Steps that a weight is kept in.
const WEIGHT_STEPS: f32 = 8.0;

pub struct Bone {
    pub name: String,
    pub parent: Option<usize>,
    /// Relative to the parent.
    pub translation: Vec3,
    /// X, Y, Z; 65536 a turn.
    pub rotation: [i16; 3],
    pub world_from_joint: Affine3A,
}

/// A skeleton at rest and what is drawn with it; parents come before children.
#[derive(Default)]
pub struct Rig {
    pub bones: Vec<Bone>,
    envelopes: Vec<Vec<(usize, u8)>>,
}

/// 65536 a turn.
pub fn angle16(degrees: f32) -> f32 {
    degrees / 360.0 * 65536.0
}

impl Rig {
    /// Adds a joint at a place relative to its parent, turned by degrees about X, Y, Z.
    pub fn bone(&mut self, name: &str, parent: Option<usize>, translation: Vec3, degrees: [f32; 3]) -> usize {
        let rotation = degrees.map(|angle| angle16(angle).round() as i16);
        let [x, y, z] = rotation.map(|angle| f32::from(angle) * std::f32::consts::PI / 32768.0);
        let turned = Quat::from_euler(EulerRot::ZYX, z, y, x);
        let local = Affine3A::from_rotation_translation(turned, translation);
        let above = parent.map_or(Affine3A::IDENTITY, |parent| self.bones[parent].world_from_joint);
        let world_from_joint = above * local;
        self.bones.push(Bone { name: name.to_owned(), parent, translation, rotation, world_from_joint });
        self.bones.len() - 1
    }

    /// Where a joint rests in the model.
    pub fn place(&self, bone: usize) -> Vec3 {
        self.bones[bone].world_from_joint.translation.into()
    }

    /// The matrix for a vertex with these weights, and where in its space the vertex lies. One joint alone: in the joint's
    /// space; several: in the model's.
    pub fn bind(&mut self, weights: &[(usize, f32)], position: Vec3, normal: Vec3) -> (u16, Vec3, Vec3) {
        let mut steps: Vec<(usize, u8)> = (weights.iter())
            .map(|(bone, weight)| (*bone, (weight * WEIGHT_STEPS).round() as u8))
            .filter(|(_, step)| *step > 0)
            .collect();
        // What rounding took or gave goes to the first.
        let sum: u8 = steps.iter().map(|(_, step)| step).sum();
        steps[0].1 = (i32::from(steps[0].1) + WEIGHT_STEPS as i32 - i32::from(sum)) as u8;
        steps.retain(|(_, step)| *step > 0);
        if let [(bone, _)] = steps[..] {
            let joint_from_model = self.bones[bone].world_from_joint.inverse();
            return (
                bone as u16,
                joint_from_model.transform_point3(position),
                joint_from_model.transform_vector3(normal),
            );
        }
        steps.sort_unstable();
        let known = self.envelopes.iter().position(|e| *e == steps).unwrap_or_else(|| {
            self.envelopes.push(steps);
            self.envelopes.len() - 1
        });
        ((self.bones.len() + known) as u16, position, normal)
    }

    /// A matrix for each joint, then the blended ones.
    pub fn draw_matrices(&self) -> Vec<DrawMatrix> {
        let rigid = (0..self.bones.len()).map(|joint| DrawMatrix::Joint(joint as u16));
        rigid.chain((0..self.envelopes.len()).map(|envelope| DrawMatrix::Envelope(envelope as u16))).collect()
    }

    pub fn envelopes(&self) -> Vec<Envelope> {
        let envelope = |steps: &Vec<(usize, u8)>| Envelope {
            terms: steps.iter().map(|(bone, step)| (*bone as u16, f32::from(*step) / WEIGHT_STEPS)).collect(),
        };
        self.envelopes.iter().map(envelope).collect()
    }

    pub fn inverse_binds(&self) -> Vec<[f32; 12]> {
        let rows = |bone: &Bone| {
            let inverse = bone.world_from_joint.inverse();
            let (x, y, z, at) =
                (inverse.matrix3.x_axis, inverse.matrix3.y_axis, inverse.matrix3.z_axis, inverse.translation);
            [x.x, y.x, z.x, at.x, x.y, y.y, z.y, at.y, x.z, y.z, z.z, at.z]
        };
        self.bones.iter().map(rows).collect()
    }

    pub fn joints(&self, compensates: bool) -> Vec<Joint> {
        let joint = |bone: &Bone| Joint {
            name: bone.name.clone(),
            compensates_scale: compensates && bone.parent.is_some(),
            rotation: bone.rotation,
            translation: bone.translation.to_array(),
            radius: 20.0,
            bounds: [[-20.0; 3], [20.0; 3]],
            ..Joint::default()
        };
        self.bones.iter().map(joint).collect()
    }
}
