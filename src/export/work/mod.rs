//! What the files of an entry hold, format by format. The size of each is worked out before it is made.

mod files;

use super::{
    Budget, ExportError, ExportFormat, ExportJob, ExportSource, ExportSpace, ModelClip, Share,
    actorx::{self, Played},
    bounded::Bounded,
    budget::Counted,
    clip_rig::{bones_in, bones_of},
    clips::{Streamed, known_bytes, origin_of},
    dds::dds,
    glb::{
        Beside, CoarserModel, Glb, Lods, OptionNames, Output, Room,
        beside::{PixelHash, SharedPictures, pixel_hash},
        glb_with_levels, map_glb_with, terrain_glb_with,
    },
    json::write_json,
    natural_format,
    picture::{first_image, picture_files},
    png::{computed_image, png},
    size, sound, terrain,
    text::{note_nuls, text_file, without_nuls},
    tga,
    write::{holds, write_file},
};
use crate::bytes::numbers::counted;
use crate::export::Notes;
use crate::files::File;
use crate::{
    formats::actorx::Psa,
    formats::{Asset, Content, Diagnostics, Entry, EntryId, LoadContext, LoadOptions, Native, Role, format_of},
    scene::{Binding, Clip, Model, Picture, PictureForm, StoredPixels, TargetKind, Terrain, with_registers},
};
use std::{
    io::{self, BufWriter},
    path::{Path, PathBuf},
    sync::Arc,
};

/// What is said of a model of which nothing would be in the file.
const NO_TRIANGLES: &str = "no triangles and no bones";
/// What is said of a landscape of which nothing would be in the file.
const NOTHING_STANDS: &str = "no ground and no objects";

/// One export while its files are made.
pub struct Work<'a, 'b> {
    pub source: &'a ExportSource<'b>,
    pub job: &'a ExportJob<'b>,
    pub budget: &'a Budget,
    /// What this export has of it.
    pub share: &'a mut Share<'b>,
    pub diagnostics: &'a mut Diagnostics,
    pub notes: &'a mut Notes,
    /// The pictures of all that is exported at once.
    pub textures: Option<&'a Arc<SharedPictures>>,
    /// The pixels of the picture that the first file has.
    pub pixels: Option<PixelHash>,
    /// Files that belong to what is exported and are there already, with the bytes that they are to have.
    pub there: &'a mut Vec<PathBuf>,
}

