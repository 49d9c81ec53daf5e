//! One entry of an open file, exported.

use super::{
    ExportError, ExportFormat, ExportJob, actorx,
    dds::dds,
    glb::{BoundClip, glb_sampled, map_glb, terrain_glb},
    json::json,
    natural_format,
    obj::{ObjSpace, obj},
    path::safe_name,
    picture::png_files,
    png::computed_png,
    sound,
    terrain::{self, TerrainExport},
    text::text_file,
    write::{check_free, write_file},
};
use crate::{
    bytes::Limits,
    formats::actorx::Psa,
    formats::{
        Asset, Content, Diagnostic, Diagnostics, Document, Entry, EntryId, LoadContext, LoadOptions, Native, ReadError,
        Resolver, file_name,
    },
    scene::{
        Binding, BindingOptions, Clip, ClipEnd, Frame, Layer, Model, Picture, PictureForm, StoredPixels, TargetKind,
        Terrain, evaluate,
    },
};
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Gives the clips that go with a model, the best first.
pub type ClipsFor<'a> = &'a (dyn Fn(&Model) -> Vec<Arc<Clip>> + Sync);

/// An open file and how things of it are exported.
#[derive(Clone, Copy)]
pub struct ExportSource<'a> {
    /// The file's name without its folder.
    pub file: &'a str,
    pub document: &'a dyn Document,
    pub resolver: &'a (dyn Resolver + Sync),
    pub limits: Limits,
    pub load: LoadOptions,
    pub binding: BindingOptions,
    /// GLB and PSA take all of them; a posed format the first of each kind.
    pub clips_for: ClipsFor<'a>,
    /// The frame that posed formats show; the bind pose without one.
    pub frame: Option<f32>,
    pub obj_space: ObjSpace,
    /// Keys a second of GLB animations that are sampled; the clip's own frames a second without one.
    pub rate_hz: Option<f32>,
    /// PNG of every mip instead of the largest alone.
    pub mips: bool,
    pub terrain: TerrainExport,
}

/// What an export made.
#[derive(Debug, Default)]
pub struct Exported {
    pub paths: Vec<PathBuf>,
    /// One plain sentence for each thing that the format cannot hold.
    pub notes: Vec<String>,
    /// Found while decoding.
    pub diagnostics: Vec<Diagnostic>,
}

/// Exports an entry to a file. Formats of several files (OBJ with its materials and textures, PSA with its `.config`) put the
/// others beside it, under names that start like its own. Nothing is written when one of them is there already and must stay.
///
/// # Errors
/// When the entry cannot be decoded or has no such format, when a file is in the way, when writing fails.
pub fn export_entry(
    source: &ExportSource<'_>,
    entry: EntryId,
    format: ExportFormat,
    target: &Path,
    job: &ExportJob<'_>,
) -> Result<Exported, ExportError> {
    let mut exported = Exported::default();
    check_free(target, job.force)?;
    let label = source.document.outline().get(entry).map(|e| e.path().into_owned()).unwrap_or_default();
    (job.progress)(0, 1, &label);
    let mut diagnostics = Diagnostics::new(source.limits.diagnostics_per_code);
    let mut work = Work { source, job, diagnostics: &mut diagnostics, notes: &mut exported.notes };
    if format.is_of_terrain() {
        work.terrain(entry, format, target)?;
        exported.paths.push(target.to_owned());
        exported.diagnostics = diagnostics.finish();
        (job.progress)(1, 1, &label);
        return Ok(exported);
    }
    let files = work.files(entry, format, target)?;
    job.check()?;
    for (path, _) in &files {
        check_free(path, job.force)?;
    }
    for (path, bytes) in files {
        write_file(&path, job.force, |out| out.write_all(&bytes))?;
        exported.paths.push(path);
    }
    exported.diagnostics = diagnostics.finish();
    (job.progress)(1, 1, &label);
    Ok(exported)
}

/// What the file of an entry is called when nobody names it, without extension: what fills a whole file is called as the file.
pub fn natural_stem(file: &str, document: &dyn Document, entry: &Entry) -> String {
    let is_alone = matches!(entry.content, Content::Model | Content::Terrain)
        && document.outline().with_content(entry.content).nth(1).is_none();
    let whole = entry.id == EntryId::FILE || is_alone;
    if whole { safe_name(file_name::stem(file)) } else { safe_name(&entry.name) }
}

