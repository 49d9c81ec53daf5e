//! Pictures of the window in twelve states, compared with the pictures in `tests/data/window`.
//!
//! The tests draw with Mesa's software driver (lavapipe), because its results differ little between computers. A test fails if a
//! picture differs by more than a tolerance. Its message then names an image of the difference. `BONEBOX_ACCEPT=1` replaces the
//! kept pictures that differ.

use crate::kit::{self, app::*, device};
use bonebox::{
    formats::{Content, EntryId},
    library::collection::Store,
    ui::{
        command::{
            CameraCommand, CollectionCommand, Command, CompareCommand, ExportCommand, LevelCommand, SelectionCommand,
            SoundCommand, StageCommand, TransportCommand, WindowCommand,
        },
        state::Place,
    },
};
use egui::Rect;
use egui_kittest::{Harness, kittest::Queryable as _};
use image::{Rgb, RgbImage, imageops};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    fs,
    io::BufWriter,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Sizes of the window, in points and pixels.
const SIZES: [[u32; 2]; 2] = [[900, 600], [1600, 1000]];

/// Themes, and whether each is dark.
const THEMES: [(&str, bool); 2] = [("dark", true), ("light", false)];

const HOW_TO_ACCEPT: &str = "To accept the new pictures: BONEBOX_ACCEPT=1 cargo test --test ui window_pictures";

const NOT_IN_THE_CRATE: &str = "tests/data/window is missing; it is not part of the published crate";

/// Maximum time until a window is idle.
const PATIENCE: Duration = Duration::from_secs(300);

fn sample(name: &str) -> PathBuf {
    kit::samples().join(name)
}

/// Opens samples in this order.
fn open_samples(window: &mut Window, names: &[&str]) {
    open(window, names.iter().map(|name| sample(name)));
}

/// The entry of an open file with this path. An empty path is the file itself.
#[track_caller]
fn entry(window: &Window, file: &str, path: &str) -> Place {
    read(window, |state| {
        let file = state.core.library.files.iter().find(|f| f.file.name == file).expect("the file is open");
        let found = match path {
            "" => Some(EntryId::FILE),
            path => file.file.document.outline().find(path).map(|entry| entry.id),
        };
        Place { file: file.id, entry: found.unwrap_or_else(|| panic!("{} has no {path}", file.file.name)) }
    })
}

#[track_caller]
fn show(window: &mut Window, file: &str, path: &str) {
    let place = entry(window, file, path);
    apply(window, Command::Stage(StageCommand::Show(place)));
}

#[track_caller]
fn select(window: &mut Window, file: &str, path: &str) {
    let place = entry(window, file, path);
    apply(window, Command::Selection(SelectionCommand::Select(place)));
}

/// Pauses the clips of the model at a frame.
fn pause_at(window: &mut Window, frame: f32) {
    if read(window, |state| state.stages.front.playback().unwrap().player.playing) {
        apply(window, Command::Transport(TransportCommand::TogglePlay));
    }
    apply(window, Command::Transport(TransportCommand::Seek(frame)));
    assert_eq!(read(window, |state| state.stages.front.playback().unwrap().player.frame()), frame);
}

fn empty(_: &mut Window) {}

/// An ActorX model with a clip, paused.
fn model_with_clip(window: &mut Window) {
    open_samples(window, &["Ossie.psk", "Ossie.psa"]);
    let walk = read(window, |state| {
        let file = state.core.library.files.iter().find(|f| f.file.name == "Ossie.psa").expect("the clips are open");
        let mut clips = file.file.entries_with(Content::Clip).into_iter();
        let entry = clips.find(|id| file.file.entry(*id).is_some_and(|entry| entry.name == "Walk"));
        Place { file: file.id, entry: entry.expect("the sample has the clip") }
    });
    apply(window, Command::Stage(StageCommand::Show(walk)));
    pause_at(window, 7.0);
}

/// A material of the GameCube with several stages of the texture combiner.
fn j3d_material(window: &mut Window) {
    open_samples(window, &["Bonebox.szs"]);
    for path in ["bmd/lumo.bmd", "bck/lumo_idle.bck", "btk/lumo.btk", "brk/lumo.brk"] {
        show(window, "Bonebox.szs", &format!("Bonebox.arc/{path}"));
    }
    pause_at(window, 12.0);
    apply(window, Command::Camera(CameraCommand::Frame));
    select(window, "Bonebox.szs", "Bonebox.arc/bmd/lumo.bmd/MAT3/Ring");
}

