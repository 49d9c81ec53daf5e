use super::{MaterialIndex, MaterialKind, Model};
use std::collections::HashSet;

/// A texture that a material names and that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTexture {
    pub material: MaterialIndex,
    /// Its path in its package, or its name.
    pub object: String,
    /// The package that it lies in; `None` for a picture of its own.
    pub package: Option<String>,
}

impl MissingTexture {
    /// What is not there and what to do; `material` is the name of its material.
    pub fn sentence(&self, material: &str) -> String {
        let Self { object, package, .. } = self;
        match package {
            Some(package) => format!(
                "the texture {object} of the material “{material}” is not there: open the package {package} or name its folder"
            ),
            None => format!(
                "the texture {object} of the material “{material}” is not there: put a picture of that name beside the file, or \
                 name its folder"
            ),
        }
    }
}

impl Model {
    /// Materials that are drawn without a texture, though some was looked for.
    pub fn materials_without_texture(&self) -> Vec<MaterialIndex> {
        if self.missing.is_empty() {
            return Vec::new();
        }
        let surfaces = self.meshes.iter().flat_map(|mesh| &mesh.surfaces);
        let used: HashSet<u32> = surfaces.map(|surface| surface.material).collect();
        let materials = (0..).map(MaterialIndex).zip(&self.materials).filter(|(index, _)| used.contains(&index.0));
        let empty = materials.filter(|(_, material)| match &material.kind {
            MaterialKind::Basic(basic) => basic.image.is_none() && !basic.hidden,
            MaterialKind::Tev(_) => false,
        });
        empty.map(|(index, _)| index).collect()
    }
}
