//! The parts of a model, and those that are left out of its picture.

use super::{JointIndex, MaterialIndex, Mesh, MeshIndex, Model, Surface};
use glam::Vec3;
use std::collections::BTreeSet;

/// Surfaces of a model: those of a mesh, those of a material, or what both have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct ModelPart {
    /// `None`: of every mesh.
    pub mesh: Option<MeshIndex>,
    /// `None`: of every material.
    pub material: Option<MaterialIndex>,
}

impl ModelPart {
    /// Whether the surface of a mesh with this material is one of them.
    pub fn has(&self, mesh: MeshIndex, material: MaterialIndex) -> bool {
        self.mesh.is_none_or(|own| own == mesh) && self.material.is_none_or(|own| own == material)
    }
}

/// A piece of a model that can be left out: surfaces, or a joint with what hangs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum ModelPiece {
    /// The surfaces of a mesh, of a material, or of one mesh with one material.
    Surfaces(ModelPart),
    /// The joint and all below it: triangles that one of them moves most.
    Joint(JointIndex),
}

/// What of a model is not drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct HiddenParts {
    /// The surface of a mesh with a material; past the end for one without.
    surfaces: BTreeSet<(MeshIndex, MaterialIndex)>,
    /// Triangles that these move most.
    joints: BTreeSet<JointIndex>,
    /// Triangles that no joint moves.
    unmoved: bool,
}

impl HiddenParts {
    /// Returns true if no part is hidden.
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty() && !self.is_by_joint()
    }

    /// Surfaces and joints that are left out one by one.
    pub fn len(&self) -> usize {
        self.surfaces.len().saturating_add(self.joints.len())
    }

    /// Whether single triangles are left out, by what moves them.
    pub fn is_by_joint(&self) -> bool {
        !self.joints.is_empty() || self.unmoved
    }

    /// Whether all of the surface of a mesh with a material is left out, whatever moves it.
    pub fn has_surface(&self, mesh: MeshIndex, material: MaterialIndex) -> bool {
        self.surfaces.contains(&(mesh, material))
    }

    /// Whether a line of a mesh is left out because of what moves its first end.
    pub fn has_line(&self, model: &Model, mesh: &Mesh, [first, _]: [u32; 2]) -> bool {
        self.has_triangle(model, mesh, [first; 3])
    }

    /// Whether a triangle of a mesh is left out because of what moves it; `corners` are vertices.
    pub fn has_triangle(&self, model: &Model, mesh: &Mesh, corners: [u32; 3]) -> bool {
        self.is_by_joint()
            && match mesh.strongest_joint(model, corners, Vec3::ONE) {
                Some(joint) => self.joints.contains(&joint),
                None => self.unmoved,
            }
    }

    /// Whether all of a piece is left out. A piece that the model does not have is not.
    pub fn has(&self, model: &Model, piece: ModelPiece) -> bool {
        match piece {
            ModelPiece::Surfaces(_) if self.surfaces.is_empty() => false,
            ModelPiece::Surfaces(part) => {
                let mut own = surfaces_of(model, part).peekable();
                own.peek().is_some() && own.all(|surface| self.surfaces.contains(&surface))
            }
            ModelPiece::Joint(joint) => self.joints.contains(&joint),
        }
    }

    /// Leaves a piece out, or no longer.
    pub fn set(&mut self, model: &Model, piece: ModelPiece, hide: bool) {
        match piece {
            ModelPiece::Surfaces(part) => {
                for surface in surfaces_of(model, part) {
                    if hide {
                        self.surfaces.insert(surface);
                    } else {
                        self.surfaces.remove(&surface);
                    }
                }
            }
            ModelPiece::Joint(joint) => {
                for joint in with_all_below(model, joint) {
                    if hide {
                        self.joints.insert(joint);
                    } else {
                        self.joints.remove(&joint);
                    }
                }
            }
        }
    }

    /// Everything but a piece; `None` when the model has none of it.
    pub fn all_but(model: &Model, piece: ModelPiece) -> Option<Self> {
        let mut hidden = Self::default();
        match piece {
            ModelPiece::Surfaces(part) => {
                surfaces_of(model, part).next()?;
                hidden.surfaces = surfaces_of(model, ModelPart::default()).collect();
            }
            ModelPiece::Joint(joint) => {
                with_all_below(model, joint).first()?;
                hidden.joints = (0..model.joint_count() as u32).map(JointIndex).collect();
                hidden.unmoved = true;
            }
        }
        hidden.set(model, piece, false);
        Some(hidden)
    }

    /// Forgets what a model does not have.
    pub fn keep_of(&mut self, model: &Model) {
        let own: BTreeSet<_> = surfaces_of(model, ModelPart::default()).collect();
        self.surfaces.retain(|surface| own.contains(surface));
        self.joints.retain(|joint| joint.as_usize() < model.joint_count());
    }

    /// How many surfaces are left out, and how many joints with what hangs on them.
    pub fn counts(&self, model: &Model) -> (usize, usize) {
        let joints = model.skeleton.as_ref().map(|skeleton| skeleton.joints()).unwrap_or_default();
        let is_topmost = |joint: &&JointIndex| {
            let parent = joints.get(joint.as_usize()).and_then(|joint| joint.parent);
            parent.is_none_or(|parent| !self.joints.contains(&JointIndex(parent)))
        };
        (self.surfaces.len(), self.joints.iter().filter(is_topmost).count())
    }
}

