//! Classes that no package holds: the executable makes them when it starts (formats/unreal.md §10.6). A package that exports one
//! of them all the same comes first.

use crate::formats::BuiltInClass;

const fn core(name: &'static str, parent: &'static str) -> BuiltInClass {
    BuiltInClass { package: "Core", name, parent: Some(("Core", parent)) }
}

const fn engine(name: &'static str, parent: (&'static str, &'static str)) -> BuiltInClass {
    BuiltInClass { package: "Engine", name, parent: Some(parent) }
}

const OBJECT: (&str, &str) = ("Core", "Object");

/// By package, parents first.
pub static BUILT_IN: &[BuiltInClass] = &[
    BuiltInClass { package: "Core", name: "Object", parent: None },
    core("Field", "Object"),
    core("Const", "Field"),
    core("Enum", "Field"),
    core("Property", "Field"),
    core("Struct", "Field"),
    core("Function", "Struct"),
    core("State", "Struct"),
    core("Class", "State"),
    core("ByteProperty", "Property"),
    core("IntProperty", "Property"),
    core("BoolProperty", "Property"),
    core("FloatProperty", "Property"),
    core("ObjectProperty", "Property"),
    core("ClassProperty", "ObjectProperty"),
    core("NameProperty", "Property"),
    core("StringProperty", "Property"),
    core("StrProperty", "Property"),
    core("FixedArrayProperty", "Property"),
    core("ArrayProperty", "Property"),
    core("MapProperty", "Property"),
    core("StructProperty", "Property"),
    core("VectorProperty", "Property"),
    core("RotatorProperty", "Property"),
    core("PointerProperty", "Property"),
    core("Package", "Object"),
    core("TextBuffer", "Object"),
    core("Linker", "Object"),
    core("LinkerLoad", "Linker"),
    core("LinkerSave", "Linker"),
    core("Factory", "Object"),
    core("Exporter", "Object"),
    engine("Primitive", OBJECT),
    engine("Model", ("Engine", "Primitive")),
    engine("Mesh", ("Engine", "Primitive")),
    engine("LodMesh", ("Engine", "Mesh")),
    engine("SkeletalMesh", ("Engine", "LodMesh")),
    engine("Animation", OBJECT),
    engine("Polys", OBJECT),
    engine("LevelBase", OBJECT),
    engine("Level", ("Engine", "LevelBase")),
    engine("Sound", OBJECT),
    engine("Music", OBJECT),
    engine("Font", OBJECT),
    engine("Vectors", OBJECT),
    engine("BspNodes", OBJECT),
    engine("BspSurfs", OBJECT),
    engine("Verts", OBJECT),
];

/// The class of this name in this package that the executable has.
pub fn built_in(package: &str, name: &str) -> Option<&'static BuiltInClass> {
    BUILT_IN.iter().find(|class| class.package.eq_ignore_ascii_case(package) && class.name.eq_ignore_ascii_case(name))
}

/// Whether the executable has a class of this name in this package.
pub fn is_built_in(package: &str, name: &str) -> bool {
    built_in(package, name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_there_once_below_one_that_is_there() {
        for (at, class) in BUILT_IN.iter().enumerate() {
            assert!(!BUILT_IN[..at].iter().any(|other| (other.package, other.name) == (class.package, class.name)));
            match class.parent {
                None => assert_eq!(at, 0, "{}", class.name),
                Some((package, name)) => {
                    let above = &BUILT_IN[..at];
                    assert!(above.iter().any(|c| (c.package, c.name) == (package, name)), "{}", class.name);
                }
            }
        }
        assert!(is_built_in("core", "FUNCTION") && !is_built_in("Core", "Actor") && !is_built_in("Engine", "Function"));
    }
}
