//! Any bytes, all the way: open, outline, every field, every asset, posed and skinned. Used by the damage tests, the damage
//! report and the fuzz targets.

#[path = "promises.rs"]
pub mod promises;

use bonebox::{
    bytes::{Cancel, Limits, Source},
    export::{
        ExportFormat, ExportJob,
        glb::{BoundClip, Room, glb, terrain_glb},
        json::write_json,
        terrain::{self, TerrainExport},
    },
    formats::{
        self, Asset, Content, Diagnostics, Document, EntryId, LoadContext, LoadOptions, NamePlace, NoFiles,
        OpenContext, containers,
    },
    scene::{Binding, BindingOptions, Clip, Frame, Layer, Model, Terrain, Text, evaluate, procedural::Simulation},
};
use std::sync::Arc;

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub opened: bool,
    /// Why it does not open.
    pub refusal: String,
    pub entries: usize,
    pub fields: usize,
    pub assets: usize,
    /// Entries that should show as something and say why they do not.
    pub refused: usize,
    pub diagnostics: usize,
    /// Bytes that no field has, nor any name for opaque ones. Counted with exports alone, as is what follows.
    pub unread: u64,
    /// Bytes that two fields claim.
    pub doubled: u64,
}

/// Runs everything that looks at a file; with exports and the count of unread bytes, which read all fields anew, or without. Panics where Bonebox does, and where something it promises of any file does not hold.
pub fn exercise(name: &str, bytes: &[u8], with_export: bool) -> Outcome {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext {
        file: name,
        resolver: std::sync::Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    let document = match formats::open(Source::new(bytes.to_vec()), &mut cx) {
        Ok(document) => document,
        Err(error) => {
            promises::check_refusal(name, &error);
            return Outcome { refusal: error.to_string(), ..Outcome::default() };
        }
    };
    let mut outcome = Outcome { opened: true, ..Outcome::default() };
    if let Some(container) = document.container() {
        // As `list --files` does. What is in a member that is no container is not asked here: it is a file of its own.
        containers::walk(container, &limits, Cancel::never(), &mut |walked| {
            std::hint::black_box(walked.unpacked.is_ok());
            true
        });
    }
    let (mut models, mut clips): (Vec<Arc<Model>>, Vec<Arc<Clip>>) = (Vec::new(), Vec::new());
    std::hint::black_box((
        document.ask(EntryId::FILE, |can, _| Some(can.code?.classes())),
        document.ask(EntryId::FILE, |can, _| Some(can.links?.dependencies())),
    ));
    for (index, entry) in document.outline().entries().iter().enumerate() {
        outcome.entries += 1;
        promises::check_entry(document.as_ref(), index, entry);
        document.check(entry.id, &mut diagnostics);
        match document.fields(entry.id) {
            Ok(tree) => {
                let size = document.source_of(entry.id).len() as u64;
                outcome.fields += tree.fields.iter().map(|f| promises::count_fields(f, size)).sum::<usize>();
            }
            Err(error) => promises::check_unread(entry, &error),
        }
        if with_export && let Ok(tree) = document.fields(entry.id) {
            let written = write_json(name, document.as_ref(), entry, &tree, &mut std::io::sink());
            written.expect("nothing is written");
        }
        if entry.content == Content::None {
            continue;
        }
        let cancel = Cancel::new();
        let mut cx = LoadContext {
            file: name,
            resolver: &NoFiles,
            diagnostics: &mut diagnostics,
            limits,
            options: LoadOptions { repair_morphs: true, ..LoadOptions::default() },
            cancel: &cancel,
        };
        match document.load(entry.id, &mut cx) {
            Ok(Asset::Model(model)) => models.push(model),
            Ok(Asset::Clip(clip)) => clips.push(clip),
            Ok(Asset::Map(map)) => models.extend(map.models.iter().take(16).cloned()),
            Ok(Asset::Text(text)) if outcome.assets < 64 => names_and_lines(document.as_ref(), entry.id, &text),
            Ok(Asset::Terrain(terrain)) if with_export => export_terrain(&terrain),
            Ok(Asset::Procedural(texture)) => {
                if let Ok(mut running) = Simulation::new(texture, 1) {
                    running.seek(3);
                    std::hint::black_box(running.image());
                }
            }
            Ok(_) => {}
            Err(error) => {
                promises::check_unread(entry, &error);
                outcome.refused += 1;
                continue;
            }
        }
        outcome.assets += 1;
    }
    if with_export {
        let coverage = formats::coverage::coverage(document.as_ref());
        outcome.unread = coverage.unread.iter().map(|span| span.size).sum();
        outcome.doubled = coverage.doubled.iter().map(|span| span.size).sum();
    }
    for model in &models {
        promises::check_model(model);
        let bound: Vec<(Arc<Clip>, Binding)> = clips
            .iter()
            .take(4)
            .map(|clip| (clip.clone(), Binding::new(clip, model, BindingOptions::default())))
            .collect();
        let mut frame = Frame::bind(model);
        for (clip, binding) in &bound {
            let layer = Layer { clip, binding, frame: clip.last_frame() * 0.37, looping: true };
            evaluate(model, &[layer], &[], &mut frame);
        }
        promises::check_pose(model, &frame);
        if with_export {
            let clips: Vec<BoundClip<'_>> = bound.iter().map(|(clip, binding)| BoundClip { clip, binding }).collect();
            promises::check_glb(&glb(model, &clips).expect("it is not cancelled").bytes);
        }
    }
    let findings = diagnostics.finish();
    promises::check_findings(document.as_ref(), &findings);
    outcome.diagnostics = findings.len();
    outcome
}

/// What the names of a few lines mean, and whether what lines stand for lies in the file.
fn names_and_lines(document: &dyn Document, entry: EntryId, text: &Text) {
    for (part, shown) in text.parts.iter().enumerate() {
        let lines: Vec<&str> = shown.text.split('\n').collect();
        for (line, text) in (0_u32..).zip(&lines).filter(|(_, text)| text.len() > 8).take(3) {
            let place = NamePlace { part, line, text, column: text.len() - 6, owner: None };
            std::hint::black_box(document.ask(EntryId::FILE, |can, _| can.code?.meaning(entry, &place)));
        }
        for mark in &shown.marks {
            assert!(mark.bytes.start < mark.bytes.end && (mark.line as usize) < lines.len(), "{mark:?}");
            assert!(mark.bytes.end <= document.source_of(entry).len() as u64, "{mark:?}");
            let source = text.parts.first().map_or(0, |first| first.text.split('\n').count());
            assert!(mark.source_lines.start <= mark.source_lines.end, "{mark:?}");
            assert!(mark.source_lines.end as usize <= source, "{mark:?} of {source}");
        }
    }
}

/// Every format of a landscape.
fn export_terrain(terrain: &Terrain) {
    let job =
        ExportJob { cancel: Cancel::never(), progress: &|_, _, _| {}, force: false, max_output: None, resume: false };
    promises::check_glb(&terrain_glb(terrain, None, Room::all(), &job).expect("it is not cancelled").bytes);
    for format in ExportFormat::ALL.into_iter().filter(|f| terrain::check(terrain, *f).is_ok()) {
        let mut notes = Default::default();
        let written = terrain::write(
            terrain,
            format,
            TerrainExport::default(),
            &job,
            &mut notes,
            &mut std::io::Cursor::new(Vec::new()),
        );
        assert!(written.is_ok(), "{format:?}: {written:?}");
    }
}
