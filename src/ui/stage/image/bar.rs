//! The bar above a picture: zoom, channels, alpha, tiling, form and mip.

use crate::{
    scene::{Image, Picture},
    ui::{
        stage::image::view::{Choice, ImageView},
        theme::{self, Palette},
    },
};
use egui::{Color32, ComboBox, Popup, RichText, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

/// Zoom: fitted, pixel by pixel, nearer, farther, with the number between.
pub fn zoom(ui: &mut Ui, view: &mut ImageView) {
    let p = theme::palette(ui);
    let canvas = &mut view.canvas;
    if theme::icon_toggle(ui, icon::FRAME_CORNERS, "Fit to view (double-click)", canvas.is_fitted()).clicked() {
        canvas.fit();
    }
    let exact = !canvas.is_fitted() && (canvas.zoom() - 1.0).abs() < 1e-3;
    let text = RichText::new("1:1").size(12.0).color(if exact { p.accent } else { p.text });
    let fill = if exact { p.accent_soft } else { Color32::TRANSPARENT };
    let one = ui.add(egui::Button::new(text).fill(fill).min_size(vec2(30.0, 28.0)));
    one.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, exact, "Actual size"));
    if one.on_hover_text("Actual size (100 %)").clicked() {
        canvas.one_to_one();
    }
    if theme::icon_button(ui, icon::MAGNIFYING_GLASS_MINUS, "Zoom out").clicked() {
        canvas.zoom_by(0.5);
    }
    let percent = canvas.zoom() * 100.0;
    let percent = if percent < 10.0 { format!("{percent:.1} %") } else { format!("{percent:.0} %") };
    let label = ui.add_sized(
        vec2(52.0, 28.0),
        egui::Label::new(theme::figures(percent.as_str()).color(p.weak)).selectable(false),
    );
    label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("Zoom {percent}")));
    if theme::icon_button(ui, icon::MAGNIFYING_GLASS_PLUS, "Zoom in").clicked() {
        canvas.zoom_by(2.0);
    }
}

/// Red, green, blue and alpha, each on or off; the right button leaves one alone.
pub fn channels(ui: &mut Ui, view: &mut ImageView) {
    let p = theme::palette(ui);
    let dark = ui.visuals().dark_mode;
    let names = [("R", "Red"), ("G", "Green"), ("B", "Blue"), ("A", "Alpha")];
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 1.0;
        for (index, (letter, name)) in names.into_iter().enumerate() {
            let on = view.channels.0[index];
            let color = if on { channel_color(index, dark, &p) } else { p.weak.gamma_multiply(0.7) };
            let fill = if on { p.card } else { Color32::TRANSPARENT };
            let text = RichText::new(letter).size(12.0).strong().color(color);
            let button = ui.add(egui::Button::new(text).fill(fill).min_size(vec2(24.0, 24.0)));
            button.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, name));
            let button = button.on_hover_text(format!(
                "{name}: click to turn on or off, right-click to show only {}",
                name.to_lowercase()
            ));
            let mut alone = [false; 4];
            alone[index] = true;
            if button.clicked() {
                view.channels.0[index] = !on;
                if !view.channels.0.contains(&true) {
                    view.channels.0 = [true; 4];
                }
            } else if button.secondary_clicked() {
                view.channels.0 = if view.channels.0 == alone { [true; 4] } else { alone };
            }
        }
    });
}

fn channel_color(index: usize, dark: bool, p: &Palette) -> Color32 {
    let [r, g, b] = match (index, dark) {
        (0, true) => [0xf0, 0x77, 0x6d],
        (0, false) => [0xb4, 0x2b, 0x22],
        (1, true) => [0x86, 0xc0, 0x76],
        (1, false) => [0x2d, 0x7a, 0x3e],
        (2, true) => [0x78, 0xae, 0xe8],
        (2, false) => [0x20, 0x62, 0xaa],
        _ => return p.strong,
    };
    Color32::from_rgb(r, g, b)
}

