//! Default properties as scripts write them (formats/unreal.md §10.5).

use super::{
    structure::read_class,
    value_text::{float_text, object_text, quoted},
};
use crate::formats::unreal::{
    class_cache::Inherited,
    class_fields::behind_header,
    definitions::Definitions,
    package::Package,
    properties::{Property, PropertyList, PropertyValue},
    tables::ObjectRef,
};
use crate::formats::{Field, Value};
use std::{
    collections::HashSet,
    fmt::Write as _,
    sync::{Arc, PoisonError},
};

/// Defaults that are shown of one class and all that it extends.
const MAX_INHERITED: usize = 4_096;

/// A value as it stands behind the `=`.
pub fn value_text(package: &Arc<Package>, name: &str, value: &PropertyValue, definitions: &Definitions<'_>) -> String {
    let struct_text = |members: &[(&str, String)]| {
        let members: Vec<String> = members.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("({})", members.join(","))
    };
    match value {
        PropertyValue::Byte(value) => definitions.enum_name(name, *value).unwrap_or_else(|| value.to_string()),
        PropertyValue::Int(value) => value.to_string(),
        PropertyValue::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        PropertyValue::Float(value) => float_text(*value),
        PropertyValue::Object(object) if object.is_none() => "None".to_owned(),
        PropertyValue::Object(object) => object_text(package, *object),
        PropertyValue::Name(text) => text.clone(),
        PropertyValue::Text(text) => quoted(text),
        PropertyValue::Color([r, g, b, a]) => format!("(R={r},G={g},B={b},A={a})"),
        PropertyValue::Vector([x, y, z]) => {
            struct_text(&[("X", float_text(*x)), ("Y", float_text(*y)), ("Z", float_text(*z))])
        }
        PropertyValue::Rotator([pitch, yaw, roll]) => format!("(Pitch={pitch},Yaw={yaw},Roll={roll})"),
        PropertyValue::Struct(members) => {
            let none = definitions.none();
            let members: Vec<(&str, String)> =
                members.iter().map(|(name, value)| (name.as_str(), value_text(package, name, value, &none))).collect();
            struct_text(&members)
        }
        PropertyValue::Array(values) => {
            let values: Vec<String> =
                values.iter().map(|value| value_text(package, name, value, definitions)).collect();
            format!("({})", values.join(","))
        }
        PropertyValue::Raw(bytes) => {
            let shown: String = bytes.iter().take(32).map(|b| format!("{b:02X}")).collect();
            let more = if bytes.len() > 32 { "…" } else { "" };
            format!("/* {} bytes: {shown}{more} */", bytes.len())
        }
    }
}

/// The lines of one property: `Name=Value`, `Name(2)=Value`.
fn lines(package: &Arc<Package>, property: &Property, is_array: bool, definitions: &Definitions<'_>) -> Vec<String> {
    let name = &property.name;
    let text = |value: &PropertyValue| value_text(package, name, value, definitions);
    match &property.value {
        PropertyValue::Array(values) => {
            values.iter().enumerate().map(|(index, value)| format!("{name}({index})={}", text(value))).collect()
        }
        value if property.index > 0 || is_array => vec![format!("{name}({})={}", property.index, text(value))],
        value => vec![format!("{name}={}", text(value))],
    }
}

/// Whether a property of the list has further elements.
fn has_elements(list: &PropertyList, name: &str) -> bool {
    list.properties.iter().any(|p| p.index > 0 && p.name.eq_ignore_ascii_case(name))
}

/// The block that the compiler takes out of a script's text.
pub fn block(package: &Arc<Package>, class: ObjectRef, defaults: &PropertyList) -> String {
    let definitions = Definitions::new(package, class);
    let mut out = String::from("defaultproperties\n{\n");
    for property in &defaults.properties {
        for line in lines(package, property, has_elements(defaults, &property.name), &definitions) {
            let _ = writeln!(out, "    {line}");
        }
    }
    out.push_str("}\n");
    out
}

