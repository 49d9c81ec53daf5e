//! `export`: an entry, or everything, as files that other programs read.

use super::{
    ClipName, Failure, ReadingArgs, Switches,
    companions::Companions,
    output::{Progress, plain, print_diagnostics, say, stdout},
    posing::{ClockArgs, finite, rate},
    selection::{find_entry, fitting_entry, load_clip, load_model, open, open_as},
};
use crate::{
    export::{
        ExportError, ExportFormat, ExportJob, ExportSource, ModelClip, Tree, Unopened, What, export_all, export_entry,
        formats_for, glb::GlbOptions, natural_format, natural_stem, obj::ObjSpace, terrain::TerrainExport,
    },
    formats::{Content, Entry, EntryId, LoadOptions, Native},
    library::{ClipOf, OpenFile, clips_for, clips_named, expand, model_for, primaries},
    scene::{Binding, Clip, Model},
};
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, OnceLock, atomic::AtomicBool},
};

/// The command line ends by a signal, not by a flag.
static NEVER_CANCELLED: AtomicBool = AtomicBool::new(false);

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The file to export from; a folder with --all
    #[arg(value_name = "FILE|FOLDER")]
    pub file: PathBuf,
    /// The entry, as `list` prints it (#N is its id); without it what the file is about, of what has the format
    #[arg(conflicts_with = "all")]
    pub entry: Option<String>,
    /// Write everything in its natural format into the folder PATH, with a manifest.json
    #[arg(long)]
    pub all: bool,
    /// Write the files of an archive, or those below ENTRY, as they are into the folder PATH, with a manifest.json
    #[arg(long, conflicts_with_all = ["all", "format", "clips"])]
    pub unpack: bool,
    /// A clip that goes with the model: all of FILE, one ENTRY of it, or the one called NAME among those that fit, in the file itself
    /// or beside it; a file of that name comes first. Without --clip: the model's own clips, of the file itself, else of the files
    /// beside
    #[arg(long = "clip", value_name = "FILE[::ENTRY]|NAME", value_parser = ClipName::parse)]
    pub clips: Vec<ClipName>,
    /// No clips: the model alone
    #[arg(long, conflicts_with = "clips")]
    pub no_clips: bool,
    /// The clip's frame that posed formats (obj) show, the bind pose without; of a computed texture (png) the frame, 60 without
    #[arg(long, value_name = "F", value_parser = finite, allow_negative_numbers = true)]
    pub frame: Option<f32>,
    /// glb, obj, psk, psa, png, tga, dds, wav, txt, uc, t3d, json or raw; of landscapes png16, asc, xyz (heights), csv,
    /// visitor-list, terrain-builder-list (objects; elevations are relative); without it the ending of PATH says it
    #[arg(long, value_name = "FMT", value_parser = format, conflicts_with = "all")]
    pub format: Option<ExportFormat>,
    /// Keys a second of animations in a GLB that are sampled (J3D); without it the clip's own frames a second
    #[arg(long, value_name = "HZ", value_parser = rate)]
    pub rate: Option<f32>,
    #[command(flatten)]
    pub clock: ClockArgs,
    /// OBJ in the axes of the original file instead of Y up
    #[arg(long)]
    pub file_space: bool,
    /// PNG or TGA of every mip: name.png, name.mip1.png, …
    #[arg(long)]
    pub mips: bool,
    /// Landscapes: a GLB has a vertex every N samples; without it as many as make a million triangles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub step: Option<u32>,
    /// Landscapes: metres to add to what is east in asc, xyz and terrain-builder-list; Terrain Builder's maps start at 200000
    #[arg(long, value_name = "METRES", default_value = "0", value_parser = easting, allow_negative_numbers = true)]
    pub easting: f64,
    /// Write over files that are there
    #[arg(long)]
    pub force: bool,
    /// With --all or --unpack: go on with an export that ended early; what its manifest.json lists and is there is left alone
    #[arg(long)]
    pub resume: bool,
    /// Bytes that the exports of one file may take together (500M, 2G); without it 64 MiB and 64 times the file's own size, after
    /// decompression, and that of the files that it takes something from
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_output: Option<u64>,
    /// The file to write, or the folder to write into
    #[arg(short, long, value_name = "PATH")]
    pub output: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub switches: Switches,
}

