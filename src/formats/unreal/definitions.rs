//! What classes say of their properties: the members of structs, the names of enums, what arrays hold (§4.3).

use super::{
    class_fields::{PropertyKind, behind_header, children, property_of, read_links, struct_chain},
    object::Fault,
    package::Package,
    package_file::{ClassLayout, Member, MemberKind},
    tables::{ObjectRef, Pointee},
};
use std::sync::{Arc, PoisonError, atomic::Ordering};

/// Members of one struct and elements of one array that are looked at.
const MAX_MEMBERS: usize = 4_096;
/// Members of all structs of a package that are looked at: structs may extend each other.
const MAX_ALL_MEMBERS: usize = 1 << 18;
/// Names of an enum that count: its values are bytes.
const MAX_ENUM: usize = 256;

impl ClassLayout {
    fn build(package: &Arc<Package>, export: usize, parent: Option<Arc<ClassLayout>>) -> Self {
        let mut layout = Self { parent, ..Self::default() };
        for child in children(package, export) {
            let object = ObjectRef::export(child);
            let Some(name) = package.object_name(object).map(str::to_ascii_lowercase) else { continue };
            if package.class_name(object).eq_ignore_ascii_case("Struct") {
                layout.add_struct(package, child);
            } else if let Some(property) = property_of(package, child) {
                layout.add_property(package, &name, property.kind);
                layout.properties.insert(name);
            }
        }
        layout
    }

    fn add_property(&mut self, package: &Arc<Package>, name: &str, kind: PropertyKind) {
        match kind {
            PropertyKind::Byte(values) => {
                if let Some(names) = enum_names(package, values) {
                    self.enums.insert(name.to_owned(), Arc::new(names));
                }
            }
            PropertyKind::Struct(of) => {
                if let Some(found) = package.resolve(of) {
                    self.add_struct(&found.package, found.export);
                }
            }
            PropertyKind::Array(inner) => {
                let Pointee::Export(inner) = inner.pointee() else { return };
                let Some(inner) = property_of(package, inner) else { return };
                if let PropertyKind::Struct(of) = inner.kind
                    && let Some(found) = package.resolve(of)
                {
                    self.add_struct(&found.package, found.export);
                }
                if let Some(kind) = member_kind(package, inner.kind) {
                    self.arrays.insert(name.to_owned(), kind);
                }
            }
            _ => {}
        }
    }

    /// A struct and those that it holds.
    fn add_struct(&mut self, package: &Arc<Package>, export: usize) {
        let mut wanted = vec![(package.clone(), export)];
        while let Some((package, export)) = wanted.pop() {
            let Some(name) = package.object_name(ObjectRef::export(export)).map(str::to_ascii_lowercase) else {
                continue;
            };
            if self.structs.contains_key(&name) || self.structs.len() > MAX_MEMBERS {
                continue;
            }
            if let Some(members) = read_members(&package, export, &mut wanted) {
                self.structs.insert(name, Arc::new(members));
            }
        }
    }
}

/// The members of a struct, those of the structs that it extends first. The structs among them are added to `wanted`. `None`
/// when one of them is stored in a way that is not known.
fn read_members(package: &Arc<Package>, export: usize, wanted: &mut Vec<(Arc<Package>, usize)>) -> Option<Vec<Member>> {
    if !package.class_name(ObjectRef::export(export)).eq_ignore_ascii_case("Struct") {
        return None;
    }
    let mut members = Vec::new();
    for (package, export) in struct_chain(package, export) {
        for child in children(&package, export) {
            let Some(property) = property_of(&package, child) else { continue };
            let kind = member_kind(&package, property.kind)?;
            if let PropertyKind::Struct(of) = property.kind
                && let Some(found) = package.resolve(of)
            {
                wanted.push((found.package, found.export));
            }
            let name = package.object_name(ObjectRef::export(child))?.to_owned();
            let array_dim = u32::try_from(property.array_dim).unwrap_or(1);
            members.push(Member { name, kind, array_dim });
            let read = package.classes.members.fetch_add(1, Ordering::Relaxed);
            if members.len() > MAX_MEMBERS || read > MAX_ALL_MEMBERS {
                return None;
            }
        }
    }
    // A struct of nothing would be read without end.
    (!members.is_empty()).then_some(members)
}

