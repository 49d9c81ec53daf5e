//! How the model on a stage is coloured.

use crate::{
    gpu::Shading,
    ui::state::stage::{Stage, view::GxTraits},
};

impl Stage {
    /// What the shown model's materials of the GameCube's chip bring; `None` when it has none such.
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

    /// Whether the picture shows the shown model's materials of the GameCube's chip as they are.
    pub fn draws_gx(&self) -> bool {
        matches!(self.drawn_shading(), Shading::Lit | Shading::Unlit) && self.shown_gx().is_some()
    }
}
