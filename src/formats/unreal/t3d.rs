//! Values of properties as the editor writes them into its text files (T3D).
//!
//! Scripts write default properties in nearly the same way; they keep every digit and every member, where T3D has six decimals
//! and leaves out the members of vectors and rotators that are zero.

use super::{
    definitions::Definitions,
    package::Package,
    properties::{Property, PropertyValue},
    tables::{ObjectRef, Pointee},
};
use std::sync::Arc;

/// What the editor calls the level that is open.
const MY_LEVEL: &str = "MyLevel";
/// Enums of Engine.u and Core.u that every brush has, for levels that lie without them.
const KNOWN_ENUMS: &[(&str, &[&str])] = &[
    ("CsgOper", &["CSG_Active", "CSG_Add", "CSG_Subtract", "CSG_Intersect", "CSG_Deintersect"]),
    ("SheerAxis", &["SHEER_None", "SHEER_XY", "SHEER_XZ", "SHEER_YX", "SHEER_YZ", "SHEER_ZX", "SHEER_ZY"]),
];

/// An object as `Class'Path'`; what lies in the level itself is in `MyLevel`.
pub fn object(package: &Package, object: ObjectRef) -> String {
    let path = package.object_path(object);
    match object.pointee() {
        Pointee::None => "None".to_owned(),
        Pointee::Export(_) => format!("{}'{MY_LEVEL}.{path}'", package.class_name(object)),
        Pointee::Import(_) => format!("{}'{path}'", package.class_name(object)),
    }
}

/// The line of a property: `Name=Value`, `Name(2)=Value`. `None` for a value that is only bytes.
pub fn property(package: &Arc<Package>, definitions: &Definitions<'_>, property: &Property) -> Option<String> {
    let value = value(package, definitions, &property.name, &property.value)?;
    Some(match property.index {
        0 => format!("{}={value}", property.name),
        index => format!("{}({index})={value}", property.name),
    })
}

/// A value by itself.
fn value(package: &Arc<Package>, definitions: &Definitions<'_>, name: &str, value: &PropertyValue) -> Option<String> {
    Some(match value {
        PropertyValue::Byte(number) => match definitions.enum_name(name, *number).or_else(|| known_enum(name, *number))
        {
            Some(name) => name,
            None => number.to_string(),
        },
        PropertyValue::Int(number) => number.to_string(),
        PropertyValue::Bool(set) => if *set { "True" } else { "False" }.to_owned(),
        PropertyValue::Float(number) => float(*number),
        PropertyValue::Object(reference) => object(package, *reference),
        PropertyValue::Name(text) => text.clone(),
        PropertyValue::Text(text) => quoted(text),
        PropertyValue::Color([r, g, b, a]) => {
            let members = [("R", r), ("G", g), ("B", b), ("A", a)];
            group(members.into_iter().map(|(name, value)| (name, value.to_string(), *value == 0)))
        }
        PropertyValue::Vector(vector) => vector_value(*vector),
        PropertyValue::Rotator([pitch, yaw, roll]) => {
            let members = [("Pitch", pitch), ("Yaw", yaw), ("Roll", roll)];
            group(members.into_iter().map(|(name, value)| (name, value.to_string(), *value == 0)))
        }
        PropertyValue::Struct(members) => {
            let mut parts = Vec::new();
            for (member, inner) in members {
                parts.push((
                    member.as_str(),
                    self::value(package, definitions, member, inner)?,
                    is_default(member, inner),
                ));
            }
            group(parts.into_iter())
        }
        PropertyValue::Array(values) => {
            let parts: Option<Vec<String>> =
                values.iter().map(|inner| self::value(package, definitions, name, inner)).collect();
            format!("({})", parts?.join(","))
        }
        PropertyValue::Raw(_) => return None,
    })
}

fn known_enum(name: &str, number: u8) -> Option<String> {
    let (_, names) = KNOWN_ENUMS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    names.get(usize::from(number)).map(|name| (*name).to_owned())
}

/// Members of a struct that the editor leaves out: those that are nothing, and a scale of one.
fn is_default(name: &str, value: &PropertyValue) -> bool {
    match value {
        PropertyValue::Byte(number) => *number == 0,
        PropertyValue::Int(number) => *number == 0,
        PropertyValue::Bool(set) => !set,
        PropertyValue::Float(number) => *number == 0.0,
        PropertyValue::Object(object) => object.is_none(),
        PropertyValue::Vector(vector) => {
            *vector == if name.eq_ignore_ascii_case("Scale") { [1.0; 3] } else { [0.0; 3] }
        }
        PropertyValue::Rotator(rotator) => *rotator == [0; 3],
        _ => false,
    }
}

fn vector_value([x, y, z]: [f32; 3]) -> String {
    group([("X", x), ("Y", y), ("Z", z)].into_iter().map(|(name, value)| (name, float(value), value == 0.0)))
}

/// Members in brackets without those that say nothing; with all of them where all say nothing.
fn group<'a>(members: impl Iterator<Item = (&'a str, String, bool)> + Clone) -> String {
    let all = members.clone().all(|(_, _, is_default)| is_default);
    let parts: Vec<String> = members
        .filter(|(_, _, is_default)| all || !is_default)
        .map(|(name, value, _)| format!("{name}={value}"))
        .collect();
    format!("({})", parts.join(","))
}

/// Six decimals.
fn float(value: f32) -> String {
    format!("{value:.6}")
}

fn quoted(text: &str) -> String {
    let inner = text.replace('\\', "\\\\").replace('"', "\\\"");
    // A line break would end the property.
    format!("\"{}\"", inner.replace(['\r', '\n'], " "))
}

/// A vector of a polygon: `+00064.000000,-00008.500000,+00000.000000`.
pub fn polygon_vector(vector: [f32; 3]) -> String {
    vector.map(|value| format!("{value:+013.6}")).join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_editor_writes_them() {
        assert_eq!(polygon_vector([64.0, -8.5, 0.0]), "+00064.000000,-00008.500000,+00000.000000");
        assert_eq!(polygon_vector([123456.0, -0.0625, 1.0]), "+123456.000000,-00000.062500,+00001.000000");
        assert_eq!(vector_value([464.0, 0.0, -16.0]), "(X=464.000000,Z=-16.000000)");
        assert_eq!(vector_value([0.0; 3]), "(X=0.000000,Y=0.000000,Z=0.000000)");
        assert_eq!(quoted("Kenneth \"Shrimp\"\r\nWatson"), "\"Kenneth \\\"Shrimp\\\"  Watson\"");
    }
}
