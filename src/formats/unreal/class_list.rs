//! The classes of a package and what they extend (formats/unreal.md §3.3).

use super::{
    built_in::BUILT_IN,
    kind::Kind,
    object::entry_of,
    package::Package,
    tables::{ObjectRef, Pointee},
};
use crate::formats::{ClassEntry, ClassList, ClassParent, Reference};

/// The classes of a package. `kinds` says what its exports are. Opens no other package.
pub fn class_list(package: &Package, kinds: &[Kind]) -> ClassList {
    let is_class = |export: usize| kinds.get(export) == Some(&Kind::Class);
    let classes = package.exports().iter().enumerate().filter(|(index, _)| is_class(*index));
    let classes = classes.filter_map(|(index, export)| {
        Some(ClassEntry {
            entry: entry_of(package, index)?,
            name: package.name_text(export.name)?,
            parent: parent(package, export.parent, &is_class),
        })
    });
    ClassList { package: package.stem.clone().into(), classes: classes.collect(), built_in: BUILT_IN }
}

fn parent(package: &Package, parent: ObjectRef, is_class: &impl Fn(usize) -> bool) -> ClassParent {
    match parent.pointee() {
        Pointee::None => ClassParent::None,
        Pointee::Export(index) if is_class(index) => {
            entry_of(package, index).map_or(ClassParent::Bad, ClassParent::Here)
        }
        Pointee::Export(_) => ClassParent::Bad,
        Pointee::Import(_) => {
            let of_class = package.class_name(parent).eq_ignore_ascii_case("Class");
            let outermost = package.outers(parent).last().filter(|outer| *outer != parent);
            let names = outermost.and_then(|outer| Some((package.object_text(outer)?, package.object_text(parent)?)));
            match names {
                Some((of, name)) if of_class => ClassParent::Elsewhere {
                    package: of,
                    name,
                    reference: Reference {
                        path: package.object_path(parent),
                        entry: None,
                        external: Some(parent.0 as u32),
                        resolved: true,
                    },
                },
                _ => ClassParent::Bad,
            }
        }
    }
}