fn level(window: &mut Window) {
    open_samples(window, &["BoneRoom.unr", "BoneboxFX.utx"]);
    show(window, "BoneRoom.unr", "MyLevel");
    apply(window, Command::Level(LevelCommand::TogglePlay));
}

fn landscape(window: &mut Window) {
    open_samples(window, &["MarrowIsle.pew"]);
    show(window, "MarrowIsle.pew", "Terrain");
}

fn gallery(window: &mut Window) {
    open_samples(window, &["BoneboxFX.utx"]);
    select(window, "BoneboxFX.utx", "Skins.OssieBody");
    apply(window, Command::Stage(StageCommand::ShowGalleryOfSelected));
}

/// The results of a search in a folder of samples.
fn collection(window: &mut Window) {
    let folder = tempfile::tempdir().unwrap();
    let samples = folder.path().join("Samples");
    fs::create_dir(&samples).unwrap();
    for name in ["BoneRoom.unr", "Bonebox.u", "BoneboxFX.utx", "BoneTune.umx", "Ossie.psa", "Ossie.psk"] {
        fs::copy(sample(name), samples.join(name)).unwrap();
    }
    let store = Store::at(folder.path().join("index/collections.redb"));
    change(window, |state| state.collection.start_collection(&mut state.core, store));
    apply(window, Command::Collection(CollectionCommand::Add(samples)));
    apply(window, Command::Collection(CollectionCommand::Show));
    type_into(window, "Search collection", "ossie");
    // A list would contain the path of the temporary folder.
    apply(window, Command::Collection(CollectionCommand::ShowPictures(true)));
    rest(window);
}

/// Two packages, one of which has a patch on a texture.
fn comparison(window: &mut Window) {
    let folder = tempfile::tempdir().unwrap();
    // The library shows the name of the folder.
    let packages = folder.path().join("Packages");
    fs::create_dir(&packages).unwrap();
    let [old, new] = ["Flags.utx", "FlagsPatched.utx"].map(|name| packages.join(name));
    let mut bytes = fs::read(sample("BoneboxFX.utx")).unwrap();
    fs::write(&old, &bytes).unwrap();
    open(window, [old]);
    let flag = entry(window, "Flags.utx", "Skins.Flag");
    let start = read(window, |state| {
        state.core.file(flag.file).and_then(|file| file.entry(flag.entry)).unwrap().offset as usize
    });
    // Rows of the largest mip, 128 pixels each.
    for row in 30..60 {
        bytes[start + 128 * row..][50..90].fill(3);
    }
    fs::write(&new, &bytes).unwrap();
    open(window, [new]);
    apply(window, Command::Compare(CompareCommand::File(flag.file)));
    select(window, "FlagsPatched.utx", "Skins.Flag");
    rest(window);
}

fn script(window: &mut Window) {
    open_samples(window, &["Bonebox.u"]);
    show(window, "Bonebox.u", "BoneCreature");
}

fn sound(window: &mut Window) {
    open_samples(window, &["Bonebox.u"]);
    show(window, "Bonebox.u", "Sounds.Bell");
    let third = read(window, |state| {
        let sound = state.stages.front.sound().expect("a sound is shown");
        sound.pcm().expect("it is decoded").frames() / 3
    });
    apply(window, Command::Sound(SoundCommand::Seek(third)));
}

fn settings(window: &mut Window) {
    model_with_clip(window);
    apply(window, Command::Window(WindowCommand::ToggleSettings));
}

fn export_dialog(window: &mut Window) {
    model_with_clip(window);
    apply(window, Command::Export(ExportCommand::PrepareShown));
    let mut draft = read(window, |state| state.exports.draft.clone().expect("the dialog is open"));
    // The default is a folder of the user.
    draft.path = "exports/Ossie.glb".to_owned();
    apply(window, Command::Export(ExportCommand::Edit(Box::new(draft))));
}

/// Defines one test for each state: it brings an empty window to the state.
macro_rules! states {
    ($($state:ident),*) => {
        const STATES: &[&str] = &[$(stringify!($state)),*];

        mod states {
            $(
                #[test]
                fn $state() {
                    super::check(stringify!($state), super::$state);
                }
            )*
        }
    };
}

states!(
    empty,
    model_with_clip,
    j3d_material,
    level,
    landscape,
    gallery,
    collection,
    comparison,
    script,
    sound,
    settings,
    export_dialog
);

