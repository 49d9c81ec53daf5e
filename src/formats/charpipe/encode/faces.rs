//! Facial poses (formats/charpipe.md §7).

use super::bytes::{Bytes, Slot, count16, count32};

/// What a set of numbers is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaceKind {
    /// Positions, or positions with normals if there are 6 components.
    Position,
    /// Normals.
    Normal,
}

/// Numbers of some of a mesh's points in every pose.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceRecord {
    /// Index of the mesh in the palette.
    pub mesh: u8,
    /// Type of the numbers.
    pub kind: FaceKind,
    /// 3, or 6 for the positions and normals of a skinned mesh.
    pub components: u8,
    /// First point and number of points, as often as there are gaps.
    pub runs: Vec<[u16; 2]>,
    /// The first has the numbers themselves, the others what is added to them: `components` a point.
    pub poses: Vec<Vec<i16>>,
}

/// A part of the face with its poses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// As many poses each.
    pub records: Vec<FaceRecord>,
}

impl Face {
    fn poses(&self) -> usize {
        self.records.iter().map(|record| record.poses.len()).max().unwrap_or(0)
    }
}

/// The section of a block.
pub fn encode_faces(faces: &[Face]) -> Vec<u8> {
    let mut out = Bytes::default();
    let most = faces.iter().map(Face::poses).max().unwrap_or(0);
    let kinds = faces.iter().map(|face| face.records.len()).max().unwrap_or(0);
    out.u16s([count16(most), count16(faces.len()), count16(kinds), 0]);
    let table = out.slot();
    out.fill(table);
    let mut slots = Vec::new();
    for face in faces {
        out.u16s([count16(face.poses()), count16(face.records.len())]);
        out.u32(count32(face.poses().saturating_mul(4).saturating_add(0xC)));
        slots.push(out.slot());
    }
    for (face, slot) in faces.iter().zip(slots) {
        out.align(4);
        out.fill(slot);
        let inner: Vec<(Slot, Vec<Slot>)> = face.records.iter().map(|record| write_head(&mut out, record)).collect();
        for (record, (runs, poses)) in face.records.iter().zip(inner) {
            out.align(4);
            out.fill(runs);
            out.u16s(record.runs.iter().flatten().copied());
            for (pose, slot) in record.poses.iter().zip(poses) {
                out.align(4);
                out.fill(slot);
                out.i16s(pose.iter().copied());
            }
        }
    }
    out.bytes
}

fn write_head(out: &mut Bytes, record: &FaceRecord) -> (Slot, Vec<Slot>) {
    let entries = record.runs.iter().map(|[_, length]| u32::from(*length)).fold(0, u32::saturating_add);
    out.u32(entries);
    let kind = match record.kind {
        FaceKind::Position => 1,
        FaceKind::Normal => 2,
    };
    out.bytes(&[record.mesh, kind, record.components, 2]);
    let runs = out.slot();
    (runs, record.poses.iter().map(|_| out.slot()).collect())
}
