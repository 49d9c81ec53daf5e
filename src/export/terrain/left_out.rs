use crate::export::Notes;
use crate::scene::Terrain;

/// Says what of a landscape is in no file of models, and what was looked for and not found.
pub fn note_left_out(terrain: &Terrain, notes: &mut Notes) {
    let hidden = terrain.pictures.iter().filter(|picture| !picture.visible).count();
    let left_out =
        [("zones", terrain.zones.len()), ("hidden ground images", hidden), ("material layers", terrain.layers.len())];
    let named: Vec<&str> = left_out.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect();
    if !named.is_empty() {
        notes.push(format!("{} are omitted", named.join(", ")));
    }
    notes.extend(terrain.missing.iter().cloned());
}
