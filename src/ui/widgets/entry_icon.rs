//! What an entry is, as an icon: its shape and its colour.

use crate::{
    formats::{Content, Entry, EntryId, Role},
    ui::theme::Palette,
};
use egui::Color32;
use egui_phosphor::regular as icon;

/// Icon and colour of an entry.
pub fn of(entry: &Entry, p: &Palette) -> (&'static str, Color32) {
    match entry.role {
        Role::Archive if entry.id == EntryId::FILE => (icon::FILE_ARCHIVE, p.text),
        _ if entry.id == EntryId::FILE => (icon::FILE, p.text),
        role => of_role(role, p),
    }
}

/// Icon and colour of a file, by what it is (`root`) and what it is about.
pub fn of_file(root: &Entry, about: Content, p: &Palette) -> (&'static str, Color32) {
    let role = match about {
        _ if root.role == Role::Archive => Role::Archive,
        Content::Map => return (icon::HOUSE_LINE, of_role(Role::Level, p).1),
        Content::Terrain => Role::Landscape,
        Content::Model => Role::Model,
        Content::Clip => Role::Clip,
        Content::Image | Content::Palette => Role::Texture,
        Content::Sound | Content::Music => Role::Sound,
        Content::Font | Content::Text => return (icon::FILE_TEXT, p.text),
        Content::Actor | Content::Bytes | Content::None => return (icon::FILE, p.text),
    };
    of_role(role, p)
}

/// Icon and colour of what has a role.
pub fn of_role(role: Role, p: &Palette) -> (&'static str, Color32) {
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
    match role {
        Role::Archive => (icon::FILE_ARCHIVE, sand),
        Role::File | Role::Member => (icon::FILE, p.weak),
        Role::Folder => (icon::FOLDER, sand),
        Role::Model | Role::Skeleton => (icon::PERSON, blue),
        Role::Part | Role::Brush => (icon::CUBE, blue),
        Role::Bone => (icon::BONE, sand),
        Role::Socket => (icon::PLUG, rose),
        Role::Material => (icon::PAINT_BRUSH, violet),
        Role::Texture | Role::Palette => (icon::IMAGE, violet),
        Role::Morph => (icon::MASK_HAPPY, rose),
        Role::Clip | Role::SurfaceClip | Role::VertexSequence => (icon::FILM_STRIP, green),
        Role::Sound | Role::Music => (icon::MUSIC_NOTE, rose),
        Role::Font | Role::Text | Role::Script | Role::Class | Role::ClassMember => (icon::TEXT_ALIGN_LEFT, p.text),
        Role::Level | Role::Landscape => (icon::MOUNTAINS, green),
        Role::Actor => (icon::MAP_PIN, rose),
        Role::Group | Role::ObjectList | Role::Data => (icon::STACK, p.weak),
    }
}
