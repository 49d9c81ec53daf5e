//! Small pictures of entries of the collection: made in the background on a device of their own, and kept on the disk.

use crate::files as fs;
use crate::ui::state::{
    MadePictures, Message, PictureKey, PictureWork, STRIP_MOMENTS, State, THUMBNAIL_SIDE, Thumbnail, WantedPicture,
    thumbnail_of,
};
use crate::{
    audio::wave_picture,
    export::{png, reduced},
    formats::{Asset, LoadOptions, caught},
    gpu::PictureRoom,
    jobs::JobContext,
    library::{
        OpenFile, OpenOptions, Quarantine,
        collection::{Catalog, ClipFits, RowIndex},
        model_for,
    },
    scene::{Clip, Image, Model, Player, Sound, played_once},
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// Pixels that a picture is drawn with for each of its own in each direction.
const FINER: u32 = 2;
/// Pictures on the disk, and how many of the oldest are let go of where there are more.
const MAX_KEPT: usize = 6_000;
const LET_GO: usize = 1_500;
/// Pictures that are written before the folder is looked through again.
const BETWEEN: usize = 500;

/// Makes pictures.
#[derive(Default)]
pub struct PictureMaker {
    device: Arc<Mutex<Device>>,
}

#[derive(Default)]
struct Device {
    room: Option<Result<PictureRoom, String>>,
    /// Pictures that were written since the folder was looked through.
    written: Option<usize>,
}

impl PictureMaker {
    /// Begins with what is wanted, if nothing is being made. `folder` is where pictures are kept.
    pub fn follow(&self, state: &mut State, folder: Option<PathBuf>) {
        let Some(work) = state.collection.take_picture_work() else { return };
        let (sender, device) = (state.core.works.sender(), self.device.clone());
        let folders = state.core.settings.folders.clone();
        state.core.works.run_apart("Drawing collection thumbnails", move |cx| {
            let mut device = device.lock().unwrap_or_else(PoisonError::into_inner);
            let made = Making {
                device: &mut device,
                cx,
                folder: folder.as_deref(),
                folders: &folders,
                open: None,
                fits: None,
            };
            let _ = sender.send(Message::CollectionPictures(made.all(&work)));
        });
    }
}

/// One piece of work.
struct Making<'a> {
    device: &'a mut Device,
    cx: &'a JobContext,
    folder: Option<&'a Path>,
    folders: &'a [PathBuf],
    /// The file that was opened last.
    open: Option<(PathBuf, Result<Arc<OpenFile>, String>)>,
    fits: Option<ClipFits>,
}

