//! Renders the screenshots of the documents with the program itself: `cargo run --example screenshots` (or `scripts/screenshots`).
//! With names, renders only these: `cargo run --example screenshots map music`. `--both FOLDER` writes each into a folder in the
//! dark and in the light theme, for review.

mod driver;
mod features;
mod shots;

use bonebox::{
    cli::{self, Invocation},
    ui::command::{Command, WindowCommand},
};
use driver::{Window, apply};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use std::path::{Path, PathBuf};

/// Renders one clip on the same arm under the three scaling rules, side by side, as `bonebox render` does.
fn scaling_rules() -> image::RgbaImage {
    const SIZE: (u32, u32) = (430, 560);
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/samples/ScalingRules.arc");
    let clip = format!("{}::bck/grow.bck", sample.display());
    let folder = tempfile::tempdir().expect("a folder for pictures");
    let mut all = image::RgbaImage::new(SIZE.0 * 3, SIZE.1);
    for (x, rule) in (0..).step_by(SIZE.0 as usize).zip(["basic", "softimage", "maya"]) {
        let out = folder.path().join(rule).with_extension("png");
        let (sample, out_path) = (sample.to_string_lossy(), out.to_string_lossy());
        let (model, size) = (format!("bmd/{rule}.bmd"), format!("{}x{}", SIZE.0, SIZE.1));
        let words =
            ["bonebox", "render", &sample, &model, "--clip", &clip, "--frame", "60", "--view", "front", "--size"];
        let words = words.into_iter().chain([size.as_str(), "-o", &out_path]);
        let Ok(Invocation::Verb(verb)) = cli::parse(words) else { panic!("no verb") };
        cli::run(*verb);
        let picture = image::open(&out).expect("it was drawn").to_rgba8();
        image::imageops::replace(&mut all, &picture, x, 0);
    }
    all
}

/// Writes an image without alpha and with maximum compression.
fn write(picture: &image::RgbaImage, path: &Path) {
    let file = std::io::BufWriter::new(std::fs::File::create(path).expect("the file can be written"));
    let encoder = PngEncoder::new_with_quality(file, CompressionType::Best, FilterType::Sub);
    let rgb = image::DynamicImage::from(picture.clone()).into_rgb8();
    rgb.write_with_encoder(encoder).expect("the picture is written");
}

/// Saves a screenshot of a window.
fn save(window: &mut Window, path: &Path) {
    // Wait until notices disappear.
    for _ in 0..8 {
        let now = window.ctx.input(|input| input.time);
        window.input_mut().time = Some(now + 2.0);
        window.step();
    }
    write(&window.render().expect("the window is drawn"), path);
    println!("{}", path.display());
}

fn main() {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    let both = wanted.iter().position(|word| word == "--both").map(|at| {
        wanted.remove(at);
        PathBuf::from(wanted.remove(at))
    });
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    let folder = both.clone().unwrap_or_else(own);
    std::fs::create_dir_all(&folder).expect("the folder is there");
    if both.is_none() && (wanted.is_empty() || wanted.iter().any(|w| w == "scaling")) {
        let path = folder.join("scaling.png");
        write(&scaling_rules(), &path);
        println!("{}", path.display());
    }
    let named = |name: &&str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    let looks = if both.is_some() { features::LOOKS } else { &[] };
    for (name, make) in shots::SHOTS.iter().chain(features::SHOTS).chain(looks).filter(|(name, _)| named(name)) {
        let mut window = make();
        if both.is_some() {
            for (theme, dark) in [("dark", true), ("light", false)] {
                apply(&mut window, Command::Window(WindowCommand::SetDark(dark)));
                save(&mut window, &folder.join(format!("{name}-{theme}.png")));
            }
        } else {
            save(&mut window, &folder.join(name).with_extension("png"));
        }
    }
}
