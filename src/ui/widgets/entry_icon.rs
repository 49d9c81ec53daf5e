//! What an entry is, as an icon: its shape and its colour.

use crate::formats::{Content, Entry, EntryId};
use egui::Color32;
use egui_phosphor::regular as icon;

/// Icon and colour of an entry.
pub fn of(entry: &Entry, dark: bool) -> (&'static str, Color32) {
    let (glyph, [r, g, b]) = match entry.content {
        Content::Model => (icon::CUBE, [104, 160, 232]),
        Content::Clip => (icon::PERSON_SIMPLE_RUN, [120, 190, 120]),
        Content::Image => (icon::IMAGE, [206, 140, 200]),
        Content::Palette => (icon::PALETTE, [206, 140, 200]),
        Content::Font => (icon::TEXT_AA, [206, 140, 200]),
        Content::Sound => (icon::SPEAKER_HIGH, [96, 186, 190]),
        Content::Music => (icon::MUSIC_NOTES, [96, 186, 190]),
        Content::Text => (icon::FILE_TEXT, [190, 184, 172]),
        Content::Map => (icon::MAP_TRIFOLD, [214, 170, 96]),
        Content::Terrain => (icon::MOUNTAINS, [214, 170, 96]),
        Content::Actor => (icon::PERSON_ARMS_SPREAD, [214, 170, 96]),
        Content::Bytes | Content::None => match entry.class {
            _ if entry.id == EntryId::FILE => (icon::FILE, [190, 184, 172]),
            class if is_bone(class) => (icon::BONE, [222, 206, 170]),
            class if class.contains("Material") => (icon::PAINT_BRUSH, [206, 140, 200]),
            class if class.contains("Chunk") || class.contains("Group") => (icon::FOLDER_SIMPLE, [160, 160, 168]),
            _ => (icon::BRACKETS_CURLY, [160, 160, 168]),
        },
    };
    // The same hues, dark enough to read on paper.
    let scale = if dark { 1.0 } else { 0.62 };
    let channel = |c: u8| (f32::from(c) * scale) as u8;
    (glyph, Color32::from_rgb(channel(r), channel(g), channel(b)))
}

fn is_bone(class: &str) -> bool {
    ["Bone", "Joint", "Jnt"].iter().any(|word| class.contains(word))
}
