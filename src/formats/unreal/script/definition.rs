//! What a name in a script means: found as the compiler finds it, from the innermost to the outermost, in this package and in the
//! others that it imports.

use super::{
    declaration,
    declared::{Declared, DeclaredKind, declared},
    identifier::{Identifier, Step, identifier_at},
    remembered::Remembered,
    show::{class_of, class_source, find_declared, property},
    structure::{read_class, read_function, read_state},
};
use crate::formats::{
    Definition, Meaning, NamePlace,
    unreal::{
        built_in::{built_in, is_built_in},
        class_fields::{self, PropertyKind, behind_header, children, property_of, read_enum, struct_chain},
        object::entry_of,
        package::{Found, Package},
        tables::{ObjectRef, Pointee},
    },
};
use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, PoisonError},
};

/// Classes whose members are remembered.
const MAX_REMEMBERED: usize = 4_096;

/// What the name at a place of the text of export `shown` means; `owner` is the function or state that the line belongs to, where that
/// is known. `None` where no name stands.
pub fn meaning(package: &Arc<Package>, shown: usize, owner: Option<usize>, place: &NamePlace<'_>) -> Option<Meaning> {
    let name = identifier_at(place.text, place.column)?;
    let class = class_of(package, shown)?;
    let source = class_source(package, shown);
    let declarations = source.as_deref().map(declared).unwrap_or_default();
    // Where the text is the class's own source, its lines tell the function.
    let line = (place.part == 0 && shown == class).then_some(place.line);
    let around = line.and_then(|line| block_at(&declarations, line));
    let owner = owner
        .or_else(|| around.and_then(|block| export_of_block(package, class, &declarations, block)))
        .unwrap_or(shown);
    let scope = Scope { package, class, owner, missing: BTreeSet::new() };
    scope.meaning_of(&name)
}

/// The innermost function or state that a line lies in.
fn block_at<'a, 'b>(declarations: &'b [Declared<'a>], line: u32) -> Option<&'b Declared<'a>> {
    let is_block = |found: &&Declared<'_>| matches!(found.kind, DeclaredKind::Function | DeclaredKind::State);
    declarations
        .iter()
        .filter(is_block)
        .filter(|found| found.lines.contains(&line))
        .min_by_key(|found| found.lines.len())
}

/// The export that a function or state of a source became.
fn export_of_block(
    package: &Arc<Package>,
    class: usize,
    declarations: &[Declared<'_>],
    block: &Declared<'_>,
) -> Option<usize> {
    let outer = match block.within.and_then(|at| declarations.get(at)) {
        Some(state) => member_named(package, class, state.name)?,
        None => class,
    };
    member_named(package, outer, block.name)
}

/// The member of a class, state, struct or function with this name; remembered.
fn member_named(package: &Arc<Package>, owner: usize, name: &str) -> Option<usize> {
    let remembered = package.memory.of::<Remembered>();
    let lock = || remembered.members.lock().unwrap_or_else(PoisonError::into_inner);
    let key = name.to_ascii_lowercase();
    if let Some(known) = lock().get(&owner) {
        return known.get(&key).copied();
    }
    let mut members = HashMap::new();
    for child in children(package, owner) {
        if let Some(name) = package.object_name(ObjectRef::export(child)) {
            members.entry(name.to_ascii_lowercase()).or_insert(child);
        }
    }
    let found = members.get(&key).copied();
    let mut kept = lock();
    if kept.len() < MAX_REMEMBERED {
        kept.insert(owner, Arc::new(members));
    }
    found
}

/// Where a name stands.
struct Scope<'a> {
    package: &'a Arc<Package>,
    class: usize,
    /// The function, state, struct or class that it stands in.
    owner: usize,
    /// Packages that were not found on the way.
    missing: BTreeSet<String>,
}

/// What a name leads to.
enum Target {
    Object(Found),
    /// A value of an enum.
    Value(Found, String),
    BuiltIn(String),
}