struct Work<'a, 'b> {
    source: &'a ExportSource<'b>,
    job: &'a ExportJob<'b>,
    diagnostics: &'a mut Diagnostics,
    notes: &'a mut Vec<String>,
}

impl Work<'_, '_> {
    fn files(
        &mut self,
        entry: EntryId,
        format: ExportFormat,
        target: &Path,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let document = self.source.document;
        let found = document.outline().get(entry).ok_or_else(|| ReadError::no_entry(entry))?;
        let bytes = match format {
            ExportFormat::Raw if matches!(found.content, Content::Sound | Content::Music) => {
                return self.own_file(found, target);
            }
            ExportFormat::Raw => document.bytes(entry)?.as_slice().to_vec(),
            ExportFormat::Wav => match self.load(found)? {
                Asset::Sound(sound) => sound::wav_of_sound(&sound)?,
                Asset::Music(music) => sound::wav_of_music(&music, self.job, self.notes)?,
                _ => return Err(unsupported(found, format)),
            },
            ExportFormat::Txt | ExportFormat::Uc => match self.load(found)? {
                Asset::Text(text) => text_file(&text, format == ExportFormat::Uc).into_bytes(),
                _ => return Err(unsupported(found, format)),
            },
            ExportFormat::T3d => match document.t3d(entry) {
                Some(text) => text?.into_bytes(),
                None => return Err(unsupported(found, format)),
            },
            ExportFormat::Json => json(self.source.file, document, found)?,
            ExportFormat::Psk => self.psk(found)?,
            ExportFormat::Psa => self.psa(found)?,
            ExportFormat::Png => return self.png(found, target),
            ExportFormat::Dds => self.dds(found)?,
            ExportFormat::Glb if found.content == Content::Map => match self.load(found)? {
                Asset::Map(map) => {
                    let file = map_glb(&map)?;
                    self.notes.extend(file.notes);
                    file.bytes
                }
                _ => return Err(unsupported(found, format)),
            },
            ExportFormat::Glb if found.content == Content::Terrain => {
                let terrain = self.landscape(found, format)?;
                let file = terrain_glb(&terrain, self.source.terrain.step, self.job)?;
                self.notes.extend(file.notes);
                file.bytes
            }
            ExportFormat::Glb => {
                let (model, clips) = self.model_with_clips(found, format)?;
                let bindings: Vec<Binding> =
                    clips.iter().map(|clip| Binding::new(clip, &model, self.source.binding)).collect();
                let bound: Vec<BoundClip<'_>> =
                    clips.iter().zip(&bindings).map(|(clip, binding)| BoundClip { clip, binding }).collect();
                self.job.check()?;
                let file = glb_sampled(&model, &bound, self.source.rate_hz)?;
                self.notes.extend(file.notes);
                file.bytes
            }
            ExportFormat::Obj => return self.obj(found, target),
            ExportFormat::Png16
            | ExportFormat::Asc
            | ExportFormat::Xyz
            | ExportFormat::Csv
            | ExportFormat::VisitorList
            | ExportFormat::TerrainBuilderList => return Err(unsupported(found, format)),
        };
        let mut files = vec![(target.to_owned(), bytes)];
        if format == ExportFormat::Psa
            && let Some(config) = self.config()
        {
            files.push((target.with_extension("config"), config));
        }
        Ok(files)
    }

    /// Writes a landscape as it goes: its files are larger than what they are made from.
    fn terrain(&mut self, entry: EntryId, format: ExportFormat, target: &Path) -> Result<(), ExportError> {
        let found = self.source.document.outline().get(entry).ok_or_else(|| ReadError::no_entry(entry))?;
        let landscape = self.landscape(found, format)?;
        terrain::check(&landscape, format)?;
        let (options, job) = (self.source.terrain, self.job);
        let written =
            write_file(target, job.force, |out| terrain::write(&landscape, format, options, job, self.notes, out));
        // What was cancelled says so, and not that a file could not be written.
        if written.is_err() {
            self.job.check()?;
        }
        Ok(written?)
    }

    fn landscape(&mut self, entry: &Entry, format: ExportFormat) -> Result<Arc<Terrain>, ExportError> {
        if entry.content != Content::Terrain {
            return Err(unsupported(entry, format));
        }
        match self.load(entry)? {
            Asset::Terrain(terrain) => Ok(terrain),
            _ => Err(unsupported(entry, format)),
        }
    }

