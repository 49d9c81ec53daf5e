//! Poses a model with a clip of another file at a moment, and says where its points are.
//!
//! `cargo run --example pose -- MODEL BANK CLIP SECONDS`

use bonebox::{
    bytes::Limits,
    formats::{Asset, Content, LoadOptions},
    library::{OpenFile, open_path},
    scene::{Binding, BindingOptions, Clip, Frame, Model, Player, skinning::skinned_points},
};
use glam::Vec3;
use std::{
    env,
    error::Error,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

/// Loading can be cancelled from another thread; here nobody does.
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

/// The points of a model at a moment of a clip, in the scene: right-handed, Y up, in the file's units.
///
/// # Errors
/// When a file does not open, has no model or no such clip, or when the clip moves nothing of the model.
pub fn pose(model: &Path, bank: &Path, clip: &str, secs: f32) -> Result<Vec<Vec3>, Box<dyn Error>> {
    let model = first_model(&open_path(model, Limits::default())?)?;
    let clip = clip_named(&open_path(bank, Limits::default())?, clip)?;
    // Joins the clip's channels to the model's joints, mostly by their names.
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    if !binding.fit.any() {
        return Err(binding.fit.to_string().into());
    }
    let mut player = Player::default();
    player.set_loop_mode(clip.default_loop);
    player.set_clip(clip, Arc::new(binding));
    player.play();
    player.advance(secs);
    // A frame is kept and filled again where many are wanted.
    let mut frame = Frame::default();
    player.evaluate(&model, &mut frame);
    Ok(model.meshes.iter().flat_map(|mesh| skinned_points(&model, mesh, &frame)).collect())
}

/// The first model of a file, with its textures where they are found beside it.
fn first_model(file: &OpenFile) -> Result<Arc<Model>, Box<dyn Error>> {
    let entry = file.document.outline().with_content(Content::Model).next().ok_or("there is no model in it")?;
    match file.load(entry.id, LoadOptions::default(), &NEVER)?.asset {
        Asset::Model(model) => Ok(model),
        _ => Err("it shows as something else".into()),
    }
}

/// The clip whose path ends in a name.
fn clip_named(file: &OpenFile, name: &str) -> Result<Arc<Clip>, Box<dyn Error>> {
    let mut clips = file.document.outline().with_content(Content::Clip);
    let entry = clips.find(|entry| entry.path().ends_with(name)).ok_or("there is no such clip in it")?;
    match file.load(entry.id, LoadOptions::default(), &NEVER)?.asset {
        Asset::Clip(clip) => Ok(clip),
        _ => Err("it shows as something else".into()),
    }
}
