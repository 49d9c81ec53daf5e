//! Poses as morphs of a model's meshes.

use super::{
    super::codes,
    Faces, MAX_POSES,
    record::{Attribute, FaceRecord},
};
use crate::{
    bytes::{
        Reader,
        numbers::{counted, grouped},
    },
    formats::findings::Findings,
    scene::{Mesh, Model, Morph, MorphDelta, exact},
};
use glam::{Affine3A, Vec3};
use std::ops::Range;

/// Differences that the poses of a model may have in all: 32 bytes each.
const MAX_DELTAS: usize = 1 << 20;
/// Differences that a pose of a mesh counts as, however few it has.
const POSE: usize = 64;
/// Entries that may be gone through in all, and points that their normals reach: meshes may be drawn by many bones, and a normal
/// may be that of many points.
const MAX_REACHED: usize = 1 << 22;

/// A mesh of the model, as the palette has it.
#[derive(Clone, Copy, Debug)]
pub struct FaceMesh<'a> {
    /// Into [`Model::meshes`]. Its points are the palette's positions, in their order.
    pub mesh: usize,
    /// Its number in the palette.
    pub number: u32,
    /// Length of one unit of its positions, in its own space.
    pub position_unit: f32,
    /// Length of one unit of its normals, in its own space.
    pub normal_unit: f32,
    /// Turns its own space into the model's: the bind pose of the bone that it hangs on.
    pub model_from_mesh: Affine3A,
    /// The palette's number of each vertex's normal; none for a mesh whose normals go with its positions.
    pub vertex_normals: &'a [u32],
    /// Its points are no positions, but pairs of one with a bone.
    pub is_stitched: bool,
}

/// Adds a morph for each pose but the first, which is the shape itself, to the meshes that it changes. Poses of one object have the
/// same name in each of them.
pub fn add_morphs(faces: &Faces, meshes: &[FaceMesh<'_>], model: &mut Model, findings: &mut Findings) {
    let mut room = Room { deltas: MAX_DELTAS, reached: MAX_REACHED };
    let mut poses_left = MAX_POSES;
    for (index, object) in faces.objects.iter().enumerate() {
        let poses = usize::from(object.poses).min(poses_left.saturating_add(1));
        if poses < object.poses.into() {
            let message = format!("only {poses} of {} poses of object {index} are shown", object.poses);
            findings.add(&codes::BAD_FACES, Some(faces.range.start), message);
        }
        poses_left = poses_left.saturating_sub(poses.saturating_sub(1));
        let mut numbers: Vec<u8> = object.records.iter().map(|r| r.mesh).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let records: Vec<&FaceRecord> = object.records.iter().filter(|r| r.mesh == number).collect();
            let mut any = false;
            for target in meshes.iter().filter(|m| m.number == u32::from(number)) {
                let Some(mesh) = model.meshes.get_mut(target.mesh) else { continue };
                let is_first = !std::mem::replace(&mut any, true);
                if target.is_stitched {
                    if is_first {
                        let at = records.first().map(|r| r.offset);
                        let message = format!("mesh {number} is attached to several bones: its poses are skipped");
                        findings.add(&codes::FACES_MISFIT, at, message);
                    }
                    continue;
                }
                let laid = Laid::new(faces, target, mesh, &records);
                // A mesh may be drawn several times; once says enough.
                if is_first {
                    laid.check(mesh, findings);
                }
                for pose in 1..poses {
                    let Some(deltas) = laid.deltas(pose, mesh, &mut room) else {
                        let message = "the poses move too many points. The remaining poses are not shown".to_owned();
                        findings.add(&codes::BAD_FACES, Some(faces.range.start), message);
                        return;
                    };
                    let name = faces.pose_name(index, pose);
                    mesh.morphs.push(Morph { name, deltas });
                }
            }
            if !any {
                let at = records.first().map(|r| r.offset);
                findings.add(
                    &codes::FACES_MISFIT,
                    at,
                    format!("the poses change mesh {number}, but this change is not shown"),
                );
            }
        }
    }
}

/// What may still be added.
struct Room {
    deltas: usize,
    reached: usize,
}

/// Records of one object laid on one mesh.
struct Laid<'a> {
    faces: &'a Faces,
    target: &'a FaceMesh<'a>,
    records: &'a [&'a FaceRecord],
    /// Normals of the palette with the points that take them, sorted; none where no record needs them.
    points_of_normals: Vec<(u32, u32)>,
    /// How many normals each point takes.
    normals_of_points: Vec<u32>,
}