    /// What a sound or a piece of music is a whole file of. Where nobody chose an ending it gets its own.
    fn own_file(&mut self, entry: &Entry, target: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let asset = self.load(entry)?;
        let Some(file) = sound::own_file(&asset) else { return Err(unsupported(entry, ExportFormat::Raw)) };
        if file.bytes.is_empty() {
            return Err(ExportError::Unsupported(format!("“{}” is empty: there is nothing to export", entry.path())));
        }
        let ending = target.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        if ending == ExportFormat::Raw.extension() {
            return Ok(vec![(target.with_extension(file.extension), file.bytes)]);
        }
        if ending != file.extension {
            self.notes.push(format!("what it holds is {}, whatever the ending says", file.extension.to_uppercase()));
        }
        Ok(vec![(target.to_owned(), file.bytes)])
    }

    /// What lies beside an animation file and says which of its keys do not count: the keys written again still need it.
    fn config(&self) -> Option<Vec<u8>> {
        let Some(Native::Psa(_)) = self.source.document.native() else { return None };
        let request = crate::formats::actorx::config_request(self.source.file);
        self.source.resolver.find(&request).map(|found| found.source.as_slice().to_vec())
    }

    /// A picture and what stands beside it.
    fn png(&mut self, entry: &Entry, target: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let all_mips = self.source.mips;
        let options = LoadOptions { first_image_only: !all_mips, ..self.source.load };
        let asset = self.load_with(entry, options)?;
        self.job.check()?;
        if let Asset::Procedural(texture) = asset {
            return Ok(vec![(target.to_owned(), computed_png(texture, self.source.frame)?)]);
        }
        png_files(&asset, target, all_mips, self.notes).unwrap_or_else(|| Err(unsupported(entry, ExportFormat::Png)))
    }

    fn dds(&mut self, entry: &Entry) -> Result<Vec<u8>, ExportError> {
        match self.load(entry)? {
            Asset::Picture(picture) => dds(&picture, self.notes),
            Asset::Image(image) => {
                let has_alpha = image.has_alpha();
                let form = PictureForm {
                    name: image.stored_as.clone(),
                    mips: vec![image.clone()],
                    stored: StoredPixels::Decoded,
                    has_alpha,
                };
                dds(&Picture { name: image.name.clone(), forms: vec![form], ..Picture::default() }, self.notes)
            }
            _ => Err(unsupported(entry, ExportFormat::Dds)),
        }
    }

    fn load(&mut self, entry: &Entry) -> Result<Asset, ExportError> {
        self.load_with(entry, self.source.load)
    }

    fn load_with(&mut self, entry: &Entry, options: LoadOptions) -> Result<Asset, ExportError> {
        self.job.check()?;
        let mut cx = LoadContext {
            file: self.source.file,
            resolver: self.source.resolver,
            diagnostics: self.diagnostics,
            limits: self.source.limits,
            options,
            cancel: self.job.cancel,
        };
        Ok(self.source.document.load(entry.id, &mut cx)?)
    }

    /// A model with the clips that go with it. A clip stands for the model that its own file has, moved by it alone.
    fn model_with_clips(
        &mut self,
        entry: &Entry,
        format: ExportFormat,
    ) -> Result<(Arc<Model>, Vec<Arc<Clip>>), ExportError> {
        match self.load(entry)? {
            Asset::Model(model) => {
                let clips = (self.source.clips_for)(&model);
                Ok((model, clips))
            }
            Asset::Clip(clip) => {
                let outline = self.source.document.outline();
                let parent = entry.parent.and_then(|p| outline.get(p)).filter(|p| p.content == Content::Model);
                let Some(own) = parent.or_else(|| outline.with_content(Content::Model).next()) else {
                    return Err(ExportError::Unsupported(format!(
                        "“{}” is a clip in a file without a model: export the model it plays on, with this clip",
                        entry.path()
                    )));
                };
                match self.load(own)? {
                    Asset::Model(model) => Ok((model, vec![clip])),
                    _ => Err(unsupported(entry, format)),
                }
            }
            _ => Err(unsupported(entry, format)),
        }
    }

