//! Pictures of the viewport as files.

use crate::ui::{
    saved_view::SavedView,
    state::{LogEntry, Message, State},
    view_file,
};
use crate::{formats::Severity, scene::Image};
use std::path::{Path, PathBuf};

/// Turns a picture over, as it is seen.
pub fn mirrored(image: Image, across: bool, upside_down: bool) -> Image {
    if !across && !upside_down {
        return image;
    }
    let row_bytes = (image.width as usize).max(1) * 4;
    let mut rows: Vec<Vec<u8>> = image.rgba.chunks(row_bytes).map(<[u8]>::to_vec).collect();
    if upside_down {
        rows.reverse();
    }
    if across {
        rows.iter_mut().for_each(|row| *row = row.rchunks(4).flatten().copied().collect());
    }
    Image { rgba: rows.concat().into(), ..image }
}

/// Writes a picture on a worker, under a name that is not taken.
pub fn save(state: &mut State, image: Image) {
    let mirror = state.stages.front.mirror();
    let image = mirrored(image, mirror.x, mirror.y);
    let file = state.stages.front.content.subject().file().and_then(|file| state.core.file(file));
    let stem = file.and_then(|file| file.path.file_stem());
    let stem = stem.map_or_else(|| "bonebox".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let folder = state.core.settings.picture_folder.clone().unwrap_or_default();
    let sender = state.core.works.sender();
    let view = state.stages.view_now(&state.core);
    state.core.works.run("Saving a screenshot", move |_| {
        let entry = match write(&folder, &stem, &image, &view) {
            Ok(path) => LogEntry::exported(Severity::Info, "", format!("Saved {}", path.display()), &path),
            Err(error) => LogEntry::new(Severity::Error, "", format!("Cannot save the screenshot: {error}")),
        };
        let _ = sender.send(Message::Log(entry));
    });
}

fn write(folder: &Path, stem: &str, image: &Image, view: &SavedView) -> Result<PathBuf, Box<dyn std::error::Error>> {
    for number in 1..10_000 {
        let path = folder.join(format!("{stem}-{number}.png"));
        let file = match crate::files::File::create_new(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error.into()),
        };
        let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), image.width, image.height);
        encoder.set_color(png::ColorType::Rgba);
        // A picture leads back to what it is of.
        view_file::put_in_picture(&mut encoder, &view_file::encode(view, folder)?)?;
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&image.rgba)?;
        writer.finish()?;
        return Ok(path);
    }
    Err("the folder already contains 9,999 screenshots of this file".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::saved_view::{self, SavedFile};

    #[test]
    fn pictures_are_turned_over_as_they_are_seen() {
        let rgba: Vec<u8> = (0..4_u8).flat_map(|i| [i, i, i, 255]).collect();
        let image = Image { name: String::new(), width: 2, height: 2, rgba: rgba.into(), stored_as: String::new() };
        let seen =
            |across, down| mirrored(image.clone(), across, down).rgba.chunks(4).map(|p| p[0]).collect::<Vec<_>>();
        assert_eq!(seen(false, false), [0, 1, 2, 3]);
        assert_eq!(seen(true, false), [1, 0, 3, 2]);
        assert_eq!(seen(false, true), [2, 3, 0, 1]);
    }

    #[test]
    fn pictures_do_not_overwrite_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let rgba: Vec<u8> = vec![255, 0, 0, 255, 0, 0, 255, 128];
        let image =
            Image { name: String::new(), width: 2, height: 1, rgba: rgba.clone().into(), stored_as: String::new() };
        let view = SavedView {
            version: saved_view::VERSION,
            files: vec![SavedFile { path: folder.path().join("a.psk"), relative: None }],
            ..SavedView::default()
        };
        let first = write(folder.path(), "a", &image, &view).unwrap();
        let second = write(folder.path(), "a", &image, &view).unwrap();
        assert_ne!(first, second);
        assert_eq!(view_file::read(&first).unwrap().files[0].path(), folder.path().join("a.psk"));
        assert_eq!(image::open(first).unwrap().into_rgba8().into_raw(), rgba);
    }
}