impl Scope<'_> {
    fn meaning_of(mut self, name: &Identifier<'_>) -> Option<Meaning> {
        let target = match name.quoted {
            Some(path) => self.quoted(name.name, path),
            None if name.before.is_empty() => self.plain(name.name, name.is_called),
            None => self.context_of(&name.before).and_then(|context| self.member(&context, name.name)),
        };
        Some(match target {
            Some(Target::BuiltIn(path)) => Meaning::BuiltIn(path),
            Some(Target::Object(found)) => self.defined(&found, None)?,
            Some(Target::Value(found, value)) => self.defined(&found, Some(&value))?,
            None => Meaning::Unknown { name: name.name.to_owned(), missing: self.missing.into_iter().collect() },
        })
    }

    fn own_class(&self) -> Found {
        Found { package: self.package.clone(), export: self.class }
    }

    /// A name by itself: local, a member of the class or of what it extends, a value of an enum, a class.
    fn plain(&mut self, name: &str, is_called: bool) -> Option<Target> {
        let mut at = ObjectRef::export(self.owner);
        for _ in 0..4 {
            let Pointee::Export(export) = at.pointee() else { break };
            if export == self.class {
                break;
            }
            if let Some(found) = member_named(self.package, export, name) {
                return Some(Target::Object(Found { package: self.package.clone(), export: found }));
            }
            at = self.package.export(export).map_or(ObjectRef::NONE, |export| export.outer);
        }
        let own = self.own_class();
        let is_member = |object: &Found| {
            !is_called || object.package.class_name(ObjectRef::export(object.export)).eq_ignore_ascii_case("Function")
        };
        let member = self.member(&own, name);
        if let Some(Target::Object(found)) = &member
            && is_member(found)
        {
            return member;
        }
        // What is called like a variable may be a class that a value is made.
        self.class_named(name).map(Target::from_class).or(member).or_else(|| self.enum_value(name))
    }

    /// A member of a class and of those that it extends, or of a struct.
    fn member(&mut self, context: &Found, name: &str) -> Option<Target> {
        let own = ObjectRef::export(context.export);
        if context.package.class_name(own).eq_ignore_ascii_case("Struct") {
            let chain = struct_chain(&context.package, context.export);
            let found = chain.into_iter().rev().find_map(|(package, export)| {
                let export = member_named(&package, export, name)?;
                Some(Found { package, export })
            });
            return found.map(Target::Object);
        }
        for link in context.package.super_chain(own) {
            match link.found {
                Some(found) => {
                    if let Some(export) = member_named(&found.package, found.export, name) {
                        return Some(Target::Object(Found { package: found.package, export }));
                    }
                }
                None => self.miss(context, &link.name),
            }
        }
        None
    }

    /// Notes the package of a class that was not found.
    fn miss(&mut self, context: &Found, class: &str) {
        let package = &context.package;
        let imports = package.tables.imports.iter();
        let named = imports.filter(|import| package.name(import.name).is_some_and(|n| n.eq_ignore_ascii_case(class)));
        let of = named.filter_map(|import| package.object_name(import.outer)).next();
        self.missing.extend(of.filter(|of| !is_built_in(of, class)).map(str::to_owned));
    }

    /// A class of this package, of those that it imports classes from, or of those in which what it extends lies.
    fn class_named(&mut self, name: &str) -> Option<ClassTarget> {
        let mut packages = vec![self.package.clone()];
        let own = ObjectRef::export(self.class);
        for link in self.package.super_chain(own).into_iter().filter_map(|link| link.found) {
            if !packages.iter().any(|known| Arc::ptr_eq(known, &link.package)) {
                packages.push(link.package);
            }
        }
        for package in &packages {
            let is_class = |export: &usize| package.export(*export).is_some_and(|export| export.class.is_none());
            if let Some(export) = package.exports_named(name).find(is_class) {
                return Some(ClassTarget::Found(Found { package: package.clone(), export }));
            }
        }
        for package in &packages {
            for (index, import) in package.tables.imports.iter().enumerate() {
                let is_it = package.name(import.name).is_some_and(|own| own.eq_ignore_ascii_case(name))
                    && package.name(import.class_name).is_some_and(|class| class.eq_ignore_ascii_case("Class"));
                if !is_it {
                    continue;
                }
                let object = import_ref(index);
                if let Some(found) = package.resolve(object) {
                    return Some(ClassTarget::Found(found));
                }
                let of = package.object_name(import.outer).unwrap_or_default();
                if let Some(class) = built_in(of, name) {
                    return Some(ClassTarget::BuiltIn(format!("{}.{}", class.package, class.name)));
                }
                self.missing.insert(of.to_owned());
            }
        }
        // Classes of the language that nothing here imports.
        let class = ["Core", "Engine"].into_iter().find_map(|of| built_in(of, name))?;
        Some(ClassTarget::BuiltIn(format!("{}.{}", class.package, class.name)))
    }

    /// The enum that has a value of this name, among those of the class and of what it extends.
    fn enum_value(&mut self, name: &str) -> Option<Target> {
        let own = ObjectRef::export(self.class);
        for found in self.package.super_chain(own).into_iter().filter_map(|link| link.found) {
            let is_enum =
                |child: &usize| found.package.class_name(ObjectRef::export(*child)).eq_ignore_ascii_case("Enum");
            for child in children(&found.package, found.export).into_iter().filter(is_enum) {
                let values = behind_header(&found.package, child).and_then(|mut reader| read_enum(&mut reader));
                if let Some(value) =
                    values.unwrap_or_default().into_iter().find(|value| value.eq_ignore_ascii_case(name))
                {
                    return Some(Target::Value(Found { package: found.package, export: child }, value));
                }
            }
        }
        None
    }

    /// An object in quotes: `Texture'Engine.S_Actor'`; the word before the quotes is its class.
    fn quoted(&mut self, name: &str, path: &str) -> Option<Target> {
        let wanted = if path.split('.').any(|part| part.eq_ignore_ascii_case(name)) { path } else { name };
        let last = wanted.rsplit('.').next()?;
        if let Some(export) = self.package.exports_named(last).next() {
            return Some(Target::Object(Found { package: self.package.clone(), export }));
        }
        for index in 0..self.package.tables.imports.len() {
            let object = import_ref(index);
            let is_it = self.package.object_name(object).is_some_and(|own| own.eq_ignore_ascii_case(last))
                && !self.package.class_name(object).eq_ignore_ascii_case("Package");
            if is_it && let Some(found) = self.package.resolve(object) {
                return Some(Target::Object(found));
            }
        }
        let target = self.class_named(last).map(Target::from_class);
        // A name that is no object may be that of a state.
        target.or_else(|| self.plain(last, false))
    }

    /// The class or struct that the names before another lead to.
    fn context_of(&mut self, steps: &[Step<'_>]) -> Option<Found> {
        let mut context: Option<Found> = None;
        for step in steps {
            let is = |word: &str| step.name.eq_ignore_ascii_case(word);
            if is("default") || is("static") || is("global") || is("self") {
                context = Some(context.unwrap_or_else(|| self.own_class()));
                continue;
            }
            if is("super") {
                context = Some(self.parent_class()?);
                continue;
            }
            let target = match &context {
                _ if step.is_quoted => self.class_named(step.name).map(Target::from_class),
                None => self.plain(step.name, step.is_called),
                Some(context) => self.member(context, step.name),
            };
            let Some(Target::Object(found)) = target else { return None };
            context = Some(self.type_of(&found)?);
        }
        context
    }

    fn parent_class(&mut self) -> Option<Found> {
        let parent = self.package.export(self.class)?.parent;
        let found = self.package.resolve(parent);
        if found.is_none() {
            let name = self.package.object_name(parent).unwrap_or_default().to_owned();
            let own = self.own_class();
            self.miss(&own, &name);
        }
        found
    }

    /// The class or struct whose members a value has.
    fn type_of(&mut self, of: &Found) -> Option<Found> {
        let object = ObjectRef::export(of.export);
        if of.package.class_name(object).eq_ignore_ascii_case("Class") {
            return Some(of.clone());
        }
        let mut export = of.export;
        if of.package.class_name(object).eq_ignore_ascii_case("Function") {
            let is_result = |child: &usize| {
                property_of(&of.package, *child)
                    .is_some_and(|facts| facts.flags & class_fields::property::RETURN_PARM != 0)
            };
            export = children(&of.package, of.export).into_iter().find(is_result)?;
        }
        // An array of arrays is in no game.
        for _ in 0..2 {
            let inner = match property_of(&of.package, export)?.kind {
                PropertyKind::Object(class) | PropertyKind::Class(_, class) | PropertyKind::Struct(class) => {
                    let found = of.package.resolve(class);
                    if found.is_none() {
                        let name = of.package.object_name(class).unwrap_or_default().to_owned();
                        self.miss(of, &name);
                    }
                    return found;
                }
                PropertyKind::Array(inner) | PropertyKind::FixedArray(inner, _) => inner,
                _ => return None,
            };
            let Pointee::Export(inner) = inner.pointee() else { return None };
            export = inner;
        }
        None
    }

    fn defined(&self, found: &Found, value: Option<&str>) -> Option<Meaning> {
        let Found { package, export } = found;
        let entry = entry_of(package, *export)?;
        let class = class_of(package, *export);
        let shown = class.and_then(|class| entry_of(package, class)).unwrap_or(entry);
        let file = (!Arc::ptr_eq(package, self.package)).then(|| package.path.clone());
        Some(Meaning::Defined(Definition {
            file,
            entry,
            shown,
            line: class.and_then(|class| line_of(package, class, *export, value)),
            says: says(package, class, *export, value),
        }))
    }
}

