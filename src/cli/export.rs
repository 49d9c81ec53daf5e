//! `export`: an entry, or everything, as files that other programs read.

use super::{
    Failure,
    companions::Companions,
    export_all,
    export_args::{allowing, by_blender},
    export_kit::{Kit, named_clips, tell_left_out},
    output::{plain, print_diagnostics, print_findings_of, print_notes, stdout},
    registers::RegisterArgs,
    selection::{ends_with_separator, find_entry, fitting_entry, load_clip, load_model, open_silently},
    switches::PoseSwitch,
};
use crate::{
    export::{ExportError, ExportFormat, ExportSpec, export_entry, formats_for, natural_format, natural_stem},
    formats::{Content, Entry, EntryId, Native},
    library::{OpenFile, primaries, text_of},
    scene::{Binding, Clip, Model},
};
use std::{io::Write as _, path::PathBuf, process::ExitCode, sync::Arc};

pub use super::export_args::Args;

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.all || args.unpack && args.only.is_empty() && args.skip.is_empty() {
        return export_all::all(args);
    }
    if !args.only.is_empty() || !args.skip.is_empty() {
        return Err(Failure::Usage("--only and --skip need --all".to_owned()));
    }
    if args.resume {
        return Err(Failure::Usage("--resume needs --all or --unpack".to_owned()));
    }
    if args.file.is_dir() {
        return Err(Failure::Usage("to export a folder, add --all".to_owned()));
    }
    let mut file = open_silently(&args.file, &args.reading.among(args.textures.as_ref()), true)?;
    args.textures.iter().for_each(|folder| file.look_first_in(folder));
    let file = Arc::new(file);
    let (entry, format) = choose(&file, args).inspect_err(|_| print_diagnostics(&file, &file.diagnostics))?;
    if (args.scale.is_some() || args.up.is_some()) && !format.has_space() {
        let text = format!("--scale and --up work with glb, gltf and obj, not with {}", format.id());
        return Err(Failure::Usage(text));
    }
    let is_glb_of = |contents: &[Content]| format.is_gltf() && contents.contains(&entry.content);
    if args.instances && !is_glb_of(&[Content::Map, Content::Terrain]) {
        return Err(Failure::Usage(
            "--instances applies only to levels and landscapes exported as glb or gltf".to_owned(),
        ));
    }
    if args.no_sprites && !is_glb_of(&[Content::Map]) {
        return Err(Failure::Usage("--no-sprites applies only to levels exported as glb or gltf".to_owned()));
    }
    if args.lights.is_some() && !is_glb_of(&[Content::Map]) {
        return Err(Failure::Usage("--lights applies only to levels exported as glb or gltf".to_owned()));
    }
    if args.texture_size.is_some() && !format.is_gltf() {
        return Err(Failure::Usage(format!("--texture-size works with glb and gltf, not with {}", format.id())));
    }
    if args.lods.is_some() && !format.is_gltf() {
        return Err(Failure::Usage(format!("--lods works with glb and gltf, not with {}", format.id())));
    }
    if args.plain_skeleton && !format.is_gltf() {
        return Err(Failure::Usage(format!("--plain-skeleton works with glb and gltf, not with {}", format.id())));
    }
    if args.switches.pose == PoseSwitch::Bind
        && (!format.has_space() || matches!(entry.content, Content::Map | Content::Terrain))
    {
        return Err(Failure::Usage("--pose applies only to models exported as glb, gltf or obj".to_owned()));
    }
    if !args.registers.colors.is_empty() {
        if !format.is_gltf() {
            return Err(Failure::Usage(format!("--register works only with glb and gltf, not with {}", format.id())));
        }
        let Content::Model = entry.content else { return Err(RegisterArgs::no_model()) };
        args.registers.check(&file.name, &*load_model(&file, entry, args.switches.load_options())?)?;
    }
    let target = target(&file, entry, format, args);
    let named = named_clips(args, format)?;
    let companions = Companions::among(std::slice::from_ref(&file));
    let kit = Kit::new(&file, args, &named, &companions);
    if args.has_named_clips() {
        check_fit(&kit, entry)?;
    }
    let clips_of = |model: &Model, entry| kit.clips_for(model, entry);
    let model_of = |clip: &Clip, entry| kit.model_for(clip, entry);
    let job = args.job(&|_, _, _| {});
    let source = kit.source(&clips_of, &model_of);
    let exported = export_entry(&source, entry.id, format, &target, &job);
    companions.tell();
    tell_left_out(kit.left_out());
    let while_decoding = exported.as_ref().map(|exported| exported.diagnostics.as_slice()).unwrap_or_default();
    print_findings_of(&file, entry.id, file.diagnostics.iter().chain(while_decoding));
    let exported = exported.map_err(|e| failed(&file, e))?;
    print_notes(&*exported.notes, args.verbose);
    let mut out = stdout();
    for path in &exported.paths {
        writeln!(out, "{}", plain(&text_of(path)))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn failed(file: &OpenFile, error: ExportError) -> Failure {
    match error {
        ExportError::Exists(_) => Failure::failed(format!("{error} (--force overwrites it)")),
        ExportError::OverBudget { size, .. } => Failure::of_file(&file.name, format!("{error} {}", allowing(size))),
        ExportError::Io { .. } => Failure::failed(error),
        error => Failure::of_file(&file.name, error),
    }
}

/// Kinds of content that are exported by default.
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

/// Returns the entry and the format to export. If only one of the two is specified, the other is derived from it.
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
        (None, Some(format)) => whole_or_only(file, format, args.has_named_clips())?,
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
        if let Some(detour) = args.output.extension().and_then(|ending| by_blender(&ending.to_string_lossy())) {
            return Err(Failure::Usage(detour));
        }
        let known: Vec<&str> = formats_for(document, entry.id).iter().map(|f| f.id()).collect();
        let text = format!("unknown output extension: specify a format with --format ({})", known.join(", "));
        return Err(Failure::Usage(text));
    };
    Ok((entry, format))
}