impl Making<'_> {
    fn all(mut self, work: &PictureWork) -> MadePictures {
        let widest = if work.are_strips { THUMBNAIL_SIDE * STRIP_MOMENTS } else { THUMBNAIL_SIDE };
        let mut made = Vec::with_capacity(work.wanted.len());
        for wanted in &work.wanted {
            if self.cx.cancelled() {
                made.push((wanted.key, Err(None)));
                continue;
            }
            let path = self.folder.map(|folder| path_of(folder, wanted.key, work.are_strips));
            if let Some(kept) = path.as_ref().and_then(|path| read(path, widest)) {
                made.push((wanted.key, Ok(kept)));
                continue;
            }
            let _reading = Quarantine::shared().reading_in_turn(&wanted.path);
            // A fault of the program is one picture's alone.
            let result = caught(|| match work.are_strips {
                true => self.strip(wanted, &work.catalog),
                false => self.picture(wanted, &work.catalog),
            });
            let result = result.unwrap_or_else(|_| Err("internal error in Bonebox".to_owned()));
            if let (Ok(picture), Some(path)) = (&result, path) {
                self.keep(&path, picture);
            }
            made.push((wanted.key, result.map_err(Some)));
        }
        MadePictures { made, are_strips: work.are_strips }
    }

    fn picture(&mut self, wanted: &WantedPicture, catalog: &Catalog) -> Result<Thumbnail, String> {
        let file = self.file(&wanted.path)?;
        let options = LoadOptions { first_image_only: true, ..LoadOptions::default() };
        let loaded = file.load(wanted.key.entry, options, self.cx.cancel()).map_err(|error| error.message)?;
        match &loaded.asset {
            Asset::Model(model) => self.model(model, &Player::default()),
            Asset::Clip(clip) => self.clip(clip, wanted, catalog),
            Asset::Map(map) => {
                let picture = self.room()?.map(map).map_err(|error| error.to_string())?;
                Ok(drawn(&picture))
            }
            Asset::Terrain(terrain) => {
                let picture = self.room()?.terrain(terrain).map_err(|error| error.to_string())?;
                Ok(drawn(&picture))
            }
            Asset::Sound(sound) => wave(sound),
            picture => thumbnail_of(picture),
        }
    }

    fn file(&mut self, path: &Path) -> Result<Arc<OpenFile>, String> {
        if let Some((_, file)) = self.open.as_ref().filter(|(open, _)| open == path) {
            return file.clone();
        }
        let opened = OpenOptions::new().folders(self.folders).open(path).map(Arc::new).map_err(|error| error.message);
        self.open = Some((path.to_owned(), opened.clone()));
        opened
    }

    fn room(&mut self) -> Result<&mut PictureRoom, String> {
        let side = THUMBNAIL_SIDE * FINER;
        let room =
            self.device.room.get_or_insert_with(|| PictureRoom::open((side, side)).map_err(|error| error.to_string()));
        room.as_mut().map_err(|why| why.clone())
    }

    fn model(&mut self, model: &Arc<Model>, player: &Player) -> Result<Thumbnail, String> {
        if model.meshes.is_empty() && model.joint_count() == 0 {
            return Err("the model is empty".to_owned());
        }
        match self.room()?.model(model, player) {
            Ok(picture) => Ok(drawn(&picture)),
            Err(error) => {
                // A device that was lost is opened anew for the next one.
                self.device.room = None;
                Err(error.to_string())
            }
        }
    }

    /// The middle of a clip.
    fn clip(&mut self, clip: &Arc<Clip>, wanted: &WantedPicture, catalog: &Catalog) -> Result<Thumbnail, String> {
        let (model, mut player) = self.played(clip, wanted, catalog)?;
        player.seek(clip.last_frame() / 2.0);
        self.model(&model, &player)
    }

    /// Moments of a clip side by side, from its first frame to its last.
    fn strip(&mut self, wanted: &WantedPicture, catalog: &Catalog) -> Result<Thumbnail, String> {
        let file = self.file(&wanted.path)?;
        let loaded = file.load(wanted.key.entry, LoadOptions::default(), self.cx.cancel());
        let Asset::Clip(clip) = loaded.map_err(|error| error.message)?.asset else {
            return Err("the entry is not a clip".to_owned());
        };
        let (model, player) = self.played(&clip, wanted, catalog)?;
        let moment = |number: u32| {
            let mut player = player.clone();
            player.seek(clip.last_frame() * number as f32 / (STRIP_MOMENTS - 1) as f32);
            player
        };
        let moments: Vec<Player> = (0..STRIP_MOMENTS).map(moment).collect();
        match self.room()?.moments(&model, &moments) {
            Ok(pictures) => Ok(side_by_side(&pictures)),
            Err(error) => {
                self.device.room = None;
                Err(error.to_string())
            }
        }
    }

    /// A clip on a model of its own file, else on that of the collection which it fits best.
    fn played(
        &mut self,
        clip: &Arc<Clip>,
        wanted: &WantedPicture,
        catalog: &Catalog,
    ) -> Result<(Arc<Model>, Player), String> {
        let file = self.file(&wanted.path)?;
        let options = LoadOptions::default();
        let own = model_for(&file, wanted.key.entry, clip, [], options, self.cx.cancel());
        let model = match own {
            Some(model) => model,
            None => self.fitting_model(wanted.row, catalog)?,
        };
        played_once(clip, &model).ok_or_else(|| "the clip moves no part of the best matching model".to_owned())
    }

    /// The model of the collection that a clip fits best.
    fn fitting_model(&mut self, clip: RowIndex, catalog: &Catalog) -> Result<Arc<Model>, String> {
        let fits = self.fits.take().unwrap_or_else(|| ClipFits::of(catalog));
        let best = fits.models_for(catalog, clip, 1, self.cx.cancel()).into_iter().next();
        self.fits = Some(fits);
        let model = best.and_then(|best| catalog.row(best.row)).ok_or("the collection has no matching model")?;
        let path = catalog.file(model.file).map(|file| file.path.clone()).unwrap_or_default();
        let own = self.open.take();
        let loaded = self.file(&path).and_then(|file| {
            file.load(model.entry, LoadOptions::default(), self.cx.cancel()).map_err(|error| error.message)
        });
        self.open = own;
        match loaded?.asset {
            Asset::Model(model) => Ok(model),
            _ => Err("the entry is not a model".to_owned()),
        }
    }

    /// Keeps a picture on the disk. What cannot be written is made again next time.
    fn keep(&mut self, path: &Path, picture: &Thumbnail) {
        let Some(folder) = path.parent() else { return };
        let written = self.device.written.unwrap_or(BETWEEN);
        if written >= BETWEEN {
            let _ = fs::create_dir_all(folder);
            shrink(folder);
            self.device.written = Some(0);
        } else {
            self.device.written = Some(written.saturating_add(1));
        }
        let image = Image { stored_as: String::new(), ..(*picture.image).clone() };
        if let Ok(bytes) = png(&image) {
            let _ = fs::replace(path, &bytes);
        }
    }
}

