//! Disputed layouts on the command line: what a person says of them, and what was decided.

use super::{Failure, output::plain};
use crate::{
    formats::{Choice, Document, Overrides},
    library::{OpenFile, lift_limits, outermost, read_container_as},
};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

#[derive(Clone, Debug, Default, clap::Args)]
pub struct ReadingArgs {
    /// Override how an ambiguous part of the layout is read, with an ID and VALUE shown by `inspect`, such as strings=exclusive. May be
    /// repeated
    #[arg(long = "reading", value_name = "ID=VALUE", value_parser = answer)]
    answers: Vec<(String, String)>,
    /// Ignore the size limits for members of containers, however much memory they need. Limits for nested containers still apply
    #[arg(long)]
    past_limits: bool,
    /// Additional folders in which texture packages are searched for.
    #[arg(skip)]
    textures: Vec<PathBuf>,
}

fn answer(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((id, value)) if !id.is_empty() && !value.is_empty() => Ok((id.to_owned(), value.to_owned())),
        _ => Err("expected ID=VALUE".to_owned()),
    }
}

impl ReadingArgs {
    /// Returns these options with an additional folder in which referenced files are searched for.
    pub fn among(&self, folder: Option<&PathBuf>) -> Self {
        Self { textures: folder.cloned().into_iter().collect(), ..self.clone() }
    }

    pub fn folders(&self) -> &[PathBuf] {
        &self.textures
    }

    /// Applies these options to all containers at this path and below it. Must be called before a file is opened.
    pub fn prepare(&self, path: &Path) {
        let path = outermost(path).unwrap_or(path);
        if !self.answers.is_empty() {
            read_container_as(path, &self.overrides(), true);
        }
        if self.past_limits {
            lift_limits(path, true);
        }
    }

    /// Returns the specified values by ID. The last value for an ID takes precedence.
    pub fn overrides(&self) -> Overrides {
        self.answers.iter().cloned().collect()
    }

    /// Checks that the file was read as specified. Without `alone`, a file may lack a specified ID, because there are several files.
    ///
    /// # Errors
    /// Returns a usage error for an unknown ID or value, and a failure if the file cannot be read with the value.
    pub fn check(&self, file: &OpenFile, alone: bool) -> Result<(), Failure> {
        let choices = file.document.reading();
        // What is said may be about the container that it lies in.
        let alone = alone && outermost(&file.path).is_none();
        if self.answers.is_empty() || choices.is_empty() && !alone {
            return Ok(());
        }
        if choices.is_empty() {
            let format = file.document.format().name;
            let text = format!("{}: the layout of this file ({format}) is not ambiguous: omit --reading", file.name);
            return Err(Failure::Usage(text));
        }
        for (id, value) in self.overrides() {
            let Some(choice) = choices.iter().find(|c| c.id == id) else {
                let known: Vec<&str> = choices.iter().map(|c| c.id).collect();
                let text = format!("{}: unknown reading “{id}”: use one of {}", file.name, known.join(", "));
                return Err(Failure::Usage(text));
            };
            check_value(file, choice, &value)?;
        }
        Ok(())
    }
}

fn check_value(file: &OpenFile, choice: &Choice, wanted: &str) -> Result<(), Failure> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    let is_wanted = |value: &str| {
        value == wanted || choice.number.is_some() && number(wanted).is_some() && number(value) == number(wanted)
    };
    if is_wanted(&choice.value) {
        return Ok(());
    }
    if choice.rivals.iter().any(|rival| is_wanted(&rival.value)) {
        let text = format!("cannot be read with {}={wanted}", choice.id);
        return Err(Failure::of_file(&file.name, text));
    }
    let mut known: Vec<String> = std::iter::once(&choice.value)
        .chain(choice.rivals.iter().map(|rival| &rival.value))
        .map(|value| format!("{}={value}", choice.id))
        .collect();
    known.extend(choice.number.map(|unit| format!("any positive number ({unit})")));
    let text = format!("{}: {}={wanted} is not a valid reading: use one of {}", file.name, choice.id, known.join(", "));
    Err(Failure::Usage(text))
}

/// Prints how the layout was read and why, the size and heights of the ground, and the offsets of the parts of the file, if present.
pub fn print(out: &mut impl Write, document: &dyn Document) -> io::Result<()> {
    if !document.reading().is_empty() {
        writeln!(out, "Reading:")?;
    }
    for choice in document.reading() {
        let by = if choice.overridden { " (set with --reading)" } else { "" };
        let value = plain(&choice.value);
        writeln!(out, "  {}={value}{by}  {}: {}", choice.id, choice.label, plain(&choice.evidence))?;
        for rival in &choice.rivals {
            writeln!(out, "      not {}: {}", plain(&rival.value), plain(&rival.evidence))?;
        }
    }
    if let Some(card) = document.terrain_card() {
        writeln!(out, "Ground: {} × {} samples, {} m apart", card.x, card.z, card.cell)?;
        match (card.range, card.mean) {
            (Some([min, max]), Some(mean)) => writeln!(out, "  heights from {min} m to {max} m, {mean} m on average")?,
            _ => writeln!(out, "  no heights")?,
        }
        writeln!(out, "  SHA-256 of the heights' bytes: {}", card.sha256)?;
    }
    if !document.sections().is_empty() {
        writeln!(out, "Parts:")?;
    }
    for section in document.sections() {
        writeln!(out, "{:>10}  {}", section.offset, section.name)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_pairs() {
        assert_eq!(answer("cell=12.5"), Ok(("cell".into(), "12.5".into())));
        assert_eq!(answer("a=b=c"), Ok(("a".into(), "b=c".into())));
        assert!(["cell", "=5", "cell=", ""].iter().all(|wrong| answer(wrong).is_err()));
        let answers = vec![("a".into(), "1".into()), ("a".into(), "2".into())];
        let twice = ReadingArgs { answers, ..ReadingArgs::default() };
        assert_eq!(twice.overrides(), Overrides::from([("a".into(), "2".into())]));
    }
}
