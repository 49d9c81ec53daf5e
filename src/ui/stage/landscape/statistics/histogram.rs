//! How much of the ground lies at which height, in an atlas's colours.

use crate::{
    scene::{HEIGHT_RAMP, TerrainStatistics},
    ui::{
        stage::landscape::statistics::tables::title,
        theme,
        widgets::{numbers::counted, value_text::decimals},
    },
};
use egui::{Align2, Color32, FontId, Margin, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};

/// Height of the bars and of the scale below them, in points.
const BARS: f32 = 96.0;

const SCALE: f32 = 18.0;

pub fn show(ui: &mut Ui, numbers: &TerrainStatistics) {
    let (Some(range), Some(most)) = (numbers.heights, numbers.histogram.counts.iter().max().copied()) else { return };
    let p = theme::palette(ui);
    egui::Frame::new().fill(p.card).corner_radius(6).inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        title(ui, "Heights");
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), BARS + SCALE), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Histogram of heights"));
        let bars = rect.with_max_y(rect.top() + BARS);
        let painter = ui.painter_at(rect);
        let histogram = &numbers.histogram;
        let width = bars.width() / histogram.counts.len() as f32;
        let hovered = response.hover_pos().filter(|at| bars.x_range().contains(at.x));
        let hovered = hovered.map(|at| ((at.x - bars.left()) / width) as usize);
        for (index, count) in histogram.counts.iter().enumerate() {
            let left = bars.left() + index as f32 * width;
            let middle = histogram.start + (index as f32 + 0.5) * histogram.step;
            let [r, g, b] = HEIGHT_RAMP.color(middle, &range);
            // Something little is still seen beside nothing.
            let share = (*count as f32 / most.max(1) as f32).max(if *count > 0 { 0.015 } else { 0.0 });
            let bar = Rect::from_min_max(
                pos2(left + 0.5, bars.bottom() - share * bars.height()),
                pos2(left + width - 0.5, bars.bottom()),
            );
            if hovered == Some(index) {
                let behind = Rect::from_min_max(pos2(left, bars.top()), pos2(left + width, bars.bottom()));
                painter.rect_filled(behind, 0.0, p.hover);
            }
            painter.rect_filled(bar, 1.0, Color32::from_rgb(r, g, b));
        }
        painter.hline(bars.x_range(), bars.bottom() + 0.5, Stroke::new(1.0, p.line));
        scale(&painter, bars, &p, histogram.start, histogram.start + histogram.step * histogram.counts.len() as f32);
        if let Some((index, count)) = hovered.and_then(|i| Some((i, *histogram.counts.get(i)?))) {
            let low = histogram.start + index as f32 * histogram.step;
            response.on_hover_ui_at_pointer(|ui| {
                let heights = format!("{} to {} m", decimals(low, 1), decimals(low + histogram.step, 1));
                ui.label(theme::figures(heights));
                let all = numbers.histogram.counts.iter().map(|c| u64::from(*c)).sum::<u64>().max(1);
                let share = f64::from(count) / all as f64 * 100.0;
                ui.label(RichText::new(format!("{}, {share:.1} %", counted(count as usize, "sample"))).color(p.weak));
            });
        } else {
            let text = format!("Highest bar: {}", counted(most as usize, "sample"));
            response.on_hover_text(text);
        }
    });
}

/// The ends, round heights between them, and the sea.
fn scale(painter: &egui::Painter, bars: Rect, p: &theme::Palette, min: f32, max: f32) {
    let font = FontId::proportional(theme::SMALL);
    let y = bars.bottom() + 4.0;
    let text = |at: f32, align, text: String| painter.text(pos2(at, y), align, text, font.clone(), p.weak);
    let first = text(bars.left(), Align2::LEFT_TOP, format!("{} m", decimals(min, 0)));
    if max <= min {
        return;
    }
    let last = text(bars.right(), Align2::RIGHT_TOP, format!("{} m", decimals(max, 0)));
    let x_of = |height: f32| bars.left() + (height - min) / (max - min) * bars.width();
    if min < 0.0 && max > 0.0 {
        painter.vline(x_of(0.0), bars.y_range(), Stroke::new(1.0, p.weak));
    }
    let step = round_step((max - min) / 8.0);
    let mut taken = first.right() + 12.0;
    for index in 0..64 {
        let height = ((min / step).ceil() + index as f32) * step;
        if height > max {
            break;
        }
        let label =
            if height == 0.0 { "sea level".to_owned() } else { decimals(height, if step < 1.0 { 1 } else { 0 }) };
        let size = painter.layout_no_wrap(label.clone(), font.clone(), p.weak).size().x;
        let x = x_of(height);
        if x - size / 2.0 > taken && x + size / 2.0 < last.left() - 12.0 {
            text(x, Align2::CENTER_TOP, label);
            painter.vline(x, bars.bottom()..=bars.bottom() + 3.0, Stroke::new(1.0, p.weak));
            taken = x + size / 2.0 + 12.0;
        }
    }
}

/// The nearest of 1, 2, 5, 10, 20 … that is not less.
fn round_step(wanted: f32) -> f32 {
    let power = 10_f32.powf(wanted.max(1e-3).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= wanted * 0.999).unwrap_or(power * 10.0)
}
