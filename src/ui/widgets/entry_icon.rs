//! What an entry is, as an icon: its shape and its colour.

use crate::{
    formats::{Content, Entry, EntryId},
    ui::theme::Palette,
};
use egui::Color32;
use egui_phosphor::regular as icon;

/// Icon and colour of an entry.
pub fn of(entry: &Entry, p: &Palette) -> (&'static str, Color32) {
    let dark = p.base.r() < 128;
    let tone = |dark_rgb: [u8; 3], light_rgb: [u8; 3]| {
        let [r, g, b] = if dark { dark_rgb } else { light_rgb };
        Color32::from_rgb(r, g, b)
    };
    let blue = tone([120, 174, 232], [32, 98, 170]);
    let green = tone([132, 196, 140], [38, 120, 56]);
    let violet = tone([184, 156, 232], [112, 72, 176]);
    let rose = tone([230, 142, 160], [172, 52, 84]);
    let sand = tone([206, 192, 160], [124, 100, 52]);
    if matches!(&*entry.class, "RARC" | "U8" | "Yaz0" | "Yay0" | "Archive") {
        return (icon::FILE_ARCHIVE, if entry.id == EntryId::FILE { p.text } else { sand });
    }
    if entry.id == EntryId::FILE {
        return (icon::FILE, p.text);
    }
    match entry.content {
        Content::Model => (icon::PERSON, blue),
        Content::Clip => (icon::FILM_STRIP, green),
        Content::Image | Content::Palette => (icon::IMAGE, violet),
        Content::Sound | Content::Music => (icon::MUSIC_NOTE, rose),
        Content::Text | Content::Font => (icon::TEXT_ALIGN_LEFT, p.text),
        Content::Map | Content::Terrain => (icon::MOUNTAINS, green),
        Content::Actor => (icon::MAP_PIN, rose),
        Content::Bytes | Content::None => {
            let class = &*entry.class;
            let has = |word: &str| class.contains(word);
            if class == "Folder" {
                (icon::FOLDER, sand)
            } else if class == "File" {
                (icon::FILE, p.weak)
            } else if has("Bone") || has("Joint") {
                (icon::BONE, sand)
            } else if has("Mat") {
                (icon::PAINT_BRUSH, violet)
            } else if has("Sock") {
                (icon::PLUG, rose)
            } else if has("Morph") || has("Mrph") || class == "Pose" {
                (icon::MASK_HAPPY, rose)
            } else {
                (icon::STACK, p.weak)
            }
        }
    }
}
