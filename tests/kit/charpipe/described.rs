//! A character as it is described, whole poses of it worked out in double precision, and its file.

use crate::kit::Noise;
use bonebox::formats::charpipe::encode::{
    Actor, Arranged, Arrangement, Block, Bone, Control, Draw, Geometry, Layout, Lighting, Mesh, Parts, Positions,
    PrimitiveKind, Rotation, Setting, Skin, SkinVertex, State, Vertex, Width, arrange, encode_act, encode_block,
    encode_gpl, encode_skn, whole_weights,
};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// What a character is to be like.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub seed: u64,
    pub bones: usize,
    pub vertices: usize,
    pub shift: u8,
    pub width: Width,
    /// Controls of every kind; else turns and shifts alone.
    pub wild: bool,
    /// The header says fewer positions than the skin writes.
    pub short: bool,
    pub arrangement: Arrangement,
}

impl Wanted {
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            bones: 12,
            vertices: 200,
            shift: 11,
            width: Width::Index16,
            wild: true,
            short: false,
            arrangement: Arrangement::default(),
        }
    }
}

pub struct Described {
    pub actor: Actor,
    /// Weights by bone numbers in depth-first order.
    pub vertices: Vec<SkinVertex>,
    pub arranged: Arranged,
    pub geometry: Geometry,
    pub shift: u8,
}

impl Described {
    pub fn new(wanted: Wanted) -> Self {
        let mut noise = Noise::new(wanted.seed);
        let actor = actor(&mut noise, wanted);
        let reach = (f32::from(i16::MAX) / f32::from(wanted.shift).exp2()).min(8.0) * 0.99;
        let vertices: Vec<SkinVertex> = (0..wanted.vertices).map(|_| vertex(&mut noise, wanted, reach)).collect();
        let arranged = arrange(&vertices, Arrangement { shift: wanted.shift, ..wanted.arrangement });
        let skinned = skinned_mesh(wanted, &arranged);
        let geometry = Geometry { meshes: vec![skinned], odd: noise.coin(), ..Geometry::default() };
        Self { actor, vertices, arranged, geometry, shift: wanted.shift }
    }

    pub fn file(&self) -> Vec<u8> {
        self.file_with(&self.arranged.skin)
    }

    /// With another skin.
    pub fn file_with(&self, skin: &Skin) -> Vec<u8> {
        encode_block(&Block {
            gpl: encode_gpl(&self.geometry),
            act: encode_act(&self.actor),
            skn: encode_skn(skin),
            ..Block::default()
        })
    }

    /// World matrices by the bones' places in the table, when bones have these local ones.
    pub fn world(&self, locals: &[DAffine3]) -> Vec<DAffine3> {
        let bones = &self.actor.bones;
        let world = |mut place: usize| {
            let mut world = locals[place];
            while let (true, Some(parent)) = (bones[place].inherits, bones[place].parent) {
                world = locals[parent] * world;
                place = parent;
            }
            world
        };
        (0..bones.len()).map(world).collect()
    }

    pub fn bind_locals(&self) -> Vec<DAffine3> {
        self.actor.bones.iter().map(|bone| local(bone.control.as_ref())).collect()
    }

    /// Posed vertices and their normals, these not of unit length, from the quantised description.
    pub fn posed(&self, locals: &[DAffine3]) -> Vec<[DVec3; 2]> {
        let bind = self.world(&self.bind_locals());
        let world = self.world(locals);
        let order = depth_first(&self.actor);
        let skin: Vec<DAffine3> = order.iter().map(|place| world[*place] * bind[*place].inverse()).collect();
        let scale = f64::from(self.shift).exp2();
        let fixed = |v: [f32; 3]| DVec3::from(v.map(|part| (f64::from(part) * scale).round() / scale));
        let pose = |vertex: &SkinVertex| {
            let (position, normal) = (fixed(vertex.position), fixed(vertex.normal));
            let mut sums = [DVec3::ZERO; 2];
            for (bone, weight) in &vertex.weights {
                let (matrix, weight) = (skin[usize::from(*bone)], f64::from(*weight) / 256.0);
                sums[0] += matrix.transform_point3(position) * weight;
                sums[1] += matrix.transform_vector3(normal) * weight;
            }
            sums
        };
        self.vertices.iter().map(pose).collect()
    }
}

/// Places of bones in depth-first order, by recursion.
fn depth_first(actor: &Actor) -> Vec<usize> {
    fn walk(actor: &Actor, parent: Option<usize>, order: &mut Vec<usize>) {
        for (place, bone) in actor.bones.iter().enumerate() {
            if bone.parent == parent {
                order.push(place);
                walk(actor, Some(place), order);
            }
        }
    }
    let mut order = Vec::new();
    walk(actor, None, &mut order);
    order
}

/// The matrix that a control says.
pub fn local(control: Option<&Control>) -> DAffine3 {
    let parts = match control {
        None => return DAffine3::IDENTITY,
        Some(Control::Matrix(m)) => {
            let m = m.map(f64::from);
            let column = |i: usize| DVec3::new(m[i], m[i + 4], m[i + 8]);
            let axes = DMat3::from_cols(column(0), column(1), column(2));
            return DAffine3::from_mat3_translation(axes, column(3));
        }
        Some(Control::Parts(parts)) => parts,
    };
    let wide = |v: [f32; 3]| DVec3::from(v.map(f64::from));
    let quaternion =
        |[x, y, z, w]: [f32; 4]| DQuat::from_xyzw(f64::from(x), f64::from(y), f64::from(z), f64::from(w)).normalize();
    let scale = DMat3::from_diagonal(parts.scale.map_or(DVec3::ONE, wide));
    let rotation = match parts.rotation {
        None => DMat3::IDENTITY,
        Some(Rotation::Quaternion(q)) => DMat3::from_quat(quaternion(q)),
        Some(Rotation::Euler(degrees)) => {
            let [x, y, z] = degrees.map(|d| f64::from(d).to_radians());
            DMat3::from_rotation_z(z) * DMat3::from_rotation_y(y) * DMat3::from_rotation_x(x)
        }
    };
    let scale = parts.scale_axes.map_or(scale, |axes| {
        let axes = DMat3::from_quat(quaternion(axes));
        axes * scale * axes.transpose()
    });
    DAffine3::from_mat3_translation(rotation * scale, parts.translation.map_or(DVec3::ZERO, wide))
}