    fn obj(&mut self, entry: &Entry, target: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let Asset::Model(model) = self.load(entry)? else { return Err(unsupported(entry, ExportFormat::Obj)) };
        let mut frame = Frame::default();
        match self.source.frame {
            None => evaluate(&model, &[], &[], &mut frame),
            Some(number) => {
                let mut clips = (self.source.clips_for)(&model);
                let mut kinds: Vec<TargetKind> = Vec::new();
                clips.retain(|clip| {
                    let new = !kinds.contains(&clip.kind());
                    kinds.push(clip.kind());
                    new
                });
                let bindings: Vec<Binding> =
                    clips.iter().map(|clip| Binding::new(clip, &model, self.source.binding)).collect();
                let layers: Vec<Layer<'_>> = clips
                    .iter()
                    .zip(&bindings)
                    .map(|(clip, binding)| {
                        // Where a clip ends by its duration, each track holds its own ends.
                        let frame = match clip.end {
                            ClipEnd::LastFrame => number.clamp(0.0, clip.last_frame()),
                            ClipEnd::Duration | ClipEnd::Length(_) => number,
                        };
                        Layer { clip, binding, frame, looping: false }
                    })
                    .collect();
                evaluate(&model, &layers, &[], &mut frame);
            }
        }
        let stem = target.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let files = obj(&model, &frame, &stem, self.source.obj_space)?;
        // The first is the OBJ itself, which has the name that was asked for.
        let path = |(index, name): (usize, &String)| match index {
            0 => target.to_owned(),
            _ => target.with_file_name(name),
        };
        let paths: Vec<PathBuf> = files.iter().map(|(name, _)| name).enumerate().map(path).collect();
        Ok(paths.into_iter().zip(files.into_iter().map(|(_, bytes)| bytes)).collect())
    }

    /// A mesh file is written again from its own structures; any other model is turned into them.
    fn psk(&mut self, entry: &Entry) -> Result<Vec<u8>, ExportError> {
        if let Some(Native::Psk(psk)) = self.source.document.native()
            && (entry.id == EntryId::FILE || entry.content == Content::Model)
        {
            return Ok(crate::formats::actorx::encode_psk(psk));
        }
        match entry.content {
            Content::Model => match self.load(entry)? {
                Asset::Model(model) => Ok(crate::formats::actorx::encode_psk(&actorx::psk(&model, self.notes)?)),
                _ => Err(unsupported(entry, ExportFormat::Psk)),
            },
            _ => Err(unsupported(entry, ExportFormat::Psk)),
        }
    }

    /// A whole animation file is written again from its own structures; a clip becomes a file of one sequence, a model one of
    /// its clips.
    fn psa(&mut self, entry: &Entry) -> Result<Vec<u8>, ExportError> {
        let native = match self.source.document.native() {
            Some(Native::Psa(psa)) => Some(psa),
            _ => None,
        };
        if let Some(psa) = native
            && entry.id == EntryId::FILE
        {
            return Ok(crate::formats::actorx::encode_psa(psa));
        }
        let psa = match self.load_if_shown(entry)? {
            Some(Asset::Clip(clip)) => {
                let bones = native.map(|psa| psa.bones.as_slice()).unwrap_or_default();
                let mut psa = actorx::psa(&[&clip], None, bones, self.notes)?;
                psa.flags = native.map(|native| self.flags(native, entry)).unwrap_or_default();
                psa
            }
            Some(Asset::Model(model)) => {
                let clips = (self.source.clips_for)(&model);
                if clips.is_empty() {
                    return Err(ExportError::Unsupported(format!("no clip goes with “{}”", entry.path())));
                }
                let clips: Vec<&Clip> = clips.iter().map(|c| &**c).collect();
                actorx::psa(&clips, Some(&model), &[], self.notes)?
            }
            _ => return Err(unsupported(entry, ExportFormat::Psa)),
        };
        Ok(crate::formats::actorx::encode_psa(&psa))
    }

    /// The part of ANIMFLAGS that speaks of one sequence: they are the file's clips, in order.
    fn flags(&self, native: &Psa, entry: &Entry) -> Vec<u8> {
        let index = self.source.document.outline().with_content(Content::Clip).position(|e| e.id == entry.id);
        let bones = native.bones.len();
        let part = index.and_then(|index| native.flags.get(index * bones..(index + 1) * bones));
        part.unwrap_or_default().to_vec()
    }

    fn load_if_shown(&mut self, entry: &Entry) -> Result<Option<Asset>, ExportError> {
        if entry.content == Content::None { Ok(None) } else { self.load(entry).map(Some) }
    }
}

fn unsupported(entry: &Entry, format: ExportFormat) -> ExportError {
    let name = if entry.path().is_empty() { "the file itself" } else { &entry.path() };
    let natural = natural_format(entry).map_or_else(
        || "json and raw are what it can be".to_owned(),
        |natural| format!("{} is its natural format", natural.id()),
    );
    ExportError::Unsupported(format!("“{name}” cannot be exported as {}: {natural}", format.id()))
}
