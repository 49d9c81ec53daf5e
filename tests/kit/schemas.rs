//! The schemas of what the program prints as JSON (docs/schema).

use jsonschema::{Registry, Validator};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::Mutex,
};

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
pub struct Schemas {
    validators: BTreeMap<String, Validator>,
    /// Shapes of objects that were found to take no field that has no name in the schema.
    closed: Mutex<BTreeSet<String>>,
}

/// All objects of a document: where each lies, and its shape: schema, place without numbers of rows, and names of fields.
fn objects(value: &Value, place: String, shape: String, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                objects(inner, format!("{place}/{escaped}"), format!("{shape}/{name}"), found);
            }
            found.push((place, format!("{shape} {:?}", fields.keys())));
        }
        Value::Array(rows) => {
            for (row, inner) in rows.iter().enumerate() {
                objects(inner, format!("{place}/{row}"), format!("{shape}/*"), found);
            }
        }
        _ => {}
    }
}

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
        Self { validators: documents.keys().map(validator).collect(), closed: Mutex::default() }
    }

    /// Fails with the first few places where a document is not as its schema says, or where the schema would take more than there is.
    #[track_caller]
    pub fn assert_fits(&self, name: &str, document: &Value, what: &str) {
        let validator = &self.validators[name];
        if validator.is_valid(document) {
            return self.assert_closed(name, document, what);
        }
        let place = |error: jsonschema::ValidationError<'_>| format!("{}: {error:.300}", error.instance_path());
        let wrong: Vec<String> = validator.iter_errors(document).take(3).map(place).collect();
        panic!("{what} does not fit docs/schema/{name}.json:\n{}", wrong.join("\n"));
    }

    /// No object takes a further field. Those with names of the file's own (`reading`, `sections`, `registers` …) do, but of one type:
    /// null is none of theirs.
    #[track_caller]
    fn assert_closed(&self, name: &str, document: &Value, what: &str) {
        let mut found = Vec::new();
        objects(document, String::new(), name.to_owned(), &mut found);
        for (place, shape) in found {
            if !self.closed.lock().unwrap().insert(shape) {
                continue;
            }
            let mut more = document.clone();
            let fields = more.pointer_mut(&place).and_then(Value::as_object_mut).unwrap();
            fields.insert("no such field".to_owned(), Value::Null);
            assert!(!self.fits(name, &more), "{what}: docs/schema/{name}.json takes any field at {place:?}");
        }
    }

    pub fn fits(&self, name: &str, document: &Value) -> bool {
        self.validators[name].is_valid(document)
    }
}
