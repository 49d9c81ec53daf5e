//! `render --thumbnail`: a small picture of a file for file managers, bounded in time and memory. The process ends if a
//! thumbnail takes too long.

use super::{
    Failure,
    output::{not_written, plain},
    render_args::Args,
    selection::find_entry,
};
use crate::{
    audio::wave_picture,
    bytes::{Allowance, Cancel, Limits, MemberLimits},
    export::{png, reduced, still, write::write_file},
    formats::{
        Asset, Content, EntryId, LoadOptions, caught,
        tracker::{RenderOptions, render},
    },
    gpu::{GpuError, PictureRoom},
    library::{OpenFile, OpenOptions, beside, model_for, primaries, text_of},
    scene::{Clip, Image, Model, Music, Pcm, Player, Terrain, played_once},
};
use std::{
    io::{self, Write as _},
    process::{ExitCode, abort, exit},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{Builder, sleep},
    time::Duration,
};

/// Kinds of content that have thumbnails, in any order.
const SHOWN: [Content; 9] = [
    Content::Map,
    Content::Terrain,
    Content::Model,
    Content::Clip,
    Content::Image,
    Content::Palette,
    Content::Font,
    Content::Sound,
    Content::Music,
];
/// Maximum number of entries that are tried until one can be drawn.
const ENTRIES_TRIED: usize = 8;
/// Maximum number of files next to a clip that are searched for its model.
const FILES_BESIDE: usize = 4;
/// Part of a piece of music that its thumbnail shows.
const HEARD: RenderOptions = RenderOptions { rate_hz: 8_000, most_minutes: 2 };

/// Returns the limits for a file. They are low, because a software driver alone needs more than 100 MB.
fn limits() -> Limits {
    const LARGEST: u64 = 32 << 20;
    let usual = Limits::default();
    Limits {
        file_bytes: 256 << 20,
        whole_file_bytes: LARGEST,
        neighbour_bytes: LARGEST,
        decoded_bytes: LARGEST,
        container_bytes: LARGEST,
        image_side: 8_192,
        entries: 200_000,
        built_bytes: Allowance { base: LARGEST, per_byte: 16 },
        members: MemberLimits {
            bytes: LARGEST,
            table: 16 << 20,
            dictionary: 32 << 20,
            held: Allowance { base: LARGEST, per_byte: 4 },
            ..usual.members
        },
        ..usual
    }
}

/// Draws the file's main entry or the specified entry into a square of `side` pixels.
pub fn run(side: u32, args: &Args) -> Result<ExitCode, Failure> {
    let watch = Watch::begin().map_err(Failure::failed)?;
    let failed = |why: String| Failure::of_file(&text_of(&args.file), why);
    let picture =
        caught(|| picture(side, args)).unwrap_or_else(|why| Err(failed(format!("internal error in Bonebox: {why}"))));
    let bytes = png(&picture?).map_err(Failure::failed)?;
    // File managers make an empty file first, so that nobody takes the name.
    watch.finish(|| write_file(&args.output, true, |out| out.write_all(&bytes))).map_err(not_written)?;
    Ok(ExitCode::SUCCESS)
}

fn picture(side: u32, args: &Args) -> Result<Image, Failure> {
    let file =
        Arc::new(OpenOptions::new().limits(limits()).reading(&args.reading.overrides()).pipes(true).open(&args.file)?);
    let entries = match &args.entry {
        Some(wanted) => vec![find_entry(&file, wanted, &SHOWN)?.id],
        None => primaries(&file, &SHOWN),
    };
    let mut maker = Maker { file: &file, side, room: None };
    let mut first = None;
    for entry in entries.into_iter().take(ENTRIES_TRIED) {
        match maker.of(entry) {
            Ok(picture) => return Ok(picture),
            Err(why) => first = first.or(Some(why)),
        }
    }
    let why = first.unwrap_or_else(|| "contains nothing to draw".to_owned());
    Err(Failure::of_file(&file.name, plain(&why)))
}

/// Draws thumbnails of entries, one after another.
struct Maker<'a> {
    file: &'a Arc<OpenFile>,
    side: u32,
    room: Option<PictureRoom>,
}

