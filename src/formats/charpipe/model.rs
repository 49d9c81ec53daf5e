//! Puts a model together of its sections.

use super::{
    act::Act,
    codes,
    faces::{self, FaceMesh, Faces},
    gpl::{
        self, Gpl,
        shape::{self, Moved, Shape, States},
    },
    materials,
    placing::{self, Carrier, Placed},
    section::OpenSection,
    skn::{self, Bound, Skn},
    tex::Textures,
};
use crate::{
    bytes::numbers::counted,
    formats::{LoadContext, findings::Findings, read_budget::ReadBudget, structure::Structure},
    scene::{Influence, Mesh, Model, Run, Skeleton, Skin, skinning::cofactor},
};
use glam::{Affine3A, Vec3, Vec3A};

/// Bytes that meshes may take besides the first of each: a mesh may hang on many bones.
const MAX_REPEATED: usize = 16 << 20;

/// The model that sections make; of several of a kind the first counts.
///
/// # Errors
/// In words, when there is nothing to show.
pub fn assemble(
    name: &str,
    sections: &[&OpenSection],
    cx: &mut LoadContext<'_>,
    findings: &mut Findings,
) -> Result<Model, String> {
    let act = find::<Act>(sections);
    let mut model = Model::empty(name);
    let skeleton = act.map(|act| act.skeleton(findings)).filter(|skeleton| !skeleton.joints().is_empty());
    if let Some(gpl) = find::<Gpl>(sections) {
        let placing = placing::place(gpl, act, findings);
        let mut parts = Parts::new(gpl, act, skeleton.as_ref(), gpl.drawn_states());
        parts.bind(find::<Skn>(sections), findings);
        parts.count(&placing.drawn);
        for placed in &placing.drawn {
            parts.add(*placed, findings);
        }
        let drawn = parts.meshes.len();
        for object in &placing.undrawn {
            parts.add(Placed { object: *object, carrier: Carrier::Nothing }, findings);
        }
        if !placing.undrawn.is_empty() {
            model.draw_order = (0..drawn as u32).collect();
        }
        let textures = find::<Textures>(sections);
        (model.materials, model.textures, model.images) = materials::of(parts.states.list(), textures, cx, findings);
        model.meshes = std::mem::take(&mut parts.meshes);
        if let Some(faces) = find::<Faces>(sections) {
            let meshes: Vec<FaceMesh<'_>> = parts.face_meshes();
            faces::add_morphs(faces, &meshes, &mut model, findings);
        }
    }
    model.skeleton = skeleton;
    if model.meshes.is_empty() && model.skeleton.is_none() {
        return Err("no readable meshes or bones".to_owned());
    }
    Ok(model)
}

/// One mesh alone, where it is stored.
///
/// # Errors
/// In words, when it cannot be read.
pub fn assemble_mesh(
    object: usize,
    sections: &[&OpenSection],
    cx: &mut LoadContext<'_>,
    findings: &mut Findings,
) -> Result<Model, String> {
    let gpl = find::<Gpl>(sections).ok_or("the geometry palette cannot be read")?;
    let act = find::<Act>(sections);
    if gpl.shows.get(object) == Some(&false) {
        return Err("too many meshes share the bytes of this mesh".to_owned());
    }
    let mut parts = Parts::new(gpl, act, None, States::default());
    let carrier = if placing::skinned_object(gpl, act) == Some(object) { Carrier::Skin } else { Carrier::Nothing };
    if carrier == Carrier::Skin {
        // What is wrong with the skin is said with the model.
        parts.bind(find::<Skn>(sections), &mut Findings::default());
    }
    parts.add(Placed { object, carrier }, findings);
    let mut model = Model::empty(gpl.name(object));
    // What is missing of textures is said with the model.
    let textures = find::<Textures>(sections);
    (model.materials, model.textures, model.images) =
        materials::of(parts.states.list(), textures, cx, &mut Findings::default());
    let mut palette = gpl.drawn_states();
    for (material, state) in model.materials.iter_mut().zip(parts.states.list()) {
        material.name = materials::name(palette.number(*state) as usize);
    }
    model.meshes = parts.meshes;
    if model.meshes.is_empty() { Err("the mesh cannot be read".to_owned()) } else { Ok(model) }
}

fn find<'a, T: Structure>(sections: &[&'a OpenSection]) -> Option<&'a T> {
    sections.iter().find_map(|section| section.get::<T>())
}

