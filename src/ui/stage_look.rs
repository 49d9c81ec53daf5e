//! How a stage is drawn: what of a scene stands where, and from where it is looked at.

use crate::{
    gpu::{Background, GpuModel, Item, ItemLook, Mark, Shading, Through, ViewSettings},
    scene::{FileAxes, Model},
    ui::state::{StageScene, State, View},
};
use glam::{Affine3A, Vec3};
use std::sync::Arc;

/// The models of a scene, each where it stands; `uploaded` finds those beside the main one on the device.
pub fn items_of<'a>(
    main: Item<'a>,
    scene: &'a StageScene,
    uploaded: impl Fn(&Arc<Model>) -> Option<&'a GpuModel>,
) -> (Vec<Item<'a>>, Vec<ItemLook>) {
    let (mut items, mut looks) = (Vec::new(), Vec::new());
    let world_from_scene = main.world_from_model;
    if scene.main.visible {
        items.push(main);
        looks.push(ItemLook { tint: scene.main.tint, ghost: scene.main.ghost, ..ItemLook::default() });
    }
    for model in scene.models.iter().filter(|model| model.look.visible) {
        let Some(uploaded) = uploaded(model.drawn()) else { continue };
        let world_from_model = world_from_scene * model.scene_from_model;
        items.push(Item { model: uploaded, frame: &model.frame, world_from_model });
        let mark = if scene.selected == Some(model.id) { Mark::Whole } else { Mark::Nothing };
        looks.push(ItemLook { tint: model.look.tint, ghost: model.look.ghost, mark, ..ItemLook::default() });
    }
    (items, looks)
}

/// How the stage in front is looked at.
pub fn view_settings(state: &State) -> ViewSettings {
    let view: &View = &state.stages.front.view;
    let dark = state.core.settings.dark;
    let is_model = state.stages.front.model().is_some();
    // What is added up starts at nothing.
    let adds_up = state.stages.front.drawn_shading() == Shading::Overdraw && state.stages.front.landscape().is_none();
    let file_from_scene = state.stages.front.model().map_or(Affine3A::IDENTITY, |shown| shown.model.file_from_scene);
    let file_axes = FileAxes(file_from_scene * view.options.up_axis.world_from_model().inverse());
    ViewSettings {
        camera: view.camera,
        shading: state.stages.front.drawn_shading(),
        uv_set: state.stages.front.shown_uv_set(),
        channel: view.options.channel,
        normal_lines: view.options.normal_lines && is_model,
        light: view.options.light.settings(),
        wireframe: view.options.wireframe && state.stages.front.landscape().is_none(),
        skeleton: view.options.skeleton && state.stages.front.landscape().is_none(),
        selected_joint: state.stages.front.selected().joint,
        outlined: state.stages.front.selected().part,
        // A level has floors of its own, and so has a landscape.
        grid: view.options.grid && is_model && !adds_up,
        floor_axes: [Vec3::X, Vec3::Z].map(|line| file_axes.along(line)),
        shadow: view.options.shadow && is_model && !adds_up,
        background: match view.options.background {
            _ if adds_up => Background::Color([0; 3]),
            Some(color) => Background::Color(color),
            None if dark => Background::dark(),
            None => Background::light(),
        },
        gx: view.options.gx,
        gamma: if state.stages.front.level().is_some() { view.options.gamma } else { 1.0 },
        through: Through::default(),
        floor_y: state.stages.front.world_bounds().map_or(0.0, |b| b.min.y),
        show_hidden: view.options.show_hidden,
        textures: view.options.textures,
        // Models on a landscape have no other colours: their textures are in a format of the games.
        vertex_colors: view.options.vertex_colors || state.stages.front.landscape().is_some(),
        backface_culling: view.options.backface_culling,
        nearest_filter: view.options.nearest_filter,
        accent: state.core.accent(),
    }
}
