//! Images and animations of the stage that are being prepared.

use crate::{
    export::animated::{AnimatedFormat, find_ffmpeg},
    formats::Severity,
    scene::{Player, ShotRate, Shots, Turntable},
    ui::{
        picture_draft::{PictureDraft, PictureFormat, PictureMotion},
        state::{core::Core, dialogs::Exports, effect::Effect, log::LogEntry, stage::Stage},
    },
};
use std::path::PathBuf;

/// Pixels of the longer side unless a size was chosen for pictures of the stage.
const USUAL_SIDE: f32 = 800.0;

/// The player of the shown model; one without a clip if something else is shown.
fn player_of(stage: &Stage) -> Player {
    stage.playback().map(|playback| playback.player.clone()).unwrap_or_default()
}

impl Exports {
    /// Prepares a picture of what is on the stage: a GIF of the clip that plays, a PNG without one.
    pub(crate) fn begin_picture_export(&mut self, core: &mut Core, stage: &mut Stage) {
        let place = stage.content.place().filter(|_| stage.content.is_space());
        let Some((place, file)) = place.and_then(|place| Some((place, core.file(place.file)?))) else {
            let text = "There is nothing to export as an image. Show a model, level or landscape first";
            return core.log.announce(LogEntry::new(Severity::Info, "", text));
        };
        let player = player_of(stage);
        let shots = Shots::new(&player, Turntable::Off, ShotRate::Own);
        let has_clip = stage.model().is_some() && shots.moves();
        let stem = file.path.file_stem().map_or_else(|| "picture".into(), |stem| stem.to_string_lossy().into_owned());
        let folders = [self.folder.clone(), core.settings.picture_folder.clone()];
        let own = || file.on_disk.parent().map(PathBuf::from);
        let folder = folders.into_iter().flatten().next().or_else(own).unwrap_or_default();
        let format = if has_clip { PictureFormat::Animated(AnimatedFormat::Gif) } else { PictureFormat::Png };
        let path = folder.join(format!("{stem}.{}", format.extension()));
        let path = crate::files::absolute(&path).unwrap_or(path);
        let can_pipe = find_ffmpeg().is_some();
        let animated = AnimatedFormat::ALL.into_iter().filter(|format| can_pipe || !format.needs_ffmpeg());
        let entry = file.entry(place.entry).map(|entry| entry.name.to_string()).filter(|name| !name.is_empty());
        let mut draft = PictureDraft {
            name: entry.unwrap_or_else(|| file.name.clone()),
            formats: [PictureFormat::Png, PictureFormat::PngSequence]
                .into_iter()
                .chain(animated.map(PictureFormat::Animated))
                .collect(),
            format,
            path: path.display().to_string(),
            size: core.settings.picture_size.unwrap_or_else(|| usual_size(stage.viewport.aspect)),
            transparent: false,
            has_clip,
            motion: if has_clip { PictureMotion::Clip } else { PictureMotion::Turntable },
            turn_secs: None,
            fps: if has_clip { (shots.count() as f32 / shots.length_secs() as f32).round().max(1.0) } else { 25.0 },
            shots,
            overwrite: false,
        };
        draft.follow(&player);
        self.picture = Some(draft);
    }

    /// Takes what was changed in the dialog.
    pub(crate) fn edit_picture_export(&mut self, stage: &mut Stage, mut draft: PictureDraft) {
        draft.follow(&player_of(stage));
        self.picture = Some(draft);
    }

    /// Has the picture drawn and written, unless it cannot be.
    pub(crate) fn run_picture_export(&mut self, core: &mut Core, stage: &mut Stage) {
        let Some(draft) = self.picture.take() else { return };
        if !stage.content.is_space() {
            return;
        }
        if let Some(why) = draft.refusal() {
            return core.log.announce(LogEntry::new(Severity::Warning, "", why));
        }
        let path = PathBuf::from(draft.path.trim());
        self.folder = path.parent().filter(|p| !p.as_os_str().is_empty()).map(PathBuf::from);
        core.effects.push(Effect::DrawPictures(Box::new(draft)));
    }
}

/// A picture of this width by height, even on both sides for programs that want that.
fn usual_size(aspect: f32) -> [u32; 2] {
    let aspect = if aspect.is_finite() { aspect.clamp(0.1, 10.0) } else { 1.0 };
    let even = |side: f32| (side / 2.0).round().max(8.0) as u32 * 2;
    if aspect >= 1.0 {
        [even(USUAL_SIDE), even(USUAL_SIDE / aspect)]
    } else {
        [even(USUAL_SIDE * aspect), even(USUAL_SIDE)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::picture_size;

    #[test]
    fn usual_sizes_can_be_made_and_are_even() {
        for aspect in [0.0, 0.3, 1.0, 1.6, 99.0, f32::NAN, f32::INFINITY] {
            let size = usual_size(aspect);
            assert_eq!((picture_size::refusal(size), size[0] % 2, size[1] % 2), (None, 0, 0), "{aspect}: {size:?}");
        }
        assert_eq!(usual_size(1.6), [800, 500]);
    }
}
