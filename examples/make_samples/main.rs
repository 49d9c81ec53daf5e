//! Generates the project's own samples: `cargo run --example make_samples [folder]`, by default into `assets/samples`.
//!
//! Everything is computed, and the bytes are reproducible. To add a sample, write a function that returns its files and add a
//! line to [`samples`].

use std::path::PathBuf;

use bonebox::formats::actorx::{Psa, Psk, encode_psa, encode_psk};

mod actorx;
mod animate;
mod charpipe;
mod coat;
mod creature;
mod j3d;
mod marrow;
mod mesh;
mod occlusion;
mod paint;
mod rig;
pub mod unreal;

/// A file of a sample.
pub struct SampleFile {
    /// Path in the samples folder.
    pub name: &'static str,
    pub bytes: Vec<u8>,
}

/// All files of all samples.
pub fn samples() -> Vec<SampleFile> {
    let mut files = ossie();
    files.extend(unreal::files());
    files.extend(j3d::files());
    files.extend(charpipe::files());
    files.extend(marrow::files());
    files
}

/// Ossie the bone box as ActorX structures.
pub fn ossie_model() -> (Psk, Psa) {
    let skeleton = creature::skeleton();
    let psk = actorx::psk(&creature::mesh(), &skeleton.rig, &creature::MATERIALS, &creature::sockets(), |part, at| {
        creature::weights(&skeleton, part, at)
    });
    (psk, actorx::psa(&skeleton.rig, &animate::clips(&skeleton)))
}

/// Returns mesh and animations in ActorX, with textures next to them.
fn ossie() -> Vec<SampleFile> {
    let mesh = creature::mesh();
    let (psk, psa) = ossie_model();
    vec![
        SampleFile { name: "Ossie.psk", bytes: encode_psk(&psk) },
        SampleFile { name: "Ossie.psa", bytes: encode_psa(&psa) },
        SampleFile { name: "Ossie_Body.png", bytes: coat::body(&mesh).png(coat::ground()) },
        SampleFile { name: "Ossie_Eyes.png", bytes: coat::eye().png(coat::ground()) },
        // The bone is painted on the body's texture, as specified in its material file.
        SampleFile { name: "Ossie_Bone.mat", bytes: b"Diffuse=Ossie_Body\n".to_vec() },
    ]
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/samples"), PathBuf::from);
    for file in samples() {
        let path = folder.join(file.name);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, &file.bytes)?;
        println!("{:>9} bytes  {}", file.bytes.len(), file.name);
    }
    Ok(())
}
