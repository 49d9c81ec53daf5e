//! ACT: bones (formats/charpipe.md §5).

use super::bytes::{Bytes, count16, count32};

const VERSION: u32 = 8_092_000;
const BONES: usize = 0x20;
const BONE: usize = 0x1C;

/// A rotation of a bone or of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rotation {
    /// Degrees about X, Y and Z: `Rz · Ry · Rx`.
    Euler([f32; 3]),
    /// x, y, z, w.
    Quaternion([f32; 4]),
}

/// Where a bone is from its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Separate scale, rotation and translation.
    Parts(Parts),
    /// 3 × 4, row by row.
    Matrix([f32; 12]),
}

/// `translation · rotation · scale`; what is absent is not flagged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// Scale along X, Y and Z.
    pub scale: Option<[f32; 3]>,
    /// Rotation relative to the parent.
    pub rotation: Option<Rotation>,
    /// Translation relative to the parent.
    pub translation: Option<[f32; 3]>,
    /// Axes of the scale, a quaternion: Superstar Baseball alone.
    pub scale_axes: Option<[f32; 4]>,
    /// Numbers stand where nothing is flagged; readers must not mind them.
    pub leftovers: bool,
}

impl Control {
    /// A turn and a shift.
    pub fn placed(rotation: [f32; 4], translation: [f32; 3]) -> Self {
        let rotation = Some(Rotation::Quaternion(rotation));
        Self::Parts(Parts { rotation, translation: Some(translation), ..Parts::default() })
    }

    /// A shift.
    pub fn at(translation: [f32; 3]) -> Self {
        Self::Parts(Parts { translation: Some(translation), ..Parts::default() })
    }
}

/// A bone; its place among the actor's is its place in the file's table.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Bone ID.
    pub id: u16,
    /// Place of another bone.
    pub parent: Option<usize>,
    /// None: nothing to say where it is, which is its parent's place.
    pub control: Option<Control>,
    /// Moves with its parent.
    pub inherits: bool,
    /// Meshes of lower priority are drawn first.
    pub draw_priority: u8,
    /// The mesh that hangs on it.
    pub mesh: Option<u16>,
}

impl Bone {
    /// Creates a bone that moves with its parent and draws no mesh. `parent`: index of another bone.
    pub fn new(id: u16, parent: Option<usize>, control: Option<Control>) -> Self {
        Self { id, parent, control, inherits: true, draw_priority: 0, mesh: None }
    }
}

/// Something that a game keeps with an actor.
#[derive(Clone, Debug, PartialEq)]
pub enum UserData {
    /// Which bone mirrors each bone, and what it is for; by bone number.
    Mirrors(Vec<[u8; 2]>),
    /// The animation track of each bone, by bone number; 0xFFFF none.
    Tracks(Vec<u16>),
    /// Anything else.
    Other {
        /// Kind of the block (formats/charpipe.md §5).
        kind: u16,
        /// Number of entries.
        count: u16,
        /// Bytes after the block's descriptor.
        data: Vec<u8>,
    },
}

/// A skeleton. Bones may stand in any order: children follow each other as in the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actor {
    /// Actor ID.
    pub id: u16,
    /// Bones in the order of the file's table.
    pub bones: Vec<Bone>,
    /// Name of the palette of meshes.
    pub geometry: String,
    /// The skinned mesh.
    pub skin_mesh: Option<u16>,
    /// Blocks of user data, in file order.
    pub user_data: Vec<UserData>,
    /// Tables of user data say 0 entries, as some files do; there are as many as bones.
    pub uncounted: bool,
}

impl Actor {
    /// Bones below one, or the roots, as the table has them.
    fn below(&self, parent: Option<usize>) -> Vec<usize> {
        let own = self.bones.iter().enumerate().filter(|(_, bone)| bone.parent == parent);
        own.map(|(place, _)| place).collect()
    }

    /// Places of the bones in depth-first order: skins and matrix loads count so.
    pub fn order(&self) -> Vec<usize> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.bones.len()];
        let mut open = Vec::new();
        for (place, bone) in self.bones.iter().enumerate().rev() {
            match bone.parent.and_then(|parent| children.get_mut(parent)) {
                Some(siblings) => siblings.push(place),
                None => open.push(place),
            }
        }
        let mut order = Vec::new();
        // The last is taken first, so what was pushed in reverse comes out in the table's order.
        while let Some(place) = open.pop() {
            order.push(place);
            open.extend(children.get(place).into_iter().flatten());
        }
        order
    }

    /// For each bone by its place, its number in [`Actor::order`].
    pub fn numbers(&self) -> Vec<u16> {
        let mut numbers = vec![0; self.bones.len()];
        for (number, place) in self.order().into_iter().enumerate() {
            if let Some(own) = numbers.get_mut(place) {
                *own = count16(number);
            }
        }
        numbers
    }
}

