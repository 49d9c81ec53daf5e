//! Poses a model with a clip of another file and prints the bounds of its points.
//!
//! `cargo run --example pose -- MODEL BANK CLIP SECONDS`

use bonebox::{
    formats::{Asset, Content, LoadOptions},
    library::{OpenFile, OpenOptions},
    scene::{Binding, BindingOptions, Clip, Frame, Model, Player, skinning::skinned_points},
};
use glam::Vec3;
use std::{
    env,
    error::Error,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

/// Loading can be cancelled from another thread. This example never cancels.
static NEVER: AtomicBool = AtomicBool::new(false);

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

/// Returns the points of a model at a time of a clip, in scene space: right-handed, Y up, in the file's units.
///
/// # Errors
/// Returns an error if a file cannot be opened, the model or clip is missing, or the clip does not move the model.
pub fn pose(model: &Path, bank: &Path, clip: &str, secs: f32) -> Result<Vec<Vec3>, Box<dyn Error>> {
    let model = first_model(&OpenOptions::new().open(model)?)?;
    let clip = clip_named(&OpenOptions::new().open(bank)?, clip)?;
    // Binds the clip's channels to the model's joints, usually by name.
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    if !binding.fit.any() {
        return Err(binding.fit.to_string().into());
    }
    let mut player = Player::default();
    player.set_loop_mode(clip.default_loop);
    player.set_clip(clip, Arc::new(binding));
    player.play();
    player.advance(secs);
    // Reuse the frame to evaluate many poses.
    let mut frame = Frame::default();
    player.evaluate(&model, &mut frame);
    Ok(model.meshes.iter().flat_map(|mesh| skinned_points(&model, mesh, &frame)).collect())
}

/// Loads the first model of a file, with textures found next to the file.
fn first_model(file: &OpenFile) -> Result<Arc<Model>, Box<dyn Error>> {
    let entry = file.document.outline().with_content(Content::Model).next().ok_or("the file contains no model")?;
    match file.load(entry.id, LoadOptions::default(), &NEVER)?.asset {
        Asset::Model(model) => Ok(model),
        _ => Err("the entry is not a model".into()),
    }
}

/// Loads the clip with a path that ends in `name`.
fn clip_named(file: &OpenFile, name: &str) -> Result<Arc<Clip>, Box<dyn Error>> {
    let mut clips = file.document.outline().with_content(Content::Clip);
    let entry = clips.find(|entry| entry.path().ends_with(name)).ok_or("the file contains no such clip")?;
    match file.load(entry.id, LoadOptions::default(), &NEVER)?.asset {
        Asset::Clip(clip) => Ok(clip),
        _ => Err("the entry is not a clip".into()),
    }
}
