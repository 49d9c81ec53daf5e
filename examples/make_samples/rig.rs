//! Bones, poses and the two-bone solver. Rotations here are true rotations; `actorx.rs` converts them to the stored ones.

use glam::{Affine3A, Mat3A, Quat, Vec3};

pub struct Bone {
    pub name: String,
    pub parent: Option<usize>,
    /// Where it rests, in the model's space.
    pub position: Vec3,
    pub rotation: Quat,
}

/// A skeleton at rest; parents come before children.
#[derive(Default)]
pub struct Rig {
    pub bones: Vec<Bone>,
}

impl Rig {
    /// Adds a bone whose axes are the model's.
    pub fn upright(&mut self, name: &str, parent: Option<usize>, position: Vec3) -> usize {
        self.bones.push(Bone { name: name.to_owned(), parent, position, rotation: Quat::IDENTITY });
        self.bones.len() - 1
    }

    /// Adds bones along `path`, one a segment, X towards the next; returns their indices.
    pub fn chain(&mut self, name: &str, parent: usize, path: &[Vec3]) -> Vec<usize> {
        let mut parent = parent;
        let mut indices = Vec::new();
        for (segment, ends) in path.windows(2).enumerate() {
            let rotation = looking_along(ends[1] - ends[0], Vec3::X);
            self.bones.push(Bone {
                name: format!("{name}.{}", segment + 1),
                parent: Some(parent),
                position: ends[0],
                rotation,
            });
            parent = self.bones.len() - 1;
            indices.push(parent);
        }
        indices
    }

    fn parent_rotation(&self, bone: usize) -> Quat {
        self.bones[bone].parent.map_or(Quat::IDENTITY, |parent| self.bones[parent].rotation)
    }

    fn parent_position(&self, bone: usize) -> Vec3 {
        self.bones[bone].parent.map_or(Vec3::ZERO, |parent| self.bones[parent].position)
    }

    /// Position and rotation relative to the parent at rest.
    pub fn rest_local(&self, bone: usize) -> (Vec3, Quat) {
        let unturn = self.parent_rotation(bone).inverse();
        (unturn * (self.bones[bone].position - self.parent_position(bone)), unturn * self.bones[bone].rotation)
    }
}

/// A rotation that takes X to `along`, with Y kept as near as it can be to `side`.
pub fn looking_along(along: Vec3, side: Vec3) -> Quat {
    let x = along.normalize_or(Vec3::X);
    let z = x.cross(side).normalize_or(Vec3::Z);
    Quat::from_mat3a(&Mat3A::from_cols(x.into(), z.cross(x).into(), z.into()))
}

/// What a pose does to one bone, in the axes of the model as they are when its parent rests.
#[derive(Clone, Copy)]
pub struct Change {
    pub rotation: Quat,
    pub offset: Vec3,
    /// Along the bone's own axes.
    pub scale: Vec3,
}

#[derive(Clone)]
pub struct Pose {
    pub changes: Vec<Change>,
}

impl Pose {
    pub fn rest(rig: &Rig) -> Self {
        Self {
            changes: vec![Change { rotation: Quat::IDENTITY, offset: Vec3::ZERO, scale: Vec3::ONE }; rig.bones.len()],
        }
    }

