//! What was worked out of a package's scripts, kept for the next question.

use crate::formats::unreal::{properties::PropertyList, tables::ObjectRef};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, OnceLock},
};

/// What is remembered of the scripts of one package.
#[derive(Debug, Default)]
pub struct Remembered {
    /// What classes give their objects, by the reference to the class.
    pub inherited: Mutex<HashMap<i32, Arc<Vec<Inherited>>>>,
    pub defaults: Mutex<StatedDefaults>,
    /// What functions are that are called, by the reference to them.
    pub functions: Mutex<HashMap<i32, Option<Arc<FunctionFacts>>>>,
    /// The classes of the package with hashes of their functions' names in lower case.
    pub function_names: OnceLock<HashSet<(ObjectRef, u64)>>,
    /// The members of classes, states, structs and functions by name in small letters.
    pub members: Mutex<HashMap<usize, Arc<HashMap<String, usize>>>>,
    /// The class whose source was read last, and that source.
    pub source: Mutex<Option<(usize, Option<Arc<str>>)>>,
}

/// The defaults that classes state.
#[derive(Debug, Default)]
pub struct StatedDefaults {
    /// By export; `None` for a class that cannot be read.
    pub of_class: HashMap<usize, Option<Arc<PropertyList>>>,
    /// Properties of all of them.
    pub properties: usize,
}

/// What a function is (formats/unreal.md §10.4).
#[derive(Clone, Debug, Default)]
pub struct FunctionFacts {
    pub friendly_name: String,
    pub native: u16,
    pub precedence: u8,
    pub flags: u32,
}

/// A default that a class gives its objects.
#[derive(Debug)]
pub struct Inherited {
    pub name: String,
    pub index: u32,
    /// As scripts write it.
    pub text: String,
    /// The class that states it.
    pub class: String,
}