/// Folder of the kept pictures.
fn kept_folder() -> PathBuf {
    kit::data().join("window")
}

/// Folder for the pictures of failed tests.
fn failed_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("window-pictures")
}

fn file_name(state: &str, theme: &str, size: [u32; 2]) -> String {
    format!("{state}-{theme}-{}.png", size[0])
}

/// Whether the kept pictures are replaced.
fn accepts() -> bool {
    kit::required("BONEBOX_ACCEPT")
}

/// Compares a state in all sizes and themes with the kept pictures.
fn check(state: &str, bring_about: fn(&mut Window)) {
    let Some(context) = device::context() else { return };
    // Other drivers differ too much: in curves, filters and the order of small triangles.
    if context.backend_name() != "vulkan" || !context.adapter_name().starts_with("llvmpipe") {
        kit::skipped(&format!("the pictures are of Mesa's software driver, not of {}", context.adapter_name()));
        return;
    }
    drop(context);
    if !kept_folder().is_dir() && !accepts() {
        kit::skipped(NOT_IN_THE_CRATE);
        return;
    }
    let mut faults = Vec::new();
    for size in SIZES {
        let mut window = window_of_size(size);
        bring_about(&mut window);
        for (theme, dark) in THEMES {
            apply(&mut window, Command::Window(WindowCommand::SetDark(dark)));
            let found = picture_of(&mut window);
            faults.extend(fault_of(&file_name(state, theme, size), &found));
        }
    }
    assert!(
        faults.is_empty(),
        "{} of 4 pictures differ from the kept ones:\n  {}\n{HOW_TO_ACCEPT}",
        faults.len(),
        faults.join("\n  ")
    );
}

/// An empty window of this size that is drawn by a device.
fn window_of_size(size: [u32; 2]) -> Window {
    // Long frames end animations and remove notices soon.
    let builder = Harness::builder().with_step_dt(1.0).wgpu();
    window_built(builder, kept(state()), size.map(|side| side as f32))
}