/// Bytes; K, M, G and T count in steps of 1024.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "expected a number of bytes, such as 500M or 2G".to_owned();
    let (digits, unit) = match text.char_indices().last() {
        Some((at, unit)) if unit.is_ascii_alphabetic() => (&text[..at], unit.to_ascii_uppercase()),
        _ => (text, 'B'),
    };
    let power = "BKMGT".find(unit).ok_or_else(wrong)?;
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1024_u64.pow(power as u32)).ok_or_else(wrong)
}

fn easting(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|e: &f64| e.is_finite()).ok_or_else(|| "expected a number of metres".to_owned())
}

fn format(text: &str) -> Result<ExportFormat, String> {
    ExportFormat::from_id(text).ok_or_else(|| {
        let known: Vec<&str> = ExportFormat::ALL.iter().map(|f| f.id()).collect();
        format!("expected one of {}", known.join(", "))
    })
}

impl Args {
    fn job<'a>(&self, progress: &'a (dyn Fn(u64, u64, &str) + Sync)) -> ExportJob<'a> {
        let (force, max_output, resume) = (self.force, self.max_output, self.resume);
        ExportJob { cancel: &NEVER_CANCELLED, progress, force, max_output, resume }
    }
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.all || args.unpack {
        return all(args);
    }
    if args.resume {
        return Err(Failure::Usage("--resume goes with --all or --unpack".to_owned()));
    }
    if args.file.is_dir() {
        return Err(Failure::Usage("a folder is exported whole: add --all".to_owned()));
    }
    let file = Arc::new(open_as(&args.file, &args.reading, true)?);
    let (entry, format) = choose(&file, args)?;
    let target = target(&file, entry, format, args);
    let named = named_clips(args, format)?;
    let companions = Companions::among(std::slice::from_ref(&file));
    let kit = Kit::new(&file, args, &named, &companions);
    if !args.clips.is_empty() {
        check_fit(&kit, entry)?;
    }
    let clips_of = |model: &Model, entry| kit.clips_for(model, entry);
    let model_of = |clip: &Clip, entry| kit.model_for(clip, entry);
    let job = args.job(&|_, _, _| {});
    let source = kit.source(&clips_of, &model_of);
    let exported = export_entry(&source, entry.id, format, &target, &job).map_err(|e| failed(&file, e))?;
    companions.tell();
    print_diagnostics(&file, &exported.diagnostics);
    for note in &exported.notes {
        say(format_args!("note: {}", plain(note)));
    }
    let mut out = stdout();
    for path in &exported.paths {
        writeln!(out, "{}", plain(&path.display().to_string()))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn failed(file: &OpenFile, error: ExportError) -> Failure {
    match error {
        ExportError::Exists(_) => Failure::failed(format!("{error} (--force)")),
        ExportError::OverBudget { size, .. } => Failure::of_file(&file.name, format!("{error} {}", allowing(size))),
        ExportError::Io { .. } => Failure::failed(error),
        error => Failure::of_file(&file.name, error),
    }
}

/// The option with which so many bytes are written, in whole MiB.
fn allowing(size: u64) -> String {
    format!("(--max-output {}M)", size.div_ceil(1 << 20))
}

/// What is exported when nothing says what.
const NATURAL: &[Content] = &[
    Content::Map,
    Content::Terrain,
    Content::Model,
    Content::Clip,
    Content::Image,
    Content::Music,
    Content::Sound,
    Content::Font,
    Content::Text,
    Content::Palette,
];

/// Which entry, in which format: each tells of the other where only one is named.
fn choose<'a>(file: &'a OpenFile, args: &Args) -> Result<(&'a Entry, ExportFormat), Failure> {
    let into_folder = args.output.is_dir() || ends_with_separator(&args.output);
    let by_ending = match args.output.extension() {
        Some(extension) if !into_folder => ExportFormat::from_id(&extension.to_string_lossy()),
        _ => None,
    };
    let document = &*file.document;
    let asked = args.format.or(by_ending);
    let entry = match (&args.entry, asked) {
        (Some(wanted), _) => find_entry(file, wanted, &[])?,
        (None, Some(format)) => whole_or_only(file, format)?,
        (None, None) => fitting_entry(file, None, NATURAL, "entry to export")?,
    };
    let natural = natural_format(document, entry).filter(|_| into_folder);
    // What an ending says of a landscape is said of its own formats.
    let asked = match asked {
        Some(ExportFormat::Png) if entry.content == Content::Terrain && args.format.is_none() => {
            Some(ExportFormat::Png16)
        }
        Some(ExportFormat::Txt) if entry.content == Content::Terrain && args.format.is_none() => None,
        asked => asked,
    };
    let Some(format) = asked.or(natural) else {
        let known: Vec<&str> = formats_for(document, entry.id).iter().map(|f| f.id()).collect();
        let text = format!("the ending of the output says no format: name one with --format ({})", known.join(", "));
        return Err(Failure::Usage(text));
    };
    Ok((entry, format))
}