impl Work<'_, '_> {
    /// The files of an entry with what goes into them.
    pub fn files(
        &mut self,
        entry: EntryId,
        format: ExportFormat,
        target: &Path,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let document = self.source.document;
        let found = document.outline().entry(entry)?;
        let bytes = match format {
            ExportFormat::Raw if matches!(found.content, Content::Sound | Content::Music) => {
                return self.own_file(found, target);
            }
            ExportFormat::Raw => {
                self.share.need(found.size)?;
                let bytes = document.read_bytes(entry)?.as_slice().to_vec();
                if bytes.is_empty() {
                    return Err(empty(
                        found,
                        match found.role {
                            Role::Sound => sound::NO_SOUND,
                            Role::Music => sound::NO_MUSIC,
                            _ => "no bytes in the file",
                        },
                    ));
                }
                bytes
            }
            ExportFormat::Wav => match self.load(found)? {
                Asset::Sound(sound) if sound.bytes.is_empty() => return Err(empty(found, sound::NO_SOUND)),
                Asset::Music(music) if music.bytes.is_empty() => return Err(empty(found, sound::NO_MUSIC)),
                Asset::Sound(sound) => {
                    self.share.need(sound.pcm.as_ref().map_or(0, |pcm| pcm.samples.len() as u64 * 2))?;
                    sound::wav_of_sound(&sound)?
                }
                Asset::Music(music) => sound::wav_of_music(&music, self.job, self.share, self.notes)?,
                _ => return Err(self.unsupported(found, format)),
            },
            ExportFormat::Txt | ExportFormat::Uc => match self.load(found)? {
                Asset::Text(text) => {
                    self.share.need(text.parts.iter().map(|part| part.text.len() as u64).sum())?;
                    let text = text_file(&text, format == ExportFormat::Uc);
                    if text.trim().is_empty() {
                        return Err(empty(found, "no text"));
                    }
                    self.without_nuls(text)
                }
                _ => return Err(self.unsupported(found, format)),
            },
            ExportFormat::T3d => match document.ask(entry, |can, entry| can.editor?.t3d(entry)) {
                Some(text) => self.without_nuls(text?),
                None => return Err(self.unsupported(found, format)),
            },
            ExportFormat::Psk => return self.psk(found, target),
            ExportFormat::Psa => self.psa(found)?,
            ExportFormat::Unreal3d => return self.unreal3d(found, target),
            ExportFormat::Png | ExportFormat::Tga => return self.picture(found, format, target),
            ExportFormat::Dds => self.dds(found)?,
            ExportFormat::Glb | ExportFormat::Gltf if found.content == Content::Map => match self.load(found)? {
                Asset::Map(map) => {
                    let file = map_glb_with(&map, &self.source.glb, self.output(entry, format, target))?;
                    let files = self.gltf_files(found, file, target, "nothing to draw")?;
                    let missing = map.missing.iter();
                    self.notes
                        .extend(missing.map(|sentence| format!("{sentence}. Open the package or add its folder")));
                    return Ok(files);
                }
                _ => return Err(self.unsupported(found, format)),
            },
            ExportFormat::Glb | ExportFormat::Gltf if found.content == Content::Terrain => {
                let terrain = self.landscape(found, format)?;
                let (step, options) = (self.source.terrain.step, &self.source.glb);
                let file = terrain_glb_with(&terrain, step, options, self.output(entry, format, target), self.job)?;
                return self.gltf_files(found, file, target, NOTHING_STANDS);
            }
            ExportFormat::Glb | ExportFormat::Gltf => {
                let (model, clips) = self.model_with_clips(found, format)?;
                self.note_pose(&model);
                let coarser = self.coarser_levels(found)?;
                let levels = coarser.iter().map(|level| size::of_meshes(&level.model));
                let meshes = levels.fold(size::of_meshes(&model), u64::saturating_add);
                self.share.need(meshes.saturating_add(known_bytes(&clips, self.budget)))?;
                let clips = Streamed { model: &model, clips: &clips, options: self.source.binding, job: self.job };
                let output = self.output(entry, format, target);
                let file = glb_with_levels(&model, &coarser, &clips, &self.source.glb, output)?;
                return self.gltf_files(found, file, target, NO_TRIANGLES);
            }
            ExportFormat::Obj if found.content == Content::Terrain => return self.landscape_obj(found, target),
            ExportFormat::Obj => return self.obj(found, target),
            ExportFormat::Png16
            | ExportFormat::Tiff
            | ExportFormat::Asc
            | ExportFormat::Xyz
            | ExportFormat::Csv
            | ExportFormat::VisitorList
            | ExportFormat::TerrainBuilderList
            | ExportFormat::Json => return Err(self.unsupported(found, format)),
        };
        let mut files = vec![(target.to_owned(), bytes)];
        if format == ExportFormat::Psa
            && let Some(config) = self.config()
        {
            files.push((target.with_extension("config"), config));
        }
        Ok(files)
    }

    /// Notes that a model is folded at rest, unless it is written in bind pose.
    fn note_pose(&mut self, model: &Model) {
        if !self.source.glb.bind_pose
            && let Some(difference) = model.pose_difference()
        {
            let hint = OptionNames::hint(self.source.glb.names.bind_pose, "exports the bind pose");
            self.notes.push(format!("{difference}{hint}"));
        }
    }

