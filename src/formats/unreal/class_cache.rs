//! What is remembered of classes: how their properties are stored, and what their objects start with. It is worked out in
//! `definitions` and in `script`, once a class.

use super::package_file::DEEPEST;
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, atomic::AtomicUsize},
};

/// What was worked out of the classes that one package has or refers to.
#[derive(Debug, Default)]
pub struct ClassCache {
    /// What classes say of their properties, by export.
    pub layouts: Mutex<HashMap<usize, Arc<ClassLayout>>>,
    /// The package's own structs by name, where an object's class says nothing of them.
    pub structs: Mutex<HashMap<String, Option<Arc<Vec<Member>>>>>,
    /// Members of structs that were read; of a file made to have too many no more are.
    pub members: AtomicUsize,
}

/// What a class says of its own properties, and the class that it extends. Names are in small letters.
#[derive(Debug, Default)]
pub struct ClassLayout {
    pub parent: Option<Arc<ClassLayout>>,
    /// The properties that the class itself declares.
    pub properties: HashSet<String>,
    /// By property, the names of its values.
    pub enums: HashMap<String, Arc<Vec<String>>>,
    /// By struct.
    pub structs: HashMap<String, Arc<Vec<Member>>>,
    /// By property.
    pub arrays: HashMap<String, MemberKind>,
}

impl ClassLayout {
    /// This class and those that it extends, nearest first.
    pub fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |layout| layout.parent.as_deref()).take(DEEPEST)
    }
}

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
    /// A count, then as many elements.
    Array(Box<MemberKind>),
}
