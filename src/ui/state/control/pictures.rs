//! Showing one picture or the pictures of all open files, and copying a picture.

use crate::{
    formats::{Asset, Severity},
    scene::{Image, Model},
    ui::{
        place::Place,
        state::{
            core::Core,
            effect::{CopiedPicture, Effect},
            log::LogEntry,
            message::Message,
            stage::{Stage, StageContent, picture::ImageStage, pictures_in_use::PicturesInUse},
            stages::Stages,
        },
    },
};
use std::sync::Arc;

impl Stages {
    /// Shows the pictures of all open files side by side.
    pub(crate) fn show_pictures(&mut self, core: &mut Core) {
        let used = self.iter().find_map(|stage| match &stage.content {
            StageContent::Model(shown) => Some(in_use_by_model(&shown.model)),
            StageContent::Level(shown) => {
                let mut used = PicturesInUse::new(&shown.map.name);
                shown.map.surfaces.iter().for_each(|surface| used.add(&surface.texture));
                shown.map.models.iter().for_each(|model| add_model(&mut used, model));
                Some(used)
            }
            _ => None,
        });
        self.front.stop_loading();
        if used.is_some() {
            self.front.history.pictures = used;
        }
        self.front.take_stage(core, StageContent::Pictures);
        self.front.bring_up_stage(core);
    }
}

impl Stage {
    /// Puts a picture on the clipboard: that of an entry, or that on the stage.
    pub(crate) fn copy_picture(&mut self, core: &mut Core, place: Option<Place>) {
        if let Some(image) = self.image().and_then(|shown| match place.is_none_or(|place| place == shown.place) {
            true => shown.visible_image(),
            false => None,
        }) {
            return core.effects.push(Effect::CopyImage(CopiedPicture(image)));
        }
        let Some(place) = place else { return };
        let Some(file) = core.file(place.file).cloned() else { return };
        let (options, sender) = (core.load_options, core.works.sender());
        core.works.run("Copying an image", move |cx| {
            let loaded = file.load(place.entry, options, cx.cancel()).map_err(|error| error.to_string());
            let image = loaded.and_then(|loaded| {
                let image = match &loaded.asset {
                    Asset::Image(image) => Some(image.clone()),
                    Asset::Picture(picture) => picture.image().cloned(),
                    _ => None,
                };
                image.ok_or_else(|| "cannot copy: the image has no pixels".to_owned())
            });
            let _ = sender.send(match image {
                Ok(image) => Message::PictureToCopy(image),
                Err(why) => Message::Log(LogEntry::new(Severity::Error, &file.name, why).at(place)),
            });
        });
    }
}

impl Core {
    pub(crate) fn picture_to_copy(&mut self, image: Arc<Image>) {
        self.effects.push(Effect::CopyImage(CopiedPicture(image)));
    }
}

fn in_use_by_model(model: &Model) -> PicturesInUse {
    let mut used = PicturesInUse::new(&model.name);
    add_model(&mut used, model);
    used
}

fn add_model(used: &mut PicturesInUse, model: &Model) {
    model.images.iter().for_each(|image| used.add(&image.name));
    model.textures.iter().for_each(|texture| used.add(&texture.name));
    model.materials.iter().filter(|m| m.tev().is_none()).for_each(|material| used.add(&material.name));
}

impl Stage {
    /// Lets time pass for the picture on show.
    pub(in crate::ui) fn advance_picture(&mut self, passed_secs: f32) {
        if let Some(shown) = self.content.image_mut().filter(|shown| shown.player.playing) {
            shown.player.time_secs += f64::from(passed_secs);
            shown.catch_up();
        }
    }

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
