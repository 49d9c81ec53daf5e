//! What a class declares, written as in a script (formats/unreal.md §10).

use super::{
    disassembly::{Listing, disassemble},
    remembered::FunctionFacts,
    structure::{ClassFacts, StateFacts, StructFacts, members_with_code, read_function, read_state, read_struct},
};
use crate::formats::unreal::{
    class_fields::{self, PropertyFacts, PropertyKind, behind_header, children, property_of, read_const, read_enum},
    object::Fault,
    package::Package,
    tables::{ObjectRef, Pointee},
};
use std::{fmt::Write as _, sync::Arc};

fn name_of(package: &Package, export: usize) -> &str {
    package.object_name(ObjectRef::export(export)).unwrap_or("?")
}

/// The words of the flags that are set, each with a blank behind it.
fn words(flags: u32, words: &[(u32, &str)]) -> String {
    let set = words.iter().filter(|(bit, _)| flags & bit != 0);
    set.map(|(_, word)| format!("{word} ")).collect()
}

/// A property's type as scripts write it.
pub fn type_of(package: &Arc<Package>, kind: PropertyKind) -> String {
    let named = |object: ObjectRef, otherwise: &str| package.object_name(object).unwrap_or(otherwise).to_owned();
    // What an array holds is a property of its own; it holds no further arrays in any game.
    let inner = |object: ObjectRef| match object.pointee() {
        Pointee::Export(export) => match property_of(package, export).map(|p| p.kind) {
            Some(PropertyKind::Array(_) | PropertyKind::Map(..) | PropertyKind::FixedArray(..)) | None => {
                named(object, "?")
            }
            Some(kind) => type_of(package, kind),
        },
        _ => named(object, "?"),
    };
    match kind {
        PropertyKind::Byte(values) => named(values, "byte"),
        PropertyKind::Int => "int".to_owned(),
        PropertyKind::Bool => "bool".to_owned(),
        PropertyKind::Float => "float".to_owned(),
        PropertyKind::Object(class) => named(class, "object"),
        PropertyKind::Name => "name".to_owned(),
        PropertyKind::String | PropertyKind::Str => "string".to_owned(),
        PropertyKind::Class(class, of) => match package.object_name(of) {
            Some(of) => format!("class<{of}>"),
            None => named(class, "class").to_ascii_lowercase(),
        },
        PropertyKind::Struct(of) => named(of, "struct"),
        PropertyKind::Array(of) => format!("array<{}>", inner(of)),
        PropertyKind::Map(key, value) => format!("map<{},{}>", inner(key), inner(value)),
        PropertyKind::FixedArray(of, count) => format!("{}[{count}]", inner(of)),
        PropertyKind::Vector => "vector".to_owned(),
        PropertyKind::Rotator => "rotator".to_owned(),
        PropertyKind::Pointer => "pointer".to_owned(),
    }
}

fn dimension(property: &PropertyFacts) -> String {
    if property.array_dim > 1 { format!("[{}]", property.array_dim) } else { String::new() }
}

/// `var(Display) config int X[4];`; `owner` is what declares it.
pub fn variable(package: &Arc<Package>, export: usize, property: &PropertyFacts, owner: &str) -> String {
    use class_fields::property as flag;
    let category = match (property.flags & flag::EDIT != 0, property.category.eq_ignore_ascii_case(owner)) {
        (false, _) => String::new(),
        (true, true) => "()".to_owned(),
        (true, false) => format!("({})", property.category),
    };
    // GlobalConfig is Config too.
    let set = if property.flags & flag::GLOBAL_CONFIG != 0 { property.flags & !flag::CONFIG } else { property.flags };
    let modifiers = words(
        set,
        &[
            (flag::NATIVE, "native"),
            (flag::CONST, "const"),
            (flag::EDIT_CONST, "editconst"),
            (flag::TRANSIENT, "transient"),
            (flag::TRAVEL, "travel"),
            (flag::INPUT, "input"),
            (flag::EXPORT, "export"),
            (flag::CONFIG, "config"),
            (flag::GLOBAL_CONFIG, "globalconfig"),
            (flag::LOCALIZED, "localized"),
        ],
    );
    let of = type_of(package, property.kind);
    format!("var{category} {modifiers}{of} {}{};", name_of(package, export), dimension(property))
}

/// `const Count = 3;`
pub fn constant(package: &Arc<Package>, export: usize) -> Result<String, Fault> {
    let value = read_const(&mut behind_header(package, export)?)?;
    Ok(format!("const {} = {};", name_of(package, export), value.trim()))
}

/// An enum with a line for each name.
pub fn enumeration(package: &Arc<Package>, export: usize) -> Result<String, Fault> {
    let names = read_enum(&mut behind_header(package, export)?)?;
    let mut out = format!("enum {}\n{{\n", name_of(package, export));
    for (value, name) in names.iter().enumerate() {
        let comma = if value.saturating_add(1) < names.len() { "," } else { "" };
        let _ = writeln!(out, "    {name}{comma}");
    }
    out.push_str("};");
    Ok(out)
}