/// A class that a name means.
enum ClassTarget {
    Found(Found),
    BuiltIn(String),
}

impl Target {
    fn from_class(class: ClassTarget) -> Self {
        match class {
            ClassTarget::Found(found) => Self::Object(found),
            ClassTarget::BuiltIn(path) => Self::BuiltIn(path),
        }
    }
}

fn import_ref(index: usize) -> ObjectRef {
    ObjectRef(i32::try_from(index).map_or(i32::MIN, |index| index.saturating_add(1).saturating_neg()))
}

/// The line of a class's source that declares something.
fn line_of(package: &Arc<Package>, class: usize, export: usize, value: Option<&str>) -> Option<u32> {
    let source = class_source(package, class)?;
    let declarations = declared(&source);
    let object = ObjectRef::export(export);
    let name = value.or_else(|| package.object_name(object))?;
    // What it lies in, the innermost first.
    let outers = package.outers(object).skip(1).take_while(|outer| *outer != ObjectRef::export(class));
    let around: Vec<&str> = outers.filter_map(|outer| package.object_name(outer)).collect();
    let (kinds, around): (&[DeclaredKind], Vec<&str>) = match package.class_name(object) {
        _ if value.is_some() => (&[DeclaredKind::EnumValue], package.object_name(object).into_iter().collect()),
        "Class" => (&[DeclaredKind::Class], Vec::new()),
        "Function" => (&[DeclaredKind::Function], around),
        "State" => (&[DeclaredKind::State], around),
        "Struct" => (&[DeclaredKind::Struct], around),
        "Enum" => (&[DeclaredKind::Enum], around),
        "Const" => (&[DeclaredKind::Const], around),
        _ => (&[DeclaredKind::Variable, DeclaredKind::Parameter, DeclaredKind::Local], around),
    };
    // An operator is called otherwise in the package than in its source.
    let name = match package.class_name(object) {
        "Function" => read_function(&mut behind_header(package, export).ok()?).ok()?.0.friendly_name,
        _ => name.to_owned(),
    };
    kinds.iter().find_map(|kind| find_declared(&declarations, *kind, &name, &around)).map(|found| found.line)
}

