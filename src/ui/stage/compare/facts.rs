//! What differs between two pictures, models or clips, in words.

use crate::ui::stage::compare::signs;
use crate::{
    library::compare::{ClipDifference, ModelDifference, Parts},
    ui::{
        theme,
        widgets::numbers::{counted, grouped},
    },
};
use egui::{Label, RichText, Ui};

/// Names of parts that are told.
const MAX_NAMES: usize = 12;

/// A fact, and whether it tells of a difference.
pub type Fact = (String, bool);

pub fn show(ui: &mut Ui, facts: &[Fact]) {
    let p = theme::palette(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(16.0, 2.0);
        for (fact, differs) in facts {
            let text = RichText::new(signs::drawn(fact)).color(if *differs { p.warning } else { p.weak });
            ui.add(Label::new(text).extend());
        }
    });
}

pub fn of_model(model: &ModelDifference) -> Vec<Fact> {
    let mut facts = vec![
        both("mesh", "meshes", model.meshes),
        both("point", "points", model.points),
        both("triangle", "triangles", model.triangles),
        both("bone", "bones", model.joints.counts),
        both("material", "materials", model.materials.counts),
    ];
    facts.extend(of_parts("bone", &model.joints));
    facts.extend(of_parts("material", &model.materials));
    if model.moved_points > 0 {
        let count = counted(model.moved_points, "point");
        facts.push((format!("{count} moved by up to {}", (model.largest_distance * 1e4).round() / 1e4), true));
    }
    for (count, what, how) in [
        (model.weighted_points, "point", "with different weights"),
        (model.other_triangles, "triangle", "with different vertices"),
    ] {
        if count > 0 {
            facts.push((format!("{} {how}", counted(count, what)), true));
        }
    }
    if model.other_vertices > 0 {
        let vertices = counted(model.other_vertices, "vertex");
        facts.push((format!("{vertices} with different normals, UVs or colours"), true));
    }
    facts
}

pub fn of_clip(clip: &ClipDifference) -> Vec<Fact> {
    let [left_rate, right_rate] = clip.rates;
    let rate = match left_rate.to_bits() == right_rate.to_bits() {
        true => (format!("{left_rate} fps"), false),
        false => (format!("{left_rate} → {right_rate} fps"), true),
    };
    let mut facts = vec![
        both("frame", "frames", clip.frames.map(|count| count as usize)),
        rate,
        both("channel", "channels", clip.channels),
    ];
    facts.extend(of_parts("bone", &clip.joints));
    if let Some(count) = clip.other_channels.filter(|count| *count > 0) {
        facts.push((format!("{} changed", counted(count, "channel")), true));
    }
    facts
}

fn both(one: &str, many: &str, [left, right]: [usize; 2]) -> Fact {
    let name = if right == 1 { one } else { many };
    match left == right {
        true => (format!("{} {name}", grouped(left)), false),
        false => (format!("{} → {} {name}", grouped(left), grouped(right)), true),
    }
}

fn of_parts(what: &str, parts: &Parts) -> Vec<Fact> {
    let named = parts.differing.iter().take(MAX_NAMES);
    let mut facts: Vec<Fact> = named.map(|(state, name)| (format!("{} {what} {name}", state.sign()), true)).collect();
    let more = (parts.added + parts.gone).saturating_sub(facts.len());
    if more > 0 {
        facts.push((format!("{} more", grouped(more)), true));
    }
    facts
}
