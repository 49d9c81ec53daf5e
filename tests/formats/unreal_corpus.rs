//! Every package of the corpus against what an independent decoder read: tables, properties and defaults, and that nothing of
//! a file is left unread.

use crate::kit::{
    self,
    open::open,
    unreal::{entry_of, packages},
};
use bonebox::formats::{Children, Document, EntryId, Field, Severity, Value};
use serde_json::Value as Json;

fn child<'a>(fields: &'a [Field], name: &str) -> Option<&'a Field> {
    fields.iter().find(|f| f.name.eq_ignore_ascii_case(name))
}

fn inside(field: &Field) -> &[Field] {
    match &field.children {
        Children::Fields(fields) => fields,
        _ => &[],
    }
}

/// The bytes of a property's value.
fn hex(document: &dyn Document, property: &Field) -> String {
    let parts = inside(property);
    let start = parts.first().map_or(property.offset, |tag| tag.offset + tag.size);
    let end = property.offset + property.size;
    let bytes = &document.source().as_slice()[start as usize..end as usize];
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Whether a property's field says what is expected of it.
fn agrees(document: &dyn Document, property: &Field, expected: &Json) -> bool {
    match (&property.value, expected) {
        (Value::Bool(value), Json::Bool(wanted)) => value == wanted,
        (Value::UInt(value), Json::Number(wanted)) => Some(*value) == wanted.as_u64(),
        (Value::Int(value), Json::Number(wanted)) => Some(*value) == wanted.as_i64(),
        (Value::Enum { value, .. }, Json::Number(wanted)) => Some(*value) == wanted.as_i64(),
        (Value::Float(value), Json::Number(wanted)) => Some(*value) == wanted.as_f64().map(|w| w as f32),
        (Value::Text(text), Json::String(wanted)) => text == wanted,
        (Value::Reference(reference), Json::Object(wanted)) => match wanted.get("ref") {
            Some(Json::String(path)) => {
                reference.path.eq_ignore_ascii_case(path) || reference.path.ends_with(&format!(".{path}"))
            }
            Some(Json::Null) => reference.path.is_empty(),
            _ => false,
        },
        (_, Json::Object(wanted)) => {
            let (kind, wanted) = wanted.iter().next().unwrap();
            let kind_agrees = property.kind.eq_ignore_ascii_case(kind);
            let numbers = |wanted: &Json| -> Vec<f64> {
                wanted.as_array().into_iter().flatten().filter_map(Json::as_f64).collect()
            };
            kind_agrees
                && match &property.value {
                    Value::Color(color) => color.map(f64::from).to_vec() == numbers(wanted),
                    Value::Floats(values) => *values == numbers(wanted).iter().map(|v| *v as f32).collect::<Vec<_>>(),
                    Value::Ints(values) => values.iter().map(|v| *v as f64).collect::<Vec<_>>() == numbers(wanted),
                    _ => wanted.as_str().is_some_and(|wanted| wanted == hex(document, property)),
                }
        }
        (Value::Reference(reference), Json::Null) => reference.path.is_empty(),
        _ => false,
    }
}

/// Compares a property list with the expected one: name, array index and value of each, in order.
fn compare(document: &dyn Document, list: &Field, expected: &Json, of: &str) {
    let properties: Vec<&Field> = inside(list).iter().filter(|f| f.name != "End of list").collect();
    let wanted = expected.as_array().unwrap();
    assert_eq!(properties.len(), wanted.len(), "{of}: number of properties");
    for (property, wanted) in properties.iter().zip(wanted) {
        let (name, index) = (wanted[0].as_str().unwrap(), wanted[1].as_u64().unwrap());
        let label = if index == 0 { name.to_owned() } else { format!("{name}[{index}]") };
        assert!(property.name.eq_ignore_ascii_case(&label), "{of}: {} instead of {label}", property.name);
        assert!(
            agrees(document, property, &wanted[2]),
            "{of}: {label} is {:?} ({}), not {}",
            property.value,
            hex(document, property),
            wanted[2]
        );
    }
}

#[test]
fn tables_and_properties_are_as_an_independent_decoder_reads_them() {
    let (mut exports, mut properties) = (0, 0);
    for (file, expected) in packages() {
        let document = &*file.document;
        let header = document.fields(EntryId::FILE).unwrap();
        let number = |name: &str| match child(&header.fields, name).map(|f| &f.value) {
            Some(Value::UInt(value)) => *value,
            other => panic!("{}: {name} is {other:?}", file.name),
        };
        assert_eq!(number("Version"), expected["version"].as_u64().unwrap(), "{}", file.name);
        assert_eq!(number("Licensee"), expected["licensee"].as_u64().unwrap(), "{}", file.name);
        assert_eq!(number("NameCount"), expected["names"].as_u64().unwrap(), "{}", file.name);
        let wanted = expected["exports"].as_array().unwrap();
        let entries = document.outline().entries();
        let listed = entries.iter().filter(|e| e.id != EntryId::FILE && e.class != "MeshAnimSeq").count();
        assert_eq!(listed, wanted.len(), "{}", file.name);
        for wanted in wanted {
            let of = format!("{}: {}", file.name, wanted["path"].as_str().unwrap());
            let entry = document.outline().get(entry_of(wanted)).unwrap();
            assert_eq!(entry.path(), wanted["path"].as_str().unwrap(), "{of}");
            assert_eq!(entry.class, wanted["class"].as_str().unwrap(), "{of}");
            assert_eq!(entry.size, wanted["size"].as_u64().unwrap(), "{of}");
            if entry.size > 0 {
                assert_eq!(entry.offset, wanted["offset"].as_u64().unwrap(), "{of}");
            }
            let fields = document.fields(entry.id).unwrap().fields;
            let flags = inside(child(&fields, "Export").unwrap()).iter().find(|f| f.name == "ObjectFlags").unwrap();
            let Value::Flags { value, .. } = flags.value else { panic!("{of}: {:?}", flags.value) };
            assert_eq!(value, wanted["flags"].as_u64().unwrap(), "{of}");
            exports += 1;
            if let Some(list) = wanted.get("properties") {
                let found = child(&fields, "Properties").unwrap_or_else(|| panic!("{of} has no properties"));
                compare(document, found, list, &of);
                properties += list.as_array().unwrap().len();
            }
        }
    }
    assert!(exports == 0 || exports > 1_000 && properties > 2_000, "{exports} exports, {properties} properties");
}

#[test]
fn defaults_of_classes_are_as_an_independent_decoder_reads_them() {
    for (file, expected) in packages() {
        for wanted in expected["exports"].as_array().unwrap() {
            let Some(list) = wanted.get("defaults") else { continue };
            let of = format!("{}: {}", file.name, wanted["path"].as_str().unwrap());
            let fields = file.document.fields(entry_of(wanted)).unwrap().fields;
            let found =
                fields.iter().find(|f| f.kind == "property list").unwrap_or_else(|| panic!("{of} has no defaults"));
            compare(&*file.document, found, list, &of);
        }
    }
}

#[test]
fn nothing_of_a_package_is_left_unread_or_read_twice() {
    for (file, _) in packages() {
        let file = file.checked();
        file.assert_sound();
        file.assert_read();
    }
}

/// A name table that promises three million names in 75 bytes: one document that says so.
#[test]
fn a_package_with_a_name_table_of_nonsense_says_so() {
    let Some(corpus) = kit::corpus() else { return };
    let file = open("nonsense.umx", std::fs::read(corpus.join("unreal/load_umx_invalid_objname.umx")).unwrap());
    let error = file.diagnostics.iter().find(|d| d.severity == Severity::Error).expect("an error");
    assert_eq!(error.code, "unreal.truncated-table");
    assert!(error.message.contains("3160140"), "{}", error.message);
}
