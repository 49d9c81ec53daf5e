//! Default properties as scripts write them (formats/unreal.md §10.5).

use super::{
    remembered::{Inherited, Remembered, StatedDefaults},
    structure::read_class,
    value_text::{float_text, full_object_text, quoted},
};
use crate::bytes::numbers::{counted, grouped};
use crate::formats::unreal::{
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

/// Defaults that are looked at of one class and all that it extends; games' classes have a few hundred.
const MAX_INHERITED: usize = 2_048;
/// Classes whose defaults are remembered together with what they inherit.
const MAX_KEPT_CLASSES: usize = 64;
/// Defaults that are remembered of all classes of a package.
const MAX_KEPT_DEFAULTS: usize = 1 << 18;

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
        PropertyValue::Object(object) => full_object_text(package, *object),
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
            format!("/* {}: {shown}{more} */", counted(bytes.len(), "byte"))
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

/// Names in lower case of the properties of a list that have further elements.
fn arrays(list: &PropertyList) -> HashSet<String> {
    list.properties.iter().filter(|p| p.index > 0).map(|p| p.name.to_ascii_lowercase()).collect()
}

/// The block that the compiler takes out of a script's text.
pub fn block(package: &Arc<Package>, class: ObjectRef, defaults: &PropertyList) -> String {
    let definitions = Definitions::new(package, class);
    let mut out = String::from("defaultproperties\n{\n");
    let arrays = arrays(defaults);
    for property in &defaults.properties {
        let is_array = arrays.contains(&property.name.to_ascii_lowercase());
        for line in lines(package, property, is_array, &definitions) {
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
    let mut looked_at = 0_usize;
    'classes: for (depth, link) in package.super_chain(class).into_iter().enumerate() {
        let Some(found) = link.found else {
            let _ = writeln!(out, "// {} and its superclasses: package not found", link.name);
            break;
        };
        let Some(defaults) = stated_defaults(&found.package, found.export) else {
            let _ = writeln!(out, "// {}: the defaults cannot be read", link.name);
            continue;
        };
        let definitions = Definitions::new(&found.package, ObjectRef::export(found.export));
        let arrays = arrays(&defaults);
        let mut stated = Vec::new();
        for property in &defaults.properties {
            looked_at = looked_at.saturating_add(1);
            if looked_at > MAX_INHERITED {
                let _ = writeln!(out, "// more than {} defaults: the rest is not shown", grouped(MAX_INHERITED));
                break 'classes;
            }
            if seen.insert((property.name.to_ascii_lowercase(), property.index)) {
                let is_array = arrays.contains(&property.name.to_ascii_lowercase());
                stated.extend(lines(&found.package, property, is_array, &definitions));
            }
        }
        if stated.is_empty() {
            continue;
        }
        if depth > 0 {
            classes = classes.saturating_add(1);
        }
        let whose = if depth == 0 { "this class".to_owned() } else { format!("from {}", link.name) };
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
    let remembered = package.memory.of::<Remembered>();
    let kept = || remembered.inherited.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept().get(&class.0) {
        return known.clone();
    }
    let mut seen: HashSet<(String, u32)> = HashSet::new();
    let mut looked_at = 0_usize;
    let mut list = Vec::new();
    for link in package.super_chain(class) {
        let Some(found) = link.found else { break };
        let Some(defaults) = stated_defaults(&found.package, found.export) else { continue };
        let definitions = Definitions::new(&found.package, ObjectRef::export(found.export));
        for property in &defaults.properties {
            looked_at = looked_at.saturating_add(1);
            if looked_at > MAX_INHERITED {
                break;
            }
            if seen.insert((property.name.to_ascii_lowercase(), property.index)) {
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
    let mut kept = kept();
    if kept.len() >= MAX_KEPT_CLASSES {
        kept.clear();
    }
    kept.insert(class.0, list.clone());
    list
}

/// The first defaults that a class itself states, at most [`MAX_INHERITED`]; `None` where it cannot be read.
pub fn stated_defaults(package: &Arc<Package>, export: usize) -> Option<Arc<PropertyList>> {
    let remembered = package.memory.of::<Remembered>();
    let kept = || remembered.defaults.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept().of_class.get(&export) {
        return known.clone();
    }
    let read = behind_header(package, export).and_then(|mut reader| read_class(&mut reader, export));
    let defaults = read.ok().and_then(|(_, facts)| facts).map(|facts| {
        let mut defaults = facts.defaults;
        defaults.properties.truncate(MAX_INHERITED);
        defaults.properties.shrink_to_fit();
        Arc::new(defaults)
    });
    let mut kept = kept();
    let more = defaults.as_ref().map_or(0, |list| list.properties.len());
    if kept.properties.saturating_add(more) > MAX_KEPT_DEFAULTS {
        *kept = StatedDefaults::default();
    }
    kept.properties = kept.properties.saturating_add(more);
    kept.of_class.insert(export, defaults.clone());
    defaults
}

/// What an object has from its class besides the properties that it states itself: shown with it, owning no bytes.
pub fn inherited_fields(package: &Arc<Package>, class: ObjectRef, own: &PropertyList) -> Option<Field> {
    let stated: HashSet<(String, u32)> =
        own.properties.iter().map(|p| (p.name.to_ascii_lowercase(), p.index)).collect();
    let states = |i: &&Inherited| !stated.contains(&(i.name.to_ascii_lowercase(), i.index));
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
