//! A field as JSON, for the clipboard.

use crate::formats::{Children, Field, Value};
use crate::ui::widgets::field_path::child;
use serde_json::{Map, Value as Json, json};

/// A field with all it holds: groups as objects, tables as arrays.
pub fn json_of(field: &Field) -> Json {
    match &field.children {
        Children::None => value(field),
        Children::Fields(fields) => {
            let mut object = Map::new();
            for field in fields {
                // Formats may repeat a name: the later ones are numbered.
                let mut key = field.name.to_string();
                let mut number = 2;
                while object.contains_key(&key) {
                    key = format!("{} {number}", field.name);
                    number += 1;
                }
                object.insert(key, json_of(field));
            }
            Json::Object(object)
        }
        Children::Table(table) => {
            Json::Array((0..table.len()).map_while(|i| child(field, i).map(|row| json_of(&row))).collect())
        }
    }
}

fn value(field: &Field) -> Json {
    let float = |v: &f32| if v.is_finite() { json!(v) } else { json!(v.to_string()) };
    match &field.value {
        Value::None => Json::Null,
        Value::Bool(v) => json!(v),
        Value::Int(v) => json!(v),
        Value::UInt(v) => json!(v),
        Value::Float(v) => float(v),
        Value::Text(v) => json!(v),
        Value::Floats(v) => Json::Array(v.iter().map(float).collect()),
        Value::Ints(v) => json!(v),
        Value::Color(v) => json!(v),
        Value::Enum { value, name } => json!({ "value": value, "name": name }),
        Value::Flags { value, names } => json!({ "value": value, "names": names }),
        Value::Reference(v) => json!(v.path),
        Value::Raw => json!({ "offset": field.offset, "size": field.size }),
        Value::Opaque(name) => json!({ "opaque": name, "offset": field.offset, "size": field.size }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_become_objects_and_odd_numbers_stay_readable() {
        let fields = vec![
            Field::new("a", "f32", Value::Float(f32::INFINITY), 0, 4),
            Field::new("a", "u8", Value::UInt(7), 4, 1),
            Field::new("pad", "u8[3]", Value::Raw, 5, 3),
        ];
        let json = json_of(&Field::group("g", "G", 0, 8, fields));
        assert_eq!(json.to_string(), r#"{"a":"inf","a 2":7,"pad":{"offset":5,"size":3}}"#);
    }
}
