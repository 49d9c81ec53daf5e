//! Packages whose size says nothing of what reading them naively would take: depth, names, properties (formats/unreal.md §15).

use crate::kit::{open::Opened, unreal::open_file};
use bonebox::formats::{
    Children, Field, Value,
    unreal::encode::{Export, PackageWriter},
};

/// Opens a package and has `look` at it on a small stack.
fn on_a_small_stack(bytes: Vec<u8>, look: impl FnOnce(&Opened) + Send + 'static) {
    let worker = std::thread::Builder::new().stack_size(512 << 10).spawn(move || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Own.u");
        std::fs::write(&path, bytes).unwrap();
        look(&open_file(&path));
    });
    worker.unwrap().join().unwrap();
}

/// A property `S` that is a struct of one property `S`, and so on; all of UE2's structs are lists of tagged properties.
fn nested_structs(depth: usize) -> Vec<u8> {
    let mut package = PackageWriter::new(120, 0);
    let class = package.class("Core", "Thing");
    let [none, name] = ["None", "S"].map(|name| u8::try_from(package.name(name)).unwrap());
    let mut list = vec![none];
    for _ in 0..depth {
        let mut property = vec![name, 0x7A, name];
        property.extend(u32::try_from(list.len()).unwrap().to_le_bytes());
        property.append(&mut list);
        property.push(none);
        list = property;
    }
    package.add(&Export::new(class, "Deep"), |out| out.bytes(&list));
    package.finish()
}

/// The property of this name in a list of fields.
fn named<'a>(fields: &'a [Field], name: &str) -> Option<&'a Field> {
    fields.iter().find(|field| field.name == name)
}

fn inside(field: &Field) -> &[Field] {
    match &field.children {
        Children::Fields(fields) => fields,
        _ => &[],
    }
}

#[test]
fn structs_nest_as_deep_as_64_and_what_lies_deeper_is_bytes() {
    for (depth, shown, ends_in_bytes) in [(3, 3, false), (64, 64, false), (65, 65, true), (20_000, 65, true)] {
        on_a_small_stack(nested_structs(depth), move |file| {
            let tree = file.document.fields(file.entry("Deep")).unwrap();
            let mut at = named(inside(named(&tree.fields, "Properties").unwrap()), "S");
            let (mut count, mut last) = (0, Value::None);
            while let Some(field) = at {
                (count, last) = (count + 1, field.value.clone());
                at = named(inside(field), "S");
            }
            assert_eq!((count, last == Value::Raw), (shown, ends_in_bytes), "{depth}");
        });
    }
}