impl Maker<'_> {
    fn of(&mut self, entry: EntryId) -> Result<Image, String> {
        let options = LoadOptions { first_image_only: true, ..LoadOptions::default() };
        let loaded = self.file.load(entry, options, Cancel::never()).map_err(|error| error.message)?;
        let picture = match &loaded.asset {
            Asset::Model(model) => self.model(model, &Player::default()),
            Asset::Clip(clip) => self.clip(entry, clip),
            Asset::Map(map) => self.drawn(|room| room.map(map)),
            Asset::Terrain(terrain) => {
                let terrain = Arc::new(with_small_pictures(terrain, self.side));
                drop(loaded);
                self.drawn(|room| room.terrain(&terrain))
            }
            Asset::Sound(sound) => match &sound.pcm {
                Some(pcm) => Ok(wave_picture(pcm.clone(), self.side)),
                None => Err(sound.problem.clone().unwrap_or_else(|| "cannot be decoded".to_owned())),
            },
            Asset::Music(music) => heard(music).map(|pcm| wave_picture(pcm, self.side)),
            asset => still(asset).map(|(image, uses_alpha)| small(&image, self.side, uses_alpha)),
        }?;
        match picture.rgba.chunks_exact(4).any(|pixel| pixel.last() != Some(&0)) {
            true => Ok(picture),
            false => Err("nothing is visible".to_owned()),
        }
    }

    fn drawn(&mut self, draw: impl FnOnce(&mut PictureRoom) -> Result<Image, GpuError>) -> Result<Image, String> {
        // A device that failed is not asked again.
        let room = match self.room.take() {
            Some(room) => Ok(room),
            None => PictureRoom::open((self.side, self.side)),
        };
        let mut room = room.map_err(|error| error.to_string())?;
        let picture = draw(&mut room).map_err(|error| error.to_string())?;
        self.room = Some(room);
        Ok(picture)
    }

    fn model(&mut self, model: &Arc<Model>, player: &Player) -> Result<Image, String> {
        if model.meshes.is_empty() && model.joint_count() == 0 {
            return Err("the model has no meshes and no bones".to_owned());
        }
        self.drawn(|room| room.model(model, player))
    }

    /// Returns the files next to the clip, up to the size limit for neighbouring files.
    fn others(&self) -> Vec<Arc<OpenFile>> {
        let paths = beside(&self.file.path, self.file.document.format().companions, FILES_BESIDE);
        paths.iter().filter_map(|path| self.file.open_next_to(path).ok()).map(Arc::new).collect()
    }

    /// Draws the middle of a clip on its model, or on its own bones.
    fn clip(&mut self, entry: EntryId, clip: &Arc<Clip>) -> Result<Image, String> {
        let (file, options) = (self.file, LoadOptions::default());
        let others = self.others();
        let bones = || {
            let mut models = file.entries_with(Content::Model).into_iter();
            models.find_map(|entry| match file.load(entry, options, Cancel::never()).ok()?.asset {
                Asset::Model(model) => Some(model),
                _ => None,
            })
        };
        let model = model_for(file, entry, clip, &others, options, Cancel::never()).or_else(bones);
        let model = model.ok_or("no model in this file or a file next to it fits the clip")?;
        let (shown, mut player) = played_once(clip, &model).ok_or("the clip does not animate its model")?;
        player.seek(clip.last_frame() / 2.0);
        self.model(&shown, &player)
    }
}

/// Renders the start of a piece of music.
fn heard(music: &Music) -> Result<Arc<Pcm>, String> {
    let rendering = render(&music.bytes, HEARD, Cancel::never(), &mut |_, _| ());
    rendering.map(|rendering| rendering.pcm).map_err(|error| error.to_string())
}

/// Returns the landscape with images reduced to the visible resolution, because a driver needs several times their size in memory.
fn with_small_pictures(terrain: &Terrain, side: u32) -> Terrain {
    let mut terrain = terrain.clone();
    let most = side.saturating_mul(2);
    for image in terrain.pictures.iter_mut().filter_map(|picture| picture.image.as_mut()) {
        if image.width > most || image.height > most {
            *image = Arc::new(reduced(image, (most, most), true));
        }
    }
    terrain
}

/// Reduces an image to fit the thumbnail. A smaller image is kept.
fn small(image: &Image, side: u32, uses_alpha: bool) -> Image {
    let mut picture = reduced(image, (side, side), uses_alpha);
    if !uses_alpha && picture.has_alpha() {
        let mut rgba = picture.rgba.to_vec();
        rgba.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
        picture.rgba = rgba.into();
    }
    picture
}

/// What a thumbnail may take.
const LONGEST: Duration = Duration::from_secs(10);
/// What may still be taken to write the picture, and by drivers to let go of what they have.
const ENDING: Duration = Duration::from_secs(1);

/// Counts the seconds. Whoever asked for a picture waits for no file, however it was made.
pub struct Watch {
    /// The picture is there. Held while it is written, so that it is there whole or not at all.
    is_there: Arc<Mutex<bool>>,
}

impl Watch {
    /// # Errors
    /// When no thread can be begun.
    pub fn begin() -> io::Result<Self> {
        let is_there = Arc::new(Mutex::new(false));
        let seen = is_there.clone();
        Builder::new().name("watch".to_owned()).spawn(move || {
            sleep(LONGEST);
            // First of all: writing the picture, which has the lock, may never end.
            let _ = Builder::new().spawn(|| {
                sleep(ENDING);
                abort()
            });
            let is_there = lock(&seen);
            if !*is_there {
                super::output::say(format_args!("error: rendering timed out after {} seconds", LONGEST.as_secs()));
            }
            exit(if *is_there { 0 } else { 1 })
        })?;
        Ok(Self { is_there })
    }

    /// Has the picture written, unless the time is over.
    ///
    /// # Errors
    /// What `write` says.
    pub fn finish<E>(&self, write: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let mut is_there = lock(&self.is_there);
        write()?;
        *is_there = true;
        Ok(())
    }
}

fn lock(is_there: &Mutex<bool>) -> MutexGuard<'_, bool> {
    is_there.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::TerrainPicture;

    #[test]
    fn alpha_that_does_not_count_is_not_written() {
        let image = Image {
            name: String::new(),
            width: 2,
            height: 1,
            rgba: vec![1, 2, 3, 0, 4, 5, 6, 9].into(),
            stored_as: String::new(),
        };
        assert_eq!(small(&image, 8, false).rgba.as_ref(), [1, 2, 3, 255, 4, 5, 6, 255]);
        assert_eq!(small(&image, 8, true).rgba, image.rgba);
    }

    #[test]
    fn pictures_of_the_ground_are_as_large_as_they_are_seen() {
        let image = |side: u32| {
            let rgba = vec![200; (side * side * 4) as usize].into();
            Arc::new(Image { name: String::new(), width: side, height: side, rgba, stored_as: String::new() })
        };
        let picture = |side| TerrainPicture { image: Some(image(side)), ..TerrainPicture::default() };
        let terrain = Terrain { pictures: vec![picture(512), picture(16)], ..Terrain::default() };
        let small = with_small_pictures(&terrain, 64);
        let sizes: Vec<u32> = small.pictures.iter().filter_map(|picture| Some(picture.image.as_ref()?.width)).collect();
        assert_eq!(sizes, [128, 16]);
    }
}
