use super::{Image, Material, MaterialIndex, MaterialKind, Mesh, MissingTexture, Skeleton, gx};
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
