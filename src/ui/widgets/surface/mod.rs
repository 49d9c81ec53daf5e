//! A material of the GameCube's chip as cards: textures as pictures, stages as formulas, colours, coordinates, and what happens to pixels.

pub mod card;
mod colors;
mod stages;
mod textures;

use crate::{
    scene::gx::{TevMaterial, sentences},
    ui::{
        command::Command,
        widgets::{
            diagnostic_card::card,
            surface::card::{SurfaceCard, fact, named},
        },
    },
};
use egui::{CollapsingHeader, Label, RichText, Ui};
use egui_phosphor::regular as icon;

/// Shows a material.
pub fn show(ui: &mut Ui, surface: &SurfaceCard<'_>, commands: &mut Vec<Command>) {
    let material = surface.material;
    if !surface.maps.is_empty() {
        part(ui, icon::IMAGE, "Textures", |ui| textures::show(ui, &surface.maps, commands));
    }
    let count = material.stages.len();
    let title = format!("Combiner: {count} {}", if count == 1 { "stage" } else { "stages" });
    part(ui, icon::FUNCTION, &title, |ui| stages::show(ui, surface));
    part(ui, icon::PALETTE, "Colours", |ui| colors::show(ui, surface));
    if !material.texgens.is_empty() {
        part(ui, icon::GRID_NINE, "Texture coordinates", |ui| coordinates(ui, surface));
    }
    part(ui, icon::STACK, "Pixels", |ui| pixels(ui, material));
}

fn part(ui: &mut Ui, glyph: &str, title: &str, add: impl FnOnce(&mut Ui)) {
    // Not the counts: a part stays open or closed from one material to the next.
    let name = title.split(':').next().unwrap_or(title).to_owned();
    card(ui, |ui| {
        let heading = RichText::new(format!("{glyph}  {title}")).strong();
        CollapsingHeader::new(heading).id_salt(("surface", name)).default_open(true).show_unindented(ui, |ui| {
            ui.add_space(2.0);
            ui.spacing_mut().item_spacing.y = 4.0;
            add(ui);
        });
    });
}

fn coordinates(ui: &mut Ui, surface: &SurfaceCard<'_>) {
    let material = surface.material;
    for (index, texgen) in material.texgens.iter().enumerate() {
        fact(ui, &format!("Coordinate {index}"), sentences::texgen(material, texgen));
        let slot = match texgen.matrix {
            code @ 30..=57 if texgen.kind < 2 && code % 3 == 0 => usize::from((code - 30) / 3),
            _ => continue,
        };
        if let Some(text) = matrix_text(surface, slot) {
            fact(ui, "", RichText::new(text).small().weak());
        }
    }
}

/// What a texture matrix does; its numbers while an animation drives it. Nothing for one that does nothing.
fn matrix_text(surface: &SurfaceCard<'_>, slot: usize) -> Option<String> {
    let rest = surface.material.texture_matrices.get(slot).copied().flatten();
    let now = surface.state.texture_srt.get(slot).copied().flatten();
    if let Some(now) = now.filter(|now| rest.as_ref().is_none_or(|rest| rest.srt() != *now)) {
        let numbers = now.map(|n| format!("{n:.3}"));
        let [a, b, c, d, e, f] = &numbers;
        return Some(format!("animated: {a} {b} {c} / {d} {e} {f}"));
    }
    let matrix = rest?;
    let mut parts = Vec::new();
    if matrix.scale != [1.0; 2] {
        parts.push(format!("scaled {} × {}", matrix.scale[0], matrix.scale[1]));
    }
    if matrix.rotation != 0.0 {
        parts.push(format!("rotated {:.1}°", matrix.rotation.to_degrees()));
    }
    if matrix.translation != [0.0; 2] {
        parts.push(format!("moved {}, {}", matrix.translation[0], matrix.translation[1]));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn pixels(ui: &mut Ui, material: &TevMaterial) {
    let order =
        if material.translucent { "after opaque surfaces, in reverse shape order" } else { "with opaque surfaces" };
    fact(ui, "Draw order", order);
    fact(ui, "Faces", sentences::cull(material.cull));
    fact(ui, "Alpha test", sentences::alpha_compare(&material.alpha_compare));
    fact(ui, "Blending", sentences::blend(&material.blend));
    fact(ui, "Depth", sentences::depth(&material.z_mode, material.z_before_texture));
    if material.fog.kind != 0 {
        ui.horizontal_top(|ui| {
            named(ui, "Fog");
            let [r, g, b, _] = material.fog.color;
            colors::swatch(ui, [f32::from(r), f32::from(g), f32::from(b), 255.0]);
            ui.add(Label::new(format!("{}, off by default", sentences::fog(&material.fog))).wrap());
        });
    }
}
