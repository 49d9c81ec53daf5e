//! `list` of a folder, and `list --all` of a container: the files in it that open.

use super::{
    Failure, ReadingArgs,
    json_output::print_json,
    listed::listed,
    output::{counted, plain, say, stdout},
    selection::open_as,
};
use crate::library::{expand_containers, text_of};
use serde::Serialize;
use std::{io::Write as _, path::Path, process::ExitCode};

#[derive(Serialize)]
struct Folder {
    folder: String,
    files: Vec<File>,
}

#[derive(Serialize)]
struct File {
    /// Path relative to the folder, with `/`. The path of a file in a container begins with the path of the container.
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<usize>,
    /// Reason why the file cannot be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl File {
    fn of(path: &Path, folder: &Path, reading: &ReadingArgs) -> Result<Self, Failure> {
        let inside = path.strip_prefix(folder).ok().filter(|inside| !inside.as_os_str().is_empty()).unwrap_or(path);
        let parts: Vec<_> = inside.iter().map(|part| text_of(Path::new(part))).collect();
        let file = Self { path: parts.join("/"), format: None, size: None, entries: None, error: None };
        match open_as(path, reading, false) {
            Ok(opened) => Ok(Self {
                format: Some(opened.document.format().id),
                size: Some(opened.document.source().len() as u64),
                entries: Some(listed(&*opened.document).count()),
                ..file
            }),
            Err(failure @ (Failure::Usage(_) | Failure::ClosedPipe)) => Err(failure),
            Err(failure) => Ok(Self { error: Some(failure.to_string()), ..file }),
        }
    }
}

/// Lists the readable files in a folder. Returns exit status 1 if a file cannot be opened.
pub fn run(folder: &Path, json: bool, reading: &ReadingArgs) -> Result<ExitCode, Failure> {
    reading.prepare(folder);
    let paths = expand_containers(&[folder.to_owned()]);
    let files = paths.iter().map(|path| File::of(path, folder, reading)).collect::<Result<Vec<_>, _>>()?;
    let is_whole = files.iter().all(|file| file.error.is_none());
    let name = text_of(folder).into_owned();
    let errors: Vec<String> = files.iter().filter_map(|file| file.error.clone()).collect();
    if json {
        print_json(&Folder { folder: name, files })?;
    } else {
        let mut out = stdout();
        writeln!(out, "{}: {}", plain(&name), counted(files.len(), "file"))?;
        writeln!(out, "{:>10} {:>8} {:<20} PATH", "SIZE", "ENTRIES", "FORMAT")?;
        for file in &files {
            let size = file.size.map(|size| size.to_string()).unwrap_or_default();
            let entries = file.entries.map(|count| count.to_string()).unwrap_or_default();
            let (format, path) = (file.format.unwrap_or("unreadable"), plain(&file.path));
            writeln!(out, "{size:>10} {entries:>8} {format:<20} {path}")?;
        }
        out.flush()?;
    }
    for error in errors {
        say(format_args!("error: {}", plain(&error)));
    }
    Ok(ExitCode::from(u8::from(!is_whole)))
}
