use super::EntryId;
use crate::scene::Material;

/// What a material looks like, and what it is to the model that it is of.
#[derive(Clone, Debug)]
pub struct SurfaceInfo {
    pub material: Material,
    /// Its place among the materials of its model, or of its material set.
    pub index: usize,
    /// The model, or the material set.
    pub owner: EntryId,
    /// The textures that the material's slots count.
    pub textures: Vec<EntryId>,
    /// How textures are sampled is said by their headers, not by what binds them.
    pub headers_sample: bool,
}