/// A picture that was drawn, made small.
fn drawn(picture: &Image) -> Thumbnail {
    let image = reduced(picture, (THUMBNAIL_SIDE, THUMBNAIL_SIDE), true);
    Thumbnail { size: (image.width, image.height), image: Arc::new(image), uses_alpha: true }
}

/// Pictures of one size, made small and put into one.
fn side_by_side(pictures: &[Image]) -> Thumbnail {
    let small: Vec<Image> =
        pictures.iter().map(|picture| reduced(picture, (THUMBNAIL_SIDE, THUMBNAIL_SIDE), true)).collect();
    let (width, height) = small.first().map_or((0, 0), |first| (first.width, first.height));
    let mut rgba = Vec::with_capacity(small.iter().map(|picture| picture.rgba.len()).sum());
    for row in 0..height as usize {
        let bytes = width as usize * 4;
        for picture in &small {
            rgba.extend_from_slice(picture.rgba.get(row * bytes..(row + 1) * bytes).unwrap_or_default());
        }
    }
    let size = (width * small.len() as u32, height);
    let image = Image { name: String::new(), width: size.0, height, rgba: rgba.into(), stored_as: String::new() };
    Thumbnail { size, image: Arc::new(image), uses_alpha: true }
}

/// The waveform of a sound.
fn wave(sound: &Sound) -> Result<Thumbnail, String> {
    let pcm = sound.pcm.clone();
    let pcm = pcm.ok_or_else(|| sound.problem.clone().unwrap_or_else(|| "the sound has no samples".to_owned()))?;
    let image = Image { name: sound.name.clone(), ..wave_picture(pcm, THUMBNAIL_SIDE) };
    Ok(Thumbnail { size: (THUMBNAIL_SIDE, THUMBNAIL_SIDE), image: Arc::new(image), uses_alpha: true })
}

/// Where a picture is kept, or the strip of a clip.
fn path_of(folder: &Path, key: PictureKey, is_strip: bool) -> PathBuf {
    let strip = if is_strip { "-strip" } else { "" };
    folder.join(format!("{:016x}-{}{strip}.png", key.digest, key.entry.0))
}

