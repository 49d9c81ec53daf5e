//! The histogram of a picture, and the range of its values that is drawn.

use crate::{
    scene::Image,
    ui::{
        stage::image::{channel_counts::Histogram, view::ImageView},
        theme::{self, Palette},
        widgets::numbers::grouped,
    },
};
use egui::{
    Align2, Color32, DragValue, FontId, Label, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

/// Height of the bars, in points.
const BARS: f32 = 72.0;

const NAMES: [&str; 4] = ["red", "green", "blue", "alpha"];

/// Shows the histogram of an image, and the range below it.
pub fn show(ui: &mut Ui, image: &Image, key: u64, view: &mut ImageView) {
    if view.histogram.counted.as_ref().is_none_or(|(known, _)| *known != key) {
        view.histogram.counted = Some((key, Histogram::of(image)));
    }
    let Some((_, histogram)) = &view.histogram.counted else { return };
    let p = theme::palette(ui);
    let channels = view.channels.0;
    let words: Vec<String> = (0..4)
        .filter_map(|channel| {
            let [low, high] = histogram.range(channel)?;
            Some(format!("{} {low} to {high}", NAMES[channel]))
        })
        .collect();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), BARS), Sense::hover());
    let spoken = format!("Histogram: {}", words.join(", "));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, spoken.as_str()));
    bars(ui, rect, histogram, channels, response.hover_pos().map(|at| at.x), &p);
    let fits =
        histogram.range_of([channels[0], channels[1], channels[2], channels[3] && !channels[..3].contains(&true)]);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.add(Label::new(RichText::new("Range").small().color(p.weak)).selectable(false));
        let [mut low, mut high] = view.range.unwrap_or([0, 255]);
        let least = ui.add(DragValue::new(&mut low).range(0..=high.saturating_sub(1)));
        least.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Black point"));
        let most = ui.add(DragValue::new(&mut high).range(low.saturating_add(1)..=255));
        most.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "White point"));
        if least.changed() || most.changed() {
            view.range = Some([low, high]);
        }
        let fit = ui.add_enabled(fits.is_some_and(|[low, high]| low < high), egui::Button::new("Fit"));
        fit.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Fit the range to the values"));
        if fit.clicked() {
            view.range = fits;
        }
        let all = ui.add_enabled(view.range.is_some(), egui::Button::new("Reset"));
        all.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Reset the range"));
        if all.clicked() {
            view.range = None;
        }
        ui.add(Label::new(RichText::new(words.join("  ·  ")).small().color(p.weak)).truncate().selectable(false));
        if histogram.step > 1 {
            let text = format!("1 in {} rows sampled", histogram.step);
            ui.add(Label::new(RichText::new(text).small().color(p.weak)).selectable(false));
        }
    });
    // A range of nothing shows all.
    view.range = view.range.filter(|[low, high]| low < high && (*low, *high) != (0, 255));
}

fn bars(ui: &Ui, rect: Rect, histogram: &Histogram, channels: [bool; 4], pointer: Option<f32>, p: &Palette) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, p.field);
    let on: Vec<usize> = (0..4).filter(|channel| channels[*channel]).collect();
    let most = on.iter().flat_map(|channel| histogram.counts[*channel]).max().unwrap_or(0).max(1);
    let colors = [
        Color32::from_rgb(0xe0, 0x6c, 0x75),
        Color32::from_rgb(0x6a, 0xb0, 0x5a),
        Color32::from_rgb(0x5a, 0x98, 0xe6),
        p.strong,
    ];
    let width = rect.width() / 256.0;
    for channel in on.iter().copied() {
        let line = |value: usize| {
            // Few are seen beside many.
            let share = (f64::from(histogram.counts[channel][value]) / f64::from(most)).sqrt() as f32;
            pos2(rect.left() + (value as f32 + 0.5) * width, rect.bottom() - 1.0 - share * (rect.height() - 4.0))
        };
        let points: Vec<egui::Pos2> = (0..256).map(line).collect();
        for at in &points {
            painter.vline(
                at.x,
                at.y..=rect.bottom(),
                Stroke::new(width.max(1.0), colors[channel].gamma_multiply(0.25)),
            );
        }
        painter.add(egui::Shape::line(points, Stroke::new(1.0, colors[channel])));
    }
    if let Some(x) = pointer {
        let value = (((x - rect.left()) / width) as usize).min(255);
        painter.vline(x, rect.y_range(), Stroke::new(1.0, p.weak));
        let counts: Vec<String> = on
            .iter()
            .map(|channel| format!("{} {}", NAMES[*channel], grouped(histogram.counts[*channel][value])))
            .collect();
        let text = format!("{value}: {}", counts.join(", "));
        let font = FontId::proportional(theme::SMALL);
        painter.text(rect.right_top() + vec2(-6.0, 3.0), Align2::RIGHT_TOP, text, font, p.strong);
    }
}