/// Meshes as they are made.
struct Parts<'a> {
    gpl: &'a Gpl,
    act: Option<&'a Act>,
    skeleton: Option<&'a Skeleton>,
    /// What the skin makes of the skinned object.
    bound: Option<Bound>,
    budget: ReadBudget,
    /// Bytes of meshes that may still be repeated.
    room: usize,
    /// What was made of each object, for the next bone that draws it.
    shapes: Vec<Option<Shape>>,
    /// How many bones will still draw each object.
    uses: Vec<u32>,
    states: States,
    meshes: Vec<Mesh>,
    placed: Vec<PlacedMesh>,
}

/// How a mesh came about.
struct PlacedMesh {
    placed: Placed,
    /// The palette's number of each vertex's normal.
    normal_numbers: Vec<u32>,
    /// Its points are pairs of a bone and a position.
    is_stitched: bool,
}

impl<'a> Parts<'a> {
    fn new(gpl: &'a Gpl, act: Option<&'a Act>, skeleton: Option<&'a Skeleton>, states: States) -> Self {
        Self {
            gpl,
            act,
            skeleton,
            bound: None,
            budget: gpl::read_budget(gpl.range.end.saturating_sub(gpl.range.start)),
            room: MAX_REPEATED,
            shapes: vec![None; gpl.objects.len()],
            uses: vec![0; gpl.objects.len()],
            states,
            meshes: Vec::new(),
            placed: Vec::new(),
        }
    }

    fn count(&mut self, placed: &[Placed]) {
        for Placed { object, .. } in placed {
            if let Some(uses) = self.uses.get_mut(*object) {
                *uses = uses.saturating_add(1);
            }
        }
    }

    /// Has a skin move the skinned object.
    fn bind(&mut self, skin: Option<&Skn>, findings: &mut Findings) {
        let (Some(skin), Some(act)) = (skin, self.act) else { return };
        let skinned = placing::skinned_object(self.gpl, Some(act));
        let object = skinned.and_then(|index| self.gpl.objects.get(index)?.as_ref());
        match object.and_then(|object| object.positions.filter(|_| object.is_skinned())) {
            Some(positions) => {
                let stored = positions.slots(&self.gpl.source);
                self.bound = Some(skn::bind(skin, act, &stored, positions.shift(), findings));
            }
            None => {
                let message = "the skin has no mesh to deform: no mesh has normals stored with its positions";
                findings.add(&codes::NOTHING_SKINNED, None, message);
            }
        }
    }

    /// Adds a mesh, or a finding.
    fn add(&mut self, placed: Placed, findings: &mut Findings) {
        let Some(object) = self.gpl.objects.get(placed.object).and_then(Option::as_ref) else { return };
        let name = self.gpl.name(placed.object);
        let again = self.uses.get_mut(placed.object).is_some_and(|uses| {
            *uses = uses.saturating_sub(1);
            *uses > 0
        });
        let known = self.shapes.get(placed.object).and_then(Option::as_ref);
        let shape = match known {
            Some(shape) => {
                let Some(room) = self.room.checked_sub(weight(&shape.mesh)) else {
                    let message = format!("{name} is attached to more bones than can be shown");
                    findings.add(&codes::TOO_MUCH, Some(object.at), message);
                    return;
                };
                self.room = room;
                shape.clone()
            }
            None => {
                let bound = self.bound.as_ref().filter(|_| placed.carrier == Carrier::Skin);
                let moved = bound.map(|bound| Moved { points: &bound.points, normals: &bound.normals });
                match shape::shape(self.gpl, placed.object, moved, &mut self.states, &mut self.budget) {
                    Ok(shape) => {
                        for fault in &shape.faults {
                            findings.add(fault.code, Some(fault.at), format!("{name}: {}", fault.message));
                        }
                        if let Some(slot) = self.shapes.get_mut(placed.object).filter(|_| again) {
                            *slot = Some(shape.clone());
                        }
                        shape
                    }
                    Err(why) => {
                        findings.add(&codes::TOO_MUCH, Some(object.at), format!("{name} skipped: {why}"));
                        return;
                    }
                }
            }
        };
        let mut mesh = Mesh { name, ..shape.mesh };
        match placed.carrier {
            Carrier::Bone(bone) if shape.bones.is_empty() => self.hang(&mut mesh, bone),
            Carrier::Skin if self.bound.is_some() => {
                if let Some(bound) = self.bound.take() {
                    mesh.point_normals = bound.normals;
                    // Without joints it stands as it is bound.
                    if self.skeleton.is_some() {
                        mesh.skin = Some(bound.skin);
                        mesh.fixed_skin = Some(bound.fixed);
                    }
                }
            }
            _ => self.stitch(&mut mesh, &shape.bones, object.at, findings),
        }
        self.meshes.push(mesh);
        let (normal_numbers, is_stitched) = (shape.normal_numbers, !shape.bones.is_empty());
        self.placed.push(PlacedMesh { placed, normal_numbers, is_stitched });
    }

