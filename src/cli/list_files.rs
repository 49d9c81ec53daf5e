//! `list --files`: every file in a container, and in containers in it.

use super::{
    Failure,
    json_output::print_json,
    output::{counted, plain, stdout},
};
use crate::{
    bytes::{Cancel, Source},
    formats::containers::{self, Trouble, Unpacked},
    library::text_of,
    library::{OpenFile, collection::sum},
};
use serde::Serialize;
use std::{io::Write as _, process::ExitCode};

#[derive(Serialize)]
struct Files<'a> {
    file: String,
    format: &'a str,
    size: u64,
    files: Vec<File>,
}

#[derive(Serialize)]
struct File {
    /// With the paths of the containers that it lies in.
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha1: Option<String>,
    /// What is wrong with it; with no size nothing of it could be used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
}

#[derive(Serialize)]
struct Problem {
    code: &'static str,
    message: String,
}

impl From<&Trouble> for Problem {
    fn from(trouble: &Trouble) -> Self {
        Self { code: trouble.code.id, message: trouble.message.clone() }
    }
}

impl File {
    fn of(path: &str, unpacked: Result<Unpacked, Trouble>) -> Self {
        let path = path.to_owned();
        let unpacked = match unpacked {
            Ok(unpacked) => unpacked,
            Err(trouble) => return Self { path, size: None, sha1: None, problems: vec![Problem::from(&trouble)] },
        };
        let mut problems: Vec<Problem> = unpacked.troubles.iter().map(Problem::from).collect();
        match sha1_of(&unpacked.source) {
            Ok(sum) => Self { path, size: Some(unpacked.source.len() as u64), sha1: Some(sum), problems },
            Err(error) => {
                problems.push(Problem { code: "bonebox.unreadable", message: Source::read_failed(error) });
                Self { path, size: None, sha1: None, problems }
            }
        }
    }
}

fn sha1_of(source: &Source) -> std::io::Result<String> {
    Ok(sum(source)?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Exit status 1 where something is wrong with a file.
pub fn run(file: &OpenFile, json: bool) -> Result<ExitCode, Failure> {
    let Some(outer) = file.document.container() else {
        let name = text_of(&file.path);
        return Err(Failure::failed(format!("{name} is not a container: --files works only with containers")));
    };
    let mut files = Vec::new();
    containers::walk(outer, &file.limits(), Cancel::never(), &mut |walked| {
        files.push(File::of(walked.path, walked.unpacked));
        true
    });
    let is_sound = files.iter().all(|file| file.problems.is_empty());
    let (name, size) = (text_of(&file.path).into_owned(), file.document.source().len() as u64);
    if json {
        print_json(&Files { file: name, format: file.document.format().id, size, files })?;
    } else {
        let mut out = stdout();
        let count = counted(files.len(), "file");
        writeln!(out, "{}: {}, {size} bytes, {count}", plain(&name), file.document.format().name)?;
        writeln!(out, "{:>10} {:<40} PATH", "SIZE", "SHA-1")?;
        for file in &files {
            let size = file.size.map(|size| size.to_string()).unwrap_or_default();
            let sum = file.sha1.as_deref().unwrap_or_default();
            writeln!(out, "{size:>10} {sum:<40} {}", plain(&file.path))?;
            for problem in &file.problems {
                writeln!(out, "{:>10} {}: {}", "", problem.code, plain(&problem.message))?;
            }
        }
        out.flush()?;
    }
    Ok(ExitCode::from(u8::from(!is_sound)))
}
