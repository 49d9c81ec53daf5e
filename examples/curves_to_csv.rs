//! Prints the curves of all clips of a PSA file as CSV: one row for each clip, joint, curve and frame.
//!
//! `cargo run --example curves_to_csv -- assets/samples/Ossie.psa > curves.csv`

use bonebox::{library::OpenOptions, scene::Target};
use std::{env, error::Error, fmt::Write as _, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: curves_to_csv FILE.psa")?;
    print!("{}", curves_to_csv(Path::new(&path))?);
    Ok(())
}

/// Returns the curves as CSV: translations and rotations (quaternions) relative to the parent joint, in scene space (right-handed, Y up).
///
/// # Errors
/// Returns an error if the file or a clip cannot be read.
pub fn curves_to_csv(path: &Path) -> Result<String, Box<dyn Error>> {
    let file = OpenOptions::new().open(path)?;
    let mut csv = "clip,joint,curve,frame,x,y,z,w\n".to_owned();
    for entry in file.clips() {
        let clip = file.load_clip(entry.id)?;
        for channel in &clip.channels {
            let (Target::JointTranslation(joint) | Target::JointRotation(joint)) = &channel.target else { continue };
            let joint = &clip.joints[joint.as_usize()];
            for frame in 0..clip.frame_count {
                let start = format!("{},{joint}", clip.name);
                if let Some(t) = channel.sampler.vec3(frame as f32, None) {
                    writeln!(csv, "{start},translation,{frame},{},{},{},", t.x, t.y, t.z)?;
                } else if let Some(q) = channel.sampler.rotation(frame as f32, None) {
                    writeln!(csv, "{start},rotation,{frame},{},{},{},{}", q.x, q.y, q.z, q.w)?;
                }
            }
        }
    }
    Ok(csv)
}
