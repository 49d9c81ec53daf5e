//! `export --all` and `--unpack`: everything of a file or of a folder, into a folder.

use super::{
    Failure,
    companions::Companions,
    export_args::{Args, allowing},
    export_kit::{Kit, named_clips, tell_left_out},
    output::{Progress, counted, plain, say, stdout},
    selection::{find_entry, open_as},
    switches::PoseSwitch,
};
use crate::{
    export::{
        Cause, ExportError, ExportFormat, ExportKind, Item, Manifest, ModelFiles, Tree, Unlisted, Unopened, What,
        causes, counts, export_all, grouped,
    },
    formats::{Entry, EntryId},
    library::{OpenFile, expand, expand_containers},
    library::{name_text, text_of},
    scene::{Clip, Model},
};
use std::{io::Write as _, path::Path, process::ExitCode, sync::Arc};

/// Maximum number of reasons that are printed, one per line. The manifest contains all of them.
const MAX_CAUSES: usize = 8;

/// Exports all entries into a folder.
pub fn all(args: &Args) -> Result<ExitCode, Failure> {
    let models = match args.format {
        None | Some(ExportFormat::Glb) if args.embed => ModelFiles::Embedded,
        None | Some(ExportFormat::Glb) => ModelFiles::Glb,
        Some(ExportFormat::Gltf) if args.embed => {
            return Err(Failure::Usage(
                "--embed works only with glb: a gltf has its textures in separate files".to_owned(),
            ));
        }
        Some(ExportFormat::Gltf) => ModelFiles::Gltf,
        Some(other) => {
            let text = format!("with --all, --format sets the format of models: glb or gltf, not {}", other.id());
            return Err(Failure::Usage(text));
        }
    };
    if args.unpack && (!args.registers.colors.is_empty() || args.switches.pose == PoseSwitch::Bind) {
        return Err(Failure::Usage("--register and --pose do not work with --unpack: they apply to models".to_owned()));
    }
    let named = std::slice::from_ref(&args.file);
    args.reading.prepare(&args.file);
    // What is unpacked of a container are its files as they are.
    let paths = if args.unpack { expand(named) } else { expand_containers(named) };
    if paths.is_empty() {
        return Err(Failure::of_file(&text_of(&args.file), "contains no readable files"));
    }
    let mut unopened = Vec::new();
    let mut files = Vec::new();
    for path in &paths {
        match open_as(path, &args.reading.among(args.textures.as_ref()), paths.len() == 1) {
            Ok(mut file) => {
                args.textures.iter().for_each(|folder| file.look_first_in(folder));
                files.push(Arc::new(file));
            }
            Err(failure @ Failure::Usage(_)) => return Err(failure),
            Err(failure) if paths.len() == 1 => return Err(failure),
            Err(failure) => {
                match unopened.len() {
                    ..MAX_CAUSES => drop(failure.report()),
                    MAX_CAUSES => say("error: further files could not be opened. The manifest lists all of them"),
                    _ => {}
                }
                let file = place(path, &args.file).0;
                unopened.push(Unopened { file, error: failure.to_string() });
            }
        }
    }
    let below = members_below(&files, args)?;
    let named = named_clips(args, ExportFormat::Glb)?;
    let companions = Companions::among(&files);
    let kits: Vec<Kit<'_>> = files.iter().map(|file| Kit::new(file, args, &named, &companions)).collect();
    let clips_of: Vec<_> = kits.iter().map(|kit| |model: &Model, entry| kit.clips_for(model, entry)).collect();
    let model_of: Vec<_> = kits.iter().map(|kit| |clip: &Clip, entry| kit.model_for(clip, entry)).collect();
    let names: Vec<(String, Vec<String>)> = files.iter().map(|file| place(&file.path, &args.file)).collect();
    let trees: Vec<Tree<'_>> = kits
        .iter()
        .zip(&clips_of)
        .zip(&model_of)
        .zip(&names)
        .map(|(((kit, clips_of), model_of), (name, folders))| {
            let what = below.map_or(What::Natural, |below| What::Members { below });
            Tree {
                source: kit.source(clips_of, model_of),
                what,
                only: None,
                kinds: args.kinds(),
                models,
                name,
                folders,
            }
        })
        .collect();
    let shown = Progress::new("exported");
    let progress = |done: u64, total: u64, _: &str| shown.of(done as usize, total as usize);
    let job = args.job(&progress);
    let manifest = export_all(&trees, unopened, &args.output, &job).map_err(|error| match error {
        ExportError::Exists(_) => {
            Failure::failed(format!("{error} (--resume continues an interrupted export, --force overwrites it)"))
        }
        error => Failure::failed(error),
    })?;
    drop(shown);
    companions.tell();
    tell_left_out(kits.iter().map(Kit::left_out).sum());
    report(&manifest);
    tell_of_brushes(&trees, args);
    report_notes(&manifest, args.verbose);
    let mut out = stdout();
    let (exported, failed) = (manifest.exported.len(), manifest.failed.len());
    let folder = args.output.display();
    let list = manifest.path.file_name().unwrap_or_default().to_string_lossy();
    let lists = if manifest.unlisted.is_none() { "lists them" } else { "does not list all of them" };
    writeln!(out, "{exported} of {} exported to {folder} ({list} {lists})", counted(exported + failed, "entry"))?;
    if args.all && exported > 0 {
        writeln!(out, "{}", counts(&manifest.exported))?;
    }
    out.flush()?;
    let is_whole = failed == 0 && manifest.unopened.is_empty() && manifest.unlisted.is_none();
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Prints the failed entries, with one line per cause.
fn report(manifest: &Manifest) {
    let causes = causes(&manifest.failed);
    if causes.len() > 1 {
        say(format_args!("error: {} failed:", counted(manifest.failed.len(), "entry")));
    }
    for cause in causes.iter().take(MAX_CAUSES) {
        let Cause { count, message, first } = cause;
        let allowing = first.over_budget.map(|size| format!(" {}", allowing(size))).unwrap_or_default();
        let entry = if first.entry.is_empty() { String::new() } else { format!("{}: ", first.entry) };
        let what = match count {
            1 => format!("{}: {entry}{message}{allowing}", first.file),
            _ => format!(
                "{} failed with “{message}”, first in {}: {entry}{}{allowing}",
                counted(*count, "entry"),
                first.file,
                first.error
            ),
        };
        let start = if causes.len() > 1 { "  " } else { "error: " };
        say(format_args!("{start}{}", plain(&what)));
    }
    if let Some(more) = causes.get(MAX_CAUSES..).filter(|more| !more.is_empty()) {
        let entries: usize = more.iter().map(|cause| cause.count).sum();
        say(format_args!(
            "  … and {} for {}: see the manifest",
            counted(more.len(), "more reason"),
            counted(entries, "entry")
        ));
    }
    if let Some(Unlisted { error, paths }) = &manifest.unlisted {
        say(format_args!("error: the manifest is incomplete: {}", plain(&error.to_string())));
        for path in paths {
            say(format_args!("  exported, but missing from the manifest: {}", plain(path)));
        }
    }
}

/// Prints the number of brushes that were skipped because brushes were not requested.
fn tell_of_brushes(trees: &[Tree<'_>], args: &Args) {
    if args.unpack || !args.only.is_empty() || args.skip.contains(&ExportKind::Brush) {
        return;
    }
    let left_out = trees.iter().map(|tree| {
        let document = tree.source.document;
        let is_whole =
            |entry: &&Entry| ExportKind::of(entry) == ExportKind::Brush && document.part_of(entry.id).is_none();
        document.outline().entries().iter().filter(is_whole).count()
    });
    let count: usize = left_out.sum();
    if count > 0 {
        let brushes = ExportKind::Brush.counted(count);
        say(format_args!("note: {brushes} skipped (--only brush exports brushes)"));
    }
}

/// Prints notes on the exported entries: one line per reason, or each note with its entry.
fn report_notes(manifest: &Manifest, verbose: bool) {
    if verbose {
        for Item { file, entry, notes, .. } in &manifest.exported {
            notes.iter().for_each(|note| say(format_args!("note: {}", plain(&format!("{file}: {entry}: {note}")))));
        }
        return;
    }
    let lines = grouped(manifest.exported.iter().flat_map(|item| &item.notes));
    lines.iter().take(MAX_CAUSES).for_each(|line| say(format_args!("note: {}", plain(line))));
    if let more @ 1.. = lines.len().saturating_sub(MAX_CAUSES) {
        say(format_args!("note: {} (-v prints all notes with their entries)", counted(more, "more note")));
    }
}

/// Returns the container entry to unpack, or `None` if all entries are exported in their default formats.
fn members_below(files: &[Arc<OpenFile>], args: &Args) -> Result<Option<EntryId>, Failure> {
    if !args.unpack {
        return Ok(None);
    }
    let below = match (&args.entry, files) {
        (None, _) => EntryId::FILE,
        (Some(wanted), [file]) => find_entry(file, wanted, &[])?.id,
        (Some(_), _) => {
            return Err(Failure::Usage("ENTRY works only with a single file, not with a folder".to_owned()));
        }
    };
    if let [file] = files
        && !file.document.outline().entries().iter().any(|e| file.document.is_member(e.id))
    {
        return Err(Failure::of_file(&file.name, "not an archive: contains no files to unpack"));
    }
    Ok(Some(below))
}

/// Returns the name of a file in the manifest, and the folders for its exports. A single file that was specified has no folders.
fn place(path: &Path, root: &Path) -> (String, Vec<String>) {
    match path.strip_prefix(root) {
        Ok(relative) if !relative.as_os_str().is_empty() => {
            let parts: Vec<String> = relative.iter().map(|part| text_of(Path::new(part)).into_owned()).collect();
            (parts.join("/"), parts)
        }
        _ => (name_text(path).into_owned(), Vec::new()),
    }
}
