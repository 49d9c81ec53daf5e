//! Putting pictures on the stage, and their time.

use crate::{
    formats::{Asset, Severity},
    ui::{
        place::Place,
        state::{
            core::Core,
            log::LogEntry,
            stage::{Stage, StageContent, picture::ImageStage},
        },
    },
};

impl Stage {
    /// Lets time pass for the picture on show.
    pub(in crate::ui) fn advance_picture(&mut self, passed_secs: f32) {
        if let Some(shown) = self.content.image_mut().filter(|shown| shown.player.playing) {
            shown.player.time_secs += f64::from(passed_secs);
            shown.catch_up();
        }
    }
}

impl Stage {
    pub(crate) fn show_picture(&mut self, core: &mut Core, place: Place, asset: Asset) {
        let generation = core.works.fresh_id();
        let (shown, result) = ImageStage::new(place, asset, generation);
        if let Err(message) = result {
            let file = core.file(place.file).map(|file| file.name.clone()).unwrap_or_default();
            core.log.push(LogEntry::new(Severity::Error, &file, message).at(place));
        }
        self.take_stage(core, StageContent::Image(shown));
    }
}
