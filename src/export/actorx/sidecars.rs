//! What lies beside a mesh file: its textures, and which of them each of its materials has (formats/actorx.md §3.5).

use crate::bytes::numbers::counted;
use crate::export::Notes;
use crate::{
    export::{
        ExportError,
        path::{safe_name, texture_stem},
        png,
    },
    formats::actorx::Psk,
    scene::{BasicMaterial, Blend, Model},
};
use rayon::prelude::*;
use std::{collections::HashSet, fmt::Write as _};

/// Bytes of a name that fit into a record, and leave room for a number.
const LONGEST_NAME: usize = 56;

/// Gives the materials of a mesh file names that files can have, those of different looks different ones.
pub fn name_materials(psk: &mut Psk, model: &Model, notes: &mut Notes) {
    let mut taken: Vec<(String, BasicMaterial)> = Vec::new();
    let mut renamed = 0_usize;
    for (matt, material) in psk.materials.iter_mut().zip(&model.materials) {
        let look = material.basic();
        let name = file_name_of(&matt.name);
        let mut candidate = name.clone();
        let mut number = 2_u32;
        // Equal materials share their files.
        while taken.iter().any(|(known, of)| *known == candidate.to_lowercase() && *of != look) {
            candidate = format!("{name}_{number}");
            number += 1;
        }
        taken.push((candidate.to_lowercase(), look));
        renamed += usize::from(candidate != matt.name);
        matt.name = candidate;
    }
    if renamed > 0 {
        notes.push(format!("{} renamed to match the names of the material files", counted(renamed, "material")));
    }
}

/// A name that is left as it is when it is short and a file can have it.
fn file_name_of(name: &str) -> String {
    let end = (0..=LONGEST_NAME.min(name.len())).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    // Blanks at the end are no part of a name in a record.
    safe_name(name.get(..end).unwrap_or_default().trim_end_matches(' '))
}

/// Names and bytes of the files beside a mesh file: a picture for each texture, `NAME.mat` for each material with one, and
/// `NAME.props.txt` for one that PolyFlags do not say whole. Materials whose names no file can have get none.
///
/// # Errors
/// When a picture cannot be encoded.
pub fn sidecars(psk: &Psk, model: &Model) -> Result<Vec<(String, Vec<u8>)>, ExportError> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut taken: HashSet<String> = HashSet::new();
    let mut textures: Vec<Option<String>> = vec![None; model.images.len()];
    for (matt, material) in psk.materials.iter().zip(&model.materials) {
        let is_file_name = !matt.name.is_empty() && file_name_of(&matt.name) == matt.name;
        if !is_file_name || !taken.insert(format!("{}.mat", matt.name.to_lowercase())) {
            continue;
        }
        let basic = material.basic();
        let image = basic.image.and_then(|image| Some((model.images.get(image as usize)?, image as usize)));
        if let Some((picture, index)) = image {
            let texture = textures[index].get_or_insert_with(|| unique(&texture_stem(&picture.name), &mut taken));
            files.push((format!("{}.mat", matt.name), mat(texture, &basic).into_bytes()));
        }
        if let Some(text) = props(&basic) {
            files.push((format!("{}.props.txt", matt.name), text.into_bytes()));
        }
    }
    let used: Vec<(usize, String)> =
        textures.into_iter().enumerate().filter_map(|(index, name)| Some((index, name?))).collect();
    let pictures: Result<Vec<(String, Vec<u8>)>, ExportError> =
        used.into_par_iter().map(|(index, name)| Ok((format!("{name}.png"), png(&model.images[index])?))).collect();
    files.extend(pictures?);
    Ok(files)
}

fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut number = 2_u32;
    while !taken.insert(format!("{}.png", candidate.to_lowercase())) {
        candidate = format!("{name}_{number}");
        number += 1;
    }
    candidate
}

/// Which texture is what.
fn mat(texture: &str, basic: &BasicMaterial) -> String {
    let mut text = format!("Diffuse={texture}\n");
    if matches!(basic.blend, Blend::Masked | Blend::Alpha) {
        let _ = writeln!(text, "Opacity={texture}");
    }
    if basic.unlit {
        let _ = writeln!(text, "Emissive={texture}");
    }
    text
}

/// How it is blended and whether it has two sides, where PolyFlags say something else: they know no alpha blending, nothing blended
/// with one side, and nothing of what is hidden.
fn props(basic: &BasicMaterial) -> Option<String> {
    let (blend, is_said) = match basic.blend {
        Blend::Opaque => ("BLEND_Opaque (0)", !(basic.hidden && basic.two_sided)),
        Blend::Masked => ("BLEND_Masked (1)", basic.two_sided && !basic.hidden),
        Blend::Alpha => ("BLEND_Translucent (2)", false),
        Blend::Translucent => ("BLEND_Additive (3)", basic.two_sided && !basic.hidden),
        Blend::Modulated => ("BLEND_Modulate (4)", basic.two_sided && !basic.hidden),
    };
    (!is_said).then(|| format!("TwoSided = {}\nBlendMode = {blend}\n", basic.two_sided))
}
