//! Choosing the texture of a material, opening it, and searching for missing textures.

use crate::{
    formats::{
        Children, Content, EntryId, Field, FileRequest, Reference, Severity, Value,
        file_name::{last_part, stem},
    },
    jobs::JobContext,
    library::{OpenFile, OpenOptions, primary},
    scene::{MaterialIndex, MaterialKind},
    ui::{
        kept_reading::overrides_of,
        place::Place,
        state::{core::Core, log::LogEntry, message::Message, stage::Stage, stages::Stages},
    },
};
use std::{path::PathBuf, sync::Arc};

/// Extensions of pictures beside models, the best first.
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

/// The picture of one of these names beside the model.
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
