//! Baked light of a level as colours of vertices, so that every program shows it without lamps.

use crate::scene::{Image, MaterialKind, Mesh, Model};
use glam::{Vec2, Vec3};

/// Sample points along each side of a triangle.
const SAMPLES: u8 = 4;

/// Puts the light maps of `whole` into the vertex colours of `meshes`, and makes all materials unlit. Each vertex gets the light of the
/// triangles around it, weighted by its share of each point, so that the mean over a surface stays the light map's.
pub fn bake(whole: &mut Model, meshes: &mut [Vec<Mesh>]) {
    for mesh in meshes.iter_mut().flatten() {
        if let Some(colors) = colors(whole, mesh) {
            mesh.colors = colors;
        }
    }
    for material in &mut whole.materials {
        if let MaterialKind::Basic(basic) = &mut material.kind {
            (basic.lightmap, basic.unlit) = (None, true);
        }
    }
}

/// The vertex colours of a mesh with its light. `None` if none of its surfaces has a light map.
fn colors(whole: &Model, mesh: &Mesh) -> Option<Vec<[u8; 4]>> {
    let count = mesh.vertex_points.len();
    let mut light = vec![(Vec3::ZERO, 0.0_f32); count];
    for surface in &mesh.surfaces {
        let material = whole.materials.get(surface.material as usize).map(|material| &material.kind);
        let Some(MaterialKind::Basic(basic)) = material else { continue };
        let Some(image) = basic.lightmap.and_then(|image| whole.images.get(image as usize)) else { continue };
        let range =
            surface.first_index as usize..(surface.first_index as usize).saturating_add(surface.index_count as usize);
        let Some(indices) = mesh.indices.get(range) else { continue };
        for triangle in indices.as_chunks::<3>().0 {
            gather(mesh, image, triangle.map(|index| index as usize), &mut light);
        }
    }
    if light.iter().all(|(_, weight)| *weight == 0.0) {
        return None;
    }
    let own = |vertex: usize| mesh.colors.get(vertex).copied().unwrap_or([255; 4]);
    let color = |(vertex, (sum, weight)): (usize, &(Vec3, f32))| match *weight > 0.0 {
        // A surface's colour is its texture times twice the light, held below one.
        true => {
            let [r, g, b] = (*sum / *weight * 2.0).to_array().map(|part| part.clamp(0.0, 255.0).round() as u8);
            [r, g, b, own(vertex)[3]]
        }
        false => own(vertex),
    };
    Some(light.iter().enumerate().map(color).collect())
}

/// Adds the light of a triangle to its vertices, each with its weight.
fn gather(mesh: &Mesh, image: &Image, triangle: [usize; 3], light: &mut [(Vec3, f32)]) {
    let point = |vertex: usize| mesh.points.get(*mesh.vertex_points.get(vertex)? as usize).copied();
    let place = |vertex: usize| mesh.uv_sets.get(1)?.get(vertex).copied();
    let [Some(a), Some(b), Some(c)] = triangle.map(point) else { return };
    let [Some(at_a), Some(at_b), Some(at_c)] = triangle.map(place) else { return };
    let area = (b - a).cross(c - a).length();
    if !area.is_finite() || area == 0.0 {
        return;
    }
    for row in 0..SAMPLES {
        for column in 0..SAMPLES - row {
            let share = |number: u8| (f32::from(number) + 1.0 / 3.0) / f32::from(SAMPLES);
            let shares = [row, column, SAMPLES - 1 - row - column].map(share);
            let texel = texel(image, at_a * shares[0] + at_b * shares[1] + at_c * shares[2]);
            for (vertex, share) in triangle.into_iter().zip(shares) {
                if let Some((sum, weight)) = light.get_mut(vertex) {
                    *sum += texel * share * area;
                    *weight += share * area;
                }
            }
        }
    }
}

/// The texel at a place of the picture, of 255.
fn texel(image: &Image, at: Vec2) -> Vec3 {
    let along = |at: f32, size: u32| ((at * size as f32).max(0.0) as u32).min(size.saturating_sub(1)) as usize;
    let index = along(at.y, image.height) * image.width as usize + along(at.x, image.width);
    let texel = image.rgba.as_chunks::<4>().0.get(index).copied().unwrap_or([128; 4]);
    Vec3::new(f32::from(texel[0]), f32::from(texel[1]), f32::from(texel[2]))
}
