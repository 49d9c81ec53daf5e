//! What classes say of their properties: the members of structs, the names of enums, what arrays hold (§4.3).

use super::{package::Package, tables::ObjectRef};
use std::sync::Arc;

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub kind: MemberKind,
    pub array_dim: u32,
}

/// How a member is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberKind {
    Byte,
    /// One byte.
    Bool,
    Int,
    Float,
    Object,
    Name,
    Str,
    Struct(String),
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

    /// Knows nothing.
    pub fn none(&self) -> Self {
        Self { package: None, class: ObjectRef::NONE }
    }

    /// The members of a struct in the order they are stored, those of its super structs first.
    pub fn struct_members(&self, name: &str) -> Option<Vec<Member>> {
        let _ = (self.package, self.class, name);
        None
    }

    /// The name of a value of a Byte property that has an enum.
    pub fn enum_name(&self, property: &str, value: u8) -> Option<String> {
        let _ = (property, value);
        None
    }

    /// What an Array property holds.
    pub fn array_inner(&self, property: &str) -> Option<MemberKind> {
        let _ = property;
        None
    }
}
