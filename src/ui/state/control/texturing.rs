//! Replacing a model's textures by images that are dropped on it or chosen in the library.

use crate::{
    bytes::{Limits, numbers::counted},
    formats::{
        Asset, Children, Content, EntryId, Field, FileRequest, Reference, Role, Severity, Value,
        file_name::{last_part, stem},
        picture,
    },
    jobs::JobContext,
    library::{OpenFile, OpenOptions, primary, read_file},
    scene::{Image, MaterialIndex, MaterialKind, Model, TexturePlace},
    ui::{
        command::{Command, LibraryCommand, ModelCommand},
        kept_reading::overrides_of,
        place::{FileId, Place, StageId, TextureSource},
        state::{
            control::opening::name_of,
            core::Core,
            log::LogEntry,
            message::{MAX_NOTICES, Message, TextureRead},
            stage::{Stage, model::ModelStage, textures::EmptySlot},
            stages::Stages,
        },
    },
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Larger files are no textures.
const MAX_PICTURE_BYTES: u64 = 256 << 20;

/// The model that an image can be a texture of, and what of it is selected.
pub struct TextureTarget {
    stage: StageId,
    pub(crate) place: Place,
    model: Arc<Model>,
    selected: Option<(Arc<OpenFile>, EntryId)>,
}

impl TextureTarget {
    /// Where an image of this name goes: where a texture is called so, else to the material that is called so; one that is
    /// meant by itself (`alone`) else to the selected material or the only one.
    pub fn places(&self, name: &str, alone: bool) -> Vec<TexturePlace> {
        let wanted = stem(last_part(name)).to_lowercase();
        let is_wanted = |name: &str| stem(last_part(name)).to_lowercase() == wanted;
        let textures = self.model.texture_places().filter(|(_, name)| is_wanted(name));
        let found: Vec<TexturePlace> = textures.map(|(place, _)| place).collect();
        if !found.is_empty() {
            return found;
        }
        let materials = (0..).map(MaterialIndex).zip(&self.model.materials);
        let named = materials.filter(|(_, material)| is_wanted(&material.name));
        let found: Vec<TexturePlace> = named.filter_map(|(index, _)| self.model.main_texture(index)).collect();
        if !found.is_empty() || !alone {
            return found;
        }
        let only = (self.model.materials.len() == 1).then_some(MaterialIndex(0));
        let chosen = self.chosen_material().or(only);
        chosen.and_then(|material| self.model.main_texture(material)).into_iter().collect()
    }

    /// `material Skin`, `3 materials`.
    pub fn words(&self, places: &[TexturePlace]) -> String {
        let mut materials: Vec<MaterialIndex> = places.iter().map(|place| place.material).collect();
        materials.dedup();
        match materials.as_slice() {
            [one] => match self.model.materials.get(one.as_usize()).map(|material| material.name.as_str()) {
                // Files without names have numbers for them.
                Some(name) if name.to_lowercase().starts_with("material ") => name.to_owned(),
                Some(name) if !name.is_empty() => format!("material {name}"),
                _ => format!("material {one}"),
            },
            several => counted(several.len(), "material"),
        }
    }

    /// The material that is meant where no name tells: the selected one. With a pointer over the stage it would be the one
    /// under it.
    fn chosen_material(&self) -> Option<MaterialIndex> {
        let (file, entry) = self.selected.as_ref()?;
        let (document, outline) = (file.document.as_ref(), file.document.outline());
        let found = outline.get(*entry)?;
        let number = |index: usize| u32::try_from(index).ok().map(MaterialIndex);
        match found.role {
            Role::Material => {
                let is_named = |index: &usize| self.model.materials.get(*index).is_some_and(|m| found.name == m.name);
                if let Some(surface) = document.ask(*entry, |can, entry| can.facts?.surface(entry)) {
                    let is_own = surface.owner == self.place.entry || is_named(&surface.index);
                    return Some(surface.index).filter(|_| is_own).and_then(number);
                }
                let is_material = |id: &&EntryId| outline.get(**id).is_some_and(|e| e.role == Role::Material);
                let siblings: Vec<EntryId> =
                    outline.children(found.parent?).iter().filter(is_material).copied().collect();
                if siblings.len() != self.model.materials.len() {
                    return None;
                }
                siblings.iter().position(|id| id == entry).and_then(number)
            }
            Role::Part => {
                let mut meshes = self.model.meshes.iter().filter(|mesh| found.name == mesh.name);
                let (mesh, None) = (meshes.next()?, meshes.next()) else { return None };
                let first = mesh.surfaces.first()?.material;
                let is_one = mesh.surfaces.iter().all(|surface| surface.material == first);
                is_one.then_some(MaterialIndex(first))
            }
            _ => None,
        }
    }
}

impl Stages {
    /// Puts an image of the library on the model.
    pub(crate) fn use_as_texture(&mut self, core: &mut Core, place: Place) {
        let Some(target) = self.texture_target(core) else { return };
        let Some(file) = core.file(place.file).cloned() else { return };
        let name = image_name(&file, place.entry);
        let places = target.places(&name, true);
        if places.is_empty() {
            let text = "no material has this name. Select a material of the model first";
            core.log.announce(LogEntry::new(Severity::Info, &name, text));
        } else {
            if let Some(stage) = self.get_mut(target.stage) {
                stage.read_texture(core, &target, place, places, false);
            }
        }
    }

    /// The model in front, for images; else that of another stage.
    pub fn texture_target(&self, core: &Core) -> Option<TextureTarget> {
        let (stage, shown) = self.iter().find_map(|stage| Some((stage.id, stage.model()?)))?;
        let selected = core.selection.filter(|place| place.file == shown.place.file);
        let selected = selected.and_then(|place| Some((core.file(place.file)?.clone(), place.entry)));
        Some(TextureTarget { stage, place: shown.place, model: shown.model.clone(), selected })
    }

    pub(crate) fn target_in_front(&self, core: &Core) -> Option<TextureTarget> {
        self.texture_target(core).filter(|target| target.stage == self.front.id)
    }

    /// Uses pictures as textures of the active model, where a material has the same name. For a picture that was dropped `alone`, the selected
    /// material is used too. A notice offers to open the other pictures.
    pub(crate) fn texture_with_pictures(
        &mut self,
        core: &mut Core,
        target: &TextureTarget,
        pictures: Vec<PathBuf>,
        alone: bool,
    ) {
        let mut left = Vec::new();
        for path in pictures {
            let places = target.places(&name_of(&path), alone);
            if places.is_empty() {
                left.push(path);
            } else {
                self.front.read_texture_file(core, target, path, places, false);
            }
        }
        let help = "Select a material and try again";
        let open = |paths| Command::Library(LibraryCommand::Open(paths));
        if left.len() > MAX_NOTICES {
            let text =
                format!("{} not used, because no material has the same name. {help}", counted(left.len(), "image"));
            return core.log.announce(LogEntry::new(Severity::Info, "", text).with_action("Open images", open(left)));
        }
        for path in left {
            let text = format!("no material has this name. {help}");
            let notice = LogEntry::new(Severity::Info, &name_of(&path), text);
            core.log.announce(notice.with_action("Open as image", open(vec![path])));
        }
    }

    /// A file that was dropped is open: puts it on the model in front where it is an image that fits.
    pub(crate) fn texture_with(&mut self, core: &mut Core, id: FileId, file: &OpenFile, alone: bool) -> bool {
        let Some(target) = self.target_in_front(core) else { return false };
        let Some(entry) = only_image(file) else { return false };
        let name = image_name(file, entry);
        let places = target.places(&name, alone);
        if places.is_empty() {
            let text = "no material has this name. Show the model, select a material and try again";
            core.log.announce(LogEntry::new(Severity::Info, &name, text));
            return false;
        }
        self.front.read_texture(core, &target, Place { file: id, entry }, places, false);
        true
    }

    /// Puts an image of the library in these places of the model in front.
    pub(crate) fn use_as_texture_of(&mut self, core: &mut Core, image: Place, places: Vec<TexturePlace>) {
        if let Some(target) = self.target_in_front(core) {
            self.front.read_texture(core, &target, image, places, false);
        }
    }
}

impl Stage {
    /// Materials that are drawn without a texture, though some was looked for.
    pub fn empty_slots(&self) -> Vec<EmptySlot> {
        let Some(shown) = self.model() else { return Vec::new() };
        let model = &shown.model;
        let slot = |material: MaterialIndex| {
            let chosen = shown.textures.image_at(TexturePlace { material, slot: 0 }).map(|image| image.name.clone());
            let name =
                model.materials.get(material.as_usize()).map(|material| material.name.clone()).unwrap_or_default();
            EmptySlot { material, name, chosen }
        };
        model.materials_without_texture().into_iter().map(slot).collect()
    }

    /// Reads a picture to put it on the model in front; `returns` where it was on it before.
    pub(crate) fn read_texture_file(
        &mut self,
        core: &mut Core,
        target: &TextureTarget,
        path: PathBuf,
        places: Vec<TexturePlace>,
        returns: bool,
    ) {
        let (model, words, name) = (target.place, target.words(&places), name_of(&path));
        let sender = self.stage_sender(core);
        core.works.run_apart(format!("Reading {name}"), move |_| {
            let result = read_picture(&path, &name).map(|image| Some(Arc::new(image)));
            let (source, diagnostics) = (TextureSource::Picture(path), Vec::new());
            let read = TextureRead { model, places, words, name, source, returns, diagnostics, result };
            sender.send(Message::TextureRead(Box::new(read)));
        });
    }

    /// The same with an image of the library.
    pub(crate) fn read_texture(
        &mut self,
        core: &mut Core,
        target: &TextureTarget,
        place: Place,
        places: Vec<TexturePlace>,
        returns: bool,
    ) {
        let Some(file) = core.file(place.file).cloned() else { return };
        let (model, words, name) = (target.place, target.words(&places), image_name(&file, place.entry));
        let options = core.load_options;
        let sender = self.stage_sender(core);
        core.works.run(format!("Reading {name}"), move |cx| {
            let loaded = file.load(place.entry, options, cx.cancel());
            let (result, diagnostics) = match loaded {
                Ok(loaded) => (image_of(&loaded.asset), loaded.diagnostics),
                Err(error) => (Err(error.to_string()), Vec::new()),
            };
            let source = TextureSource::Entry(place);
            let read = TextureRead { model, places, words, name, source, returns, diagnostics, result };
            sender.send(Message::TextureRead(Box::new(read)));
        });
    }

    pub(crate) fn texture_read(&mut self, core: &mut Core, read: TextureRead) {
        let TextureRead { model, places, words, name, source, returns, diagnostics, result } = read;
        let place = match &source {
            TextureSource::Entry(place) => Some(*place),
            TextureSource::Picture(_) => None,
        };
        if let Some(place) = place {
            core.note_diagnostics(place.file, &diagnostics, false);
        }
        if returns {
            return self.texture_returned(core, model, &places, &name, &source, result);
        }
        let image = match result {
            Ok(Some(image)) => image,
            // It moves by itself: it is looked at.
            Ok(None) => return place.into_iter().for_each(|place| self.show(core, place)),
            Err(why) => {
                let mut entry = LogEntry::new(Severity::Error, &name, why);
                entry.place = place;
                return core.log.announce(entry);
            }
        };
        let Some(shown) = self.content.model_mut().filter(|shown| shown.place == model) else { return };
        // A model without textures is seen in the colours of its vertices.
        let hides_colors = shown.model.images.is_empty();
        shown.textures.put(&places, &image, &source);
        shown.playback.revision += 1;
        self.view.options.textures = true;
        self.view.options.vertex_colors &= !hides_colors;
        let text = format!("applied to {words}");
        let back = Command::OnStage(self.id, Box::new(Command::Model(ModelCommand::OwnTextures)));
        core.log.announce(LogEntry::new(Severity::Info, &name, text).with_action("Restore original textures", back));
    }

    /// An image was read that was on the model when it was looked at last. How the model is drawn stays.
    fn texture_returned(
        &mut self,
        core: &mut Core,
        model: Place,
        places: &[TexturePlace],
        name: &str,
        source: &TextureSource,
        result: Result<Option<Arc<Image>>, String>,
    ) {
        // They may have been taken off again meanwhile.
        let is_wanted = |shown: &&mut ModelStage| shown.textures.returning > 0 && shown.place == model;
        let Some(shown) = self.content.model_mut().filter(is_wanted) else { return };
        shown.textures.returning -= 1;
        match result {
            Ok(Some(image)) => {
                shown.textures.put(places, &image, source);
                shown.playback.revision += 1;
            }
            Ok(None) => core.log.push(LogEntry::new(Severity::Warning, name, "cannot be used as a texture")),
            Err(why) => {
                let text = format!("cannot restore this texture of the model: {why}");
                core.log.push(LogEntry::new(Severity::Warning, name, text));
            }
        }
    }

    /// Takes all images off the model again.
    pub(crate) fn own_textures(&mut self) {
        let Some(shown) = self.content.model_mut() else { return };
        shown.textures.returning = 0;
        if shown.textures.is_empty() {
            return;
        }
        shown.textures.clear();
        shown.playback.revision += 1;
        if shown.model.images.is_empty() {
            self.view.options.vertex_colors = shown.model.meshes.iter().any(|mesh| !mesh.colors.is_empty());
        }
    }
}

fn read_picture(path: &Path, name: &str) -> Result<Image, String> {
    let bytes = read_file(path, MAX_PICTURE_BYTES)?;
    picture::decode(name, &bytes, &Limits::default()).map_err(|error| error.to_string())
}

/// The image of a file that is about one image.
fn only_image(file: &OpenFile) -> Option<EntryId> {
    let entry = primary(file)?;
    let is_image = file.entry(entry)?.content == Content::Image;
    let is_only = file.textures().nth(1).is_none();
    (is_image && is_only).then_some(entry)
}

/// Returns the name of an image: of its entry, or of its file if the file is the image.
fn image_name(file: &OpenFile, entry: EntryId) -> String {
    let named = file.entry(entry).filter(|found| found.id != EntryId::FILE && !found.name.is_empty());
    named.map_or_else(|| file.name.clone(), |found| found.name.to_string())
}

fn image_of(asset: &Asset) -> Result<Option<Arc<Image>>, String> {
    match asset {
        Asset::Image(image) => Ok(Some(image.clone())),
        Asset::Picture(picture) => picture
            .image()
            .cloned()
            .map(Some)
            .ok_or_else(|| "the file does not contain the pixels of this image".to_owned()),
        _ => Ok(None),
    }
}

/// Extensions of images in the folder of a model, the preferred one first.
const PICTURES: [&str; 4] = ["png", "tga", "bmp", "dds"];

/// Fields of a model that are looked through for its references.
const MAX_FIELDS: usize = 20_000;

/// Rows of a table that are.
const MAX_ROWS: usize = 256;

impl Stages {
    /// Puts an image of the library on one material of the model in front.
    pub(crate) fn texture_material(&mut self, core: &mut Core, material: MaterialIndex, image: Place) {
        let Some(shown) = self.front.content.model_mut() else { return };
        shown.textures.choosing = None;
        let place = shown.model.main_texture(material);
        match place {
            Some(place) => self.use_as_texture_of(core, image, vec![place]),
            None => {
                let text = "This material uses no texture";
                core.log.announce(LogEntry::new(Severity::Info, "", text));
            }
        }
    }
}

impl Stage {
    /// Opens the texture that a material of the model in front has as a picture.
    pub(crate) fn open_texture(&mut self, core: &mut Core, material: MaterialIndex) {
        let Some(shown) = self.model() else { return };
        let place = shown.model.main_texture(material);
        if let Some(chosen) = place.and_then(|place| shown.textures.source_at(place)) {
            return self.show(core, chosen);
        }
        let Some(of) = shown.model.materials.get(material.as_usize()) else { return };
        let image = match &of.kind {
            MaterialKind::Basic(basic) => basic.image.and_then(|image| shown.model.images.get(image as usize)),
            MaterialKind::Tev(_) => None,
        };
        let Some(name) = image.map(|image| image.name.clone()) else { return };
        let Some(file) = core.file(shown.place.file).cloned() else { return };
        let (entry, names) = (shown.place.entry, vec![name.clone(), of.name.clone()]);
        // The model's own file comes first.
        let mut open: Vec<Arc<OpenFile>> = vec![file.clone()];
        open.extend(core.library.files.iter().map(|f| f.file.clone()).filter(|f| !Arc::ptr_eq(f, &file)));
        let (folders, readings) = (core.settings.folders.clone(), core.settings.readings.clone());
        let sender = self.stage_sender(core);
        core.works.run_apart(format!("Looking for the texture {name}"), move |cx| {
            let read = |path: PathBuf| {
                let known = open.iter().find(|f| f.path == path).cloned();
                let overrides = overrides_of(&readings, &path);
                known.or_else(|| OpenOptions::new().folders(&folders).reading(overrides).open(&path).ok().map(Arc::new))
            };
            let found = among(&open, &names)
                .or_else(|| referred(&file, entry, &names, &read, cx))
                .or_else(|| beside(&file, &names, &read));
            sender.send(match found {
                Some((file, entry)) => Message::TextureFound { file, entry },
                None => {
                    let text = format!("cannot find the texture {name}");
                    Message::Log(LogEntry::new(Severity::Warning, &file.name, text))
                }
            });
        });
    }
}

/// Whether an entry is called so: by its whole path, with its package before it or without.
fn is_called(file: &OpenFile, path: &str, name: &str) -> bool {
    let (path, name) = (path.to_lowercase(), name.to_lowercase());
    let package = format!("{}.", stem(&file.name).to_lowercase());
    name == path || name.strip_prefix(&package).is_some_and(|rest| rest == path)
}

/// The image of one of these names in open files.
fn among(open: &[Arc<OpenFile>], names: &[String]) -> Option<(Arc<OpenFile>, EntryId)> {
    names.iter().find_map(|name| {
        open.iter().find_map(|file| {
            let outline = file.document.outline();
            let mut images = outline.with_content(Content::Image);
            let found = images.find(|entry| match entry.id {
                EntryId::FILE => stem(&file.name).eq_ignore_ascii_case(stem(last_part(name))),
                _ => is_called(file, &entry.path(), name),
            });
            Some((file.clone(), found?.id))
        })
    })
}

/// The image that a reference of the model leads to.
fn referred(
    file: &Arc<OpenFile>,
    entry: EntryId,
    names: &[String],
    read: &impl Fn(PathBuf) -> Option<Arc<OpenFile>>,
    cx: &JobContext,
) -> Option<(Arc<OpenFile>, EntryId)> {
    let tree = file.document.fields(entry).ok()?;
    let mut rest: Vec<Field> = tree.fields;
    let mut looked = 0;
    while let Some(field) = rest.pop() {
        looked += 1;
        if looked > MAX_FIELDS || cx.cancelled() {
            return None;
        }
        if let Value::Reference(reference) = &field.value
            && names.iter().any(|name| is_reference_to(reference, name))
        {
            if let Some(entry) = reference.entry {
                return Some((file.clone(), entry));
            }
            if let Some(found) = file.document.ask(EntryId::FILE, |can, _| can.links?.follow(reference)) {
                return Some((read(found.file)?, found.entry));
            }
        }
        match field.children {
            Children::None => {}
            Children::Fields(fields) => rest.extend(fields),
            Children::Table(table) => rest.extend((0..table.len().min(MAX_ROWS)).filter_map(|row| table.row(row))),
        }
    }
    None
}

fn is_reference_to(reference: &Reference, name: &str) -> bool {
    let (path, name) = (reference.path.to_lowercase(), name.to_lowercase());
    path == name || path.rsplit('.').next() == name.rsplit('.').next()
}

/// Returns the image with one of these names in the folder of the model.
fn beside(
    file: &OpenFile,
    names: &[String],
    read: &impl Fn(PathBuf) -> Option<Arc<OpenFile>>,
) -> Option<(Arc<OpenFile>, EntryId)> {
    names.iter().find_map(|name| {
        let stem = stem(last_part(name));
        let request = FileRequest { stem, extensions: &PICTURES, subfolders: true, siblings: &[] };
        let found = read(file.resolver().find(&request)?.path)?;
        let entry = primary(&found)?;
        Some((found, entry))
    })
}
