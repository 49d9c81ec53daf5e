//! Commands that change how a model or level is drawn.

use crate::{
    gpu::{GxLights, Shading},
    scene::FileAxes,
    ui::{
        command::ViewCommand,
        saved_view::ViewToggle,
        state::{
            core::Core,
            stage::{
                Stage,
                model::ModelStage,
                view::{GxTraits, View},
            },
        },
    },
};
use glam::Affine3A;

impl Stage {
    /// Texture coordinates as colours: the first set, the next ones, none.
    pub(in crate::ui) fn next_uv_set(&mut self) {
        let next = self.shown_uv_set() + 1;
        let options = &mut self.view.options;
        if options.shading != Shading::Uv {
            (options.shading, options.uv_set) = (Shading::Uv, 0);
        } else if next < self.content.model().map_or(0, ModelStage::uv_set_count) {
            options.uv_set = next;
        } else {
            (options.shading, options.uv_set) = (Shading::Lit, 0);
        }
    }

    /// Returns true if an option of the view is on. A landscape has its own wireframe and grid.
    pub fn is_view_on(&self, toggle: ViewToggle) -> bool {
        match (self.landscape(), toggle) {
            (Some(_), ViewToggle::Wireframe) => self.view.terrain.wireframe,
            (Some(_), ViewToggle::Grid) => self.view.terrain.grid,
            _ => self.view.options.is_on(toggle),
        }
    }

    fn toggle_view(&mut self, core: &mut Core, toggle: ViewToggle) {
        let is_landscape = self.landscape().is_some();
        let View { options, terrain, skeleton_asked, .. } = &mut self.view;
        match toggle {
            ViewToggle::Wireframe if is_landscape => terrain.wireframe = !terrain.wireframe,
            ViewToggle::Grid if is_landscape => terrain.grid = !terrain.grid,
            ViewToggle::Grid => core.settings.grid = options.toggle(toggle),
            ViewToggle::Skeleton => *skeleton_asked = options.toggle(toggle),
            ViewToggle::BoneNames => options.skeleton |= options.toggle(toggle),
            _ => _ = options.toggle(toggle),
        }
    }

    pub(crate) fn apply_view(&mut self, core: &mut Core, command: ViewCommand) {
        use ViewCommand as C;
        let options = &mut self.view.options;
        match command {
            C::SetShading(shading) => options.shading = shading,
            C::ToggleShading(Shading::Uv) => self.next_uv_set(),
            C::ToggleShading(shading) => {
                options.shading = if options.shading == shading { Shading::Lit } else { shading };
            }
            C::Toggle(toggle) => self.toggle_view(core, toggle),
            C::SetChannel(channel) => (options.shading, options.channel) = (Shading::VertexColors, channel),
            C::SetLight(light) => {
                options.light = light;
                options.gx = light.lamp(options.gx);
            }
            C::SetGx(gx) => options.gx = gx,
            C::ToggleGxLights => {
                options.gx.lights = if options.gx.lights == GxLights::Off { GxLights::Key } else { GxLights::Off };
            }
            C::ToggleGxFog => options.gx.fog = !options.gx.fog,
            C::SetBackground(color) => options.background = color,
            C::SetUpAxis(axis) => {
                if options.up_axis != axis {
                    options.up_axis = axis;
                    self.frame_model();
                }
            }
            C::ToggleSceneAxes => core.settings.scene_axes = !core.settings.scene_axes,
            C::SetSamples(samples) => core.settings.samples = samples,
            C::SetGrid(on) => {
                options.grid = on;
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

impl Stage {
    /// Returns the traits of the shown model's GX materials; `None` if it has none.
    pub fn shown_gx(&self) -> Option<GxTraits> {
        self.model().filter(|_| self.level().is_none()).and_then(|shown| GxTraits::of(&shown.model))
    }

    /// How the picture is shaded: without lists there is nothing to colour by them, and baked light and zones are a level's.
    pub fn drawn_shading(&self) -> Shading {
        let has_lists = self.model().is_some_and(|shown| shown.list_counts.is_some());
        match self.view.options.shading {
            Shading::ListKinds if !has_lists => Shading::Lit,
            Shading::Light | Shading::Zones if self.level().is_none() => Shading::Lit,
            shading => shading,
        }
    }

    /// Returns true if the GX materials of the shown model are drawn as in the game.
    pub fn draws_gx(&self) -> bool {
        matches!(self.drawn_shading(), Shading::Lit | Shading::Unlit) && self.shown_gx().is_some()
    }
}
