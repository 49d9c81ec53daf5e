//! How large a model is written, and which axis of the file is up.

use crate::{
    export::{ExportFormat, ExportSpace, ExportUp, space::SCALES},
    formats::METRES_PER_UNREAL_UNIT,
    ui::{state::ExportDraft, theme},
};
use egui::{Align, DragValue, Label, Layout, RichText, Ui, WidgetInfo, WidgetType, vec2};
use glam::Vec3;

/// Width of what stands before the fields.
const NAME_WIDTH: f32 = 64.0;

/// Width of the field of the scale.
const FIELD_WIDTH: f32 = 88.0;

/// Scales that are chosen with one click: the name, and what it does.
const PRESETS: [(f32, &str, &str); 3] = [
    (1.0, "Unchanged", "1: keep the values of the file, for import into the game's editor"),
    (0.01, "cm to m", "0.01: centimetres to metres"),
    (METRES_PER_UNREAL_UNIT, "Unreal to m", "1/52.5: Unreal Engine 1 units to metres"),
];

pub fn show(ui: &mut Ui, draft: &mut ExportDraft) {
    row(ui, "Scale", |ui| {
        let scale = &mut draft.space.scale;
        let speed = f64::from(*scale) * 0.01;
        let field = DragValue::new(&mut *scale).range(SCALES).speed(speed).max_decimals(6);
        let field = field
            .custom_formatter(|scale, _| ExportSpace { scale: scale as f32, ..Default::default() }.scale_text())
            .custom_parser(number_of);
        let field = ui.add_sized(vec2(FIELD_WIDTH, ui.spacing().interact_size.y), field);
        field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Scale"));
        for (preset, name, hint) in PRESETS {
            ui.selectable_value(&mut *scale, preset, name).on_hover_text(hint);
        }
    });
    row(ui, "Up axis", |ui| {
        let is_obj = draft.format == ExportFormat::Obj;
        let in_file_space = is_obj && draft.file_space;
        for (up, name, spoken) in [(ExportUp::Y, "Y", "Y up"), (ExportUp::Z, "Z", "Z up")] {
            let is_on = !in_file_space && draft.space.up == up;
            let choice = ui.selectable_label(is_on, name);
            choice.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_on, spoken));
            if choice.clicked() {
                (draft.space.up, draft.file_space) = (up, false);
            }
        }
        if is_obj {
            ui.selectable_value(&mut draft.file_space, true, "Same as file");
        }
        if let Some(extent) = draft.written_extent() {
            let p = theme::palette(ui);
            let unit = match draft.format {
                // glTF is in metres, and so are landscapes.
                format if format.is_gltf() => "m",
                _ if draft.of_terrain => "m",
                _ => "units",
            };
            let mut text = size_text(extent, unit);
            if draft.format.is_gltf() && !draft.of_terrain {
                text.push_str(" (a person is about 1.8 m tall)");
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(text).color(p.weak)).truncate().selectable(false))
                    .on_hover_text("Size along X, Y and Z in the exported file, without animation");
            });
        }
    });
}

/// A name and what stands behind it.
fn row(ui: &mut Ui, name: &str, fields: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let size = vec2(NAME_WIDTH, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            ui.add(Label::new(name).selectable(false));
        });
        fields(ui);
    });
}

/// Parses a number or a fraction, as [`ExportSpace::scale_text`] writes them.
fn number_of(text: &str) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    match text.split_once('/') {
        Some((above, below)) => Some(number(above)? / number(below).filter(|below| *below != 0.0)?),
        None => number(text),
    }
}

/// `1.2 × 1.83 × 0.5 m`, to three digits.
fn size_text(extent: Vec3, unit: &str) -> String {
    let [x, y, z] = extent.to_array().map(length_text);
    format!("{x} × {y} × {z} {unit}")
}

fn length_text(length: f32) -> String {
    match length {
        0.0 => "0".to_owned(),
        // Else there would be a row of noughts.
        _ if !(1e-3..1e6).contains(&length) => format!("{length:.1e}"),
        _ => {
            let whole = length.log10().floor() as i32 + 1;
            format!("{length:.*}", usize::try_from(3 - whole).unwrap_or(0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_typed_as_numbers_or_fractions() {
        assert_eq!(["2.5", " 1 / 4", "1/52.5"].map(number_of), [Some(2.5), Some(0.25), Some(1.0 / 52.5)]);
        assert_eq!(["", "1/0", "1/2/3", "a", "inf", "/2"].map(number_of), [None; 6]);
        for scale in [1.0, 0.01, 2.5, METRES_PER_UNREAL_UNIT] {
            assert_eq!(
                number_of(&ExportSpace { scale, ..ExportSpace::default() }.scale_text()).map(|read| read as f32),
                Some(scale)
            );
        }
    }

    #[test]
    fn sizes_have_three_digits() {
        let said = [0.0, 0.001_234, 0.5, 1.834, 52.5, 1_234.5, 2e7, 1e-5].map(length_text);
        assert_eq!(said, ["0", "0.00123", "0.500", "1.83", "52.5", "1234", "2.0e7", "1.0e-5"]);
        assert_eq!(size_text(Vec3::new(1.0, 2.0, 30.0), "m"), "1.00 × 2.00 × 30.0 m");
    }
}