fn member_kind(package: &Arc<Package>, kind: PropertyKind) -> Option<MemberKind> {
    Some(match kind {
        PropertyKind::Byte(_) => MemberKind::Byte,
        PropertyKind::Int => MemberKind::Int,
        PropertyKind::Bool => MemberKind::Bool,
        PropertyKind::Float => MemberKind::Float,
        PropertyKind::Object(_) | PropertyKind::Class(..) => MemberKind::Object,
        PropertyKind::Name => MemberKind::Name,
        PropertyKind::Str => MemberKind::Str,
        PropertyKind::Struct(of) => MemberKind::Struct(package.object_name(of)?.to_owned()),
        PropertyKind::Vector => MemberKind::Struct("Vector".to_owned()),
        PropertyKind::Rotator => MemberKind::Struct("Rotator".to_owned()),
        PropertyKind::Array(inner) => {
            let Pointee::Export(inner) = inner.pointee() else { return None };
            let inner = property_of(package, inner)?.kind;
            // No array holds arrays.
            if matches!(inner, PropertyKind::Array(_)) {
                return None;
            }
            MemberKind::Array(Box::new(member_kind(package, inner)?))
        }
        PropertyKind::String | PropertyKind::Map(..) | PropertyKind::FixedArray(..) | PropertyKind::Pointer => {
            return None;
        }
    })
}

/// The names of the values of an enum, here or in another package.
pub fn enum_names(package: &Arc<Package>, values: ObjectRef) -> Option<Vec<String>> {
    let found = package.resolve(values)?;
    if !found.package.class_name(ObjectRef::export(found.export)).eq_ignore_ascii_case("Enum") {
        return None;
    }
    let read = || -> Result<Vec<String>, Fault> {
        let mut reader = behind_header(&found.package, found.export)?;
        read_links(&mut reader)?;
        let count = reader.count("")?.min(MAX_ENUM as u64);
        (0..count).map(|_| reader.name("").map(str::to_owned)).collect()
    };
    read().ok()
}

impl Package {
    /// What a class says of its properties, its super classes' included; remembered. `None` when it is in no package that can
    /// be found.
    pub(super) fn layout(self: &Arc<Self>, class: ObjectRef) -> Option<Arc<ClassLayout>> {
        let key = |package: &Arc<Self>, export: usize| -> Option<Arc<ClassLayout>> {
            package.classes.layouts.lock().unwrap_or_else(PoisonError::into_inner).get(&export).cloned()
        };
        if let Pointee::Export(export) = class.pointee()
            && let Some(known) = key(self, export)
        {
            return Some(known);
        }
        let mut layout = None;
        for found in self.super_chain(class).into_iter().rev().filter_map(|link| link.found) {
            layout = Some(match key(&found.package, found.export) {
                Some(known) => known,
                None => {
                    let built = Arc::new(ClassLayout::build(&found.package, found.export, layout));
                    let mut kept = found.package.classes.layouts.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.entry(found.export).or_insert(built).clone()
                }
            });
        }
        layout
    }
}

/// Answers questions about the properties of one class, from its own package and those it refers to.
#[derive(Clone, Debug)]
pub struct Definitions<'a> {
    package: Option<&'a Arc<Package>>,
    /// The class whose properties are asked for.
    class: ObjectRef,
}

impl<'a> Definitions<'a> {
    pub fn new(package: &'a Arc<Package>, class: ObjectRef) -> Self {
        Self { package: Some(package), class }
    }

    /// The class whose properties are asked for.
    pub fn class(&self) -> ObjectRef {
        self.class
    }

    /// Knows nothing.
    pub fn none(&self) -> Self {
        Self { package: None, class: ObjectRef::NONE }
    }

    /// The members of a struct in the order they are stored, those of its super structs first.
    pub fn struct_members(&self, name: &str) -> Option<Arc<Vec<Member>>> {
        let package = self.package?;
        let wanted = name.to_ascii_lowercase();
        let layout = package.layout(self.class);
        if let Some(members) = layout.iter().flat_map(|l| l.chain()).find_map(|l| l.structs.get(&wanted)) {
            return Some(members.clone());
        }
        // A class that cannot be found leaves the structs that lie in the package itself.
        let lock = || package.classes.structs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&wanted) {
            return known.clone();
        }
        let found = package.exports_named(name).find_map(|export| read_members(package, export, &mut Vec::new()));
        let found = found.map(Arc::new);
        lock().insert(wanted, found.clone());
        found
    }

    /// The name of a value of a Byte property that has an enum.
    pub fn enum_name(&self, property: &str, value: u8) -> Option<String> {
        let property = property.to_ascii_lowercase();
        let layout = self.package?.layout(self.class)?;
        let declared = layout.chain().find(|l| l.properties.contains(&property))?;
        declared.enums.get(&property)?.get(usize::from(value)).cloned()
    }

    /// What an Array property holds.
    pub fn array_inner(&self, property: &str) -> Option<MemberKind> {
        let property = property.to_ascii_lowercase();
        let layout = self.package?.layout(self.class)?;
        let declared = layout.chain().find(|l| l.properties.contains(&property))?;
        declared.arrays.get(&property).cloned()
    }
}