/// Offset of a bone's record; 0 for none.
fn record(place: Option<usize>) -> u32 {
    place.map_or(0, |place| count32(place.saturating_mul(BONE).saturating_add(BONES)))
}

/// The section, or a loose file.
pub fn encode_act(actor: &Actor) -> Vec<u8> {
    let mut out = Bytes::default();
    out.u32(VERSION);
    out.u16(actor.id);
    out.u16(count16(actor.bones.len()));
    out.u32(0xC);
    let roots = actor.below(None);
    out.u32(record(roots.first().copied()));
    let name = out.slot();
    out.u16(actor.skin_mesh.unwrap_or(0xFFFF));
    out.u16(0);
    let [user_size, user] = [out.slot(), out.slot()];
    let mut controls = Vec::new();
    for (place, bone) in actor.bones.iter().enumerate() {
        controls.push(out.slot());
        let siblings = actor.below(bone.parent);
        let own = siblings.iter().position(|p| *p == place).unwrap_or(0);
        let previous = own.checked_sub(1).and_then(|i| siblings.get(i));
        out.u32(record(previous.copied()));
        out.u32(record(siblings.get(own.saturating_add(1)).copied()));
        out.u32(record(bone.parent));
        out.u32(record(actor.below(Some(place)).first().copied()));
        out.u16(bone.mesh.unwrap_or(0xFFFF));
        out.u16(bone.id);
        out.bytes(&[u8::from(bone.inherits), bone.draw_priority, 0, 0]);
    }
    for (bone, slot) in actor.bones.iter().zip(controls) {
        if let Some(control) = &bone.control {
            out.fill(slot);
            write_control(&mut out, control);
        }
    }
    out.fill(name);
    out.bytes(actor.geometry.as_bytes());
    out.u8(0);
    out.align(4);
    if !actor.user_data.is_empty() {
        out.fill(user);
        let start = out.offset();
        for data in &actor.user_data {
            write_user_data(&mut out, data, actor.uncounted);
        }
        out.set(user_size, out.offset().saturating_sub(start));
    }
    out.bytes
}

fn write_control(out: &mut Bytes, control: &Control) {
    let parts = match control {
        Control::Matrix(matrix) => {
            out.bytes(&[0x10, 0, 0, 0]);
            out.f32s(*matrix);
            return;
        }
        Control::Parts(parts) => parts,
    };
    let mut flags = 0;
    let set = |present: bool, flag: u8| if present { flag } else { 0 };
    flags |= set(parts.scale.is_some(), 1);
    flags |= match parts.rotation {
        Some(Rotation::Euler(_)) => 2,
        Some(Rotation::Quaternion(_)) => 4,
        None => 0,
    };
    flags |= set(parts.translation.is_some(), 8);
    flags |= set(parts.scale_axes.is_some(), 0x20);
    out.bytes(&[flags, 0, 0, 0]);
    let spare = |usual: f32| if parts.leftovers { 7.25 } else { usual };
    out.f32s(parts.scale.unwrap_or([spare(1.0); 3]));
    match parts.rotation {
        Some(Rotation::Euler([x, y, z])) => out.f32s([x, y, z, 0.0]),
        Some(Rotation::Quaternion(q)) => out.f32s(q),
        None => out.f32s([spare(0.0), spare(0.0), spare(0.0), spare(1.0)]),
    }
    out.f32s(parts.translation.unwrap_or([spare(0.0); 3]));
    match parts.scale_axes {
        Some(axes) => out.f32s(axes),
        None => out.zeros(8),
    }
}

fn write_user_data(out: &mut Bytes, data: &UserData, uncounted: bool) {
    let (kind, count, payload) = match data {
        UserData::Mirrors(rows) => (2, count16(rows.len()), rows.concat()),
        UserData::Tracks(tracks) => (3, count16(tracks.len()), tracks.iter().flat_map(|t| t.to_be_bytes()).collect()),
        UserData::Other { kind, count, data } => (*kind, *count, data.clone()),
    };
    // The next one starts at a multiple of four.
    let size = payload.len().saturating_add(0xC).checked_next_multiple_of(4).unwrap_or(payload.len());
    out.u32(count32(size));
    out.u16s([kind, if uncounted { 0 } else { count }]);
    out.u32(0xC);
    out.bytes(&payload);
    out.align(4);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_are_numbered_depth_first_whatever_the_table_says() {
        let bone = |parent| Bone::new(0, parent, None);
        let bones = vec![bone(Some(3)), bone(Some(0)), bone(None), bone(None), bone(Some(3)), bone(Some(2))];
        let actor = Actor { bones, ..Actor::default() };
        assert_eq!(actor.order(), [2, 5, 3, 0, 1, 4]);
        assert_eq!(actor.numbers(), [3, 4, 0, 2, 5, 1]);
    }
}