    /// Turns a bone about the model's axes, by degrees about X, then Y, then Z.
    pub fn turn(&mut self, bone: usize, degrees: Vec3) {
        let [x, y, z] = degrees.to_array().map(f32::to_radians);
        let turn = Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x);
        self.changes[bone].rotation = turn * self.changes[bone].rotation;
    }

    pub fn shift(&mut self, bone: usize, offset: Vec3) {
        self.changes[bone].offset += offset;
    }

    pub fn scale(&mut self, bone: usize, scale: Vec3) {
        self.changes[bone].scale *= scale;
    }

    /// Position, rotation and scale relative to the parent.
    pub fn local(&self, rig: &Rig, bone: usize) -> (Vec3, Quat, Vec3) {
        let change = self.changes[bone];
        let unturn = rig.parent_rotation(bone).inverse();
        let position = unturn * (rig.bones[bone].position - rig.parent_position(bone) + change.offset);
        (position, (unturn * change.rotation * rig.bones[bone].rotation).normalize(), change.scale)
    }

    pub fn world_from_bone(&self, rig: &Rig, bone: usize) -> Affine3A {
        let (position, rotation, scale) = self.local(rig, bone);
        let local = Affine3A::from_scale_rotation_translation(scale, rotation, position);
        rig.bones[bone].parent.map_or(local, |parent| self.world_from_bone(rig, parent) * local)
    }

    /// Bends a leg (upper, lower, foot) so that the foot's joint comes to `ankle`, turned by `foot_turn` from rest,
    /// knee towards `knee` (a direction). What lies above must be unscaled.
    pub fn plant(&mut self, rig: &Rig, [upper, lower, foot]: [usize; 3], ankle: Vec3, foot_turn: Quat, knee: Vec3) {
        let above = rig.bones[upper].parent.map_or(Affine3A::IDENTITY, |parent| self.world_from_bone(rig, parent));
        let turned = |parent: Option<usize>, above: Affine3A| {
            let rest = parent.map_or(Quat::IDENTITY, |parent| rig.bones[parent].rotation);
            Quat::from_mat3a(&above.matrix3) * rest.inverse()
        };
        let hip = Vec3::from(self.world_from_bone(rig, upper).translation);
        let (a, b) = (
            rig.bones[lower].position.distance(rig.bones[upper].position),
            rig.bones[foot].position.distance(rig.bones[lower].position),
        );
        let reach = (ankle - hip).clamp_length((a - b).abs() + 0.01, (a + b) * 0.9995);
        let distance = reach.length();
        let toward = reach / distance;
        let along = (a * a - b * b + distance * distance) / (2.0 * distance);
        let out = (knee - toward * knee.dot(toward)).normalize_or(Vec3::X);
        let bend = hip + toward * along + out * (a * a - along * along).max(0.0).sqrt();
        let frame = |along: Vec3, out: Vec3| {
            let x = along.normalize_or(Vec3::X);
            let z = x.cross(out).normalize_or(Vec3::Z);
            Quat::from_mat3a(&Mat3A::from_cols(x.into(), z.cross(x).into(), z.into()))
        };
        let (rest_upper, rest_lower) = (
            rig.bones[lower].position - rig.bones[upper].position,
            rig.bones[foot].position - rig.bones[lower].position,
        );
        let upper_turn = frame(bend - hip, out) * frame(rest_upper, knee).inverse();
        let lower_turn = frame(hip + reach - bend, out) * frame(rest_lower, knee).inverse();
        self.changes[upper].rotation = turned(rig.bones[upper].parent, above).inverse() * upper_turn;
        self.changes[lower].rotation = upper_turn.inverse() * lower_turn;
        self.changes[foot].rotation = lower_turn.inverse() * foot_turn;
    }
}

/// Shares of influence along a chain of `bones` at `t` (0 at its start, 1 at its end), blended over `blend` of a bone.
pub fn chain_weights(bones: &[usize], t: f32, blend: f32) -> Vec<(usize, f32)> {
    let place = t * bones.len() as f32 - 0.5;
    let low = place.floor().clamp(0.0, bones.len() as f32 - 1.0);
    let high = (low + 1.0).min(bones.len() as f32 - 1.0);
    let share = ((place - low - 0.5) / blend + 0.5).clamp(0.0, 1.0);
    let share = share * share * (3.0 - 2.0 * share);
    let mut weights = vec![(bones[low as usize], 1.0 - share)];
    if share > 0.0 && high > low {
        weights.push((bones[high as usize], share));
        weights.retain(|(_, weight)| *weight > 0.0);
    } else {
        weights[0].1 = 1.0;
    }
    weights
}
