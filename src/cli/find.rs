//! `find`: search a collection, and ask it who uses what.

use super::{
    Failure, find_links, find_rows,
    opened_collection::{Printing, open},
    output::{plain, say},
};
use crate::library::collection::Query;
use std::{path::PathBuf, process::ExitCode};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Name of a saved collection, or a folder, a file or a container. The index is updated first
    pub collection: PathBuf,
    /// Search terms: words, "a phrase", class:X, type:X, in:X, refs:X, text:X, 'bones>30'. Exclude matches with -word, after -- or in one
    /// argument with other words: 'hand -left'
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
    /// Maximum number of results
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
    /// Print one JSON document instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub asked: Asked,
}

/// Options that replace the search terms.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(multiple = false)]
pub struct Asked {
    /// List the files that use this file, this entry, or anything with this name
    #[arg(long, value_name = "FILE[::ENTRY]|NAME", conflicts_with = "words")]
    pub uses: Option<String>,
    /// List the dependencies of a file and their locations
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    pub needs: Option<String>,
    /// List duplicate files and entries
    #[arg(long, conflicts_with = "words")]
    pub duplicates: bool,
    /// List the clips that fit a model, with the reason
    #[arg(long, value_name = "FILE[::ENTRY]", conflicts_with = "words")]
    pub clips_for: Option<String>,
    /// List the models that a clip fits, with the reason
    #[arg(long, value_name = "FILE[::ENTRY]", conflicts_with = "words")]
    pub models_for: Option<String>,
}

impl Asked {
    fn is_empty(&self) -> bool {
        let Self { uses, needs, duplicates, clips_for, models_for } = self;
        uses.is_none() && needs.is_none() && !duplicates && clips_for.is_none() && models_for.is_none()
    }
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.words.is_empty() && args.asked.is_empty() {
        return Err(Failure::Usage(
            "specify search terms, --uses, --needs, --duplicates, --clips-for or --models-for".to_owned(),
        ));
    }
    let query = Query::of(&args.words.join(" "));
    query.problems().iter().for_each(|problem| say(format_args!("warning: {}", plain(problem))));
    if args.asked.is_empty() && query.is_empty() {
        return Err(Failure::Usage("the search terms are empty".to_owned()));
    }
    let opened = open(&args.collection)?;
    let printing = Printing { limit: args.limit, json: args.json, query: args.words.join(" ") };
    let Asked { uses, needs, duplicates, clips_for, models_for } = &args.asked;
    let found = match (uses, needs, clips_for, models_for) {
        (Some(thing), ..) => find_links::users(&opened, thing, &printing)?,
        (_, Some(file), ..) => find_links::needs(&opened, file, &printing)?,
        (_, _, Some(model), _) => find_links::fits(&opened, model, true, &printing)?,
        (_, _, _, Some(clip)) => find_links::fits(&opened, clip, false, &printing)?,
        _ if *duplicates => find_links::duplicates(&opened, &printing)?,
        _ if query.text().is_some() => find_rows::text_lines(&opened, &query, &printing)?,
        _ => find_rows::rows(&opened, &query, &printing)?,
    };
    Ok(if found { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