/// A struct with its members.
pub fn structure(package: &Arc<Package>, export: usize) -> Result<String, Fault> {
    read_struct(&mut behind_header(package, export)?)?;
    let name = name_of(package, export);
    let mut out = format!("struct {name}{}\n{{\n", extends(package, export));
    for child in children(package, export) {
        if let Some(property) = property_of(package, child) {
            let _ = writeln!(out, "    {}", variable(package, child, &property, name));
        }
    }
    out.push_str("};");
    Ok(out)
}

/// ` extends Other`, or nothing.
fn extends(package: &Arc<Package>, export: usize) -> String {
    let parent = package.export(export).map_or(ObjectRef::NONE, |e| e.parent);
    package.object_name(parent).map(|name| format!(" extends {name}")).unwrap_or_default()
}

/// `native(277) final function Actor Trace(out vector HitLocation, optional bool bTraceActors)`.
pub fn signature(package: &Arc<Package>, export: usize, facts: &FunctionFacts) -> String {
    use class_fields::function as flag;
    let mut parameters = Vec::new();
    let mut returned = String::new();
    for child in children(package, export) {
        let Some(property) = property_of(package, child) else { continue };
        if property.flags & class_fields::property::RETURN_PARM != 0 {
            returned = format!("{} ", type_of(package, property.kind));
        } else if property.flags & class_fields::property::PARM != 0 {
            parameters.push(parameter(package, child, &property));
        }
    }
    let is = |bit: u32| facts.flags & bit != 0;
    let native = match (is(flag::NATIVE), facts.native) {
        (false, _) => String::new(),
        (true, 0) => "native ".to_owned(),
        (true, number) => format!("native({number}) "),
    };
    let modifiers = words(
        facts.flags,
        &[
            (flag::STATIC, "static"),
            (flag::FINAL, "final"),
            (flag::SIMULATED, "simulated"),
            (flag::SINGULAR, "singular"),
            (flag::LATENT, "latent"),
            (flag::ITERATOR, "iterator"),
            (flag::EXEC, "exec"),
        ],
    );
    let word = if is(flag::PRE_OPERATOR) {
        "preoperator".to_owned()
    } else if is(flag::OPERATOR) && parameters.len() == 1 {
        "postoperator".to_owned()
    } else if is(flag::OPERATOR) {
        format!("operator({})", facts.precedence)
    } else if is(flag::EVENT) {
        "event".to_owned()
    } else {
        "function".to_owned()
    };
    // An operator's own name is its sign; the object has another one.
    let name = if is(flag::OPERATOR | flag::PRE_OPERATOR) { &facts.friendly_name } else { name_of(package, export) };
    format!("{native}{modifiers}{word} {returned}{name}({})", parameters.join(", "))
}

fn parameter(package: &Arc<Package>, export: usize, property: &PropertyFacts) -> String {
    use class_fields::property as flag;
    let modifiers = words(
        property.flags,
        &[
            (flag::OPTIONAL_PARM, "optional"),
            (flag::OUT_PARM, "out"),
            (flag::SKIP_PARM, "skip"),
            (flag::COERCE_PARM, "coerce"),
        ],
    );
    let of = type_of(package, property.kind);
    format!("{modifiers}{of} {}{}", name_of(package, export), dimension(property))
}

/// How a function, state or class is written where its script is gone: with its bytecode as comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Declarations alone.
    None,
    /// Bytecode, each line a comment.
    Comments,
}

/// A function with its local variables.
pub fn function(package: &Arc<Package>, export: usize, body: Body) -> Result<String, Fault> {
    let (base, facts) = read_function(&mut behind_header(package, export)?)?;
    let Some(facts) = facts else {
        let fault = base.fault.map(|f| f.to_string()).unwrap_or_default();
        return Ok(format!("function {}(); // cannot be read: {fault}", name_of(package, export)));
    };
    let mut out = signature(package, export, &facts);
    let mut locals = Vec::new();
    for child in children(package, export) {
        if let Some(property) = property_of(package, child)
            && property.flags & class_fields::property::PARM == 0
        {
            let of = type_of(package, property.kind);
            locals.push(format!("    local {of} {}{};", name_of(package, child), dimension(&property)));
        }
    }
    let code = commented(&base, body);
    if locals.is_empty() && code.is_empty() {
        out.push(';');
        return Ok(out);
    }
    out.push_str("\n{\n");
    for local in &locals {
        let _ = writeln!(out, "{local}");
    }
    out.push_str(&code);
    out.push('}');
    Ok(out)
}

