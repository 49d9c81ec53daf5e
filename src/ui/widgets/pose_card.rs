//! Where a joint is at this moment.

use crate::ui::command::{Command, ViewCommand};
use crate::ui::widgets::{diagnostic_card::card, dialog, put::put, subject::JointPose, value_text::decimals};
use egui::{Align, Label, Layout, Rect, RichText, Sense, Ui, pos2, vec2};
use glam::{Affine3A, EulerRot, Quat};

const ROW_HEIGHT: f32 = 18.0;

/// Shows a joint's place in its parent and in the model.
pub fn show(ui: &mut Ui, pose: &JointPose, commands: &mut Vec<Command>) {
    card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let spaces = [("Local", pose.parent_from_joint), ("Model space", pose.world_from_joint)];
        for (index, (space, matrix)) in spaces.into_iter().enumerate() {
            ui.add_space(if index == 0 { 0.0 } else { 4.0 });
            row(ui, RichText::new(space).weak(), ["x", "y", "z"].map(|axis| RichText::new(axis).weak()));
            for (name, numbers) in parts(&matrix) {
                row(ui, RichText::new(name), numbers.map(|n| RichText::new(n).monospace().size(11.0)));
            }
        }
        if let Some(mut on) = pose.scene_axes {
            ui.add_space(4.0);
            dialog::style(ui);
            let about = "On: Y up, as in the view. Off: as in the file";
            if ui.checkbox(&mut on, "Scene axes").on_hover_text(about).clicked() {
                commands.push(Command::View(ViewCommand::ToggleSceneAxes));
            }
        }
    });
}

/// A name and three numbers, each in its column.
fn row(ui: &mut Ui, name: RichText, numbers: [RichText; 3]) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let column = (rect.width() * 0.24).min(88.0);
    let left = Layout::left_to_right(Align::Center);
    let name_rect = Rect::from_min_max(rect.min, pos2(rect.right() - 3.0 * column, rect.bottom()));
    put(ui, name_rect, left, |ui| ui.add(Label::new(name).truncate().selectable(false)));
    for (index, number) in numbers.into_iter().enumerate() {
        let right = rect.right() - column * (2 - index) as f32;
        let cell = Rect::from_min_max(pos2(right - column, rect.top()), pos2(right, rect.bottom()));
        put(ui, cell, Layout::right_to_left(Align::Center), |ui| ui.add(Label::new(number).extend()));
    }
}

/// A rotation in degrees about X, then Y, then Z: the rotation is Rz · Ry · Rx, as curves and J3D have it.
pub fn degrees(rotation: Quat) -> [f32; 3] {
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    [x, y, z].map(f32::to_degrees)
}

/// Translation, rotation about X, Y and Z in degrees, scale.
fn parts(matrix: &Affine3A) -> [(&'static str, [String; 3]); 3] {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let degrees = degrees(rotation).map(|angle| format!("{}°", decimals(angle, 2)));
    let three = |v: glam::Vec3| v.to_array().map(|v| decimals(v, 3));
    [("Position", three(translation)), ("Rotation", degrees), ("Scale", three(scale))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bone_has_the_numbers_of_its_rotation_about_x_then_y_then_z() {
        // A quarter about X and then one about Z: X goes to Y, Y to Z, Z to X.
        let cycle = glam::Mat3::from_cols(glam::Vec3::Y, glam::Vec3::Z, glam::Vec3::X);
        let matrix = Affine3A::from_mat3_translation(cycle, glam::Vec3::new(1.0, 2.0, 3.0));
        let [(_, position), (_, rotation), (_, scale)] = parts(&matrix);
        assert_eq!(position, ["1", "2", "3"].map(|n| decimals(n.parse().unwrap_or_default(), 3)));
        assert_eq!(rotation, [90.0, 0.0, 90.0].map(|angle: f32| format!("{}°", decimals(angle, 2))));
        assert_eq!(scale, [(); 3].map(|()| decimals(1.0, 3)));
    }
}
