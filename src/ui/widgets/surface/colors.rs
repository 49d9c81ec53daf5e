//! Registers, constants and channel colours as swatches with their numbers, and what lights the channels.

use crate::{
    scene::gx::{
        MaterialState, TevMaterial,
        formula::{self, PieceKind},
        sentences,
    },
    ui::{
        theme,
        widgets::surface::card::{SurfaceCard, fact, named},
    },
};
use egui::{Color32, Label, Rect, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

pub fn show(ui: &mut Ui, surface: &SurfaceCard<'_>) {
    let material = surface.material;
    let rest = MaterialState::of(material);
    for kind in used(material) {
        if let (Some((name, now)), Some((_, at_rest))) = (constant(&surface.state, kind), constant(&rest, kind)) {
            row(ui, &name, now, now != at_rest);
        }
    }
    for channel in 0..usize::from(material.channel_count) {
        let (Some(color), Some(alpha)) = (material.channels.get(channel * 2), material.channels.get(channel * 2 + 1))
        else {
            continue;
        };
        let (of_color, of_alpha) = (sentences::channel(color), sentences::channel(alpha));
        if of_color == of_alpha {
            fact(ui, &format!("Channel {channel}"), of_color);
        } else {
            fact(ui, &format!("Channel {channel}"), of_color);
            fact(ui, "Alpha", of_alpha);
        }
        let both = [color, alpha];
        if both.iter().any(|c| !c.material_from_vertex)
            && let (Some(now), Some(at_rest)) =
                (surface.state.material_colors.get(channel), rest.material_colors.get(channel))
        {
            row(ui, "material", *now, now != at_rest);
        }
        if both.iter().any(|c| c.lit && !c.ambient_from_vertex)
            && let Some(ambient) = material.ambient_colors.get(channel)
        {
            row(ui, "ambient", ambient.map(f32::from), false);
        }
    }
    if material.channel_count == 0 {
        fact(ui, "Channels", "none");
    }
}

/// Registers and constants that a stage reads or writes.
fn used(material: &TevMaterial) -> Vec<PieceKind> {
    let mut used = Vec::new();
    for stage in &material.stages {
        for piece in [formula::color(material, stage), formula::alpha(material, stage)].iter().flat_map(|f| &f.pieces) {
            if matches!(piece.kind, PieceKind::Register(_) | PieceKind::Konst(_)) {
                used.push(piece.kind);
            }
        }
    }
    used.sort_by_key(|kind| match kind {
        PieceKind::Register(index) => (0, *index),
        PieceKind::Konst(index) => (1, *index),
        _ => (2, 0),
    });
    used.dedup();
    used
}

/// Name and value of a constant or register at the moment.
pub fn constant(state: &MaterialState, kind: PieceKind) -> Option<(String, [f32; 4])> {
    match kind {
        PieceKind::Register(index) => Some((format!("C{index}"), *state.registers.get(usize::from(index))?)),
        PieceKind::Konst(index) => Some((format!("K{index}"), *state.konst.get(usize::from(index))?)),
        _ => None,
    }
}

fn row(ui: &mut Ui, name: &str, value: [f32; 4], animated: bool) {
    ui.horizontal(|ui| {
        named(ui, name);
        swatch(ui, value);
        let numbers = value.map(|v| format!("{v:>5.0}")).concat();
        ui.add(Label::new(theme::figures(numbers.trim_start())).selectable(true));
        if animated {
            ui.label(RichText::new("animated").small().weak());
        }
    });
}

/// A small swatch with a name; its numbers are said when pointed at.
pub fn chip(ui: &mut Ui, name: &str, value: [f32; 4]) {
    let [r, g, b, a] = value.map(|v| format!("{v:.0}"));
    let text = format!("{name}: red {r}, green {g}, blue {b}, alpha {a}");
    swatch(ui, value).on_hover_text(&text);
    ui.label(RichText::new(name).small().weak()).on_hover_text(text);
}

/// A colour: as it is on the left, over squares by its alpha on the right.
pub fn swatch(ui: &mut Ui, value: [f32; 4]) -> egui::Response {
    let [r, g, b, a] = value.map(|v| v.clamp(0.0, 255.0) as u8);
    let (rect, response) = ui.allocate_exact_size(vec2(28.0, 14.0), Sense::hover());
    let middle = rect.center().x.round();
    let painter = ui.painter();
    let opaque = Color32::from_rgb(r, g, b);
    painter.rect_filled(Rect::from_min_max(rect.min, pos2(middle, rect.bottom())), 0.0, opaque);
    let side = rect.height() / 2.0;
    for row in 0..2 {
        for column in 0..2 {
            let min = pos2(middle + side * column as f32, rect.top() + side * row as f32);
            let cell = Rect::from_min_size(min, vec2(side, side)).intersect(rect);
            let grey = if (row + column) % 2 == 0 { 0xB8 } else { 0x78 };
            let mix = |c: u8| ((u16::from(c) * u16::from(a) + grey * u16::from(255 - a)) / 255) as u8;
            painter.rect_filled(cell, 0.0, Color32::from_rgb(mix(r), mix(g), mix(b)));
        }
    }
    painter.rect_stroke(rect, 2.0, Stroke::new(1.0, theme::palette(ui).line), StrokeKind::Outside);
    response
}
