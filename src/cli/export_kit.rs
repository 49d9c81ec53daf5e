//! What exports of a file need besides the file: the clips that go with its models.

use super::{
    Failure,
    companions::Companions,
    export_args::{Args, NEVER_CANCELLED, ends_with_separator},
    selection::{fitting_entry, load_clip, open},
};
use crate::{
    export::{
        ClipsFor, ExportFormat, ExportSource, ExportSpace, ModelClip, ModelFor, glb::GlbOptions, obj::ObjSpace,
        terrain::TerrainExport,
    },
    formats::{Content, EntryId, LoadOptions},
    library::{ClipOf, OpenFile, clips_for, clips_named, model_for},
    scene::{Clip, Model},
};
use std::{
    path::Path,
    sync::{Arc, OnceLock, atomic::AtomicBool},
};

/// What `--clip` names.
#[derive(Clone, Default)]
pub struct NamedClips {
    pub of_files: Vec<ClipOf>,
    /// Names that are no files: of clips among those that fit.
    pub by_name: Vec<String>,
}

/// A file without an entry gives all its clips, where the format takes several.
pub fn named_clips(args: &Args, format: ExportFormat) -> Result<NamedClips, Failure> {
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

/// A file with what its exports need, found when it is first asked for.
pub struct Kit<'a> {
    pub file: &'a Arc<OpenFile>,
    pub args: &'a Args,
    pub named: &'a NamedClips,
    companions: OnceLock<Vec<Arc<OpenFile>>>,
    companions_of: &'a Companions,
}

impl<'a> Kit<'a> {
    pub fn new(file: &'a Arc<OpenFile>, args: &'a Args, named: &'a NamedClips, companions_of: &'a Companions) -> Self {
        Self { file, args, named, companions: OnceLock::new(), companions_of }
    }

    pub fn source<'b>(&'b self, clips_for: ClipsFor<'b>, model_for: ModelFor<'b>) -> ExportSource<'b> {
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
            glb: GlbOptions {
                rate_hz: self.args.rate,
                assumed_rate_hz: self.args.clock.fps,
                instances: self.args.instances,
                without_sprites: self.args.no_sprites,
                texture_size: self.args.texture_size.unwrap_or_default(),
                lods: self.args.lods.unwrap_or_default(),
                plain_skeleton: self.args.plain_skeleton,
            },
            obj_space: if self.args.file_space { ObjSpace::File } else { ObjSpace::Scene },
            space: ExportSpace { scale: self.args.scale.unwrap_or(1.0), up: self.args.up.unwrap_or_default() },
            mips: self.args.mips,
            terrain: TerrainExport { step: self.args.step, easting: self.args.easting },
        }
    }

    /// The files beside it.
    fn beside(&self) -> &[Arc<OpenFile>] {
        self.companions.get_or_init(|| self.companions_of.of(self.file))
    }

    /// The clips that were named; else those of the file itself that are likely the model's; else those of the files beside it.
    pub fn clips_for(&self, model: &Model, entry: EntryId) -> Vec<ModelClip> {
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

    pub fn clips_named(&self, model: &Model, entry: EntryId, name: &str) -> Vec<ClipOf> {
        let each = self.companions_of.each;
        clips_named((self.file, entry), || self.beside(), each, model, name, &NEVER_CANCELLED)
    }

    /// The model that a clip is for, of the file itself or of one beside it.
    pub fn model_for(&self, clip: &Clip, entry: EntryId) -> Option<Arc<Model>> {
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