/// The surfaces of a part, at every level of detail, each with its mesh and its material.
fn surfaces_of(model: &Model, part: ModelPart) -> impl Iterator<Item = (MeshIndex, MaterialIndex)> + '_ {
    let whole = [Surface { first_index: 0, index_count: 0, material: u32::MAX }];
    let meshes = (0..).map(MeshIndex).zip(&model.meshes);
    let all = meshes.flat_map(move |(index, mesh)| {
        let levels = mesh.levels.iter().flat_map(|level| &level.surfaces);
        let none = whole.into_iter().filter(|_| mesh.surfaces.is_empty() && mesh.line_surfaces.is_empty());
        let own = mesh.surfaces.iter().chain(levels).chain(&mesh.line_surfaces).copied().chain(none);
        own.map(move |surface| (index, MaterialIndex(surface.material)))
    });
    all.filter(move |(mesh, material)| part.has(*mesh, *material))
}

/// A joint and all below it; nothing for one that the model does not have.
fn with_all_below(model: &Model, joint: JointIndex) -> Vec<JointIndex> {
    let Some(skeleton) = model.skeleton.as_ref().filter(|_| joint.as_usize() < model.joint_count()) else {
        return Vec::new();
    };
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); model.joint_count()];
    for (index, joint) in (0_u32..).zip(skeleton.joints()) {
        if let Some(list) = joint.parent.and_then(|parent| children.get_mut(parent as usize)) {
            list.push(index);
        }
    }
    let mut known = BTreeSet::from([joint.0]);
    let mut waiting = vec![joint.0];
    while let Some(next) = waiting.pop() {
        for child in children.get(next as usize).into_iter().flatten() {
            // Joints that are their own ancestors end here.
            if known.insert(*child) {
                waiting.push(*child);
            }
        }
    }
    known.into_iter().map(JointIndex).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Influence, Joint, Run, Skeleton, Skin};

    /// A triangle that a joint moves; none for `None`.
    fn triangle(joint: Option<u32>, material: u32) -> Mesh {
        let skin = joint.map(|joint| Skin {
            runs: (0..3).map(|first| Run { first, count: 1 }).collect(),
            influences: vec![Influence { joint, weight: 1.0 }; 3],
            sources: Vec::new(),
        });
        Mesh {
            points: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            vertex_points: vec![0, 1, 2],
            indices: vec![0, 1, 2],
            surfaces: vec![Surface { first_index: 0, index_count: 3, material }],
            skin,
            ..Mesh::default()
        }
    }

    /// Joints 0 › 1 › 2 and 3 alone; a mesh on each of 1, 2, 3 and one on none; materials 0, 1, 0, 1.
    fn model() -> Model {
        let joint = |parent| Joint { parent, ..Joint::default() };
        Model {
            meshes: vec![triangle(Some(1), 0), triangle(Some(2), 1), triangle(Some(3), 0), triangle(None, 1)],
            skeleton: Some(Skeleton::new(vec![joint(None), joint(Some(0)), joint(Some(1)), joint(None)], vec![])),
            ..Model::empty("four triangles")
        }
    }

    fn mesh(mesh: u32) -> ModelPiece {
        ModelPiece::Surfaces(ModelPart { mesh: Some(MeshIndex(mesh)), material: None })
    }

    fn material(material: u32) -> ModelPiece {
        ModelPiece::Surfaces(ModelPart { mesh: None, material: Some(MaterialIndex(material)) })
    }

    fn joint(joint: u32) -> ModelPiece {
        ModelPiece::Joint(JointIndex(joint))
    }

    /// Which meshes are drawn.
    fn drawn(model: &Model, hidden: &HiddenParts) -> Vec<usize> {
        let is_drawn = |index: &usize| {
            let mesh = &model.meshes[*index];
            let material = MaterialIndex(mesh.surfaces.first().map_or(u32::MAX, |surface| surface.material));
            !hidden.has_surface(MeshIndex(*index as u32), material) && !hidden.has_triangle(model, mesh, [0, 1, 2])
        };
        (0..model.meshes.len()).filter(is_drawn).collect()
    }

    #[test]
    fn meshes_and_materials_are_the_same_surfaces() {
        let model = model();
        let mut hidden = HiddenParts::default();
        hidden.set(&model, material(0), true);
        assert_eq!(drawn(&model, &hidden), [1, 3]);
        assert!(hidden.has(&model, mesh(0)) && hidden.has(&model, mesh(2)) && !hidden.has(&model, mesh(1)));
        // Showing a mesh of it leaves the other one hidden.
        hidden.set(&model, mesh(0), false);
        assert_eq!((drawn(&model, &hidden), hidden.has(&model, material(0))), (vec![0, 1, 3], false));
        hidden.set(&model, mesh(2), false);
        assert!(hidden.is_empty());
    }

    #[test]
    fn a_joint_takes_along_what_hangs_on_it() {
        let model = model();
        let mut hidden = HiddenParts::default();
        hidden.set(&model, joint(1), true);
        assert_eq!((drawn(&model, &hidden), hidden.counts(&model)), (vec![2, 3], (0, 1)));
        assert!(hidden.has(&model, joint(2)) && !hidden.has(&model, joint(0)));
        // One below it can be shown again by itself.
        hidden.set(&model, joint(2), false);
        assert_eq!(drawn(&model, &hidden), [1, 2, 3]);
        hidden.set(&model, joint(0), true);
        hidden.set(&model, joint(3), true);
        assert_eq!((drawn(&model, &hidden), hidden.counts(&model)), (vec![3], (0, 2)));
    }

    #[test]
    fn isolating_leaves_a_piece_alone() {
        let model = model();
        let alone = |piece| HiddenParts::all_but(&model, piece).map(|hidden| drawn(&model, &hidden));
        assert_eq!(alone(mesh(3)), Some(vec![3]));
        assert_eq!(alone(material(1)), Some(vec![1, 3]));
        // What no joint moves hangs on none.
        assert_eq!(alone(joint(1)), Some(vec![0, 1]));
        assert_eq!(alone(joint(0)), Some(vec![0, 1]));
    }

    #[test]
    fn pieces_that_a_model_does_not_have_hide_nothing() {
        let model = model();
        let mut hidden = HiddenParts::default();
        for piece in [mesh(9), material(9), joint(9)] {
            assert_eq!(HiddenParts::all_but(&model, piece), None);
            hidden.set(&model, piece, true);
            assert!(hidden.is_empty() && !hidden.has(&model, piece));
        }
        hidden.set(&model, ModelPiece::Surfaces(ModelPart::default()), true);
        hidden.set(&model, joint(3), true);
        assert_eq!(drawn(&model, &hidden), [0; 0]);
        hidden.keep_of(&Model::empty("nothing"));
        assert!(hidden.is_empty());
    }

    #[test]
    fn joints_in_a_circle_end() {
        let joint = |parent| Joint { parent, ..Joint::default() };
        let skeleton = Skeleton::new(vec![joint(Some(1)), joint(Some(0))], vec![]);
        let model = Model { skeleton: Some(skeleton), ..model() };
        assert!(with_all_below(&model, JointIndex(0)).contains(&JointIndex(0)));
    }

    #[test]
    fn a_mesh_without_surfaces_is_one_of_no_material() {
        let mut model = model();
        model.meshes[0].surfaces.clear();
        let mut hidden = HiddenParts::default();
        hidden.set(&model, mesh(0), true);
        assert!(hidden.has_surface(MeshIndex(0), MaterialIndex(u32::MAX)));
        assert_eq!(drawn(&model, &hidden), [1, 2, 3]);
    }
}
