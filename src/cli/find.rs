//! `find`: search a collection, and ask it who uses what.

use super::{
    Failure, find_links, find_rows,
    output::{Progress, plain, say},
};
use crate::{
    bytes::Limits,
    library::{
        collection::{Catalog, Query, Store, absolute},
        outermost,
    },
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::AtomicBool,
};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A remembered collection's name, or a folder, a file or a container; its index is renewed first
    pub collection: PathBuf,
    /// What to find: words, "a phrase", class:X, type:X, in:X, refs:X, text:X, 'bones>30'; with -word left out after -- or in one
    /// argument: 'hand -left'
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
    /// Print at most N
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub asked: Asked,
}

/// What is asked instead of words.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(multiple = false)]
pub struct Asked {
    /// Who uses a file, an entry, or whatever has this name
    #[arg(long, value_name = "FILE[::ENTRY]|NAME", conflicts_with = "words")]
    pub uses: Option<String>,
    /// What a file takes from others, and where that lies
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    pub needs: Option<String>,
    /// What lies in the collection more than once
    #[arg(long, conflicts_with = "words")]
    pub duplicates: bool,
    /// Which clips fit a model, and why
    #[arg(long, value_name = "FILE[::ENTRY]", conflicts_with = "words")]
    pub clips_for: Option<String>,
    /// Which models a clip fits, and why
    #[arg(long, value_name = "FILE[::ENTRY]", conflicts_with = "words")]
    pub models_for: Option<String>,
}

impl Asked {
    fn is_empty(&self) -> bool {
        let Self { uses, needs, duplicates, clips_for, models_for } = self;
        uses.is_none() && needs.is_none() && !duplicates && clips_for.is_none() && models_for.is_none()
    }
}

/// A collection that was asked for, with an index that is up to date.
pub struct Opened {
    pub store: Store,
    pub catalog: Catalog,
    /// What the paths of its files are printed without.
    pub base: PathBuf,
}

impl Opened {
    /// A file's path as it is printed.
    pub fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.base).ok().filter(|rest| !rest.as_os_str().is_empty()).unwrap_or(path)
    }
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.words.is_empty() && args.asked.is_empty() {
        return Err(Failure::Usage("say what to find: words, --uses, --needs, --duplicates or --clips-for".to_owned()));
    }
    let query = Query::of(&args.words.join(" "));
    query.problems().iter().for_each(|problem| say(format_args!("warning: {}", plain(problem))));
    if args.asked.is_empty() && query.is_empty() {
        return Err(Failure::Usage("the words ask for nothing".to_owned()));
    }
    let opened = open(&args.collection)?;
    let Asked { uses, needs, duplicates, clips_for, models_for } = &args.asked;
    let found = match (uses, needs, clips_for, models_for) {
        (Some(thing), ..) => find_links::users(&opened, thing, args)?,
        (_, Some(file), ..) => find_links::needs(&opened, file, args)?,
        (_, _, Some(model), _) => find_links::fits(&opened, model, true, args)?,
        (_, _, _, Some(clip)) => find_links::fits(&opened, clip, false, args)?,
        _ if *duplicates => find_links::duplicates(&opened, args)?,
        _ if query.text().is_some() => find_rows::text_lines(&opened, &query, args)?,
        _ => find_rows::rows(&opened, &query, args)?,
    };
    Ok(if found { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn open(collection: &Path) -> Result<Opened, Failure> {
    let store =
        Store::of_user().ok_or_else(|| Failure::failed("there is no folder for the index: set BONEBOX_COLLECTIONS"))?;
    let name = collection.to_string_lossy();
    // A path is what is there; else it is a name.
    let roots = if std::fs::symlink_metadata(collection).is_ok() || outermost(collection).is_some() {
        vec![absolute(collection)]
    } else {
        let known = store.collections().map_err(Failure::failed)?;
        let named = known.iter().find(|known| known.name.to_lowercase() == name.to_lowercase());
        let names = || known.iter().map(|known| known.name.as_str()).collect::<Vec<_>>().join(", ");
        let Some(named) = named else {
            let known =
                if known.is_empty() { "none is remembered".to_owned() } else { format!("remembered are {}", names()) };
            return Err(Failure::Failed(format!(
                "{name}: there is no such file or folder, nor a collection of this name; {known}"
            )));
        };
        named.roots.clone()
    };
    let progress = Progress::new("indexed");
    let updated = store
        .update(&roots, Limits::default(), &|now| progress.of(now.files_done, now.files_known), &AtomicBool::new(false))
        .map_err(Failure::failed)?;
    drop(progress);
    for (path, trouble) in &updated.troubles {
        say(format_args!("warning: {}: {}", plain(&path.to_string_lossy()), plain(trouble)));
    }
    let base = match roots.as_slice() {
        [root] => root.clone(),
        _ => PathBuf::new(),
    };
    Ok(Opened { store, catalog: updated.catalog, base })
}