    /// The files of a GLB or a `.gltf` that has something in it, without those that are there already.
    fn gltf_files(
        &mut self,
        entry: &Entry,
        file: Glb,
        target: &Path,
        what_lacks: &'static str,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        if file.is_empty {
            return Err(empty(entry, what_lacks));
        }
        self.notes.extend(file.notes);
        self.there.extend(file.there);
        let mut files = vec![(target.to_owned(), file.bytes)];
        for (path, bytes) in file.beside {
            if holds(&path, &bytes) {
                self.there.push(path);
            } else {
                files.push((path, bytes));
            }
        }
        Ok(files)
    }

    /// What a GLB or a `.gltf` may come to be.
    fn output(&self, entry: EntryId, format: ExportFormat, target: &Path) -> Output {
        let is_text = format == ExportFormat::Gltf;
        let beside = (is_text || self.textures.is_some()).then(|| Beside::new(target, is_text, self.textures.cloned()));
        Output { room: Room::new(self.share.name(), self.share.room()), space: self.space(entry), beside }
    }

    fn space(&self, entry: EntryId) -> ExportSpace {
        (self.source.space)(format_of(self.source.document, entry))
    }

    /// Text without what ends it for other programs.
    fn without_nuls(&mut self, text: String) -> Vec<u8> {
        let (text, count) = without_nuls(text);
        note_nuls(count, self.notes);
        text.into_bytes()
    }

    /// Writes a landscape as it goes: its files are larger than what they are made from. Says how many bytes there are.
    pub fn terrain(&mut self, entry: EntryId, format: ExportFormat, target: &Path) -> Result<u64, ExportError> {
        let found = self.source.document.outline().entry(entry)?;
        let landscape = self.landscape(found, format)?;
        terrain::check(&landscape, format)?;
        let (options, job) = (self.source.terrain, self.job);
        self.share.need(size::of_terrain(&landscape, format, options, job)?)?;
        let written = self.stream(target, |notes, out| terrain::write(&landscape, format, options, job, notes, out));
        if written.is_err() {
            // What was cancelled says so, and not that a file could not be written.
            job.check()?;
        }
        written
    }

    /// Writes every field of an entry as they are read: the text is many times what it is made from.
    pub fn json(&mut self, entry: EntryId, target: &Path) -> Result<u64, ExportError> {
        let document = self.source.document;
        let found = document.outline().entry(entry)?;
        let (file, tree) = (self.source.file, document.fields(entry)?);
        self.stream(target, |_, out| write_json(file, document, found, &tree, out))
    }

    /// Lets `write` fill a file that is no larger than the share allows. Says how many bytes there are.
    fn stream(
        &mut self,
        target: &Path,
        write: impl FnOnce(&mut Notes, &mut Bounded<&mut BufWriter<File>>) -> io::Result<()>,
    ) -> Result<u64, ExportError> {
        let (mut bytes, mut refused) = (0, None);
        let written = write_file(target, self.job.existing(), |out| {
            let mut out = Bounded::new(out, self.share.room());
            let written = write(self.notes, &mut out);
            bytes = out.wanted();
            // A file that is cut off at its bound never gets its name.
            refused = self.share.need(bytes).err();
            if refused.is_some() { Err(io::ErrorKind::FileTooLarge.into()) } else { written }
        });
        refused.map_or(Ok(()), Err)?;
        written?;
        Ok(bytes)
    }

    fn landscape(&mut self, entry: &Entry, format: ExportFormat) -> Result<Arc<Terrain>, ExportError> {
        if entry.content != Content::Terrain {
            return Err(self.unsupported(entry, format));
        }
        match self.load(entry)? {
            Asset::Terrain(terrain) => Ok(terrain),
            _ => Err(self.unsupported(entry, format)),
        }
    }

    /// What a sound or a piece of music is a whole file of. Where nobody chose an ending it gets its own.
    fn own_file(&mut self, entry: &Entry, target: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let asset = self.load(entry)?;
        let Some(file) = sound::own_file(&asset) else { return Err(self.unsupported(entry, ExportFormat::Raw)) };
        if file.bytes.is_empty() {
            let is_music = matches!(asset, Asset::Music(_));
            return Err(empty(entry, if is_music { sound::NO_MUSIC } else { sound::NO_SOUND }));
        }
        let ending = target.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        if ending == ExportFormat::Raw.extension() {
            return Ok(vec![(target.with_extension(file.extension), file.bytes)]);
        }
        if ending != file.extension {
            self.notes
                .push(format!("the content is {}, which does not match the extension", file.extension.to_uppercase()));
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
    fn picture(
        &mut self,
        entry: &Entry,
        format: ExportFormat,
        target: &Path,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let all_mips = self.source.mips;
        let options = LoadOptions { first_image_only: !all_mips, ..self.source.load };
        let asset = self.load_with(entry, options)?;
        self.job.check()?;
        if let Asset::Procedural(texture) = asset {
            let image = computed_image(texture, self.source.frame)?;
            let bytes = if format == ExportFormat::Tga { tga::encode(&image, true)? } else { png(&image)? };
            return Ok(vec![(target.to_owned(), bytes)]);
        }
        self.share.need(size::of_pictures(&asset, all_mips))?;
        if self.textures.is_some() && format == ExportFormat::Png {
            self.pixels = first_image(&asset).map(|(image, alpha)| pixel_hash(image, alpha));
        }
        picture_files(&asset, format, target, all_mips, self.notes)
            .unwrap_or_else(|| Err(self.unsupported(entry, format)))
    }

    fn dds(&mut self, entry: &Entry) -> Result<Vec<u8>, ExportError> {
        let asset = self.load(entry)?;
        self.share.need(size::of_pictures(&asset, true))?;
        match asset {
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
            _ => Err(self.unsupported(entry, ExportFormat::Dds)),
        }
    }

    fn load(&mut self, entry: &Entry) -> Result<Asset, ExportError> {
        self.load_with(entry, self.source.load)
    }

    fn load_with(&mut self, entry: &Entry, options: LoadOptions) -> Result<Asset, ExportError> {
        self.job.check()?;
        let resolver = Counted { resolver: self.source.resolver, budget: self.budget };
        let mut cx = LoadContext {
            file: self.source.file,
            resolver: &resolver,
            diagnostics: self.diagnostics,
            limits: self.source.limits,
            options,
            cancel: self.job.cancel,
        };
        Ok(match self.source.document.load(entry.id, &mut cx)? {
            Asset::Model(model) => Asset::Model(with_registers(model, self.source.registers)),
            asset => asset,
        })
    }

    /// A model with the clips that go with it. A clip stands for the model that it is for, moved by it alone: for that one's
    /// bones where it lies elsewhere and moves nothing else, and for its own bones where there is none. A file of clips stands for
    /// all of them.
    fn model_with_clips(
        &mut self,
        entry: &Entry,
        format: ExportFormat,
    ) -> Result<(Arc<Model>, Vec<ModelClip>), ExportError> {
        let outline = self.source.document.outline();
        if entry.id == EntryId::FILE && !matches!(entry.content, Content::Model | Content::Clip) {
            let Some(first) = outline.with_content(Content::Clip).next() else {
                return Err(self.unsupported(entry, format));
            };
            let Asset::Clip(clip) = self.load(first)? else { return Err(self.unsupported(entry, format)) };
            let model = self.bones_for(&clip, first)?;
            let clips = (self.source.clips_for)(&model, EntryId::FILE);
            return Ok((model, clips));
        }
        match self.load(entry)? {
            Asset::Model(model) => {
                let clips = (self.source.clips_for)(&model, entry.id);
                Ok((model, clips))
            }
            Asset::Clip(clip) => {
                let parent = entry.parent.and_then(|p| outline.get(p)).filter(|p| p.content == Content::Model);
                let model = match parent.map(|parent| self.load(parent)).transpose()? {
                    Some(Asset::Model(model)) => model,
                    _ => self.bones_for(&clip, entry)?,
                };
                let mut only = ModelClip::from(clip);
                only.origin = Some(origin_of(self.source.file, self.source.document, entry.id));
                Ok((model, vec![only]))
            }
            _ => Err(self.unsupported(entry, format)),
        }
    }

    /// Coarser levels of a model that are entries of their own, where they are asked for.
    fn coarser_levels(&mut self, entry: &Entry) -> Result<Vec<CoarserModel>, ExportError> {
        let document = self.source.document;
        if self.source.glb.lods == Lods::None || entry.content != Content::Model {
            return Ok(Vec::new());
        }
        let mut levels = Vec::new();
        let coarser = document.ask(entry.id, |can, entry| Some(can.wholes?.coarser_levels(entry)));
        for level in coarser.unwrap_or_default() {
            let Some(level) = document.outline().get(level) else { continue };
            if let Asset::Model(model) = self.load(level)? {
                levels.push(CoarserModel { name: level.name.to_string(), model });
            }
        }
        Ok(levels)
    }

    /// What a clip that lies in no model is shown on.
    fn bones_for(&mut self, clip: &Clip, entry: &Entry) -> Result<Arc<Model>, ExportError> {
        let moves_joints = clip.kind() == TargetKind::Joints;
        if let Some(model) = (self.source.model_for)(clip, entry.id) {
            return Ok(if moves_joints { Arc::new(bones_of(&model)) } else { model });
        }
        let own = self.source.document.outline().with_content(Content::Model).next();
        if let Some(Asset::Model(model)) = own.map(|own| self.load(own)).transpose()?
            && Binding::new(clip, &model, self.source.binding).fit.any()
        {
            return Ok(if moves_joints { Arc::new(bones_of(&model)) } else { model });
        }
        let Some(model) = bones_in(clip) else {
            return Err(ExportError::Unsupported(format!(
                "“{}” does not animate bones, and its model was not found: export the model with this clip",
                clip.name
            )));
        };
        self.notes.push(format!(
            "the model of the clip “{}” was not found: {} exported without a hierarchy",
            clip.name,
            counted(model.joint_count(), "bone")
        ));
        Ok(Arc::new(model))
    }

    /// A mesh file is written again from its own structures; any other model is turned into them. Its textures, and what says which
    /// material has which, come beside it.
    fn psk(&mut self, entry: &Entry, target: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, ExportError> {
        let outline = self.source.document.outline();
        let native = match self.source.document.native() {
            Some(Native::Psk(psk)) if entry.id == EntryId::FILE || entry.content == Content::Model => Some(psk),
            _ => None,
        };
        let shown = if native.is_some() { outline.with_content(Content::Model).next() } else { Some(entry) };
        let model = match shown.filter(|shown| shown.content == Content::Model) {
            Some(shown) => match self.load(shown)? {
                Asset::Model(model) => Some(model),
                _ => None,
            },
            None => None,
        };
        let (bytes, beside) = match (native, model) {
            (Some(psk), model) => {
                let beside = model.map(|model| actorx::sidecars(psk, &model)).transpose()?;
                let mended = actorx::mended_psk(psk, self.notes);
                (crate::formats::actorx::encode_psk(&mended), beside.unwrap_or_default())
            }
            (None, Some(model)) => {
                check_drawn(entry, &model, true)?;
                self.share.need(size::of_meshes(&model))?;
                let mut psk = actorx::psk(&model, self.notes)?;
                actorx::name_materials(&mut psk, &model, self.notes);
                let mended = actorx::mended_psk(&psk, self.notes);
                (crate::formats::actorx::encode_psk(&mended), actorx::sidecars(&psk, &model)?)
            }
            (None, None) => return Err(self.unsupported(entry, ExportFormat::Psk)),
        };
        let mut files = vec![(target.to_owned(), bytes)];
        let mut left_alone = 0_usize;
        for (name, bytes) in beside {
            let path = target.with_file_name(name);
            // Meshes of one folder may share textures; and a mesh may be written again where its own lie.
            let is_own = native.is_some() && !self.job.force && crate::files::exists(&path);
            if path == target || holds(&path, &bytes) {
                continue;
            }
            left_alone += usize::from(is_own);
            if !is_own {
                files.push((path, bytes));
            }
        }
        if left_alone > 0 {
            self.notes.push(format!("existing material files were kept: {left_alone}"));
        }
        Ok(files)
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
            return Ok(crate::formats::actorx::encode_psa(&actorx::mended_psa(psa, self.notes)));
        }
        if let Some(size) = self.source.document.ask(entry.id, |can, entry| can.facts?.clip_size(entry)) {
            self.share.need(actorx::psa_bytes(size.keys(), size.joints))?;
        }
        let options = self.source.binding;
        let psa = match self.load_if_shown(entry)? {
            // Of an animation file: its keys as they are, on its own bones.
            Some(Asset::Clip(clip)) if native.is_some() => {
                let bones = native.map(|psa| psa.bones.as_slice()).unwrap_or_default();
                if clip.frame_count == 0 || clip.joints.is_empty() {
                    return Err(empty(entry, "no bone keys"));
                }
                let mut psa = actorx::psa_within(&[&clip], None, bones, self.share, self.notes)?;
                psa.flags = native.map(|native| self.flags(native, entry)).unwrap_or_default();
                psa
            }
            Some(Asset::Clip(clip)) => {
                let keys = u64::from(clip.frame_count).saturating_mul(clip.joints.len() as u64);
                self.share.need(actorx::psa_bytes(keys, clip.joints.len() as u64))?;
                // Nothing is looked for where nothing could be written.
                let model = if actorx::moves_joints(&clip) { (self.source.model_for)(&clip, entry.id) } else { None };
                let played = model.as_deref().map(|model| Played { model, options });
                actorx::psa_within(&[&clip], played, &[], self.share, self.notes)?
            }
            Some(Asset::Model(model)) => {
                let clips = self.all_clips(&model, entry.id)?;
                if clips.is_empty() {
                    return Err(ExportError::Unsupported(format!("“{}” has no clips", entry.path())));
                }
                let clips: Vec<&Clip> = clips.iter().map(|c| &**c).collect();
                let played = Some(Played { model: &model, options });
                actorx::psa_within(&clips, played, &[], self.share, self.notes)?
            }
            _ => return Err(self.unsupported(entry, ExportFormat::Psa)),
        };
        Ok(crate::formats::actorx::encode_psa(&psa))
    }

    /// The clips that play on a model, all at once: what they are together decides what is written of each.
    fn all_clips(&mut self, model: &Model, entry: EntryId) -> Result<Vec<Arc<Clip>>, ExportError> {
        let sources = (self.source.clips_for)(model, entry);
        self.share.need(known_bytes(&sources, self.budget))?;
        let mut clips = Vec::new();
        let mut keys = 0_u64;
        for source in &sources {
            self.job.check()?;
            let Some(clip) = source.load(self.job.cancel) else { continue };
            if !source.only_if_it_fits || Binding::new(&clip, model, self.source.binding).fit.any() {
                keys = keys.saturating_add(u64::from(clip.frame_count).saturating_mul(clip.joints.len() as u64));
                self.share.need(actorx::psa_bytes(keys, 0))?;
                clips.push(clip);
            }
        }
        Ok(clips)
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

    fn unsupported(&self, entry: &Entry, format: ExportFormat) -> ExportError {
        let name = if entry.path().is_empty() { "the file itself" } else { &entry.path() };
        let natural = natural_format(self.source.document, entry)
            .map_or_else(|| "use json or raw".to_owned(), |natural| format!("use {}", natural.id()));
        ExportError::Unsupported(format!("“{name}” cannot be exported as {}: {natural}", format.id()))
    }
}

/// Makes sure that a model has triangles, or with `bones` a skeleton.
fn check_drawn(entry: &Entry, model: &Model, bones: bool) -> Result<(), ExportError> {
    let has_bones = bones && model.skeleton.as_ref().is_some_and(|skeleton| !skeleton.joints().is_empty());
    if has_bones || model.triangle_count() > 0 { Ok(()) } else { Err(empty(entry, NO_TRIANGLES)) }
}

fn empty(entry: &Entry, what: &'static str) -> ExportError {
    let path = entry.path();
    ExportError::Empty { name: if path.is_empty() { "the file" } else { &*path }.to_owned(), what }
}
