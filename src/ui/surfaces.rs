//! The selected material: from its document, with the frame of the model on show.

use super::{
    state::{Place, State, ThumbnailState},
    widgets::surface::{SurfaceCard, TextureMap},
};
use crate::{
    formats::{Document, Entry, EntryId, Value},
    scene::{
        Material, TargetKind,
        gx::{MaterialState, TevMaterial},
    },
};

/// The material that was selected last, read once.
#[derive(Default)]
pub struct SelectedSurface {
    place: Option<Place>,
    found: Option<Found>,
}

struct Found {
    material: Material,
    /// Its place among the materials of its file.
    index: usize,
    /// The entry that holds its file: the model, or the material set.
    root: EntryId,
    /// Textures of its file: entry, name, what the header says.
    textures: Vec<(EntryId, String, String)>,
}

impl SelectedSurface {
    /// The material that `place` is, as it is at this moment.
    pub fn card<'a>(&'a mut self, state: &State, document: &dyn Document, place: Place) -> Option<SurfaceCard<'a>> {
        if self.place != Some(place) {
            self.place = Some(place);
            self.found = find(document, place.entry);
        }
        let found = self.found.as_ref()?;
        let material = found.material.tev()?;
        let on_show = state.shown.as_ref().filter(|shown| {
            let same = shown.model.materials.get(found.index).is_some_and(|m| m.name == found.material.name);
            shown.place.file == place.file && shown.place.entry == found.root && same
        });
        // A material set that is on has its own material in this place.
        let on_show = on_show.filter(|_| state.playback.player.layer(TargetKind::Materials).is_none());
        let frame = on_show.and_then(|_| state.frame.materials.get(found.index).cloned().flatten());
        let now = frame.unwrap_or_else(|| MaterialState::of(material));
        let maps = maps(state, found, material, &now, place);
        Some(SurfaceCard { material, state: now, maps })
    }
}

fn find(document: &dyn Document, id: EntryId) -> Option<Found> {
    let material = document.surface(id)?;
    let outline = document.outline();
    let chunk = outline.get(id)?.parent?;
    let root = outline.get(chunk)?.parent?;
    let index = outline.children(chunk).iter().position(|child| *child == id)?;
    let entries = |ids: &[EntryId]| ids.iter().filter_map(|id| outline.get(*id).cloned()).collect::<Vec<Entry>>();
    let tex1 = entries(outline.children(root)).into_iter().find(|entry| entry.class == "TEX1");
    let textures = tex1.map(|tex1| entries(outline.children(tex1.id))).unwrap_or_default();
    let textures = textures.into_iter().map(|entry| (entry.id, entry.name, facts(document, entry.id))).collect();
    Some(Found { material, index, root, textures })
}

/// A texture's header in short: size, format, wrap modes, filters.
fn facts(document: &dyn Document, id: EntryId) -> String {
    let Ok(tree) = document.fields(id) else { return String::new() };
    let text = |name: &str| {
        let value = tree.fields.iter().find(|field| field.name == name).map(|field| &field.value);
        match value {
            Some(Value::Enum { name, .. }) => name.to_string(),
            Some(Value::UInt(number)) => number.to_string(),
            Some(Value::Int(number)) => number.to_string(),
            _ => "?".to_owned(),
        }
    };
    let same = |a: String, b: String| if a == b { a } else { format!("{a}, {b}") };
    let images = text("ImageCount");
    let mips = if matches!(images.as_str(), "0" | "1") { String::new() } else { format!("  ·  {images} mips") };
    format!(
        "{} × {}  ·  {}{mips}  ·  {}  ·  {}",
        text("Width"),
        text("Height"),
        text("Format"),
        same(text("WrapS"), text("WrapT")).to_lowercase(),
        same(text("MinFilter"), text("MagFilter")).to_lowercase(),
    )
}

fn maps(state: &State, found: &Found, material: &TevMaterial, now: &MaterialState, place: Place) -> Vec<TextureMap> {
    let slots = now.textures.iter().zip(&material.textures).enumerate();
    let map = |(slot, (now, at_rest)): (usize, (&Option<u32>, &Option<u32>))| {
        let number = (*now)?;
        let texture = found.textures.get(number as usize);
        let entry = texture.map(|(entry, _, _)| Place { entry: *entry, ..place });
        let thumbnail = match entry.and_then(|entry| state.thumbnails.get(entry)) {
            Some(ThumbnailState::Ready(thumbnail)) => Some(thumbnail.clone()),
            _ => None,
        };
        Some(TextureMap {
            slot: slot as u8,
            name: texture.map_or_else(|| format!("texture {number}"), |(_, name, _)| name.clone()),
            facts: texture.map_or_else(|| "not a texture of this file".to_owned(), |(_, _, facts)| facts.clone()),
            place: entry,
            // One that is being made, or cannot be, need not be asked for again.
            wanted: entry.is_some_and(|entry| state.thumbnails.get(entry).is_none()),
            thumbnail,
            animated: now != at_rest,
        })
    };
    slots.filter_map(map).collect()
}