/// Without an entry: the whole file where the format takes one, else what the file is about, of what has the format.
fn whole_or_only(file: &OpenFile, format: ExportFormat) -> Result<&Entry, Failure> {
    let document = &*file.document;
    let own = match document.native() {
        Some(Native::Psk(_)) => format == ExportFormat::Psk,
        Some(Native::Psa(_)) => format == ExportFormat::Psa,
        _ => false,
    };
    if own || matches!(format, ExportFormat::Json | ExportFormat::Raw) {
        return document.outline().get(EntryId::FILE).ok_or_else(|| Failure::of_file(&file.name, "it is empty"));
    }
    let of_glb = &[Content::Map, Content::Terrain, Content::Model, Content::Clip];
    if format == ExportFormat::Glb
        && let [first, _, ..] = primaries(file, of_glb).as_slice()
        && file.entry(*first).is_some_and(|entry| entry.content == Content::Clip)
    {
        // A file of clips is all of them.
        return document.outline().get(EntryId::FILE).ok_or_else(|| Failure::of_file(&file.name, "it is empty"));
    }
    let (usable, what): (&[Content], &str) = match format {
        ExportFormat::Glb => (of_glb, "model or clip"),
        ExportFormat::Obj | ExportFormat::Psk => (&[Content::Model], "model"),
        ExportFormat::Psa => (&[Content::Clip], "clip"),
        ExportFormat::Png => (&[Content::Terrain, Content::Image, Content::Palette, Content::Font], "picture"),
        ExportFormat::Tga => (&[Content::Image, Content::Palette, Content::Font], "picture"),
        ExportFormat::Dds => (&[Content::Image], "picture"),
        ExportFormat::Wav => (&[Content::Sound, Content::Music], "sound"),
        ExportFormat::Txt => (&[Content::Terrain, Content::Text], "text"),
        ExportFormat::Uc => (&[Content::Text], "text"),
        ExportFormat::T3d => (&[Content::Map], "level"),
        ExportFormat::Png16
        | ExportFormat::Asc
        | ExportFormat::Xyz
        | ExportFormat::Csv
        | ExportFormat::VisitorList
        | ExportFormat::TerrainBuilderList => (&[Content::Terrain], "landscape"),
        ExportFormat::Json | ExportFormat::Raw => (&[], "entry"),
    };
    fitting_entry(file, None, usable, what)
}

fn ends_with_separator(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}

fn target(file: &OpenFile, entry: &Entry, format: ExportFormat, args: &Args) -> PathBuf {
    if args.output.is_dir() || ends_with_separator(&args.output) {
        let stem = natural_stem(&file.name, &*file.document, entry);
        return args.output.join(format!("{stem}.{}", format.extension()));
    }
    args.output.clone()
}

/// What `--clip` names.
#[derive(Clone, Default)]
struct NamedClips {
    of_files: Vec<ClipOf>,
    /// Names that are no files: of clips among those that fit.
    by_name: Vec<String>,
}

/// A file without an entry gives all its clips, where the format takes several.
fn named_clips(args: &Args, format: ExportFormat) -> Result<NamedClips, Failure> {
    let mut named = NamedClips::default();
    for wanted in &args.clips {
        if wanted.entry.is_none() && is_bare(&wanted.file) {
            named.by_name.push(wanted.file.to_string_lossy().into_owned());
            continue;
        }
        let file = Arc::new(open(&wanted.file)?);
        let mut add = |entry| named.of_files.push(ClipOf { file: file.clone(), entry, is_own: false });
        match &wanted.entry {
            None if format != ExportFormat::Obj => {
                let entries = file.entries_with(Content::Clip);
                if entries.is_empty() {
                    return Err(Failure::of_file(&file.name, "there is no clip in it"));
                }
                entries.into_iter().for_each(add);
            }
            name => {
                let entry = fitting_entry(&file, name.as_deref(), &[Content::Clip], "clip")?;
                // What is no clip is said before anything is written.
                load_clip(&file, entry, args.switches.load_options())?;
                add(entry.id);
            }
        }
    }
    Ok(named)
}

