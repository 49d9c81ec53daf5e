//! Poses a model with a clip of another file and prints the bounding box of the model's points.
//!
//! `cargo run --example pose -- MODEL BANK CLIP SECONDS`

use bonebox::{
    library::OpenOptions,
    scene::{Binding, BindingOptions, Frame, Player, skinning::skinned_points},
};
use glam::Vec3;
use std::{env, error::Error, path::Path, sync::Arc};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [model, bank, clip, secs] = arguments.as_slice() else {
        return Err("usage: pose MODEL BANK CLIP SECONDS".into());
    };
    let points = pose(Path::new(model), Path::new(bank), clip, secs.parse()?)?;
    let (low, high) = points.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
    println!("{} points from {low} to {high}", points.len());
    Ok(())
}

/// Returns the points of a model, `secs` seconds after the start of a clip, in scene space (right-handed, Y up, in the file's units).
///
/// # Errors
/// Returns an error if a file cannot be opened, the model or clip is missing, or the clip does not move the model.
pub fn pose(model: &Path, bank: &Path, clip: &str, secs: f32) -> Result<Vec<Vec3>, Box<dyn Error>> {
    let (file, bank) = (OpenOptions::new().open(model)?, OpenOptions::new().open(bank)?);
    let model = file.load_model(file.models().next().ok_or("the file contains no model")?.id)?;
    let entry = bank.clips().find(|entry| entry.path().ends_with(clip)).ok_or("the file contains no such clip")?;
    let clip = bank.load_clip(entry.id)?;
    // Bind the clip's channels to the model's joints, usually by name.
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    if !binding.fit.any() {
        return Err(binding.fit.to_string().into());
    }
    let mut player = Player::default();
    player.set_loop_mode(clip.default_loop);
    player.set_clip(clip, Arc::new(binding));
    player.play();
    player.advance(secs);
    // To evaluate many poses, reuse this frame.
    let mut frame = Frame::default();
    player.evaluate(&model, &mut frame);
    Ok(model.meshes.iter().flat_map(|mesh| skinned_points(&model, mesh, &frame)).collect())
}