/// Every value that an object of the class starts with: its own marked, the others with the class that they come from. `None`
/// where no super class states any.
pub fn effective(package: &Arc<Package>, class: ObjectRef) -> Option<String> {
    let mut seen: HashSet<(String, u32)> = HashSet::new();
    let mut out = String::new();
    let mut classes = 0_usize;
    for (depth, link) in package.super_chain(class).into_iter().enumerate() {
        let Some(found) = link.found else {
            let _ = writeln!(out, "// {} and what it extends: its package was not found", link.name);
            break;
        };
        let read =
            behind_header(&found.package, found.export).and_then(|mut reader| read_class(&mut reader, found.export));
        let Ok((_, Some(facts))) = read else {
            let _ = writeln!(out, "// {}: its defaults cannot be read", link.name);
            continue;
        };
        let definitions = Definitions::new(&found.package, ObjectRef::export(found.export));
        let mut stated = Vec::new();
        for property in &facts.defaults.properties {
            if seen.insert((property.name.to_ascii_lowercase(), property.index)) {
                let is_array = has_elements(&facts.defaults, &property.name);
                stated.extend(lines(&found.package, property, is_array, &definitions));
            }
        }
        if stated.is_empty() {
            continue;
        }
        if depth > 0 {
            classes = classes.saturating_add(1);
        }
        let whose = if depth == 0 { "its own".to_owned() } else { format!("from {}", link.name) };
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{gap}// {whose}");
        let mark = if depth == 0 { "* " } else { "  " };
        for line in stated {
            let _ = writeln!(out, "{mark}{line}");
        }
    }
    (classes > 0).then_some(out)
}

/// All defaults that objects of a class start with, those of the nearest class first, each element once. Worked out once a class.
pub fn inherited(package: &Arc<Package>, class: ObjectRef) -> Arc<Vec<Inherited>> {
    let kept = || package.classes.inherited.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept().get(&class.0) {
        return known.clone();
    }
    let mut seen: HashSet<(String, u32)> = HashSet::new();
    let mut list = Vec::new();
    for link in package.super_chain(class) {
        let Some(found) = link.found else { break };
        let read =
            behind_header(&found.package, found.export).and_then(|mut reader| read_class(&mut reader, found.export));
        let Ok((_, Some(facts))) = read else { continue };
        let definitions = Definitions::new(&found.package, ObjectRef::export(found.export));
        for property in &facts.defaults.properties {
            if list.len() < MAX_INHERITED && seen.insert((property.name.to_ascii_lowercase(), property.index)) {
                list.push(Inherited {
                    name: property.name.clone(),
                    index: property.index,
                    text: value_text(&found.package, &property.name, &property.value, &definitions),
                    class: link.name.clone(),
                });
            }
        }
    }
    let list = Arc::new(list);
    kept().insert(class.0, list.clone());
    list
}

/// The defaults that a class itself states; none where it cannot be read.
pub fn defaults_of(package: &Arc<Package>, export: usize) -> PropertyList {
    let read = behind_header(package, export).and_then(|mut reader| read_class(&mut reader, export));
    read.ok().and_then(|(_, facts)| facts).map(|facts| facts.defaults).unwrap_or_default()
}

/// What an object has from its class besides the properties that it states itself: shown with it, owning no bytes.
pub fn inherited_fields(package: &Arc<Package>, class: ObjectRef, own: &PropertyList) -> Option<Field> {
    let states = |i: &&Inherited| own.get(&i.name, i.index).is_none();
    let inherited = inherited(package, class);
    let fields: Vec<Field> = inherited
        .iter()
        .filter(states)
        .map(|i| {
            let name = if i.index > 0 { format!("{}[{}]", i.name, i.index) } else { i.name.clone() };
            Field::new(name, format!("from {}", i.class), Value::Text(i.text.clone()), 0, 0).mirrored()
        })
        .collect();
    (!fields.is_empty()).then(|| Field::group("Inherited", "class defaults", 0, 0, fields).mirrored())
}