/// Whether what was named can only be the name of a clip: there is no such file, and no folder is named.
fn is_bare(path: &Path) -> bool {
    path.components().count() == 1 && !path.exists() && !ends_with_separator(path)
}

/// A clip that was named and moves nothing is a mistake, and so is a name that no clip has.
fn check_fit(kit: &Kit<'_>, entry: &Entry) -> Result<(), Failure> {
    if entry.content != Content::Model {
        return Err(Failure::Usage("--clip goes with a model".to_owned()));
    }
    let (file, switches) = (kit.file, &kit.args.switches);
    let model = load_model(file, entry, switches.load_options())?;
    for named in &kit.named.of_files {
        let Some(entry) = named.file.entry(named.entry) else { continue };
        let clip = load_clip(&named.file, entry, switches.load_options())?;
        let fit = Binding::new(&clip, &model, switches.binding_options()).fit;
        if !fit.any() {
            return Err(Failure::of_file(&clip.name, fit));
        }
    }
    for name in &kit.named.by_name {
        if kit.clips_named(&model, entry.id, name).is_empty() {
            let text = format!(
                "there is no file “{name}”, and no clip of that name that fits this model, in the file or beside it"
            );
            return Err(Failure::of_file(&file.name, text));
        }
    }
    Ok(())
}

/// A file with what its exports need, found when it is first asked for.
struct Kit<'a> {
    file: &'a Arc<OpenFile>,
    args: &'a Args,
    named: &'a NamedClips,
    companions: OnceLock<Vec<Arc<OpenFile>>>,
    companions_of: &'a Companions,
}

impl<'a> Kit<'a> {
    fn new(file: &'a Arc<OpenFile>, args: &'a Args, named: &'a NamedClips, companions_of: &'a Companions) -> Self {
        Self { file, args, named, companions: OnceLock::new(), companions_of }
    }

    fn source<'b>(
        &'b self,
        clips_for: crate::export::ClipsFor<'b>,
        model_for: crate::export::ModelFor<'b>,
    ) -> ExportSource<'b> {
        ExportSource {
            file: &self.file.name,
            document: &*self.file.document,
            resolver: self.file.resolver(),
            limits: self.file.limits(),
            load: self.args.switches.load_options(),
            binding: self.args.switches.binding_options(),
            clips_for,
            model_for,
            frame: self.args.frame.or((!self.args.clips.is_empty()).then_some(0.0)),
            glb: GlbOptions { rate_hz: self.args.rate, assumed_rate_hz: self.args.clock.fps },
            obj_space: if self.args.file_space { ObjSpace::File } else { ObjSpace::Scene },
            mips: self.args.mips,
            terrain: TerrainExport { step: self.args.step, easting: self.args.easting },
        }
    }

    /// The files beside it.
    fn beside(&self) -> &[Arc<OpenFile>] {
        self.companions.get_or_init(|| self.companions_of.of(self.file))
    }

    /// The clips that were named; else those of the file itself that are likely the model's; else those of the files beside it.
    fn clips_for(&self, model: &Model, entry: EntryId) -> Vec<ModelClip> {
        if self.args.no_clips {
            return Vec::new();
        }
        let clips = if self.args.clips.is_empty() {
            let each = self.companions_of.each;
            clips_for((self.file, entry), || self.beside(), each, model, &NEVER_CANCELLED)
        } else {
            let by_name = self.named.by_name.iter().flat_map(|name| self.clips_named(model, entry, name));
            self.named.of_files.iter().cloned().chain(by_name).collect()
        };
        let options = self.args.switches.load_options();
        clips.into_iter().map(|clip| model_clip(clip, options)).collect()
    }

    fn clips_named(&self, model: &Model, entry: EntryId, name: &str) -> Vec<ClipOf> {
        let each = self.companions_of.each;
        clips_named((self.file, entry), || self.beside(), each, model, name, &NEVER_CANCELLED)
    }

    /// The model that a clip is for, of the file itself or of one beside it.
    fn model_for(&self, clip: &Clip, entry: EntryId) -> Option<Arc<Model>> {
        let beside = std::iter::once(()).flat_map(|()| self.beside().iter().take(MAX_MODEL_FILES));
        model_for(self.file, entry, clip, beside, self.args.switches.load_options(), &NEVER_CANCELLED)
    }
}