/// A picture from the disk that is at most so wide; `None` where there is none, or none that can be used.
fn read(path: &Path, widest: u32) -> Option<Thumbnail> {
    let bytes = fs::read(path).ok()?;
    let mut decoder = ::png::Decoder::new(std::io::Cursor::new(&bytes));
    decoder.set_transformations(::png::Transformations::EXPAND | ::png::Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    if width > widest || height > THUMBNAIL_SIDE || width == 0 || height == 0 {
        return None;
    }
    let mut rgba = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut rgba).ok()?;
    if frame.color_type != ::png::ColorType::Rgba || rgba.len() != (width * height * 4) as usize {
        return None;
    }
    let image = Image { name: String::new(), width, height, rgba: rgba.into(), stored_as: String::new() };
    Some(Thumbnail { size: (width, height), uses_alpha: image.has_alpha(), image: Arc::new(image) })
}

/// Lets go of the oldest pictures where there are too many.
fn shrink(folder: &Path) {
    let Ok(listed) = fs::read_dir(folder) else { return };
    let mut kept: Vec<(std::time::SystemTime, PathBuf)> =
        listed.flatten().filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    if kept.len() <= MAX_KEPT {
        return;
    }
    kept.sort_unstable();
    for (_, path) in kept.into_iter().take(LET_GO) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::EntryId;

    #[test]
    fn pictures_come_back_from_the_disk_and_damaged_ones_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let rgba: Vec<u8> = (0..16).flat_map(|i| [i, 100, 200, if i == 3 { 0 } else { 255 }]).collect();
        let image = Image { name: String::new(), width: 4, height: 4, rgba: rgba.into(), stored_as: String::new() };
        let key = PictureKey { digest: 0xAB, entry: EntryId(7) };
        let path = path_of(folder.path(), key, false);
        assert!(path.ends_with("00000000000000ab-7.png"));
        assert!(path_of(folder.path(), key, true).ends_with("00000000000000ab-7-strip.png"));
        let bytes = png(&image).unwrap();
        fs::write(&path, &bytes).unwrap();
        let kept = read(&path, 4).unwrap();
        assert_eq!((kept.image.rgba.clone(), kept.size, kept.uses_alpha), (image.rgba.clone(), (4, 4), true));
        assert!(read(&path, 3).is_none());
        for cut in 0..bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            // A few bytes at the end say nothing of the pixels.
            assert!(read(&path, 4).is_none_or(|kept| kept.image.rgba == image.rgba), "{cut}");
        }
    }

    #[test]
    fn moments_stand_side_by_side_in_their_order() {
        let plain = |red: u8| Image {
            name: String::new(),
            width: 256,
            height: 256,
            rgba: [red, 0, 0, 255].repeat(256 * 256).into(),
            stored_as: String::new(),
        };
        let strip = side_by_side(&[plain(10), plain(90), plain(200)]);
        assert_eq!(strip.size, (THUMBNAIL_SIDE * 3, THUMBNAIL_SIDE));
        let width = THUMBNAIL_SIDE as usize;
        for row in [0, width - 1] {
            let red = |column: usize| strip.image.rgba[(row * width * 3 + column) * 4];
            assert_eq!([0, width - 1, width, 2 * width - 1, 2 * width].map(red), [10, 10, 90, 90, 200]);
        }
    }

    #[test]
    fn a_sound_that_is_not_decoded_has_no_waveform() {
        let pcm = Arc::new(crate::scene::Pcm { channels: 1, rate_hz: 8000, samples: vec![0; 8000] });
        let sound = Sound { pcm: Some(pcm), ..silent() };
        let wave_of_it = wave(&sound).unwrap();
        assert_eq!((wave_of_it.image.name.as_str(), wave_of_it.size), ("s", (THUMBNAIL_SIDE, THUMBNAIL_SIDE)));
        assert_eq!(wave(&silent()).unwrap_err(), "unknown");
    }

    fn silent() -> Sound {
        Sound {
            name: "s".into(),
            encoding: "",
            extension: "",
            bytes: Vec::new().into(),
            pcm: None,
            loops: Vec::new(),
            cues: Vec::new(),
            facts: Vec::new(),
            problem: Some("unknown".into()),
        }
    }
}