fn actor(noise: &mut Noise, wanted: Wanted) -> Actor {
    let count = wanted.bones;
    // Places in the table are shuffled: parents may stand behind their children.
    let mut places: Vec<usize> = (0..count).collect();
    (1..count).rev().for_each(|last| places.swap(last, noise.below(last + 1)));
    let mut bones = vec![Bone::new(0, None, None); count];
    for made in 0..count {
        let near = made.saturating_sub(6);
        let has_parent = made > 0 && (!wanted.wild || noise.below(8) > 0);
        let parent = has_parent.then(|| places[near + noise.below(made - near)]);
        let mut bone = Bone::new(made as u16, parent, control(noise, wanted.wild));
        bone.inherits = !wanted.wild || noise.below(6) > 0;
        bone.draw_priority = noise.below(3) as u8;
        bones[places[made]] = bone;
    }
    Actor { id: 7, bones, geometry: "made.gpl".to_owned(), skin_mesh: Some(0), ..Actor::default() }
}

fn control(noise: &mut Noise, wild: bool) -> Option<Control> {
    let translation = Some(noise.vector());
    let rotation = Some(Rotation::Quaternion(noise.quaternion()));
    let degrees = noise.vector().map(|v| v * 170.0);
    let scale = noise.vector().map(|v| 1.0 + v * 0.3);
    let parts = Parts { rotation, translation, ..Parts::default() };
    if !wild {
        return Some(Control::Parts(parts));
    }
    let euler = Some(Rotation::Euler(degrees));
    match noise.below(9) {
        0 => None,
        1 => Some(Control::Parts(Parts { leftovers: true, ..Parts::default() })),
        2 => Some(Control::Parts(Parts { translation, leftovers: true, ..Parts::default() })),
        3 => Some(Control::Parts(Parts { rotation: euler, translation, ..Parts::default() })),
        4 => Some(Control::Parts(Parts { scale: Some(scale), ..parts })),
        5 => Some(Control::Parts(Parts { scale: Some(scale), rotation: euler, leftovers: true, ..Parts::default() })),
        6 => {
            let axes = Some(noise.quaternion());
            Some(Control::Parts(Parts { scale: Some(scale), scale_axes: axes, ..parts }))
        }
        7 => {
            let all = Parts { scale: Some(scale), rotation: euler, translation, ..Parts::default() };
            let m = local(Some(&Control::Parts(all)));
            let rows = [0, 1, 2]
                .map(|row| [m.x_axis[row], m.y_axis[row], m.z_axis[row], m.translation[row]].map(|v| v as f32));
            Some(Control::Matrix(std::array::from_fn(|i| rows[i / 4][i % 4])))
        }
        _ => Some(Control::Parts(parts)),
    }
}

fn vertex(noise: &mut Noise, wanted: Wanted, reach: f32) -> SkinVertex {
    let influences = [1, 1, 1, 2, 2, 2, 3, 4, 6][noise.below(9)].min(wanted.bones);
    // Few bones together, so that lists get long.
    let home = noise.below(wanted.bones);
    let mut weights: Vec<(u16, f32)> = Vec::new();
    for step in 0..influences {
        weights.push((((home + step) % wanted.bones) as u16, noise.unit() + 1.2));
    }
    let normal = glam::Vec3::from(noise.vector()).normalize_or(glam::Vec3::Y) * reach.min(0.999);
    SkinVertex {
        position: noise.vector().map(|v| v * reach),
        normal: normal.to_array(),
        weights: whole_weights(&weights),
        accumulated: noise.below(12) == 0,
    }
}

/// Triangles over all slots that belong to vertices.
fn skinned_mesh(wanted: Wanted, arranged: &Arranged) -> Mesh {
    let mut slots = arranged.slots.clone();
    slots.truncate(slots.len() / 3 * 3);
    if wanted.width == Width::Index8 {
        slots.retain(|slot| *slot < 256);
        slots.truncate(slots.len() / 3 * 3);
    }
    let vertex = |slot: &u16| Vertex { position: *slot, normal: *slot, ..Vertex::default() };
    let layout = Layout { position: wanted.width, normal: wanted.width, ..Layout::default() };
    let draws = vec![Draw::Primitive(PrimitiveKind::Triangles, slots.iter().map(vertex).collect())];
    let count = arranged.stored.len() as u16;
    let (stored, count) = if wanted.short {
        (arranged.stored.clone(), count.saturating_sub(7))
    } else {
        (arranged.stored.clone(), count)
    };
    Mesh {
        name: "skinned".to_owned(),
        positions: Positions::Skinned { shift: wanted.shift, slots: stored, count },
        lighting: Some(Lighting { normals: None, ambient_percent: 100.0 }),
        states: vec![State::drawing(Setting::Layout(layout), draws)],
        ..Mesh::default()
    }
}
