//! The models that the objects of a world have: what types are, which the file has none of.

use super::info;
use crate::{
    formats::{file_name, findings::Findings},
    scene::PropClass,
};
use std::collections::HashMap;

/// Models that are told apart.
const MAX_MODELS: usize = 8_192;

/// Models by their paths, without regard to case, in the order of their first objects.
#[derive(Clone, Debug, Default)]
pub struct Models {
    pub list: Vec<ModelUse>,
    by_path: HashMap<String, u32>,
}

/// A model, and how many objects have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelUse {
    /// As its first object has it.
    pub path: String,
    pub objects: u32,
}

impl Models {
    /// Counts an object; those without a model are none.
    pub fn count(&mut self, path: &str, findings: &mut Findings) {
        let path = path.trim();
        if path.is_empty() {
            return;
        }
        let index = match self.index(path) {
            Some(index) => index,
            None if self.list.len() < MAX_MODELS => {
                let index = self.list.len() as u32;
                self.by_path.insert(path.to_lowercase(), index);
                self.list.push(ModelUse { path: path.to_owned(), objects: 0 });
                index
            }
            None => {
                if self.list.len() == MAX_MODELS {
                    let message = format!(
                        "the objects use more than {MAX_MODELS} models. The remaining models share one object type"
                    );
                    findings.add(&info::TOO_MANY_TYPES, None, message);
                    self.list.push(ModelUse { path: String::new(), objects: 0 });
                }
                MAX_MODELS as u32
            }
        };
        if let Some(found) = self.list.get_mut(index as usize) {
            found.objects = found.objects.saturating_add(1);
        }
    }

    /// The type of an object with a model; `None` for a model that was not counted.
    pub fn type_of(&self, path: &str) -> Option<u32> {
        let path = path.trim();
        let shared = (self.list.len() > MAX_MODELS).then_some(MAX_MODELS as u32);
        if path.is_empty() { None } else { self.index(path).or(shared) }
    }

    fn index(&self, path: &str) -> Option<u32> {
        self.by_path.get(&path.to_lowercase()).copied()
    }
}

/// What a path plainly says of its model's class.
pub fn guessed_class(path: &str) -> Option<PropClass> {
    let path = path.to_lowercase();
    let folders = path.rsplit_once(['\\', '/']).map_or("", |(folders, _)| folders);
    let says = |words: &[&str]| folders.split(['\\', '/', '_']).any(|part| words.contains(&part));
    if says(&["road", "roads"]) {
        Some(PropClass::Road)
    } else if says(&["plant", "plants", "plants2", "vegetation", "tree", "trees", "bush", "bushes"]) {
        Some(PropClass::Natural)
    } else {
        None
    }
}

/// A model's name for people: its file without folders and extension.
pub fn stem(path: &str) -> &str {
    file_name::stem(file_name::last_part(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_guessed_from_folders_alone() {
        assert_eq!(guessed_class("ca\\Roads\\data\\asf.p3d"), Some(PropClass::Road));
        assert_eq!(guessed_class("a3\\roads_f\\asf.p3d"), Some(PropClass::Road));
        assert_eq!(guessed_class("ca/plants2/tree/t_fagus.p3d"), Some(PropClass::Natural));
        assert_eq!(guessed_class("ca\\buildings\\roadhouse.p3d"), None);
        assert_eq!(guessed_class("plants.p3d"), None);
    }

    #[test]
    fn models_are_counted_without_regard_to_case_and_not_without_end() {
        let (mut models, mut findings) = (Models::default(), Findings::default());
        for path in ["a\\B.p3d", "A\\b.P3D", "", "c.p3d"] {
            models.count(path, &mut findings);
        }
        let counted: Vec<(&str, u32)> = models.list.iter().map(|m| (m.path.as_str(), m.objects)).collect();
        assert_eq!(counted, [("a\\B.p3d", 2), ("c.p3d", 1)]);
        assert_eq!((models.type_of("C.p3d"), models.type_of("d"), models.type_of("")), (Some(1), None, None));
        for index in 0..2 * MAX_MODELS {
            models.count(&index.to_string(), &mut findings);
        }
        assert_eq!((models.list.len(), findings.codes()), (MAX_MODELS + 1, vec!["wrp.too-many-types"]));
        assert_eq!(models.type_of("zz"), Some(MAX_MODELS as u32));
    }
}
