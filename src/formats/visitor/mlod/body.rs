//! A model as what stands on a map.

use super::{document::Levels, level::Level, resolution, to_scene};
use crate::{
    bytes::Source,
    formats::findings::Findings,
    scene::{Model, PropBody, PropLevel},
};
use std::sync::Arc;

/// Why a model cannot stand on a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// In the form that the game loads.
    #[error("binarised model (ODOL version {0})")]
    Binarised(u32),
    /// No model, or damaged: one sentence.
    #[error("{0}")]
    Unreadable(String),
    /// Neither visual levels nor a collision model.
    #[error("the model has neither a visual level nor a collision model")]
    Empty,
}

/// The visual levels of a model, the finest first; its collision model where it has none. `dress` gives each its textures, by a path
/// for each material.
///
/// # Errors
/// [`BodyError`] when nothing of it can be drawn.
pub fn prop_body(
    name: &str,
    source: &Source,
    mut dress: impl FnMut(&mut Model, &[String]),
) -> Result<PropBody, BodyError> {
    let levels = Levels::read(source).map_err(BodyError::Unreadable)?;
    if let Some(version) = levels.binarised {
        return Err(BodyError::Binarised(version));
    }
    let with_faces = || levels.list.iter().filter(|level| !level.faces.is_empty());
    let mut chosen: Vec<&Level> = with_faces().filter(|level| resolution::is_visual(level.resolution)).collect();
    chosen.sort_by(|a, b| a.resolution.total_cmp(&b.resolution));
    if chosen.is_empty() {
        chosen.extend(with_faces().find(|level| resolution::is_geometry(level.resolution)));
    }
    let level = |level: &&Level| {
        let to_scene::Built { mut model, textures } = to_scene::model(name, source, level, &mut Findings::default());
        dress(&mut model, &textures);
        PropLevel { resolution: level.resolution, model: Arc::new(model) }
    };
    let levels: Vec<PropLevel> = chosen.iter().map(level).collect();
    let bounds = levels.first().and_then(|level| to_scene::drawn_bounds(&level.model)).ok_or(BodyError::Empty)?;
    Ok(PropBody { levels, bounds })
}
