//! The schemas of what the program prints as JSON (docs/schema).

use jsonschema::{Registry, Validator};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path};

/// Where the schemas seem to lie: their references to each other go by it.
const BASE: &str = "https://bonebox.invalid/schema/";

/// The schemas by name, without `.json`.
pub fn documents() -> BTreeMap<String, Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
    let read = |path: &Path| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let schema = serde_json::from_slice(&fs::read(path).unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
        (name, schema)
    };
    fs::read_dir(folder).unwrap().map(|entry| read(&entry.unwrap().path())).collect()
}

/// What documents are held to.
pub struct Schemas(BTreeMap<String, Validator>);

impl Schemas {
    pub fn read() -> Self {
        let documents = documents();
        let mut registry = Registry::new();
        for (name, schema) in &documents {
            registry = registry.add(format!("{BASE}{name}.json"), schema.clone()).unwrap();
        }
        let registry = registry.prepare().unwrap();
        let validator = |name: &String| {
            let reference = json!({ "$ref": format!("{BASE}{name}.json") });
            let built = jsonschema::options().with_registry(&registry).build(&reference);
            (name.clone(), built.unwrap_or_else(|e| panic!("{name}: {e}")))
        };
        Self(documents.keys().map(validator).collect())
    }

    /// Fails with the first few places where a document is not as its schema says.
    #[track_caller]
    pub fn assert_fits(&self, name: &str, document: &Value, what: &str) {
        let validator = &self.0[name];
        if validator.is_valid(document) {
            return;
        }
        let place = |error: jsonschema::ValidationError<'_>| format!("{}: {error:.300}", error.instance_path());
        let wrong: Vec<String> = validator.iter_errors(document).take(3).map(place).collect();
        panic!("{what} does not fit docs/schema/{name}.json:\n{}", wrong.join("\n"));
    }

    pub fn fits(&self, name: &str, document: &Value) -> bool {
        self.0[name].is_valid(document)
    }
}
