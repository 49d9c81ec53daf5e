//! Models as Wavefront OBJ: posed triangles and lines, with materials and textures beside.

use super::{
    ExportError, ExportSpace, ExportUp,
    path::{safe_name, texture_stem},
    png,
};
use crate::scene::{Blend, Frame, Mesh, Model, Surface, skinning};
use glam::{Affine3A, Vec3, Vec3A};
use rayon::prelude::*;
use std::{collections::HashSet, fmt::Write as _};

/// Which way is up in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObjSpace {
    /// As in the window and in GLB, with the axis up that is asked for; Y is what most programs expect of an OBJ.
    #[default]
    Scene,
    /// As in the file that the model comes from.
    File,
}

/// The files of one OBJ export: their names and their bytes, the OBJ first.
pub type ObjFiles = Vec<(String, Vec<u8>)>;

/// Writes a posed model. `stem` is the name of the files, without extension. In the axes of the file, `space` says the scale alone.
///
/// # Errors
/// When a texture cannot be encoded.
pub fn obj(
    model: &Model,
    frame: &Frame,
    stem: &str,
    axes: ObjSpace,
    space: ExportSpace,
) -> Result<ObjFiles, ExportError> {
    let names = material_names(model);
    let mut text = format!(
        "# Bonebox {}: {}\n# {}\nmtllib {stem}.mtl\n",
        env!("CARGO_PKG_VERSION"),
        one_word(&model.name),
        match axes {
            ObjSpace::Scene if space.up == ExportUp::Z => "right-handed, Z up",
            ObjSpace::Scene => "right-handed, Y up",
            ObjSpace::File if model.file_from_scene.matrix3.determinant() < 0.0 => {
                "left-handed, axes as in the original file"
            }
            ObjSpace::File => "right-handed, axes as in the original file",
        }
    );
    if space.scale != 1.0 {
        let _ = writeln!(text, "# scale {}", space.scale);
    }
    let turn = match axes {
        ObjSpace::Scene => space.file_from_scene(),
        ObjSpace::File => Affine3A::from_scale(Vec3::splat(space.scale)) * model.file_from_scene,
    };
    let mut written = Written::default();
    for mesh in &model.meshes {
        write_mesh(&mut text, model, mesh, frame, &turn, &names, &mut written);
    }
    let (mtl, textures) = materials(model, &names, stem)?;
    let mut files = vec![(format!("{stem}.obj"), text.into_bytes()), (format!("{stem}.mtl"), mtl.into_bytes())];
    files.extend(textures);
    Ok(files)
}

/// How many of each there are already: indices count over all meshes, from one.
#[derive(Default)]
struct Written {
    points: usize,
    uvs: usize,
    normals: usize,
}

fn write_mesh(
    text: &mut String,
    model: &Model,
    mesh: &Mesh,
    frame: &Frame,
    turn: &Affine3A,
    names: &[String],
    written: &mut Written,
) {
    let finite = |v: Vec3| if v.is_finite() { v } else { Vec3::ZERO };
    let _ = writeln!(text, "o {}", one_word(&mesh.name));
    for point in skinning::skinned_points(model, mesh, frame) {
        let point = finite(turn.transform_point3(point));
        let _ = writeln!(text, "v {} {} {}", point.x, point.y, point.z);
    }
    let vertices = mesh.vertex_points.len();
    let uvs = mesh.uv_sets.first().filter(|set| set.len() == vertices);
    for uv in uvs.into_iter().flatten() {
        let uv = if uv.is_finite() { *uv } else { glam::Vec2::ZERO };
        // V counts from the bottom row.
        let _ = writeln!(text, "vt {} {}", uv.x, 1.0 - uv.y);
    }
    let normals = skinning::skinned_normals(model, mesh, frame);
    let has_normals = normals.len() == vertices;
    // Triangles keep facing the way their normals do.
    let mirrored = turn.matrix3.determinant() < 0.0;
    for normal in normals.iter().filter(|_| has_normals) {
        let normal = finite(Vec3::from(skinning::cofactor(&turn.matrix3) * Vec3A::from(*normal))).normalize_or(Vec3::Y);
        let _ = writeln!(text, "vn {} {} {}", normal.x, normal.y, normal.z);
    }
    let all = [Surface { first_index: 0, index_count: mesh.indices.len() as u32, material: u32::MAX }];
    for surface in if mesh.surfaces.is_empty() { &all } else { mesh.surfaces.as_slice() } {
        let first = surface.first_index as usize;
        let end = first.saturating_add(surface.index_count as usize).min(mesh.indices.len());
        if let Some(name) = names.get(surface.material as usize) {
            let _ = writeln!(text, "g {name}\nusemtl {name}");
        }
        for triangle in mesh.indices.get(first..end).unwrap_or_default().chunks_exact(3) {
            let points: Option<Vec<u32>> =
                triangle.iter().map(|v| mesh.vertex_points.get(*v as usize).copied()).collect();
            let Some(points) = points.filter(|p| p.iter().all(|p| (*p as usize) < mesh.points.len())) else { continue };
            text.push('f');
            let mut corners: Vec<(&u32, u32)> = triangle.iter().zip(points).collect();
            if mirrored {
                corners.swap(1, 2);
            }
            for (vertex, point) in corners {
                let vertex = *vertex as usize;
                let point = written.points + point as usize + 1;
                let (uv, normal) = (written.uvs + vertex + 1, written.normals + vertex + 1);
                let _ = match (uvs.is_some(), has_normals) {
                    (true, true) => write!(text, " {point}/{uv}/{normal}"),
                    (true, false) => write!(text, " {point}/{uv}"),
                    (false, true) => write!(text, " {point}//{normal}"),
                    (false, false) => write!(text, " {point}"),
                };
            }
            text.push('\n');
        }
    }
    for surface in &mesh.line_surfaces {
        if let Some(name) = names.get(surface.material as usize) {
            let _ = writeln!(text, "g {name}\nusemtl {name}");
        }
        for ends in mesh.lines_of(surface) {
            let point = |v: &u32| mesh.vertex_points.get(*v as usize).filter(|p| (**p as usize) < mesh.points.len());
            let [Some(from), Some(to)] = ends.each_ref().map(point) else { continue };
            text.push('l');
            for (vertex, point) in ends.iter().zip([from, to]) {
                let point = written.points + *point as usize + 1;
                let _ = match uvs.is_some() {
                    true => write!(text, " {point}/{}", written.uvs + *vertex as usize + 1),
                    false => write!(text, " {point}"),
                };
            }
            text.push('\n');
        }
    }
    written.points += mesh.points.len();
    written.uvs += uvs.map_or(0, Vec::len);
    written.normals += if has_normals { vertices } else { 0 };
}

