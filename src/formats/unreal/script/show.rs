//! Script classes as texts: source, disassembly, default properties.

use super::{
    declaration::{self, Body},
    defaults,
    disassembly::{LONGEST, disassemble},
    remembered::Remembered,
    source::declaration_lines,
    structure::{StructFacts, members_with_code, read_class, read_function, read_state, read_struct},
    text_buffer::{language, read_text_buffer, with_line_feeds},
};
use crate::{
    formats::unreal::{
        class_fields::{behind_header, property_of},
        header::Object,
        kind::Kind,
        object::{Fault, ObjectReader},
        package::Package,
        tables::{ObjectRef, Pointee},
    },
    scene::{Language, Text, TextPart},
};
use std::{
    fmt::Write as _,
    sync::{Arc, PoisonError},
};

/// An object of one of the script classes as text. The reader stands behind the object's header.
///
/// # Errors
/// Where nothing of it can be read.
pub fn load(object: &Object<'_>, reader: &mut ObjectReader<'_>) -> Result<Text, Fault> {
    let (package, export) = (object.package, object.export);
    let declared = |text: String| vec![part("Declaration", Language::UnrealScript, text)];
    let parts = match object.kind {
        Kind::TextBuffer => {
            let text = with_line_feeds(&read_text_buffer(reader)?);
            vec![part("Text", language(package, export), text)]
        }
        Kind::Const => declared(declaration::constant(package, export)?),
        Kind::Enum => declared(declaration::enumeration(package, export)?),
        Kind::Property => declared(property(package, export).ok_or_else(|| reader.fault("no property"))?),
        Kind::Struct => {
            let mut parts = declared(declaration::structure(package, export)?);
            add_code(&read_struct(reader)?, &mut parts);
            parts
        }
        Kind::Function => {
            let (base, _) = read_function(reader)?;
            let words = ["function", "event", "operator", "preoperator", "postoperator"];
            let mut parts = match own_source(package, export, &base, &words) {
                Some(text) => vec![part("Source", Language::UnrealScript, text)],
                None => declared(declaration::function(package, export, Body::None)?),
            };
            let mut code = String::new();
            function_code(package, export, "", &mut code);
            add(&mut parts, code);
            parts
        }
        Kind::State => {
            let (base, _) = read_state(reader)?;
            let mut parts = match own_source(package, export, &base, &["state"]) {
                Some(text) => vec![part("Source", Language::UnrealScript, text)],
                None => declared(declaration::state(package, export, Body::None)?),
            };
            let mut code = String::new();
            state_code(package, export, &mut code);
            add(&mut parts, code);
            parts
        }
        _ => class(package, export, reader)?,
    };
    Ok(Text { name: object.name(), parts })
}

fn part(title: &str, language: Language, text: String) -> TextPart {
    TextPart { title: title.to_owned(), language, text }
}

fn add(parts: &mut Vec<TextPart>, code: String) {
    if !code.is_empty() {
        parts.push(part("Disassembly", Language::Disassembly, code));
    }
}

fn add_code(base: &StructFacts, parts: &mut Vec<TextPart>) {
    let mut code = String::new();
    disassemble(&base.script, "", &mut code);
    if let Some(fault) = &base.fault {
        let _ = writeln!(code, "// {fault}");
    }
    add(parts, code);
}

/// A property where it is declared: a variable of a class, or a parameter or local variable of a function.
fn property(package: &Arc<Package>, export: usize) -> Option<String> {
    let facts = property_of(package, export)?;
    let outer = package.export(export).map_or(ObjectRef::NONE, |e| e.outer);
    let owner = package.object_name(outer).unwrap_or_default();
    Some(declaration::variable(package, export, &facts, owner))
}

fn class(package: &Arc<Package>, export: usize, reader: &mut ObjectReader<'_>) -> Result<Vec<TextPart>, Fault> {
    let (base, facts) = read_class(reader, export)?;
    let mut parts = Vec::new();
    match source(package, &base) {
        Some(text) => parts.push(part("Source", Language::UnrealScript, text)),
        None => {
            let text = declaration::class(package, export, &base, facts.as_ref(), Body::Comments);
            parts.push(part("Declarations", Language::UnrealScript, text));
        }
    }
    add(&mut parts, class_code(package, export, &base));
    let own = ObjectRef::export(export);
    if let Some(facts) = &facts {
        let block = defaults::block(package, own, &facts.defaults);
        parts.push(part("Default properties", Language::UnrealScript, block));
    }
    if let Some(all) = defaults::effective(package, own) {
        parts.push(part("All defaults", Language::Disassembly, all));
    }
    Ok(parts)
}