/// Cut out or opaque, once or nine times.
pub fn alpha_and_tiling(ui: &mut Ui, view: &mut ImageView, uses_alpha: bool) {
    let on = view.choice.uses_alpha.unwrap_or(uses_alpha);
    let name = if on {
        "Alpha is used as transparency. Click to ignore alpha"
    } else {
        "Alpha is ignored. Click to use alpha as transparency"
    };
    if labeled_toggle(ui, icon::CHECKERBOARD, "Alpha as transparency", name, on) {
        view.choice.uses_alpha = Some(!on);
    }
    let tiled = view.tiled;
    if labeled_toggle(ui, icon::GRID_NINE, "Tiled", "Show 3 × 3 copies of the image to check its seams", tiled) {
        view.tiled = !tiled;
        view.canvas.fit();
    }
}

fn labeled_toggle(ui: &mut Ui, sign: &str, label: &str, hint: &str, on: bool) -> bool {
    let p = theme::palette(ui);
    let text = RichText::new(sign).size(16.0).color(if on { p.accent } else { p.text });
    let fill = if on { p.accent_soft } else { Color32::TRANSPARENT };
    let button = ui.add(egui::Button::new(text).fill(fill).min_size(vec2(28.0, 28.0)));
    button.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, label));
    button.on_hover_text(hint).clicked()
}

/// Which stored form, which mip. One of a kind is nothing to choose from.
pub fn form_and_mip(ui: &mut Ui, picture: &Picture, choice: &mut Choice) {
    let at = choice.form.unwrap_or(picture.preferred).min(picture.forms.len().saturating_sub(1));
    if picture.forms.len() > 1 {
        let name = |at: usize| picture.forms.get(at).map_or("", |f| f.name.as_str());
        let text = if choice.side_by_side { "Side by side" } else { name(at) };
        let combo = ComboBox::from_id_salt("form").width(96.0).selected_text(text).show_ui(ui, |ui| {
            for index in 0..picture.forms.len() {
                let is_on = !choice.side_by_side && index == at;
                let row = ui.selectable_label(is_on, name(index));
                if row.clicked() {
                    (choice.form, choice.side_by_side) = (Some(index), false);
                }
            }
            if ui.selectable_label(choice.side_by_side, "Side by side").clicked() {
                choice.side_by_side = true;
            }
        });
        let response = combo.response;
        response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, format!("Stored format: {text}")));
        response.on_hover_text("The file stores this image in several formats");
    }
    let most = picture.forms.iter().map(|f| f.mips.len()).max().unwrap_or(0);
    if most > 1 {
        let mips = picture.forms.get(at).map(|f| f.mips.as_slice()).unwrap_or_default();
        let text = |index: usize| match mips.get(index) {
            Some(image) => format!("Mip {index}  {}", size_text(image)),
            None => format!("Mip {index}"),
        };
        let combo = ComboBox::from_id_salt("mip").width(128.0).selected_text(text(choice.mip)).show_ui(ui, |ui| {
            for index in 0..most {
                if ui.selectable_label(choice.mip == index, text(index)).clicked() {
                    choice.mip = index;
                }
            }
        });
        let name = format!("Mip: {}", choice.mip);
        combo.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, name.as_str()));
    }
}

/// What else is known of the picture, in a small table.
pub fn facts(ui: &mut Ui, facts: &[(String, String)]) {
    if facts.is_empty() {
        return;
    }
    let button = theme::icon_button(ui, icon::INFO, "Details");
    Popup::menu(&button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        table(ui, facts);
    });
}

/// Names and values in two columns.
pub fn table(ui: &mut Ui, facts: &[(String, String)]) {
    let p = theme::palette(ui);
    egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
        egui::Grid::new("facts").num_columns(2).spacing([16.0, 4.0]).show(ui, |ui| {
            for (name, value) in facts {
                ui.label(RichText::new(name).color(p.weak));
                ui.label(theme::figures(value.as_str()).color(p.text));
                ui.end_row();
            }
        });
    });
}

/// `256 × 128`.
pub fn size_text(image: &Image) -> String {
    format!("{} × {}", image.width, image.height)
}
