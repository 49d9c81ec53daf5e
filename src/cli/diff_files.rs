//! `diff` of folders and containers: file by file.

use super::{
    Failure,
    diff_text::{status, summary},
    json_output::print_json,
    output::{plain, say, stdout},
};
use crate::{
    bytes::Cancel,
    library::compare::{Counts, FilePair, State, compare_files},
    library::text_of,
};
use serde::Serialize;
use std::{io::Write as _, path::Path, process::ExitCode};

#[derive(Serialize)]
struct Report<'a> {
    left: String,
    right: String,
    counts: Counts,
    files: Vec<FileJson<'a>>,
    problems: Vec<Problem<'a>>,
}

/// A file that differs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FileJson<'a> {
    state: State,
    left: Option<&'a str>,
    right: Option<&'a str>,
    left_size: Option<u64>,
    right_size: Option<u64>,
}

impl<'a> FileJson<'a> {
    fn of(pair: &'a FilePair) -> Self {
        let FilePair { state, left, right, left_size, right_size } = pair;
        let (left, right) = (left.as_deref(), right.as_deref());
        Self { state: *state, left, right, left_size: *left_size, right_size: *right_size }
    }
}

#[derive(Serialize)]
struct Problem<'a> {
    file: &'a str,
    message: &'a str,
}

/// A file that cannot be read is status 2, unless something else differs.
pub fn run(left: &Path, right: &Path, json: bool) -> Result<ExitCode, Failure> {
    let found = compare_files(left, right, &|_, _| {}, Cancel::never()).map_err(Failure::failed)?;
    let counts = found.counts();
    let differing = || found.files.iter().filter(|pair| pair.state != State::Same);
    if json {
        let files = differing().map(FileJson::of).collect();
        let problems = found.troubles.iter().map(|(file, message)| Problem { file, message }).collect();
        let (left, right) = (text_of(left).into_owned(), text_of(right).into_owned());
        print_json(&Report { left, right, counts, files, problems })?;
    } else if counts.differing() > 0 {
        let mut out = stdout();
        for pair in differing() {
            writeln!(out, "{}", plain(&line(pair)))?;
        }
        writeln!(out, "{}", summary(counts, "file"))?;
        out.flush()?;
    }
    for (file, why) in &found.troubles {
        say(format_args!("error: {}: {}", plain(file), plain(why)));
    }
    if counts.differing() == 0 && !found.troubles.is_empty() {
        return Ok(ExitCode::from(2));
    }
    Ok(status(counts))
}

fn line(pair: &FilePair) -> String {
    let sign = pair.state.sign();
    let path = |path: &Option<String>| path.clone().unwrap_or_default();
    let size = |size: Option<u64>| size.unwrap_or_default();
    let (left, right) = (size(pair.left_size), size(pair.right_size));
    match pair.state {
        State::Moved => format!("{sign} {} → {}", path(&pair.left), path(&pair.right)),
        State::Added => format!("{sign} {} ({right} bytes)", path(&pair.right)),
        State::Gone => format!("{sign} {} ({left} bytes)", path(&pair.left)),
        _ if left == right => format!("{sign} {} ({left} bytes)", path(&pair.left)),
        _ => format!("{sign} {} ({left} → {right} bytes)", path(&pair.left)),
    }
}
