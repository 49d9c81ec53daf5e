use super::{ExportSpace, ModelClip, glb::GlbOptions, obj::ObjSpace, terrain::TerrainExport};
use crate::{
    bytes::Limits,
    formats::{Document, EntryId, FormatInfo, LoadOptions, Resolver},
    scene::{BindingOptions, Clip, Model, RegisterColor},
};
use std::sync::Arc;

/// Gives the clips that go with a model, which is an entry of the file, the best first.
pub type ClipsFor<'a> = &'a (dyn Fn(&Model, EntryId) -> Vec<ModelClip> + Sync);

/// Gives the model that a clip is for, which is an entry of the file; `None` where none is found.
pub type ModelFor<'a> = &'a (dyn Fn(&Clip, EntryId) -> Option<Arc<Model>> + Sync);

/// An open file and how things of it are exported.
#[derive(Clone, Copy)]
pub struct ExportSource<'a> {
    /// The file's name without its folder.
    pub file: &'a str,
    /// The open file.
    pub document: &'a dyn Document,
    /// Finds data in other files, such as textures.
    pub resolver: &'a (dyn Resolver + Sync),
    /// Limits of what reading may cost.
    pub limits: Limits,
    /// Options for decoding entries.
    pub load: LoadOptions,
    /// Options for binding clips to models.
    pub binding: BindingOptions,
    /// GLB and PSA take all of them; a posed format the first of each kind.
    pub clips_for: ClipsFor<'a>,
    /// For a clip that is exported alone; PSA says where the bones of this model are.
    pub model_for: ModelFor<'a>,
    /// The frame that posed formats show; the bind pose without one.
    pub frame: Option<f32>,
    /// The space that OBJ files are written in.
    pub obj_space: ObjSpace,
    /// Of GLB and OBJ, for the format of the innermost document of an entry; [`ExportSpace::of`] gives its default.
    pub space: &'a (dyn Fn(&FormatInfo) -> ExportSpace + Sync),
    /// Options of GLB and glTF files.
    pub glb: GlbOptions,
    /// Colours that replace those in the registers of models' materials.
    pub registers: &'a [RegisterColor],
    /// PNG of every mip instead of the largest alone.
    pub mips: bool,
    /// Options for landscapes.
    pub terrain: TerrainExport,
}