impl<'a> Laid<'a> {
    fn new(faces: &'a Faces, target: &'a FaceMesh<'a>, mesh: &Mesh, records: &'a [&'a FaceRecord]) -> Self {
        let mut points_of_normals = Vec::new();
        let mut normals_of_points = Vec::new();
        if records.iter().any(|r| r.attribute() == Some(Attribute::Normals)) {
            points_of_normals = target.vertex_normals.iter().copied().zip(mesh.vertex_points.iter().copied()).collect();
            points_of_normals.sort_unstable();
            points_of_normals.dedup();
            normals_of_points = vec![0; mesh.points.len()];
            for (_, point) in &points_of_normals {
                if let Some(count) = normals_of_points.get_mut(*point as usize) {
                    *count = u32::saturating_add(*count, 1);
                }
            }
        }
        Self { faces, target, records, points_of_normals, normals_of_points }
    }

    /// The values of an array with the number in the mesh of each.
    fn values(&self, record: &'a FaceRecord, array: Range<u64>) -> impl Iterator<Item = (u32, [f32; 6])> {
        let size = array.end.saturating_sub(array.start);
        let bytes = usize::try_from(array.start).ok().zip(usize::try_from(size).ok());
        let bytes = bytes.and_then(|(start, size)| self.faces.source.as_slice().get(start..start.checked_add(size)?));
        let mut reader = Reader::big(bytes.unwrap_or_default());
        record.targets().map_while(move |target| Some((target, record.value(&mut reader)?)))
    }

    /// Says whether the mesh has what the records change, and looks like their first pose.
    fn check(&self, mesh: &Mesh, findings: &mut Findings) {
        let number = self.target.number;
        for record in self.records {
            let known = match record.attribute() {
                Some(Attribute::Positions | Attribute::PositionsAndNormals) => mesh.points.len(),
                Some(Attribute::Normals) => {
                    self.target.vertex_normals.iter().max().map_or(0, |n| *n as usize).saturating_add(1)
                }
                None => continue,
            };
            let outside = record.targets().filter(|target| *target as usize >= known).count();
            // Normals that no vertex takes are no harm.
            if outside > 0 && record.attribute() != Some(Attribute::Normals) {
                let (outside, known) = (counted(outside, "entry"), counted(known, "point"));
                let message = format!("{outside} for points that do not exist in mesh {number} ({known})");
                findings.add(&codes::FACES_MISFIT, Some(record.offset), message);
            }
            let Some(array) = record.array(0).filter(|_| record.attribute() != Some(Attribute::Normals)) else {
                continue;
            };
            let start = array.start;
            let differs = |(point, value): &(u32, [f32; 6])| !self.is_point(mesh, *point as usize, value);
            let different = self.values(record, array).filter(|(p, _)| (*p as usize) < known).filter(differs).count();
            if different > 0 {
                let (different, entries) = (grouped(different), grouped(record.entries));
                let message = format!("the first pose differs from mesh {number} in {different} of {entries} points");
                findings.add(&codes::FACES_MISFIT, Some(start), message);
            }
        }
    }

    /// Whether a point of the mesh, or what one of its influences moves, lies where the first pose has it.
    fn is_point(&self, mesh: &Mesh, point: usize, value: &[f32; 6]) -> bool {
        let [x, y, z, ..] = *value;
        let unit = self.target.position_unit;
        let wanted = self.target.model_from_mesh.transform_point3(Vec3::new(x, y, z) * unit);
        // Half a unit, and what turning it may cost.
        let tolerance = unit * 0.5 + wanted.abs().max_element() * 1e-5;
        let is_near = |p: Vec3| (p - wanted).abs().max_element() <= tolerance;
        match mesh.skin.as_ref().map(|skin| skin.sources_of(point)).unwrap_or_default() {
            [] => mesh.points.get(point).is_some_and(|p| is_near(*p)),
            sources => sources.iter().any(|source| is_near(source.position)),
        }
    }

    /// What a pose adds to the points of the mesh, in their order; `None` when there is no room for it.
    fn deltas(&self, pose: usize, mesh: &Mesh, room: &mut Room) -> Option<Vec<MorphDelta>> {
        let turn = self.target.model_from_mesh.matrix3;
        // Normals turn with the bone and do not grow with it.
        let size = exact::cbrt(turn.determinant().abs());
        let position_unit = self.target.position_unit;
        let normal_unit = if size > 0.0 { self.target.normal_unit / size } else { 0.0 };
        let mut deltas: Vec<MorphDelta> = Vec::new();
        room.deltas = room.deltas.checked_sub(POSE)?;
        for record in self.records {
            let (Some(attribute), Some(array)) = (record.attribute(), record.array(pose)) else { continue };
            room.reached = room.reached.checked_sub(record.entries as usize)?;
            for (target, [x, y, z, u, v, w]) in self.values(record, array) {
                let (first, second) = (turn * Vec3::new(x, y, z), turn * Vec3::new(u, v, w));
                if attribute == Attribute::Normals {
                    let points = self.points_of(target);
                    room.reached = room.reached.checked_sub(points.len())?;
                    for (_, point) in points {
                        let count = self.normals_of_points.get(*point as usize).copied().unwrap_or(1).max(1);
                        let normal = first * (normal_unit / count as f32);
                        add(&mut deltas, room, MorphDelta { point: *point, position: Vec3::ZERO, normal })?;
                    }
                } else if (target as usize) < mesh.points.len() {
                    let (position, normal) = (first * position_unit, second * normal_unit);
                    add(&mut deltas, room, MorphDelta { point: target, position, normal })?;
                }
            }
        }
        deltas.sort_by_key(|delta| delta.point);
        deltas.dedup_by(|again, first| {
            let same = again.point == first.point;
            if same {
                first.position += again.position;
                first.normal += again.normal;
            }
            same
        });
        deltas.shrink_to_fit();
        Some(deltas)
    }

    /// The points of the vertices that take a normal.
    fn points_of(&self, normal: u32) -> &[(u32, u32)] {
        let start = self.points_of_normals.partition_point(|(n, _)| *n < normal);
        let rest = self.points_of_normals.get(start..).unwrap_or_default();
        let end = rest.partition_point(|(n, _)| *n == normal);
        rest.get(..end).unwrap_or_default()
    }
}

/// Adds what is no zero.
fn add(deltas: &mut Vec<MorphDelta>, room: &mut Room, delta: MorphDelta) -> Option<()> {
    let is_finite = delta.position.is_finite() && delta.normal.is_finite();
    if is_finite && (delta.position != Vec3::ZERO || delta.normal != Vec3::ZERO) {
        room.deltas = room.deltas.checked_sub(1)?;
        deltas.push(delta);
    }
    Some(())
}
