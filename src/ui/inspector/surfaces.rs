//! The selected material: from its document, with the frame of the model on show.

use crate::{
    formats::{Document, EntryId, SurfaceInfo, TextureSampling},
    scene::{
        Model, TargetKind,
        gx::{Filter, MaterialState, TevMaterial, Texture, Wrap, names},
    },
    ui::{
        state::{Place, State, ThumbnailState},
        widgets::surface::card::{SurfaceCard, TextureMap},
    },
};

/// The material that was selected last, read once.
#[derive(Default)]
pub struct SelectedSurface {
    made_for: Option<(Place, u64)>,
    found: Option<Found>,
}

struct Found {
    surface: SurfaceInfo,
    /// Textures of its file: entry, name, what the header says.
    textures: Vec<(EntryId, String, String)>,
}

impl SelectedSurface {
    /// The material that `place` is, as it is at this moment.
    pub fn card<'a>(&'a mut self, state: &State, document: &dyn Document, place: Place) -> Option<SurfaceCard<'a>> {
        let wanted = Some((place, state.core.library.revision()));
        if self.made_for != wanted {
            self.made_for = wanted;
            self.found = find(document, place.entry);
        }
        let found = self.found.as_ref()?;
        let surface = &found.surface;
        let material = surface.material.tev()?;
        let on_show = state.stages.front.model().filter(|shown| {
            let same = shown.model.materials.get(surface.index).is_some_and(|m| m.name == surface.material.name);
            shown.place.file == place.file && shown.place.entry == surface.owner && same
        });
        // A material set that is on has its own material in this place.
        let on_show = on_show.filter(|shown| shown.playback.player.layer(TargetKind::Materials).is_none());
        let frame = on_show.and_then(|shown| shown.playback.frame.materials.get(surface.index).cloned().flatten());
        let now = frame.unwrap_or_else(|| MaterialState::of(material));
        let model = on_show.map(|shown| &*shown.model);
        let maps = maps(state, found, material, &now, place, model);
        Some(SurfaceCard { material, state: now, maps })
    }
}

fn find(document: &dyn Document, id: EntryId) -> Option<Found> {
    let surface = document.ask(id, |can, entry| can.facts?.surface(entry))?;
    let textures = surface.textures.iter().filter_map(|id| document.outline().get(*id));
    let textures = textures.map(|entry| (entry.id, entry.name.to_string(), facts(document, entry.id))).collect();
    Some(Found { surface, textures })
}

/// A texture's header in short: size, format, wrap modes, filters.
fn facts(document: &dyn Document, id: EntryId) -> String {
    let Some(header) = document.ask(id, |can, entry| can.facts?.texture_header(entry)) else { return String::new() };
    let picture = format!("{} × {}  ·  {}", header.width, header.height, header.pixel_format);
    let Some(TextureSampling { wrap, filter }) = header.sampling else { return picture };
    let images = header.image_count;
    let mips = if images <= 1 { String::new() } else { format!("  ·  {images} mips") };
    let [wrap, filter] = [wrap, filter].map(|[a, b]| same(a.into_owned(), b.into_owned()).to_lowercase());
    format!("{picture}{mips}  ·  {wrap}  ·  {filter}")
}

fn same(a: String, b: String) -> String {
    if a == b { a } else { format!("{a}, {b}") }
}

/// The same of a texture that is drawn.
fn drawn_facts(texture: &Texture) -> Option<String> {
    let image = texture.mips.first()?;
    let mips = if texture.mips.len() > 1 { format!("  ·  {} mips", texture.mips.len()) } else { String::new() };
    let wrap = |wrap: Wrap| names::wrap(wrap as u8).unwrap_or("?").to_lowercase();
    let filter = |filter: Filter| names::filter(filter as u8).unwrap_or("?").to_lowercase();
    Some(format!(
        "{} × {}  ·  {}{mips}  ·  {}  ·  {}",
        image.width,
        image.height,
        image.stored_as,
        same(wrap(texture.wrap_s), wrap(texture.wrap_t)),
        same(filter(texture.min_filter), filter(texture.mag_filter)),
    ))
}

/// `model`: the model on show, where the material is one of its own.
fn maps(
    state: &State,
    found: &Found,
    material: &TevMaterial,
    now: &MaterialState,
    place: Place,
    model: Option<&Model>,
) -> Vec<TextureMap> {
    let drawn = |slot: usize| {
        let model = model.filter(|_| !found.surface.headers_sample)?;
        let number = model.materials.get(found.surface.index)?.tev()?.textures.get(slot).copied()??;
        drawn_facts(model.textures.get(number as usize)?)
    };
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
            facts: drawn(slot)
                .or_else(|| texture.map(|(_, _, facts)| facts.clone()))
                .unwrap_or_else(|| "not in this file".to_owned()),
            place: entry,
            // One that is being made, or cannot be, need not be asked for again.
            wanted: entry.is_some_and(|entry| state.thumbnails.get(entry).is_none()),
            thumbnail,
            animated: now != at_rest,
        })
    };
    slots.filter_map(map).collect()
}
