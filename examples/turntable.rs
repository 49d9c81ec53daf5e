//! Draws a model from all sides, without a window, as numbered PNG images.
//!
//! `cargo run --example turntable -- MODEL FOLDER`

use bonebox::{
    export::png,
    gpu::{Background, Studio, take_of},
    library::OpenOptions,
    scene::{Frame, Image, Player, camera::OrbitCamera},
};
use std::{env, error::Error, f32::consts::TAU, fs, iter, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [model, folder] = arguments.as_slice() else { return Err("usage: turntable MODEL FOLDER".into()) };
    for (number, image) in turntable(Path::new(model), 36, 512)?.iter().enumerate() {
        fs::write(Path::new(folder).join(format!("{number:02}.png")), png(image)?)?;
    }
    Ok(())
}

/// Draws `count` square images of the first model of a file, from all sides.
///
/// # Errors
/// Returns an error if the model cannot be read, or if no graphics device is available. A software renderer is sufficient.
pub fn turntable(path: &Path, count: u16, side: u32) -> Result<Vec<Image>, Box<dyn Error>> {
    let file = OpenOptions::new().open(path)?;
    let model = file.load_model(file.models().next().ok_or("the file contains no model")?.id)?;
    let mut studio = Studio::open(&model, (side, side))?;
    let poses = iter::once(Player::default());
    let mut view = take_of(&model, poses, None, OrbitCamera::frame, Background::Transparent, 1.0).view;
    let image = |_: u16| {
        view.camera.yaw += TAU / f32::from(count);
        studio.picture(&view, &Frame::bind(&model))
    };
    Ok((0..count).map(image).collect::<Result<_, _>>()?)
}