/// The MTL file and the textures that it names.
fn materials(model: &Model, names: &[String], stem: &str) -> Result<(String, ObjFiles), ExportError> {
    let mut taken = HashSet::new();
    let mut texture_names: Vec<Option<String>> = vec![None; model.images.len()];
    let mut text = format!("# Bonebox {}\n", env!("CARGO_PKG_VERSION"));
    let colors = plain_colors(model);
    for ((material, name), color) in model.materials.iter().zip(names).zip(colors) {
        let basic = material.basic();
        let [r, g, b] = color.filter(|_| basic.image.is_none()).unwrap_or([255; 3]).map(|c| f32::from(c) / 255.0);
        let unlit = u8::from(!basic.unlit);
        let _ = writeln!(text, "\nnewmtl {name}\nKa 1 1 1\nKd {r} {g} {b}\nKs 0 0 0\nillum {unlit}");
        let Some(image) = basic.image.map(|i| i as usize) else { continue };
        let (Some(picture), Some(slot)) = (model.images.get(image), texture_names.get_mut(image)) else { continue };
        let file = slot.get_or_insert_with(|| {
            let name = texture_stem(&picture.name);
            format!("{}.png", unique(&one_word(&safe_name(&format!("{stem}_{name}"))), &mut taken))
        });
        let _ = writeln!(text, "map_Kd {file}");
        if basic.blend != Blend::Opaque {
            let _ = writeln!(text, "map_d {file}");
        }
    }
    let used: Vec<(String, usize)> =
        texture_names.into_iter().enumerate().filter_map(|(index, name)| Some((name?, index))).collect();
    let textures: Result<ObjFiles, ExportError> =
        used.into_par_iter().map(|(name, index)| Ok((name, png(&model.images[index])?))).collect();
    Ok((text, textures?))
}

/// The colour of each material whose vertices all have the same: the format has none for vertices.
fn plain_colors(model: &Model) -> Vec<Option<[u8; 3]>> {
    // What is empty at the end had none, or several.
    let mut found: Vec<Vec<[u8; 3]>> = vec![Vec::new(); model.materials.len()];
    for mesh in model.meshes.iter().filter(|mesh| mesh.colors.len() == mesh.vertex_points.len()) {
        let triangles = mesh.surfaces.iter().map(|surface| (surface, mesh.corners_of(surface)));
        let lines = mesh.line_surfaces.iter().map(|surface| (surface, mesh.lines_of(surface).as_flattened()));
        for (surface, vertices) in triangles.chain(lines) {
            let Some(colors) = found.get_mut(surface.material as usize) else { continue };
            for vertex in vertices {
                let Some([r, g, b, _]) = mesh.colors.get(*vertex as usize) else { continue };
                if colors.len() < 2 && colors.last() != Some(&[*r, *g, *b]) {
                    colors.push([*r, *g, *b]);
                }
            }
        }
    }
    let only = |colors: Vec<[u8; 3]>| if let [color] = colors[..] { Some(color) } else { None };
    found.into_iter().map(only).collect()
}

/// One name a material, none twice.
fn material_names(model: &Model) -> Vec<String> {
    let mut taken = HashSet::new();
    model.materials.iter().map(|m| unique(&one_word(&m.name), &mut taken)).collect()
}

fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut number = 2_u32;
    while !taken.insert(candidate.to_lowercase()) {
        candidate = format!("{name}_{number}");
        number += 1;
    }
    candidate
}

/// Names end at blanks and lines in this format.
fn one_word(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    if word.is_empty() { "unnamed".to_owned() } else { word }
}
