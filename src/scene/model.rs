//! A model: its meshes, materials, skeleton and material sets, and the influences of its points.

use super::{
    Image, JointIndex, Material, MaterialIndex, MaterialKind, Mesh, MissingTexture, Skeleton,
    gx::{self, Texture, first_image},
};
use glam::Affine3A;
use std::{collections::HashSet, sync::Arc};

/// Something that can be posed and drawn.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name of the model, from the file or its object.
    pub name: String,
    /// Meshes of the model; [`Model::draw_order`] can change the order in which they are drawn.
    pub meshes: Vec<Mesh>,
    /// Joints and sockets; `None` for a model without joints.
    pub skeleton: Option<Skeleton>,
    /// Materials, which [`super::Surface::material`] indexes.
    pub materials: Vec<Material>,
    /// Decoded images, which [`super::BasicMaterial::image`] indexes.
    pub images: Vec<Arc<Image>>,
    /// What [`gx::TevMaterial`] reads. The largest mip of each is in `images` at the same place too (a white pixel for one
    /// without data).
    pub textures: Vec<Arc<gx::Texture>>,
    /// The meshes in the order in which they are drawn, where that matters; empty for their own order. Within it opaque
    /// materials come first, then translucent ones from the last mesh to the first. A mesh that is not in it is not drawn.
    pub draw_order: Vec<u32>,
    /// Turns scene space back into the file's own, for `pose` and exports.
    pub file_from_scene: Affine3A,
    /// One plain sentence each, for what was looked for beside the file and not found.
    pub missing: Vec<String>,
    /// The textures among it, by the material that names them.
    pub missing_textures: Vec<MissingTexture>,
}

impl Model {
    /// Materials that are drawn without a texture, though some was looked for.
    pub fn materials_without_texture(&self) -> Vec<MaterialIndex> {
        if self.missing.is_empty() {
            return Vec::new();
        }
        let surfaces = self.meshes.iter().flat_map(|mesh| mesh.surfaces.iter().chain(&mesh.line_surfaces));
        let used: HashSet<u32> = surfaces.map(|surface| surface.material).collect();
        let materials = (0..).map(MaterialIndex).zip(&self.materials).filter(|(index, _)| used.contains(&index.0));
        let empty = materials.filter(|(_, material)| match &material.kind {
            MaterialKind::Basic(basic) => basic.image.is_none() && !basic.hidden,
            MaterialKind::Tev(_) => false,
        });
        empty.map(|(index, _)| index).collect()
    }

    /// A model of nothing, in scene space.
    pub fn empty(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            meshes: Vec::new(),
            skeleton: None,
            materials: Vec::new(),
            images: Vec::new(),
            textures: Vec::new(),
            draw_order: Vec::new(),
            file_from_scene: Affine3A::IDENTITY,
            missing: Vec::new(),
            missing_textures: Vec::new(),
        }
    }

    /// Number of triangles of all meshes at full detail.
    pub fn triangle_count(&self) -> usize {
        self.meshes.iter().map(Mesh::triangle_count).sum()
    }

    /// Frames of the mesh with the most of them ([`super::VertexFrames`]); 0 for none.
    pub fn vertex_frame_count(&self) -> u32 {
        self.meshes.iter().filter_map(|m| m.vertex_frames.as_ref()).map(|f| f.frame_count()).max().unwrap_or(0)
    }

    /// Coarser levels of detail of the mesh with the most of them; 0 for none.
    pub fn level_count(&self) -> u32 {
        self.meshes.iter().map(|m| m.levels.len() as u32).max().unwrap_or(0)
    }

    /// The model with the triangles of a coarser level: 0 is full detail, past the last it is the last.
    pub fn at_level(&self, level: u32) -> Self {
        let mut model = self.clone();
        for mesh in &mut model.meshes {
            let index = (level as usize).min(mesh.levels.len());
            if let Some(level) = index.checked_sub(1).and_then(|i| mesh.levels.get_mut(i)) {
                mesh.indices = std::mem::take(&mut level.indices);
                mesh.surfaces = std::mem::take(&mut level.surfaces);
                mesh.triangle_sources.clear();
            }
            mesh.levels.clear();
        }
        model
    }

    /// Number of joints; 0 without a skeleton.
    pub fn joint_count(&self) -> usize {
        self.skeleton.as_ref().map_or(0, |s| s.joints().len())
    }

    /// Names of all morphs, mesh by mesh, each once: the order of [`super::Frame::morph_weights`].
    pub fn morph_names(&self) -> Vec<&str> {
        let mut known = HashSet::new();
        let mut names: Vec<&str> = self.meshes.iter().flat_map(|m| &m.morphs).map(|m| m.name.as_str()).collect();
        names.retain(|name| known.insert(*name));
        names
    }
}