    /// Puts a mesh that is stored in a bone's space where that bone is in bind pose.
    fn hang(&self, mesh: &mut Mesh, bone: u32) {
        let Some(skeleton) = self.skeleton else { return };
        let world = skeleton.world_from_joint_bind().get(bone as usize).copied().unwrap_or_default();
        for point in &mut mesh.points {
            *point = world.transform_point3(*point);
        }
        let turned = cofactor(&world.matrix3);
        for normal in &mut mesh.normals {
            *normal = (turned * Vec3A::from(*normal)).normalize_or(Vec3A::Y).into();
        }
        mesh.skin = Some(one_each(mesh.points.len(), |_| Some(bone)));
    }

    /// Has the bones that lists load move the points.
    fn stitch(&self, mesh: &mut Mesh, bones: &[Option<u16>], at: u64, findings: &mut Findings) {
        let (Some(act), false) = (self.act.filter(|_| self.skeleton.is_some()), bones.is_empty()) else { return };
        let joint_of = |bone: &Option<u16>| act.joint_of_order(u32::from((*bone)?));
        let missing = bones.iter().filter(|bone| joint_of(bone).is_none()).count();
        if missing > 0 {
            let points = counted(missing, "point");
            let message = format!("{points} of {} cannot move because of missing bones", mesh.name);
            findings.add(&codes::BAD_INDEX, Some(at), message);
        }
        mesh.skin = Some(one_each(mesh.points.len(), |point| bones.get(point).and_then(joint_of)));
    }

    fn face_meshes(&self) -> Vec<FaceMesh<'_>> {
        let meshes = self.placed.iter().enumerate().filter_map(|(mesh, made)| {
            let PlacedMesh { placed, normal_numbers, is_stitched } = made;
            let object = self.gpl.objects.get(placed.object)?.as_ref()?;
            let unit = |shift: u8| 2.0_f32.powi(i32::from(shift)).recip();
            let world = match placed.carrier {
                Carrier::Bone(bone) => {
                    self.skeleton.and_then(|s| s.world_from_joint_bind().get(bone as usize)).copied()
                }
                Carrier::Skin | Carrier::Nothing => None,
            };
            Some(FaceMesh {
                mesh,
                number: placed.object as u32,
                position_unit: unit(object.positions.map_or(0, |array| array.shift())),
                normal_unit: unit(object.normals.map_or(0, |array| array.shift())),
                model_from_mesh: world.unwrap_or(Affine3A::IDENTITY),
                vertex_normals: if object.is_skinned() { &[] } else { normal_numbers },
                is_stitched: *is_stitched,
            })
        });
        meshes.collect()
    }
}

/// A skin in which one joint, or none, moves each point.
fn one_each(points: usize, joint_of: impl Fn(usize) -> Option<u32>) -> Skin {
    let mut skin = Skin { runs: Vec::with_capacity(points), ..Skin::default() };
    for point in 0..points {
        let first = skin.influences.len() as u32;
        let joint = joint_of(point);
        skin.influences.extend(joint.map(|joint| Influence { joint, weight: 1.0 }));
        skin.runs.push(Run { first, count: u32::from(joint.is_some()) });
    }
    skin
}

/// About as many bytes as a mesh takes.
fn weight(mesh: &Mesh) -> usize {
    let points = mesh.points.len().saturating_mul(size_of::<Vec3>().saturating_add(16));
    let vertices = mesh.vertex_count().saturating_mul(128);
    let indices = mesh.indices.len().saturating_mul(4);
    let rest = mesh.lines.len().saturating_add(mesh.surfaces.len()).saturating_mul(16);
    [points, vertices, indices, rest].into_iter().fold(1024, usize::saturating_add)
}
