//! `index --format jsonl`: what is in files, one JSON object a line.

use super::{
    Failure,
    output::{plain, say, stdout},
};
use crate::{
    bytes::{Cancel, Limits},
    formats::{Content, Role},
    library::collection::{About, Inside, Record, absolute, read_content, walk},
    library::text_of,
};
use serde::Serialize;
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<'a> {
    File {
        file: &'a str,
        format: &'a str,
        size: u64,
        /// The first 16 digits of the SHA-1 of its bytes.
        digest: String,
        entries: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        problem: Option<&'a str>,
    },
    Entry {
        file: &'a str,
        id: u32,
        path: &'a str,
        name: &'a str,
        class: &'a str,
        role: Role,
        content: Content,
        size: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        digest: Option<String>,
        #[serde(flatten)]
        about: Known<'a>,
    },
    Import {
        file: &'a str,
        from: &'a str,
        path: &'a str,
        class: &'a str,
        built_in: bool,
    },
}

/// What is known of an entry besides its name.
#[derive(Default, Serialize)]
struct Known<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    joints: Option<&'a [std::borrow::Cow<'a, str>]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint_count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate_hz: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u32>,
}

impl<'a> Known<'a> {
    fn of(about: About, record: &'a Record<'_>) -> Self {
        let names = |set: Option<crate::library::collection::JointSet>| {
            set.and_then(|set| record.joint_sets.get(set.0 as usize)).map(Vec::as_slice)
        };
        match about {
            About::Nothing => Self::default(),
            About::Model { joints, joint_count, vertices, triangles } => Self {
                joints: names(joints),
                joint_count: Some(joint_count),
                vertices: Some(vertices),
                triangles: Some(triangles),
                ..Self::default()
            },
            About::Clip { joints, joint_count, frames, rate_hz } => Self {
                joints: names(joints),
                joint_count: Some(joint_count),
                frames: Some(frames),
                rate_hz: Some(rate_hz),
                ..Self::default()
            },
            About::Picture { width, height } => Self { width: Some(width), height: Some(height), ..Self::default() },
            About::Sound { duration_secs } => Self { seconds: Some(duration_secs), ..Self::default() },
            About::Text { lines } => Self { lines: Some(lines), ..Self::default() },
        }
    }
}

/// Prints the files of some roots in the order of their paths. Each is let go of before the next is read. Exit status 1 where one
/// cannot be read.
pub fn run(roots: &[PathBuf]) -> Result<ExitCode, Failure> {
    if let Some(root) = roots.iter().find(|root| !root.exists()) {
        return Err(Failure::of_file(&text_of(root), "no such file or folder"));
    }
    let limits = Limits::default();
    let mut out = stdout();
    let walked = walk(roots);
    let mut is_whole = walked.troubles.is_empty();
    let tell = |path: &Path, why: &str| {
        say(format_args!("error: {}: {}", plain(&text_of(path)), plain(why)));
    };
    walked.troubles.iter().for_each(|(path, why)| tell(path, why));
    for file in walked.files.values() {
        match read_content(&file.path, &limits, Cancel::never()) {
            Ok(Some((content, _))) => {
                let name = named(&file.path, roots);
                for inside in &content.files {
                    print(&mut out, &name, inside)?;
                }
            }
            Ok(None) => {}
            Err(why) => {
                is_whole = false;
                tell(&file.path, &why);
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::from(u8::from(!is_whole)))
}

/// A path as its root was named.
fn named(path: &Path, roots: &[PathBuf]) -> String {
    let below = roots.iter().find_map(|root| {
        let inside = path.strip_prefix(absolute(root)).ok()?;
        Some(if inside.as_os_str().is_empty() { root.clone() } else { root.join(inside) })
    });
    text_of(below.as_deref().unwrap_or(path)).replace('\\', "/")
}

fn print(out: &mut impl std::io::Write, file: &str, inside: &Inside<'_>) -> Result<(), Failure> {
    let file = if inside.path.is_empty() { file.to_owned() } else { format!("{file}/{}", inside.path) };
    let record = &inside.record;
    let digest = |digest: u64| format!("{digest:016x}");
    let mut line = |line: Line<'_>| -> Result<(), Failure> {
        serde_json::to_writer(&mut *out, &line)?;
        Ok(out.write_all(b"\n")?)
    };
    line(Line::File {
        file: &file,
        format: &record.format,
        size: inside.size,
        digest: digest(inside.digest),
        entries: record.entries.len().saturating_sub(1),
        problem: record.problem.as_deref(),
    })?;
    for entry in record.entries.iter().filter(|entry| entry.id != 0 || entry.content != Content::None) {
        line(Line::Entry {
            file: &file,
            id: entry.id,
            path: &entry.path,
            name: entry.path.get(entry.name_start as usize..).unwrap_or(&entry.path),
            class: record.classes.get(entry.class as usize).map_or("", |class| class),
            role: entry.role,
            content: entry.content,
            size: entry.size,
            digest: (entry.digest != 0).then(|| digest(entry.digest)),
            about: Known::of(entry.about, record),
        })?;
    }
    for import in &record.imports {
        line(Line::Import {
            file: &file,
            from: &import.file,
            path: &import.path,
            class: &import.class,
            built_in: import.is_built_in,
        })?;
    }
    Ok(())
}