impl Mesh {
    /// The joints that move a point, with their shares: the largest first, of equal ones the one that the file names first.
    pub fn joints_of_point(&self, model: &Model, point: usize) -> Vec<(JointIndex, f32)> {
        let (Some(skin), Some(skeleton)) = (&self.skin, &model.skeleton) else { return Vec::new() };
        let mut shares: Vec<(JointIndex, f32)> = Vec::new();
        let mut add = |joint: u32, share: f32| {
            if joint as usize >= skeleton.joints().len() {
                return;
            }
            match shares.iter_mut().find(|(known, _)| known.0 == joint) {
                Some((_, sum)) => *sum += share,
                None => shares.push((JointIndex(joint), share)),
            }
        };
        for influence in skin.influences_of(point) {
            if skeleton.draw_matrices.is_empty() {
                add(influence.joint, influence.weight);
                continue;
            }
            let matrix = skeleton.draw_matrices.get(influence.joint as usize);
            for term in matrix.into_iter().flat_map(|matrix| &matrix.terms) {
                add(term.joint, term.weight * influence.weight);
            }
        }
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        shares
    }
}

/// Materials, textures or both that take a model's places (formats/j3d.md §5.7).
#[derive(Clone, Debug, Default)]
pub struct MaterialSet {
    /// Replace the model's by their place; empty for none.
    pub materials: Vec<Material>,
    /// Replace the model's as a whole.
    pub textures: Option<Vec<Arc<Texture>>>,
}

impl MaterialSet {
    /// How many of a model's materials it replaces; the rest stay as they are.
    pub fn replaced_in(&self, model: &Model) -> usize {
        self.materials.len().min(model.materials.len())
    }

    /// The model as it looks with the set on it.
    pub fn applied_to(&self, model: &Model) -> Model {
        let mut model = model.clone();
        for (old, new) in model.materials.iter_mut().zip(&self.materials) {
            // Animations find materials by the model's names.
            old.kind = new.kind.clone();
        }
        if let Some(textures) = &self.textures {
            model.images = textures.iter().map(|texture| first_image(texture)).collect();
            model.textures.clone_from(textures);
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        DrawMatrix, DrawTerm, Influence, Joint, MaterialKind, Run, Skeleton, Skin,
        gx::{CullMode, TevMaterial},
    };
    use glam::{Affine3A, Vec3};

    fn model(influences: Vec<Influence>, matrices: Vec<DrawMatrix>) -> Model {
        let mut skeleton = Skeleton::new(vec![Joint::default(); 3], vec![]);
        skeleton.draw_matrices = matrices;
        let count = influences.len() as u32;
        let skin = Skin { runs: vec![Run { first: 0, count }], influences, sources: Vec::new() };
        let mesh = Mesh { points: vec![Vec3::ZERO], skin: Some(skin), ..Mesh::default() };
        Model { meshes: vec![mesh], skeleton: Some(skeleton), ..Model::empty("a point") }
    }

    fn of(model: &Model) -> Vec<(u32, f32)> {
        model.meshes[0].joints_of_point(model, 0).into_iter().map(|(joint, share)| (joint.0, share)).collect()
    }

    #[test]
    fn the_largest_share_comes_first_and_a_joint_once() {
        let influence = |joint, weight| Influence { joint, weight };
        let plain =
            model(vec![influence(2, 0.25), influence(0, 0.5), influence(2, 0.125), influence(9, 0.125)], vec![]);
        assert_eq!(of(&plain), [(0, 0.5), (2, 0.375)]);
        let equal = model(vec![influence(1, 0.5), influence(0, 0.5)], vec![]);
        assert_eq!(of(&equal), [(1, 0.5), (0, 0.5)]);
        assert_eq!(equal.meshes[0].joints_of_point(&equal, 7), []);
    }

    #[test]
    fn blended_matrices_are_their_joints() {
        let term = |joint, weight| DrawTerm { joint, weight, joint_from_bind: Affine3A::IDENTITY };
        let matrices = vec![DrawMatrix { terms: vec![term(1, 0.25), term(2, 0.75)] }];
        let influences = vec![Influence { joint: 0, weight: 1.0 }, Influence { joint: 4, weight: 1.0 }];
        assert_eq!(of(&model(influences, matrices)), [(2, 0.75), (1, 0.25)]);
    }

    fn material(name: &str, cull: CullMode) -> Material {
        Material {
            name: name.into(),
            kind: MaterialKind::Tev(Box::new(TevMaterial { cull, ..TevMaterial::default() })),
        }
    }

    #[test]
    fn materials_change_places_pairwise_and_textures_as_a_whole() {
        let mut model = Model::empty("model");
        model.materials =
            vec![material("a", CullMode::None), material("b", CullMode::Front), material("c", CullMode::Back)];
        model.textures = vec![Arc::default(), Arc::default()];
        let set =
            MaterialSet { materials: vec![material("x", CullMode::All), material("y", CullMode::All)], textures: None };
        let changed = set.applied_to(&model);
        let of = |m: &Model| m.materials.iter().map(|m| (m.name.clone(), m.tev().unwrap().cull)).collect::<Vec<_>>();
        assert_eq!(
            of(&changed),
            [("a".into(), CullMode::All), ("b".into(), CullMode::All), ("c".into(), CullMode::Back)]
        );
        assert_eq!((set.replaced_in(&model), changed.textures.len()), (2, 2));
        let set = MaterialSet {
            materials: Vec::new(),
            textures: Some(vec![Arc::new(Texture { name: "t".into(), ..Texture::default() })]),
        };
        let changed = set.applied_to(&model);
        assert_eq!((changed.textures.len(), changed.images[0].width), (1, 1));
        assert_eq!(of(&changed), of(&model));
    }
}