/// The text that the class was compiled from, where the package still has it.
fn source(package: &Arc<Package>, base: &StructFacts) -> Option<String> {
    let Pointee::Export(export) = base.script_text.pointee() else { return None };
    if !package.class_name(base.script_text).eq_ignore_ascii_case("TextBuffer") {
        return None;
    }
    let text = behind_header(package, export).and_then(|mut reader| read_text_buffer(&mut reader)).ok()?;
    (!text.trim().is_empty()).then(|| with_line_feeds(&text))
}

/// The lines of a function or state in the source of its class.
fn own_source(package: &Arc<Package>, export: usize, base: &StructFacts, words: &[&str]) -> Option<String> {
    let is_class = |object: &ObjectRef| package.class_name(*object).eq_ignore_ascii_case("Class");
    let Pointee::Export(class) = package.outers(ObjectRef::export(export)).find(is_class)?.pointee() else {
        return None;
    };
    let text = source_of_class(package, class)?;
    declaration_lines(&text, &base.friendly_name, base.line, words).map(str::to_owned)
}

/// The text that a class was compiled from, kept for the functions and states that are looked for in it one after the other.
fn source_of_class(package: &Arc<Package>, class: usize) -> Option<Arc<str>> {
    let remembered = package.memory.of::<Remembered>();
    let kept = || remembered.source.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, text)) = &*kept()
        && *of == class
    {
        return text.clone();
    }
    let base = behind_header(package, class).and_then(|mut reader| read_struct(&mut reader));
    let text = base.ok().and_then(|base| source(package, &base)).map(Arc::from);
    *kept() = Some((class, text.clone()));
    text
}

/// The bytecode of everything in a class.
fn class_code(package: &Arc<Package>, export: usize, base: &StructFacts) -> String {
    let mut out = String::new();
    if !base.script.tokens.is_empty() {
        out.push_str("replication\n");
        disassemble(&base.script, "", &mut out);
    }
    if let Some(fault) = &base.fault {
        let _ = writeln!(out, "// {fault}");
    }
    for child in members_with_code(package, export) {
        if out.len() > LONGEST {
            break;
        }
        let class = package.class_name(ObjectRef::export(child));
        if class.eq_ignore_ascii_case("Function") {
            function_code(package, child, "", &mut out);
        } else if class.eq_ignore_ascii_case("State") {
            state_code(package, child, &mut out);
        }
    }
    out
}

/// Nothing for a function without code of its own.
fn function_code(package: &Arc<Package>, export: usize, indent: &str, out: &mut String) {
    let read = behind_header(package, export).and_then(|mut reader| read_function(&mut reader));
    let Ok((base, facts)) = read else { return };
    if base.script.tokens.is_empty() && base.fault.is_none() {
        return;
    }
    let head = match facts {
        Some(facts) => declaration::signature(package, export, &facts),
        None => format!("function {}", package.object_name(ObjectRef::export(export)).unwrap_or("?")),
    };
    separate(out);
    let _ = writeln!(out, "{indent}{head}");
    disassemble(&base.script, indent, out);
    if let Some(fault) = &base.fault {
        let _ = writeln!(out, "{indent}  // {fault}");
    }
}

fn separate(out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
}

/// The functions of a state, and its own code.
fn state_code(package: &Arc<Package>, export: usize, out: &mut String) {
    let read = behind_header(package, export).and_then(|mut reader| read_state(&mut reader));
    let Ok((base, facts)) = read else { return };
    separate(out);
    let _ = writeln!(out, "{}", declaration::state_head(package, export, facts.unwrap_or_default()));
    disassemble(&base.script, "", out);
    if let Some(fault) = &base.fault {
        let _ = writeln!(out, "  // {fault}");
    }
    for child in members_with_code(package, export) {
        if out.len() > LONGEST {
            break;
        }
        if package.class_name(ObjectRef::export(child)).eq_ignore_ascii_case("Function") {
            function_code(package, child, "  ", out);
        }
    }
}
