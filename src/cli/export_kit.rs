//! What exports of a file need besides the file: the clips that go with its models.

use super::{
    Failure,
    companions::{Companions, no_such_clip},
    export_args::{Args, WhichClips},
    output::{counted, say},
    selection::{fitting_entry, load_clip, open},
};
use crate::{
    bytes::Cancel,
    export::{
        ClipsFor, ExportFormat, ExportSource, ExportSpace, ModelClip, ModelFor,
        glb::{GlbOptions, LevelLights, OptionNames},
        obj::ObjSpace,
        terrain::TerrainExport,
    },
    formats::{Content, EntryId, FormatInfo, LoadOptions},
    library::{ClipOf, OpenFile, clips_for, clips_named, model_for},
    scene::{Clip, Model, clip_with_registers},
};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicUsize, Ordering},
};

/// Clips specified with `--clip` and `--clips`.
#[derive(Clone, Default)]
pub struct NamedClips {
    pub of_files: Vec<ClipOf>,
    /// Names of fitting clips: values of `--clip` that are not files, and values of `--clips`.
    pub by_name: Vec<String>,
}

/// Opens the specified clips. For a file without an entry, returns all its clips if the format supports several clips.
pub fn named_clips(args: &Args, format: ExportFormat) -> Result<NamedClips, Failure> {
    let mut named = NamedClips::default();
    if let Some(WhichClips::Named(names)) = &args.which_clips {
        named.by_name.clone_from(names);
    }
    for wanted in &args.clips {
        if let Some(name) = wanted.bare_name() {
            named.by_name.push(name);
            continue;
        }
        let file = Arc::new(open(&wanted.file)?);
        let mut add = |entry| named.of_files.push(ClipOf { file: file.clone(), entry, is_own: false });
        match &wanted.entry {
            None if format != ExportFormat::Obj => {
                let entries = file.entries_with(Content::Clip);
                if entries.is_empty() {
                    return Err(Failure::of_file(&file.name, "contains no clips"));
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

/// A file with the data for its exports, which is loaded on first use.
pub struct Kit<'a> {
    pub file: &'a Arc<OpenFile>,
    pub args: &'a Args,
    pub named: &'a NamedClips,
    companions: OnceLock<Vec<Arc<OpenFile>>>,
    companions_of: &'a Companions,
    space: Box<dyn Fn(&FormatInfo) -> ExportSpace + Sync + 'a>,
    /// Number of clips that play on the file's models, but are not exported with them.
    left_out: AtomicUsize,
}

impl<'a> Kit<'a> {
    pub fn new(file: &'a Arc<OpenFile>, args: &'a Args, named: &'a NamedClips, companions_of: &'a Companions) -> Self {
        let space = |info: &FormatInfo| {
            let own = ExportSpace::of(info);
            ExportSpace { scale: args.scale.unwrap_or(own.scale), up: args.up.unwrap_or(own.up) }
        };
        let (companions, left_out) = (OnceLock::new(), AtomicUsize::new(0));
        Self { file, args, named, companions, companions_of, space: Box::new(space), left_out }
    }

    pub fn source<'b>(&'b self, clips_for: ClipsFor<'b>, model_for: ModelFor<'b>) -> ExportSource<'b> {
        ExportSource {
            file: &self.file.name,
            document: &*self.file.document,
            resolver: self.file.resolver(),
            limits: self.file.limits(),
            // The light of all levels of a game takes longer than everything else of it.
            load: LoadOptions {
                without_light: self.args.all && self.args.lights != Some(LevelLights::Baked),
                ..self.args.switches.load_options()
            },
            binding: self.args.switches.binding_options(),
            clips_for,
            model_for,
            frame: self.args.frame.or(self.args.has_named_clips().then_some(0.0)),
            glb: GlbOptions {
                rate_hz: self.args.rate,
                assumed_rate_hz: self.args.clock.fps,
                instances: self.args.instances,
                without_sprites: self.args.no_sprites,
                texture_size: self.args.texture_size.unwrap_or_default(),
                lods: self.args.lods.unwrap_or_default(),
                lights: self.args.lights.unwrap_or(LevelLights::Baked),
                wears_set: self.args.has_named_clips(),
                plain_skeleton: self.args.plain_skeleton,
                bind_pose: self.args.switches.pose_options().bind_pose,
                names: OptionNames {
                    bind_pose: "--pose bind",
                    baked_light: "--lights baked",
                    original_size: "--texture-size original",
                },
            },
            obj_space: if self.args.file_space { ObjSpace::File } else { ObjSpace::Scene },
            space: &*self.space,
            registers: &self.args.registers.colors,
            mips: self.args.mips,
            terrain: TerrainExport { step: self.args.step, easting: self.args.easting },
        }
    }

    /// Returns the files next to this file.
    fn beside(&self) -> &[Arc<OpenFile>] {
        self.companions.get_or_init(|| self.companions_of.of(self.file))
    }

    /// Returns the specified clips, or the clips in the file and the files next to it that `--clips` selects.
    pub fn clips_for(&self, model: &Model, entry: EntryId) -> Vec<ModelClip> {
        let clips = match self.args.clip_choice() {
            Some(choice) => {
                let each = self.companions_of.each;
                let chosen = clips_for((self.file, entry), || self.beside(), each, model, choice, Cancel::never());
                self.left_out.fetch_add(chosen.left_out, Ordering::Relaxed);
                chosen.clips
            }
            None => {
                let by_name = self.named.by_name.iter().flat_map(|name| self.clips_named(model, entry, name));
                self.named.of_files.iter().cloned().chain(by_name).collect()
            }
        };
        clips.into_iter().map(|clip| self.model_clip(clip)).collect()
    }

    /// Converts a clip of a file for exports.
    fn model_clip(&self, clip: ClipOf) -> ModelClip {
        let (options, colors) = (self.args.switches.load_options(), self.args.registers.colors.clone());
        let (file, entry, only_if_it_fits) = (clip.file.clone(), clip.entry, clip.is_own);
        let load = move |cancel: &Cancel| Some(clip_with_registers(clip.load(options, cancel)?, &colors));
        let mut out = ModelClip::of(&*file.document, &file.path, entry, load);
        out.only_if_it_fits = only_if_it_fits;
        out
    }

    /// Returns the number of skipped clips that play on the file's models, but may belong to other models.
    pub fn left_out(&self) -> usize {
        self.left_out.load(Ordering::Relaxed)
    }

    pub fn clips_named(&self, model: &Model, entry: EntryId, name: &str) -> Vec<ClipOf> {
        let each = self.companions_of.each;
        clips_named((self.file, entry), || self.beside(), each, model, name, Cancel::never())
    }

    pub fn no_such_clip(&self, name: &str) -> Failure {
        no_such_clip(self.file, self.beside(), name)
    }

    /// Returns the model of a clip, from the file itself or a file next to it.
    pub fn model_for(&self, clip: &Clip, entry: EntryId) -> Option<Arc<Model>> {
        let beside = std::iter::once(()).flat_map(|()| self.beside().iter().take(MAX_MODEL_FILES));
        model_for(self.file, entry, clip, beside, self.args.switches.load_options(), Cancel::never())
    }
}

/// Prints the number of skipped clips.
pub fn tell_left_out(left_out: usize) {
    let them = match left_out {
        0 => return,
        1 => "1 fitting clip skipped: its name and location suggest a different model".to_owned(),
        many => {
            format!("{} skipped: their names and locations suggest different models", counted(many, "fitting clip"))
        }
    };
    say(format_args!("note: {them} (--clips fitting exports all fitting clips, --clip NAME exports one)"));
}

/// Maximum number of files next to a clip that are searched for its model.
const MAX_MODEL_FILES: usize = 24;
