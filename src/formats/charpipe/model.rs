//! Puts a model together of its sections.

use super::{
    codes,
    document::OpenSection,
    gpl::{
        Gpl, Reach,
        shape::{self, States},
    },
    materials,
    tex::Textures,
};
use crate::{
    formats::{LoadContext, findings::Findings},
    scene::{Mesh, Model},
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
    let mut model = Model::empty(name);
    let mut states = States::default();
    if let Some(gpl) = sections.iter().find_map(|section| section.get::<Gpl>()) {
        states = gpl.drawn_states();
        let mut reach = Reach::of(gpl.range.end.saturating_sub(gpl.range.start));
        for index in 0..gpl.objects.len() {
            match shape::shape(gpl, index, None, &mut states, &mut reach) {
                Ok(shape) => model.meshes.push(Mesh { name: gpl.name(index), ..shape.mesh }),
                Err(why) => {
                    findings.add(&codes::BAD_OBJECT, None, format!("{} is left out: {why}", gpl.name(index)));
                }
            }
        }
    }
    if model.meshes.is_empty() {
        return Err("there are neither meshes nor bones that can be read".to_owned());
    }
    let bank = sections.iter().find_map(|section| section.get::<Textures>());
    (model.materials, model.textures, model.images) = materials::of(states.list(), bank, cx, findings);
    Ok(model)
}
