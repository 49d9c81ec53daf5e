//! The inspector on the materials of a character-pipeline model: formulas, and textures with the sampler that binds them.

use crate::kit::{self, app::*};
use bonebox::ui::command::{Command, StageCommand};
use egui_kittest::kittest::Queryable as _;

#[test]
fn a_material_beside_meshes_shows_its_stages_and_textures() {
    let Some(corpus) = kit::corpus() else { return };
    let mut window = window_of(kept(state()), [1280.0, 900.0]);
    open(&mut window, [corpus.join("charpipe/arm_full.model")]);
    let material = place(&window, "GPL/material 1");
    apply(&mut window, Command::Stage(StageCommand::Show(material)));
    // The second material, not the fourth: two meshes stand before it.
    window.get_by_label("texture 1");
    window.get_by_label("8 × 8  ·  CMPR  ·  repeat  ·  linear");
    window.get_by_label_contains("PREV.rgb");
}
