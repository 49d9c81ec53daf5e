//! Where a joint is at this moment.

use super::{diagnostic_card::card, subject::JointPose, value_text::fixed};
use egui::{Align, Grid, Label, Layout, RichText, Ui};
use egui_phosphor::regular as icon;
use glam::{Affine3A, EulerRot};

/// Shows a joint's place in its parent and in the model.
pub fn show(ui: &mut Ui, pose: &JointPose) {
    card(ui, |ui| {
        ui.label(RichText::new(format!("{}  Pose at this moment", icon::PERSON_SIMPLE_RUN)).strong());
        for (title, matrix) in [("in its parent", pose.parent_from_joint), ("in the model", pose.world_from_joint)] {
            ui.add_space(2.0);
            ui.label(RichText::new(title).weak());
            Grid::new(title).num_columns(4).spacing([8.0, 2.0]).show(ui, |ui| {
                for (name, numbers) in parts(&matrix) {
                    ui.label(RichText::new(name));
                    for number in numbers {
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            ui.add(Label::new(RichText::new(number).monospace().size(11.0)).extend());
                        });
                    }
                    ui.end_row();
                }
            });
        }
    });
}

/// Translation, rotation about X, Y and Z in degrees, scale.
fn parts(matrix: &Affine3A) -> [(&'static str, [String; 3]); 3] {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
    let degrees = [x, y, z].map(|angle| format!("{:.2}°", angle.to_degrees()));
    [("Move", translation.to_array().map(fixed)), ("Turn", degrees), ("Scale", scale.to_array().map(fixed))]
}