/// What something is, as scripts say it, and where it is.
fn says(package: &Arc<Package>, class: Option<usize>, export: usize, value: Option<&str>) -> String {
    let object = ObjectRef::export(export);
    let name = package.object_name(object).unwrap_or("?");
    let what = match package.class_name(object) {
        "Class" => {
            let facts = behind_header(package, export).and_then(|mut reader| read_class(&mut reader, export));
            let facts = facts.ok().and_then(|(_, facts)| facts).unwrap_or_default();
            declaration::class_head(package, export, &facts)
        }
        "Function" => {
            let facts = behind_header(package, export).and_then(|mut reader| read_function(&mut reader));
            match facts.ok().and_then(|(_, facts)| facts) {
                Some(facts) => declaration::signature(package, export, &facts),
                None => format!("function {name}"),
            }
        }
        "State" => {
            let facts = behind_header(package, export).and_then(|mut reader| read_state(&mut reader));
            declaration::state_head(package, export, facts.ok().and_then(|(_, facts)| facts).unwrap_or_default())
        }
        "Enum" => value.map_or_else(|| format!("enum {name}"), |value| format!("{value}, a value of enum {name}")),
        "Struct" => format!("struct {name}"),
        "Const" => declaration::constant(package, export).unwrap_or_else(|_| format!("const {name}")),
        of => property(package, export).unwrap_or_else(|| format!("{of} {name}")),
    };
    let what = what.trim_end().trim_end_matches(';');
    let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
    match class.filter(|class| *class != export).and_then(|class| package.object_name(ObjectRef::export(class))) {
        Some(class) => format!("{what}\n{class} in package {}", package.stem),
        None => format!("{what}\nin package {}", package.stem),
    }
}