fn commented(base: &StructFacts, body: Body) -> String {
    if body == Body::None || base.script.tokens.is_empty() {
        return String::new();
    }
    let mut code = Listing::default();
    disassemble(&base.script, "", &mut code);
    code.text.lines().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "    // {line}");
        out
    })
}

/// A state with its functions.
pub fn state(package: &Arc<Package>, export: usize, body: Body) -> Result<String, Fault> {
    let (base, facts) = read_state(&mut behind_header(package, export)?)?;
    let mut out = state_head(package, export, facts.unwrap_or_default());
    out.push_str("\n{\n");
    for child in members_with_code(package, export) {
        if package.class_name(ObjectRef::export(child)).eq_ignore_ascii_case("Function") {
            let text = function(package, child, body).unwrap_or_else(|fault| format!("// {fault}"));
            for line in text.lines() {
                let _ = writeln!(out, "    {line}");
            }
            out.push('\n');
        }
    }
    out.push_str(&commented(&base, body));
    out.push('}');
    Ok(out)
}

/// `auto state Idle extends Waiting`
pub fn state_head(package: &Arc<Package>, export: usize, facts: StateFacts) -> String {
    use class_fields::state as flag;
    let modifiers = words(facts.flags, &[(flag::AUTO, "auto"), (flag::SIMULATED, "simulated")]);
    let brackets = if facts.flags & flag::EDITABLE != 0 { "()" } else { "" };
    format!("{modifiers}state{brackets} {}{}", name_of(package, export), extends(package, export))
}

/// `class Timer extends Actor abstract config(User);`
pub fn class_head(package: &Arc<Package>, export: usize, facts: &ClassFacts) -> String {
    use class_fields::class as flag;
    let mut out = format!("class {}{}", name_of(package, export), extends(package, export));
    let within = package.object_name(facts.within).filter(|name| !name.eq_ignore_ascii_case("Object"));
    if let Some(within) = within {
        let _ = write!(out, " within {within}");
    }
    let is_native = package.export(export).is_some_and(|e| e.flags & 0x0400_0000 != 0);
    if is_native {
        out.push_str(" native");
    }
    for (bit, word) in [
        (flag::ABSTRACT, "abstract"),
        (flag::TRANSIENT, "transient"),
        (flag::SAFE_REPLACE, "safereplace"),
        (flag::NO_EXPORT, "noexport"),
        (flag::NO_USER_CREATE, "nousercreate"),
        (flag::PER_OBJECT_CONFIG, "perobjectconfig"),
        (flag::NATIVE_REPLICATION, "nativereplication"),
    ] {
        if facts.flags & bit != 0 {
            let _ = write!(out, " {word}");
        }
    }
    if facts.flags & flag::CONFIG != 0 {
        match facts.config.as_str() {
            "" | "None" => out.push_str(" config"),
            config => {
                let _ = write!(out, " config({config})");
            }
        }
    }
    out.push(';');
    out
}

/// Everything that a class declares, in the order scripts have it.
pub fn class(
    package: &Arc<Package>,
    export: usize,
    base: &StructFacts,
    facts: Option<&ClassFacts>,
    body: Body,
) -> String {
    let mut out = match facts {
        Some(facts) => class_head(package, export, facts),
        None => format!("class {}{};", name_of(package, export), extends(package, export)),
    };
    out.push('\n');
    let owner = name_of(package, export);
    let fields: Vec<(usize, String)> = children(package, export)
        .into_iter()
        .map(|child| (child, package.class_name(ObjectRef::export(child)).to_ascii_lowercase()))
        .collect();
    let of = |wanted: &'static str| {
        fields.iter().filter(
            move |(_, class)| {
                if wanted == "property" { class.ends_with("property") } else { class == wanted }
            },
        )
    };
    let mut add = |text: Result<String, Fault>, gap: bool| {
        if gap {
            out.push('\n');
        }
        let _ = writeln!(out, "{}", text.unwrap_or_else(|fault| format!("// {fault}")));
    };
    for (place, (child, _)) in of("const").enumerate() {
        add(constant(package, *child), place == 0);
    }
    for (child, _) in of("enum") {
        add(enumeration(package, *child), true);
    }
    for (child, _) in of("struct") {
        add(structure(package, *child), true);
    }
    for (place, (child, _)) in of("property").enumerate() {
        if let Some(property) = property_of(package, *child) {
            add(Ok(variable(package, *child, &property, owner)), place == 0);
        }
    }
    let replication = commented(base, body);
    if !replication.is_empty() {
        add(Ok(format!("replication\n{{\n{replication}}}")), true);
    }
    for child in members_with_code(package, export) {
        if package.class_name(ObjectRef::export(child)).eq_ignore_ascii_case("State") {
            add(state(package, child, body), true);
        } else {
            add(function(package, child, body), true);
        }
    }
    out
}
