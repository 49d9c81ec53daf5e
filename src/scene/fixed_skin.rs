//! Skins that the game's processor computed in whole numbers (formats/charpipe.md §6).

use super::exact::mul_add;
use glam::{Affine3A, Vec3A};
use std::ops::Range;

/// Lists that write a mesh's points, one after the other. Points are *slots* of six numbers: position and normal, times two to
/// the power of `shift`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixedSkin {
    /// 31 at most.
    pub shift: u8,
    /// What the file itself has in each slot.
    pub stored: Vec<[i16; 6]>,
    /// In the order in which they are computed: those of one joint, those of two, then those that add up.
    pub lists: Vec<FixedList>,
    /// Slots that are set to zero, wholly or in part, before the first list that adds up: bytes from the first slot's start,
    /// 12 a slot.
    pub clear: Range<u64>,
}

impl FixedSkin {
    /// The slots for skinning matrices, to the unit as the game's processor computed them: in 32-bit floating point with fused products,
    /// stored as whole numbers, cut towards zero, after every list; what adds up starts from what is stored.
    pub fn evaluate(&self, world_from_bind: &[Affine3A]) -> Vec<[i16; 6]> {
        let mut slots = self.stored.clone();
        let (setting, adding) = self.lists.split_at(self.lists.partition_point(|l| l.kind != ListKind::Accumulate));
        for list in setting {
            self.compute(list, world_from_bind, &mut slots);
        }
        clear(&self.clear, &mut slots);
        for list in adding {
            self.compute(list, world_from_bind, &mut slots);
        }
        slots
    }

    fn compute(&self, list: &FixedList, world_from_bind: &[Affine3A], slots: &mut [[i16; 6]]) {
        let [Some(first), Some(second)] = list.joints.map(|joint| world_from_bind.get(joint as usize)) else { return };
        let scale = 2.0_f32.powi(i32::from(self.shift));
        let unit = scale.recip();
        let real = |numbers: [i16; 6]| numbers.map(|n| f32::from(n) * unit);
        for entry in &list.entries {
            let Some(slot) = slots.get_mut(entry.slot as usize) else { continue };
            let source = real(entry.source);
            let [first_weight, second_weight] = entry.weights.map(|w| f32::from(w) / 256.0);
            let moved = moved(first, &source);
            let result: [f32; 6] = match list.kind {
                ListKind::One => moved,
                ListKind::Two => {
                    let other = self::moved(second, &source);
                    zip(other, moved, |b, a| mul_add(b, second_weight, a * first_weight))
                }
                ListKind::Accumulate => zip(moved, real(*slot), |a, old| mul_add(a, first_weight, old)),
            };
            // A cast cuts towards zero and keeps to what there is.
            *slot = result.map(|value| (value * scale) as i16);
        }
    }
}

fn zip(a: [f32; 6], b: [f32; 6], of: impl Fn(f32, f32) -> f32) -> [f32; 6] {
    let mut out = a;
    for (out, b) in out.iter_mut().zip(b) {
        *out = of(*out, b);
    }
    out
}

/// Position and normal by a matrix, one fused product after the other.
fn moved(matrix: &Affine3A, [x, y, z, nx, ny, nz]: &[f32; 6]) -> [f32; 6] {
    let m = &matrix.matrix3;
    let add = |column: Vec3A, by: f32, sum: Vec3A| -> Vec3A {
        Vec3A::new(mul_add(column.x, by, sum.x), mul_add(column.y, by, sum.y), mul_add(column.z, by, sum.z))
    };
    let position = add(m.z_axis, *z, add(m.y_axis, *y, add(m.x_axis, *x, matrix.translation)));
    let normal = add(m.z_axis, *nz, add(m.y_axis, *ny, m.x_axis * *nx));
    [position.x, position.y, position.z, normal.x, normal.y, normal.z]
}

/// Sets bytes of slots to zero, counted from the first slot's start.
fn clear(bytes: &Range<u64>, slots: &mut [[i16; 6]]) {
    let mut start = 0_u64;
    for slot in slots {
        for number in slot {
            // The upper byte comes first.
            if bytes.contains(&start) {
                *number &= 0x00FF;
            }
            if bytes.contains(&start.saturating_add(1)) {
                *number &= 0xFF00_u16 as i16;
            }
            start = start.saturating_add(2);
        }
    }
}

/// How a list writes its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListKind {
    /// By one joint alone.
    One,
    /// By two joints with a weight each.
    Two,
    /// One joint's share is added to what the slot holds.
    Accumulate,
}