/// Files beside a clip that are tried as its model's.
const MAX_MODEL_FILES: usize = 24;

/// A clip of a file, as exports want it.
fn model_clip(clip: ClipOf, options: LoadOptions) -> ModelClip {
    let (file, entry, only_if_it_fits) = (clip.file.clone(), clip.entry, clip.is_own);
    let load = move |cancel: &AtomicBool| clip.load(options, cancel);
    let mut out = ModelClip::of(&*file.document, &file.path, entry, load);
    out.only_if_it_fits = only_if_it_fits;
    out
}

/// Everything, into a folder.
fn all(args: &Args) -> Result<ExitCode, Failure> {
    let paths = expand(std::slice::from_ref(&args.file));
    if paths.is_empty() {
        return Err(Failure::of_file(&args.file.display().to_string(), "there is no file in it that can be opened"));
    }
    let mut unopened = Vec::new();
    let mut files = Vec::new();
    for path in &paths {
        match open_as(path, &args.reading, paths.len() == 1) {
            Ok(file) => files.push(Arc::new(file)),
            Err(failure @ Failure::Usage(_)) => return Err(failure),
            Err(failure) if paths.len() == 1 => return Err(failure),
            Err(failure) => {
                failure.report();
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
            Tree { source: kit.source(clips_of, model_of), what, only: None, name, folders }
        })
        .collect();
    let of_file = |file: &Arc<OpenFile>| -> usize {
        let entries = file.document.outline().entries().iter();
        entries
            .filter(|e| {
                if args.unpack { file.document.is_member(e.id) } else { natural_format(&*file.document, e).is_some() }
            })
            .count()
    };
    let shown = Progress::new("exported", files.iter().map(of_file).sum());
    let progress = |done: u64, _: u64, _: &str| shown.at(done as usize);
    let job = args.job(&progress);
    let manifest = export_all(&trees, unopened, &args.output, &job).map_err(Failure::failed)?;
    drop(shown);
    companions.tell();
    for item in &manifest.failed {
        let allowing = item.over_budget.map(|size| format!(" {}", allowing(size))).unwrap_or_default();
        let line = format!("{}: {}: {}{allowing}", item.file, item.entry, item.error);
        say(format_args!("error: {}", plain(&line)));
    }
    let mut out = stdout();
    let (exported, failed) = (manifest.exported.len(), manifest.failed.len());
    let folder = args.output.display();
    let list = manifest.path.file_name().unwrap_or_default().to_string_lossy();
    writeln!(out, "{exported} of {} entries exported to {folder} ({list} lists them)", exported + failed)?;
    out.flush()?;
    Ok(if failed > 0 || !manifest.unopened.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The entry whose files are unpacked; `None` when everything is exported in its natural format.
fn members_below(files: &[Arc<OpenFile>], args: &Args) -> Result<Option<EntryId>, Failure> {
    if !args.unpack {
        return Ok(None);
    }
    let below = match (&args.entry, files) {
        (None, _) => EntryId::FILE,
        (Some(wanted), [file]) => find_entry(file, wanted, &[])?.id,
        (Some(_), _) => {
            return Err(Failure::Usage("an entry is one of a single file, and this is a folder".to_owned()));
        }
    };
    if let [file] = files
        && !file.document.outline().entries().iter().any(|e| file.document.is_member(e.id))
    {
        return Err(Failure::of_file(&file.name, "it is no archive: there are no files in it to unpack"));
    }
    Ok(Some(below))
}

/// How the manifest calls a file, and the folders its tree goes into: none for a single file.
fn place(path: &Path, root: &Path) -> (String, Vec<String>) {
    match path.strip_prefix(root) {
        Ok(relative) if root.is_dir() => {
            let parts: Vec<String> =
                relative.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
            (parts.join("/"), parts)
        }
        _ => (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), Vec::new()),
    }
}