/// Runs frames until the window would not draw another.
#[track_caller]
fn rest(window: &mut Window) {
    let end = Instant::now() + PATIENCE;
    let mut idle = 0;
    while idle < 4 {
        assert!(Instant::now() < end, "the window does not come to rest");
        // A theme replaces the style.
        window.ctx.all_styles_mut(|style| style.visuals.text_cursor.blink = false);
        window.step();
        let works = read(window, |state| {
            state.core.works.is_busy() || state.thumbnails.is_busy() || state.collection.pictures.is_busy()
        });
        idle = if works || window.ctx.has_requested_repaint() { 0 } else { idle + 1 };
        if works {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A picture of the window at rest.
fn picture_of(window: &mut Window) -> RgbImage {
    window.remove_cursor();
    rest(window);
    image::DynamicImage::from(window.render().unwrap()).into_rgb8()
}

/// Minimum number of pixels of a flat colour: of a panel, a field, a button or a background.
const FLAT_PIXELS: usize = 400;

/// Maximum error of the other colours in the kept pictures, for each channel. They have few colours so that they are small.
const COLOR_ERROR: u8 = 8;

/// Maximum difference of a channel that counts as equal, for flat colours. The kept pictures have them exactly, except for the
/// lowest bit of blue. Other versions of Mesa and other processors round backgrounds of models differently.
const FLAT_TOLERANCE: u8 = 4;

/// Maximum difference of a channel that counts as equal, for other colours: the error of the kept picture, and 4 for the driver.
const CHANNEL_TOLERANCE: u8 = COLOR_ERROR + 4;

/// Marks a colour of a kept picture as flat or not, in the lowest bit of blue.
fn marked([r, g, b]: [u8; 3], is_flat: bool) -> [u8; 3] {
    [r, g, if is_flat { b & !1 } else { b | 1 }]
}

/// Returns whether a colour of a kept picture is marked as flat.
fn is_flat([_, _, b]: [u8; 3]) -> bool {
    b & 1 == 0
}

/// Maximum number of differing pixels in any square of [`BLOCK`] × [`BLOCK`] pixels: 3 %.
///
/// Pixels are counted in squares, because a share of the whole window would hide a small change. With the same driver and
/// processor, no pixel differs. With other versions of Mesa, and with other instruction sets of the processor, the edges of some
/// triangles of models and levels differ: up to 25 pixels in a square, measured with SSE2 in the place of AVX2. A thin icon in
/// another colour differs in 48 pixels, and a label that moves by one pixel in 175.
const MAX_DIFFERING_IN_BLOCK: u32 = 32;

/// Side of a square in which differing pixels are counted.
const BLOCK: u32 = 32;

/// Pixels between pictures side by side.
const GAP: u32 = 8;

/// Where two pictures of the same size differ.
struct Difference {
    width: u32,
    /// For each pixel, whether it differs.
    differs: Vec<bool>,
    /// Top left corner of the square with the most differing pixels.
    worst: (u32, u32),
    /// Number of differing pixels in that square.
    in_worst: u32,
}

impl Difference {
    fn new(kept: &RgbImage, found: &RgbImage) -> Self {
        assert_eq!(kept.dimensions(), found.dimensions());
        let (width, height) = kept.dimensions();
        let tolerance = |kept: [u8; 3]| if is_flat(kept) { FLAT_TOLERANCE } else { CHANNEL_TOLERANCE };
        let pairs = kept.pixels().zip(found.pixels());
        let differs: Vec<bool> = pairs.map(|(a, b)| !device::near(a.0, b.0, tolerance(a.0))).collect();
        // Differing pixels above and to the left of each corner.
        let row_len = width as usize + 1;
        let mut sums = vec![0_u32; row_len * (height as usize + 1)];
        for (y, row) in differs.chunks_exact(width as usize).enumerate() {
            let mut in_row = 0;
            for (x, differs) in row.iter().enumerate() {
                in_row += u32::from(*differs);
                sums[(y + 1) * row_len + x + 1] = sums[y * row_len + x + 1] + in_row;
            }
        }
        let sum = |x: u32, y: u32| sums[y as usize * row_len + x as usize];
        let (mut worst, mut in_worst) = ((0, 0), 0);
        let last = |side: u32| side.saturating_sub(BLOCK);
        for top in 0..=last(height) {
            for left in 0..=last(width) {
                let (right, bottom) = ((left + BLOCK).min(width), (top + BLOCK).min(height));
                let count = sum(right, bottom) + sum(left, top) - sum(left, bottom) - sum(right, top);
                if count > in_worst {
                    (worst, in_worst) = ((left, top), count);
                }
            }
        }
        Self { width, differs, worst, in_worst }
    }

    fn is_tolerated(&self) -> bool {
        self.in_worst <= MAX_DIFFERING_IN_BLOCK
    }

    /// The expected picture, the found one and their difference, side by side.
    fn picture(&self, expected: &RgbImage, found: &RgbImage) -> RgbImage {
        let (width, height) = found.dimensions();
        let mut difference = RgbImage::from_fn(width, height, |x, y| {
            if self.differs[(y * self.width + x) as usize] {
                return Rgb([255, 0, 0]);
            }
            let [r, g, b] = found.get_pixel(x, y).0.map(u32::from);
            Rgb([((r + g + b) / 12) as u8; 3])
        });
        let (left, top) = self.worst;
        let (right, bottom) = ((left + BLOCK).min(width) - 1, (top + BLOCK).min(height) - 1);
        for x in left..=right {
            [top, bottom].into_iter().for_each(|y| difference.put_pixel(x, y, Rgb([255, 220, 0])));
        }
        for y in top..=bottom {
            [left, right].into_iter().for_each(|x| difference.put_pixel(x, y, Rgb([255, 220, 0])));
        }
        let mut all = RgbImage::from_pixel(width * 3 + GAP * 2, height, Rgb([255, 0, 255]));
        for (at, part) in [expected, found, &difference].into_iter().enumerate() {
            imageops::replace(&mut all, part, i64::from((width + GAP) * at as u32), 0);
        }
        all
    }
}

/// Compares a picture with the kept one of this name. Returns the fault, unless it was accepted.
fn fault_of(name: &str, found: &RgbImage) -> Option<String> {
    let kept = kept_folder().join(name);
    let expected = image::open(&kept).map(image::DynamicImage::into_rgb8);
    let expected = expected.ok().filter(|expected| expected.dimensions() == found.dimensions());
    let difference = expected.as_ref().map(|expected| Difference::new(expected, found));
    if let Some(difference) = &difference {
        // Shown with `--nocapture`.
        eprintln!(
            "{name}: {} of {MAX_DIFFERING_IN_BLOCK} pixels differ at {:?}",
            difference.in_worst, difference.worst
        );
    }
    if difference.as_ref().is_some_and(Difference::is_tolerated) {
        return None;
    }
    if accepts() {
        write(found, &kept);
        return None;
    }
    let failed = failed_folder().join(name);
    let (Some(expected), Some(difference)) = (expected, difference) else {
        write(found, &failed);
        return Some(format!("{name} is not kept in this size; the new picture is {}", failed.display()));
    };
    write(&difference.picture(&expected, found), &failed);
    let (x, y) = difference.worst;
    Some(format!(
        "{name}: {} pixels differ near ({x}, {y}). Expected, found and difference: {}",
        difference.in_worst,
        failed.display()
    ))
}

/// Each picture in the folder is of a state, a theme and a size. With `BONEBOX_ACCEPT=1`, others are deleted.
#[test]
fn every_kept_picture_is_compared() {
    if !kept_folder().is_dir() {
        kit::skipped(NOT_IN_THE_CRATE);
        return;
    }
    let mut compared = BTreeSet::new();
    for state in STATES {
        for (theme, _) in THEMES {
            compared.extend(SIZES.map(|size| file_name(state, theme, size)));
        }
    }
    let unused: Vec<PathBuf> = kit::files_below(&kept_folder())
        .into_iter()
        .filter(|path| !compared.contains(path.file_name().unwrap().to_str().unwrap()))
        .collect();
    if accepts() {
        unused.iter().for_each(|path| fs::remove_file(path).unwrap());
    } else {
        assert!(unused.is_empty(), "no test uses {unused:?}. {HOW_TO_ACCEPT}");
    }
}

/// A picture of the menu and the library, and the places of some of their widgets.
struct Changed {
    picture: RgbImage,
    label: Rect,
    icon: Rect,
    button: Rect,
}

impl Changed {
    /// The kept picture of the empty window in a theme. `None` if it is not kept.
    fn new(theme: &str) -> Option<Self> {
        let name = file_name("empty", theme, SIZES[0]);
        let picture = image::open(kept_folder().join(name)).ok()?.into_rgb8();
        let mut window = window_of(kept(state()), SIZES[0].map(|side| side as f32));
        window.run_steps(4);
        let rect = |label: &str| window.get_by_label(label).rect();
        let around = |rect: Rect, side: f32| Rect::from_center_size(rect.center(), egui::Vec2::splat(side));
        let (label, icon) = (rect("Playback"), around(rect("Collapse all library rows"), 16.0));
        Some(Self { picture, label, icon, button: rect("Open files") })
    }

    /// Replaces the pixels of a rectangle with a function of the pixel and the one above.
    fn replaced(&self, rect: Rect, color: impl Fn(Rgb<u8>, Rgb<u8>) -> Rgb<u8>) -> RgbImage {
        let mut changed = self.picture.clone();
        for y in rect.top().round() as u32..rect.bottom().round() as u32 {
            for x in rect.left().round() as u32..rect.right().round() as u32 {
                let color = color(*self.picture.get_pixel(x, y), *self.picture.get_pixel(x, y - 1));
                changed.put_pixel(x, y, color);
            }
        }
        changed
    }

    #[track_caller]
    fn is_found(&self, changed: &RgbImage, rect: Rect) {
        let difference = Difference::new(&self.picture, changed);
        assert!(!difference.is_tolerated(), "only {} pixels differ", difference.in_worst);
        let (left, top) = difference.worst;
        let worst = Rect::from_min_size(egui::pos2(left as f32, top as f32), egui::Vec2::splat(BLOCK as f32));
        assert!(worst.intersects(rect), "{worst:?} is not at {rect:?}");
    }
}

#[test]
fn small_changes_of_a_picture_are_found() {
    for (theme, _) in THEMES {
        let Some(it) = Changed::new(theme) else {
            kit::skipped(NOT_IN_THE_CRATE);
            return;
        };
        // A label that moved down by one pixel.
        it.is_found(&it.replaced(it.label, |_, above| above), it.label);
        // An icon of another colour, and a missing icon.
        let behind = *it.picture.get_pixel(it.icon.left() as u32, it.icon.top() as u32);
        let recolored = |color: Rgb<u8>, _| if color == behind { color } else { Rgb([color.0[0], 90, 90]) };
        it.is_found(&it.replaced(it.icon, recolored), it.icon);
        it.is_found(&it.replaced(it.icon, |_, _| behind), it.icon);
        // A button that is a little lighter or darker.
        for by in [FLAT_TOLERANCE + 1, 0_u8.wrapping_sub(FLAT_TOLERANCE + 1)] {
            it.is_found(&it.replaced(it.button, |Rgb([r, g, b]), _| Rgb([r, g.wrapping_add(by), b])), it.button);
        }
    }
}

#[test]
fn small_errors_of_a_driver_are_tolerated() {
    let picture = RgbImage::from_fn(100, 70, |x, y| Rgb(marked([(x + y) as u8, 100, 50], false)));
    let mut other = picture.clone();
    for (x, y, pixel) in other.enumerate_pixels_mut() {
        pixel.0 = pixel.0.map(|channel| channel + CHANNEL_TOLERANCE);
        // An edge of a triangle: MAX_DIFFERING_IN_BLOCK pixels in each square, at most.
        if y % (BLOCK / 2) == 0 && x % BLOCK < MAX_DIFFERING_IN_BLOCK / 2 {
            pixel.0 = [255; 3];
        }
    }
    let difference = Difference::new(&picture, &other);
    assert!(difference.is_tolerated() && difference.in_worst == MAX_DIFFERING_IN_BLOCK, "{}", difference.in_worst);
    other.put_pixel(40, 45, Rgb([255; 3]));
    let difference = Difference::new(&picture, &other);
    assert!(!difference.is_tolerated());
    // Expected, found and difference.
    let shown = difference.picture(&picture, &other);
    assert_eq!(shown.dimensions(), (3 * 100 + 2 * GAP, 70));
    let part = |at: u32| imageops::crop_imm(&shown, at * (100 + GAP), 0, 100, 70).to_image();
    assert!(part(0) == picture && part(1) == other);
    assert!(part(2).pixels().any(|pixel| pixel.0 == [255, 0, 0]));
}

#[test]
fn flat_colors_are_kept() {
    // A gradient on a panel.
    let picture = RgbImage::from_fn(64, 64, |x, y| if y < 8 { Rgb([x as u8 * 2, 40, 41]) } else { Rgb([21, 40, 41]) });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    write(&picture, &path);
    let kept = image::open(&path).unwrap().into_rgb8();
    assert_eq!(kept.get_pixel(5, 30), &Rgb([21, 40, 40]));
    assert!(Difference::new(&kept, &picture).in_worst == 0);
    let pairs = || kept.pixels().zip(picture.pixels());
    assert!(pairs().all(|(kept, found)| device::near(kept.0, found.0, COLOR_ERROR)));
    assert!(pairs().any(|(kept, found)| kept != found));
}

/// Writes a picture with few colours and maximum compression.
fn write(picture: &RgbImage, path: &Path) {
    let (colors, indices) = few_colors(picture);
    let (width, height) = picture.dimensions();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut encoder = png::Encoder::new(BufWriter::new(fs::File::create(path).unwrap()), width, height);
    encoder.set_compression(png::Compression::High);
    // Rows of flat colours repeat as they are.
    encoder.set_filter(png::Filter::NoFilter);
    let bytes: Vec<u8> = if colors.len() <= 256 {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(colors.concat());
        indices.iter().map(|index| *index as u8).collect()
    } else {
        encoder.set_color(png::ColorType::Rgb);
        indices.iter().flat_map(|index| colors[*index]).collect()
    };
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&bytes).unwrap();
    writer.finish().unwrap();
}

/// Reduces the colours of a picture. Flat colours stay, and each other colour becomes the most frequent one within
/// [`COLOR_ERROR`]. Returns the colours, and the index of each pixel's colour.
fn few_colors(picture: &RgbImage) -> (Vec<[u8; 3]>, Vec<usize>) {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for pixel in picture.pixels() {
        *counts.entry(pixel.0).or_default() += 1;
    }
    let mut by_count: Vec<([u8; 3], usize)> = counts.into_iter().collect();
    by_count.sort_by_key(|(color, count)| (Reverse(*count), *color));
    let (mut colors, mut index_of): (Vec<[u8; 3]>, _) = (Vec::new(), HashMap::new());
    for (color, count) in by_count {
        let flat = count >= FLAT_PIXELS;
        let exact = marked(color, flat);
        let is_near = |known: &[u8; 3]| {
            if flat { *known == exact } else { !is_flat(*known) && device::near(known, color, COLOR_ERROR) }
        };
        let known = colors.iter().position(is_near);
        index_of.insert(color, known.unwrap_or(colors.len()));
        if known.is_none() {
            colors.push(exact);
        }
    }
    (colors, picture.pixels().map(|pixel| index_of[&pixel.0]).collect())
}