/// Returns the whole file if the format supports it, or the main entry that can be exported in the format.
fn whole_or_only(file: &OpenFile, format: ExportFormat, has_clips: bool) -> Result<&Entry, Failure> {
    let document = &*file.document;
    let own = match document.native() {
        Some(Native::Psk(_)) => format == ExportFormat::Psk,
        Some(Native::Psa(_)) => format == ExportFormat::Psa,
        _ => false,
    };
    if own || matches!(format, ExportFormat::Json | ExportFormat::Raw) {
        return document.outline().get(EntryId::FILE).ok_or_else(|| Failure::of_file(&file.name, "the file is empty"));
    }
    if format.is_gltf()
        && let [first, _, ..] = primaries(file, format.spec().sources).as_slice()
        && file.entry(*first).is_some_and(|entry| entry.content == Content::Clip)
    {
        // A file of clips is all of them.
        return document.outline().get(EntryId::FILE).ok_or_else(|| Failure::of_file(&file.name, "the file is empty"));
    }
    // The clips that are named, or belong to the model.
    let of_model = format == ExportFormat::Psa && (has_clips || file.entries_with(Content::Clip).is_empty());
    let ExportSpec { sources, source, .. } = if of_model { ExportFormat::Psk.spec() } else { format.spec() };
    fitting_entry(file, None, sources, source)
}

fn target(file: &OpenFile, entry: &Entry, format: ExportFormat, args: &Args) -> PathBuf {
    if args.output.is_dir() || ends_with_separator(&args.output) {
        let stem = natural_stem(&file.name, &*file.document, entry);
        return args.output.join(format!("{stem}.{}", format.extension()));
    }
    args.output.clone()
}

/// Returns an error if a specified clip has no effect on the model, or if no clip has a specified name.
fn check_fit(kit: &Kit<'_>, entry: &Entry) -> Result<(), Failure> {
    if entry.content != Content::Model {
        return Err(Failure::Usage("--clip and --clips NAMES work only with models".to_owned()));
    }
    let switches = &kit.args.switches;
    let model = load_model(kit.file, entry, switches.load_options())?;
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
            return Err(kit.no_such_clip(name));
        }
    }
    Ok(())
}