impl ListKind {
    /// All kinds, in the order in which a file stores and the game computes them.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Accumulate];

    /// The format's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "SK1",
            Self::Two => "SK2",
            Self::Accumulate => "SKAcc",
        }
    }
}

/// One list.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedList {
    /// How the list writes its slots.
    pub kind: ListKind,
    /// Into [`super::Skeleton::joints`]; both are the same where there is one.
    pub joints: [u32; 2],
    /// Slots that the list writes, in the order of the file.
    pub entries: Vec<FixedEntry>,
}

/// What a list does to one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedEntry {
    /// Index of the slot, into [`FixedSkin::stored`].
    pub slot: u32,
    /// 256ths for each joint; [`ListKind::One`] has none and takes all.
    pub weights: [u8; 2],
    /// Position and normal in bind pose.
    pub source: [i16; 6],
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn entry(slot: u32, weights: [u8; 2], source: [i16; 6]) -> FixedEntry {
        FixedEntry { slot, weights, source }
    }

    fn list(kind: ListKind, joints: [u32; 2], entries: Vec<FixedEntry>) -> FixedList {
        FixedList { kind, joints, entries }
    }

    fn skin(lists: Vec<FixedList>, clear: Range<u64>) -> FixedSkin {
        FixedSkin { shift: 11, stored: vec![[7; 6]; 4], lists, clear }
    }

    /// Numbers of the format's own worked example: v = (0.5, 0.25, 0), a quarter about Z and one along X, weights 179 and 77.
    #[test]
    fn two_bones_share_a_slot() {
        let quarter = glam::Mat3A::from_cols(Vec3A::Y, -Vec3A::X, Vec3A::Z);
        let turned = Affine3A { matrix3: quarter, translation: Vec3A::X };
        let source = [1024, 512, 0, 2048, 0, 0];
        let skin = skin(vec![list(ListKind::Two, [0, 1], vec![entry(2, [179, 77], source)])], 0..0);
        let slots = skin.evaluate(&[Affine3A::IDENTITY, turned]);
        assert_eq!(slots[2], [1178, 666, 0, 1432, 616, 0]);
        assert_eq!(slots[1], [7; 6], "what no list writes stays");
    }

    /// Likewise: −461.25 is stored as −461, and −614.75 as −614, one more than the exact −615.
    #[test]
    fn what_adds_up_is_cut_at_every_step() {
        let source = [-615, 0, 0, 0, 0, 0];
        let add = |weight| list(ListKind::Accumulate, [0, 0], vec![entry(0, [weight, 0], source)]);
        let once = skin(vec![add(192)], 0..32).evaluate(&[Affine3A::IDENTITY]);
        assert_eq!(once[0][0], -461);
        let twice = skin(vec![add(192), add(64)], 0..32).evaluate(&[Affine3A::IDENTITY]);
        assert_eq!(twice[0][0], -614);
    }

    #[test]
    fn clearing_comes_before_the_first_list_that_adds_up_and_goes_by_bytes() {
        let one = list(ListKind::One, [0, 0], (0..4).map(|slot| entry(slot, [0; 2], [100; 6])).collect());
        let add = list(ListKind::Accumulate, [0, 0], vec![entry(2, [128, 0], [50; 6])]);
        let slots = skin(vec![one, add], 16..36).evaluate(&[Affine3A::IDENTITY]);
        assert_eq!(slots, [[100; 6], [100, 100, 0, 0, 0, 0], [25; 6], [100; 6]]);
        let mut odd = vec![[0x1234; 6]];
        clear(&(1..2), &mut odd);
        assert_eq!(odd[0][..2], [0x1200, 0x1234]);
    }

    #[test]
    fn what_does_not_fit_is_held_at_the_ends() {
        let far = Affine3A::from_translation(Vec3::new(1000.0, -1000.0, f32::NAN));
        let one = list(ListKind::One, [0, 0], vec![entry(0, [0; 2], [0, 0, 0, 5, -5, 0]), entry(9, [0; 2], [0; 6])]);
        assert_eq!(skin(vec![one.clone()], 0..0).evaluate(&[far])[0], [32767, -32768, 0, 5, -5, 0]);
        let lost = FixedList { joints: [1, 1], ..one };
        assert_eq!(skin(vec![lost], 0..0).evaluate(&[far])[0], [7; 6], "a joint that is not there moves nothing");
    }
}
