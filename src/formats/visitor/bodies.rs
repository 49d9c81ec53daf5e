//! The models of what stands on the ground, from files beside the landscape and below the folders that the user named.

use super::{
    mlod::{BodyError, prop_body},
    textures::{Textures, drive_path},
};
use crate::{
    bytes::numbers::{counted, grouped},
    formats::{LoadContext, findings::Findings},
    scene::{PropBody, SizeSource, Terrain},
};
use std::{cmp::Reverse, collections::HashMap, sync::Arc};

/// Models that are looked for; those of most objects come first.
const MAX_MODELS: usize = 400;
/// Bytes of all of them together, and of one.
const MAX_BYTES: u64 = 64 << 20;
const LARGEST: u64 = 16 << 20;
/// Metres that no model is wide.
const WIDEST: f32 = 10_000.0;
/// Where models and textures are looked for.
const PLACE: &str = "in the file's folder, its subfolders or the search folders";
/// Bytes of a model that says why it is none.
const SMALLEST: u64 = 12;

/// What came of the search for models.
struct Search {
    /// By path in lower case.
    known: HashMap<String, Option<Arc<PropBody>>>,
    /// Bytes that further ones may have.
    left: u64,
    not_found: usize,
    binarised: usize,
    unreadable: usize,
    not_tried: usize,
    textures: Textures,
}

/// Gives types the models that are found, with their textures and sizes; says in a sentence each what was not. Stops when nobody waits
/// any more.
pub fn find(terrain: &mut Terrain, cx: &LoadContext<'_>, findings: &mut Findings) {
    let mut objects = vec![0_usize; terrain.kinds.len()];
    for prop in &terrain.props {
        if let Some(count) = objects.get_mut(prop.kind as usize) {
            *count = count.saturating_add(1);
        }
    }
    let mut order: Vec<usize> = (0..terrain.kinds.len()).collect();
    order.sort_by_key(|kind| Reverse(objects.get(*kind).copied()));
    let mut search = Search::new(Textures::of_a_landscape(cx.limits));
    for index in order {
        if cx.cancelled() {
            return;
        }
        let Some(kind) = terrain.kinds.get_mut(index).filter(|kind| !kind.model.trim().is_empty()) else { continue };
        let Some(body) = search.body(&kind.model, cx, findings) else { continue };
        kind.size = body.bounds.max - body.bounds.min;
        kind.size_source = SizeSource::Model;
        kind.body = Some(body);
    }
    terrain.missing.extend(search.sentence().into_iter().chain(search.of_textures()));
}

impl Search {
    fn new(textures: Textures) -> Self {
        let (known, not_found, binarised, unreadable, not_tried) = Default::default();
        Self { known, left: MAX_BYTES, not_found, binarised, unreadable, not_tried, textures }
    }

    fn body(&mut self, model: &str, cx: &LoadContext<'_>, findings: &mut Findings) -> Option<Arc<PropBody>> {
        let path = drive_path(model);
        let key = path.to_lowercase();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let body = if self.known.len() >= MAX_MODELS || self.left < SMALLEST {
            self.not_tried = self.not_tried.saturating_add(1);
            None
        } else {
            self.load(path, cx, findings)
        };
        self.known.insert(key, body.clone());
        body
    }

    fn load(&mut self, path: &str, cx: &LoadContext<'_>, findings: &mut Findings) -> Option<Arc<PropBody>> {
        let has_extension = path.to_lowercase().ends_with(".p3d");
        let whole = if has_extension { path.to_owned() } else { format!("{path}.p3d") };
        let Some(found) = cx.resolver.find_path(&whole, self.left.min(LARGEST)) else {
            self.not_found = self.not_found.saturating_add(1);
            return None;
        };
        self.left = self.left.saturating_sub(found.source.len() as u64);
        let dress = |model: &mut _, names: &[String]| self.textures.give(model, names, cx, findings);
        match prop_body(path, &found.source, dress) {
            Ok(body) if (body.bounds.max - body.bounds.min).max_element() <= WIDEST => return Some(Arc::new(body)),
            Err(BodyError::Binarised(_)) => self.binarised = self.binarised.saturating_add(1),
            _ => self.unreadable = self.unreadable.saturating_add(1),
        }
        None
    }

    /// All misses together; `None` without any.
    fn sentence(&self) -> Option<String> {
        let mut parts = Vec::new();
        let mut add = |count: usize, what: &str| {
            if count > 0 {
                parts.push(format!("{} {what}", grouped(count)));
            }
        };
        add(self.not_found, &format!("not found {PLACE}"));
        add(self.binarised, "binarised (ODOL)");
        add(self.unreadable, "unreadable");
        add(self.not_tried, "not loaded because there are too many models");
        let list = parts.join(", ");
        (!parts.is_empty()).then(|| format!("some models are shown as boxes: {list}"))
    }

    /// Textures that are not shown; `None` without any.
    fn of_textures(&self) -> Option<String> {
        let (missing, left_out) = (self.textures.missing.len(), self.textures.left_out);
        let gone = (missing > 0).then(|| format!("{} not found {PLACE}", grouped(missing)));
        let rest = (left_out > 0)
            .then(|| format!("textures of {} left out because there are too many", counted(left_out, "material")));
        let parts: Vec<String> = gone.into_iter().chain(rest).collect();
        (!parts.is_empty()).then(|| format!("some model textures are shown as plain colours: {}", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Limits;

    #[test]
    fn misses_are_one_sentence() {
        let mut search = Search::new(Textures::of_a_landscape(Limits::default()));
        assert_eq!((search.sentence(), search.of_textures()), (None, None));
        (search.not_found, search.binarised) = (12, 1);
        search.known.insert("a".into(), None);
        let expected = format!("some models are shown as boxes: 12 not found {PLACE}, 1 binarised (ODOL)");
        assert_eq!(search.sentence(), Some(expected));
        search.textures.missing.push("a.paa".into());
        search.textures.left_out = 3;
        let expected = format!(
            "some model textures are shown as plain colours: 1 not found {PLACE}, \
             textures of 3 materials left out because there are too many"
        );
        assert_eq!(search.of_textures(), Some(expected));
    }
}
