//! Commands that change how a model or level is drawn.

use crate::{
    gpu::{GxLights, Shading},
    scene::FileAxes,
    ui::{
        command::ViewCommand,
        state::{
            core::Core,
            stage::{Stage, model::ModelStage},
        },
    },
};
use glam::Affine3A;

impl Stage {
    /// Texture coordinates as colours: the first set, the next ones, none.
    pub(in crate::ui) fn next_uv_set(&mut self) {
        let next = self.shown_uv_set() + 1;
        let view = &mut self.view;
        if view.shading != Shading::Uv {
            (view.shading, view.uv_set) = (Shading::Uv, 0);
        } else if next < self.content.model().map_or(0, ModelStage::uv_set_count) {
            view.uv_set = next;
        } else {
            (view.shading, view.uv_set) = (Shading::Lit, 0);
        }
    }

    pub(crate) fn apply_view(&mut self, core: &mut Core, command: ViewCommand) {
        use ViewCommand as C;
        let is_landscape = self.landscape().is_some();
        let view = &mut self.view;
        match command {
            C::SetShading(shading) => view.shading = shading,
            C::ToggleShading(Shading::Uv) => self.next_uv_set(),
            C::ToggleShading(shading) => {
                view.shading = if view.shading == shading { Shading::Lit } else { shading };
            }
            C::ToggleWireframe if is_landscape => view.terrain.wireframe = !view.terrain.wireframe,
            C::ToggleGrid if is_landscape => view.terrain.grid = !view.terrain.grid,
            C::ToggleWireframe => view.wireframe = !view.wireframe,
            C::SetChannel(channel) => (view.shading, view.channel) = (Shading::VertexColors, channel),
            C::ToggleNormalLines => view.normal_lines = !view.normal_lines,
            C::ToggleUvLayout => view.uv_layout = !view.uv_layout,
            C::ToggleShadow => view.shadow = !view.shadow,
            C::SetLight(light) => {
                view.light = light;
                view.gx = light.lamp(view.gx);
            }
            C::ToggleSkeleton => {
                view.skeleton = !view.skeleton;
                view.skeleton_asked = view.skeleton;
            }
            C::ToggleBoneNames => {
                view.bone_names = !view.bone_names;
                view.skeleton |= view.bone_names;
            }
            C::ToggleSockets => view.sockets = !view.sockets,
            C::ToggleBounds => view.bounds = !view.bounds,
            C::ToggleVertexColors => view.vertex_colors = !view.vertex_colors,
            C::ToggleTextures => view.textures = !view.textures,
            C::ToggleGrid => {
                view.grid = !view.grid;
                core.settings.grid = view.grid;
            }
            C::ToggleCulling => view.backface_culling = !view.backface_culling,
            C::ToggleNearest => view.nearest_filter = !view.nearest_filter,
            C::ToggleHidden => view.show_hidden = !view.show_hidden,
            C::SetGx(gx) => view.gx = gx,
            C::ToggleGxLights => {
                view.gx.lights = if view.gx.lights == GxLights::Off { GxLights::Key } else { GxLights::Off };
            }
            C::ToggleGxFog => view.gx.fog = !view.gx.fog,
            C::SetBackground(color) => view.background = color,
            C::SetUpAxis(axis) => {
                if view.up_axis != axis {
                    view.up_axis = axis;
                    self.frame_model();
                }
            }
            C::ToggleSceneAxes => core.settings.scene_axes = !core.settings.scene_axes,
            C::SetSamples(samples) => core.settings.samples = samples,
            C::SetGrid(on) => {
                view.grid = on;
                core.settings.grid = on;
            }
        }
    }
}

impl Core {
    /// The axes that numbers of a model or a clip are shown in: the file's, unless the scene's are asked for.
    pub fn number_axes(&self, file_from_scene: Affine3A) -> FileAxes {
        if self.settings.scene_axes { FileAxes::default() } else { FileAxes(file_from_scene) }
    }
}
