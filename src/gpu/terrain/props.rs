//! The objects on the ground, on the device: their shapes, within −½..½ on the ground and 0..1 upward, their places,
//! written once, and their colours, written when they change.

use super::super::{
    GpuContext, GpuError,
    buffers::{GrowableBuffer, filled},
};
use crate::scene::{Prop, PropClass, PropColors, PropMarker, Terrain, TerrainView};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::{ops::Range, sync::Arc};

/// How a prop looks: 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
struct Look {
    /// RGB; in the last byte 1 for shown, 2 for selected, 4 for a type with a model.
    pub fill: [u8; 4],
    /// RGB of the edges.
    pub edge: [u8; 4],
}

pub(super) const LOOK_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Look>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![7 => Uint8x4, 8 => Unorm8x4],
};

/// What props that differ in type are told apart by, RGB: hues a golden section apart.
pub fn kind_color(kind: u32) -> [u8; 3] {
    let turn = (f64::from(kind) * 0.618_033_988_749_895 + 0.1).fract() as f32;
    let (lightness, chroma) = (0.68 + 0.07 * (kind as f32 * 2.1).sin(), 0.125);
    from_oklch(lightness, chroma, turn * std::f32::consts::TAU)
}

/// OKLab (B. Ottosson, 2020) to gamma-space RGB; as in `shaders/color.wgsl`.
fn from_oklch(lightness: f32, chroma: f32, hue: f32) -> [u8; 3] {
    let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
    let cubes = [
        lightness + 0.396_337_78 * a + 0.215_803_76 * b,
        lightness - 0.105_561_346 * a - 0.063_854_17 * b,
        lightness - 0.089_484_18 * a - 1.291_485_5 * b,
    ]
    .map(|v| v * v * v);
    let rows = [
        [4.076_741_7, -3.307_711_6, 0.230_969_94],
        [-1.268_438, 2.609_757_4, -0.341_319_38],
        [-0.004_196_086_3, -0.703_418_6, 1.707_614_7],
    ];
    rows.map(|row| {
        let linear = row.iter().zip(cubes).map(|(m, c)| m * c).sum::<f32>().clamp(0.0, 1.0);
        let gamma = if linear < 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
        (gamma * 255.0).round() as u8
    })
}

/// A prop's colours and what else its picture hangs on; `modelled` when its type's model can stand for it. Alpha of the file's colours is no opacity (formats/visitor.md §1.0).
fn look_of(terrain: &Terrain, view: &TerrainView, prop: &Prop, selected: bool, modelled: bool) -> Look {
    let kind = terrain.kind_of(prop);
    let rgb = |[r, g, b, _]: [u8; 4]| [r, g, b];
    let fill = match view.prop_colors {
        PropColors::File => rgb(terrain.fill_of(prop)),
        PropColors::Class => kind.map_or(PropClass::Unresolved, |k| k.class).color(),
        PropColors::Kind => kind_color(prop.kind),
    };
    let outline = prop.outline.or_else(|| kind.and_then(|k| k.outline)).map(rgb);
    let edge = match view.prop_colors {
        PropColors::File => outline.unwrap_or(darker(fill)),
        PropColors::Class | PropColors::Kind => darker(fill),
    };
    let [r, g, b] = fill;
    let [edge_r, edge_g, edge_b] = edge;
    let shown = view.shows_kind(prop.kind);
    let flags = u8::from(shown) | u8::from(selected) << 1 | u8::from(modelled) << 2;
    Look { fill: [r, g, b, flags], edge: [edge_r, edge_g, edge_b, 0] }
}

fn darker(color: [u8; 3]) -> [u8; 3] {
    color.map(|channel| (u16::from(channel) * 5 / 8) as u8)
}

/// Sides of a post.
const SIDES: u16 = 12;

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct ShapeVertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    /// 1 or −1 at the edges of a face.
    pub face: [f32; 2],
}

pub(super) const LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<ShapeVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2],
};

/// A shape of props in the buffers of all shapes.
#[derive(Clone, Debug, Default)]
pub(super) struct ShapeRange {
    pub indices: std::ops::Range<u32>,
    pub base_vertex: i32,
}

pub(super) struct Shapes {
    pub vertices: Vec<ShapeVertex>,
    pub indices: Vec<u16>,
    /// Box and post.
    pub ranges: [ShapeRange; 2],
}

pub(super) fn shapes() -> Shapes {
    let mut shapes = Shapes { vertices: Vec::new(), indices: Vec::new(), ranges: Default::default() };
    let boxed = solid(&mut shapes, block);
    let post = solid(&mut shapes, post);
    shapes.ranges = [boxed, post];
    shapes
}

fn solid(shapes: &mut Shapes, make: fn(&mut Shapes)) -> ShapeRange {
    let (first, base_vertex) = (shapes.indices.len() as u32, shapes.vertices.len());
    make(shapes);
    for index in &mut shapes.indices[first as usize..] {
        *index -= base_vertex as u16;
    }
    ShapeRange { indices: first..shapes.indices.len() as u32, base_vertex: base_vertex as i32 }
}

/// Four sides and a top: the floor is never seen.
fn block(shapes: &mut Shapes) {
    let sides: [([f32; 3], [[f32; 3]; 4]); 5] = [
        ([0.0, 0.0, 1.0], [[-0.5, 0.0, 0.5], [0.5, 0.0, 0.5], [0.5, 1.0, 0.5], [-0.5, 1.0, 0.5]]),
        ([1.0, 0.0, 0.0], [[0.5, 0.0, 0.5], [0.5, 0.0, -0.5], [0.5, 1.0, -0.5], [0.5, 1.0, 0.5]]),
        ([0.0, 0.0, -1.0], [[0.5, 0.0, -0.5], [-0.5, 0.0, -0.5], [-0.5, 1.0, -0.5], [0.5, 1.0, -0.5]]),
        ([-1.0, 0.0, 0.0], [[-0.5, 0.0, -0.5], [-0.5, 0.0, 0.5], [-0.5, 1.0, 0.5], [-0.5, 1.0, -0.5]]),
        ([0.0, 1.0, 0.0], [[-0.5, 1.0, 0.5], [0.5, 1.0, 0.5], [0.5, 1.0, -0.5], [-0.5, 1.0, -0.5]]),
    ];
    for (normal, corners) in sides {
        let first = shapes.vertices.len() as u16;
        let faces = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corner = |(position, face)| ShapeVertex { position, normal, face };
        shapes.vertices.extend(corners.into_iter().zip(faces).map(corner));
        shapes.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }
}

fn post(shapes: &mut Shapes) {
    let first = shapes.vertices.len() as u16;
    for side in 0..=SIDES {
        let angle = f32::from(side) / f32::from(SIDES) * std::f32::consts::TAU;
        let (x, z) = (angle.sin(), angle.cos());
        for (y, face) in [(0.0, -1.0), (1.0, 1.0)] {
            let position = [x * 0.5, y, z * 0.5];
            shapes.vertices.push(ShapeVertex { position, normal: [x, 0.0, z], face: [0.0, face] });
        }
    }
    for side in 0..SIDES {
        let foot = first + side * 2;
        shapes.indices.extend([foot, foot + 2, foot + 3, foot, foot + 3, foot + 1]);
    }
    let middle = shapes.vertices.len() as u16;
    let up = [0.0, 1.0, 0.0];
    shapes.vertices.push(ShapeVertex { position: up, normal: up, face: [0.0, 0.0] });
    for side in 0..SIDES {
        let angle = f32::from(side) / f32::from(SIDES) * std::f32::consts::TAU;
        let position = [angle.sin() * 0.5, 1.0, angle.cos() * 0.5];
        shapes.vertices.push(ShapeVertex { position, normal: up, face: [0.0, 1.0] });
        shapes.indices.extend([middle, middle + 1 + side, middle + 1 + (side + 1) % SIDES]);
    }
}

/// Where a prop's box is: 52 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
struct Place {
    /// Edges of the box and the middle of its floor, in the scene.
    pub edges: [[f32; 3]; 3],
    pub floor: [f32; 3],
    /// Height of the ground under it, in metres: what an exaggeration moves it by.
    pub ground: f32,
}

pub(super) const PLACE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Place>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![3 => Float32x3, 4 => Float32x3, 5 => Float32x3, 6 => Float32x4],
};

/// What the colours on the device were written for.
#[derive(PartialEq)]
struct Written {
    colors: PropColors,
    hidden: Arc<[bool]>,
    selected: Arc<[u32]>,
    bodies: bool,
    modelled: Vec<bool>,
}

pub(super) struct Props {
    pub places: wgpu::Buffer,
    pub looks: wgpu::Buffer,
    /// Instances of boxes and of posts.
    pub shapes: [Range<u32>; 2],
    /// Places of what is selected.
    pub selected: GrowableBuffer,
    pub selected_count: u32,
    /// Into the terrain's props, as the instances lie.
    order: Vec<u32>,
    written: Option<Written>,
}

impl Props {
    /// # Errors
    /// When they are more than the device can hold.
    pub fn new(context: &GpuContext, terrain: &Terrain) -> Result<Self, GpuError> {
        let count = terrain.props.len() as u64;
        let what = || format!("the list of {count} objects");
        GpuError::check(what, count, u64::from(u32::MAX), "records")?;
        let bytes = count.saturating_mul(size_of::<Place>() as u64);
        GpuError::check(what, bytes, context.limits().max_buffer_size, "bytes")?;
        let mut order: Vec<u32> = (0..terrain.props.len() as u32).collect();
        order.retain(|index| terrain.props.get(*index as usize).is_some_and(|p| p.world_from_prop.is_finite()));
        let is_post = |index: &u32| {
            let kind = terrain.props.get(*index as usize).and_then(|p| terrain.kind_of(p));
            kind.is_some_and(|k| k.marker == PropMarker::Ellipse)
        };
        order.sort_by_key(is_post);
        let boxes = order.partition_point(|index| !is_post(index)) as u32;
        let places: Vec<Place> =
            order.iter().filter_map(|i| terrain.props.get(*i as usize)).map(|p| place_of(terrain, p, false)).collect();
        let usage = wgpu::BufferUsages::VERTEX;
        let (places, looks) = context.scoped("object buffers", || {
            let looks = vec![Look::default(); order.len()];
            (
                filled(context, "places", bytemuck::cast_slice(&places), usage),
                filled(context, "looks", bytemuck::cast_slice(&looks), usage),
            )
        })?;
        Ok(Self {
            places,
            looks,
            shapes: [0..boxes, boxes..order.len() as u32],
            selected: GrowableBuffer::new("selected objects", usage),
            selected_count: 0,
            order,
            written: None,
        })
    }

    pub fn count(&self) -> u32 {
        self.order.len() as u32
    }

    /// Writes colours, when they are not those of the last picture. `modelled` says for each type whether a model can stand for
    /// it.
    ///
    /// # Errors
    /// When the device refuses.
    pub fn write(
        &mut self,
        context: &GpuContext,
        terrain: &Terrain,
        view: &TerrainView,
        modelled: Vec<bool>,
    ) -> Result<(), GpuError> {
        let now = Written {
            colors: view.prop_colors,
            hidden: view.hidden_kinds.clone(),
            selected: view.selected.clone(),
            bodies: view.bodies,
            modelled,
        };
        if self.written.as_ref() == Some(&now) {
            return Ok(());
        }
        let props = || self.order.iter().filter_map(|i| Some((*i, terrain.props.get(*i as usize)?)));
        let looks: Vec<Look> = props()
            .map(|(index, prop)| {
                let modelled = now.modelled.get(prop.kind as usize).copied().unwrap_or(false);
                look_of(terrain, view, prop, view.is_selected(index), modelled)
            })
            .collect();
        if !looks.is_empty() {
            context.queue().write_buffer(&self.looks, 0, bytemuck::cast_slice(&looks));
        }
        let selected: Vec<Place> = view
            .selected
            .iter()
            .filter_map(|index| terrain.props.get(*index as usize))
            .filter(|prop| prop.world_from_prop.is_finite() && view.shows_kind(prop.kind))
            .map(|prop| place_of(terrain, prop, view.bodies))
            .collect();
        self.selected.write(context, bytemuck::cast_slice(&selected), u64::MAX)?;
        self.selected_count = selected.len() as u32;
        self.written = Some(now);
        Ok(())
    }
}

fn place_of(terrain: &Terrain, prop: &Prop, bodies: bool) -> Place {
    let bounds = terrain.box_of(prop, bodies);
    let size = bounds.max - bounds.min;
    let matrix = prop.world_from_prop.matrix3;
    let middle = bounds.center().with_y(bounds.min.y);
    let edge = |axis: glam::Vec3A, length: f32| {
        let edge = Vec3::from(axis) * length;
        if edge.is_finite() { edge.to_array() } else { [0.0; 3] }
    };
    Place {
        edges: [edge(matrix.x_axis, size.x), edge(matrix.y_axis, size.y), edge(matrix.z_axis, size.z)],
        floor: prop.world_from_prop.transform_point3(middle).to_array(),
        ground: ground_under(terrain, prop.world_from_prop.translation.into()),
    }
}

/// Off the map there is no ground: a prop stands on itself there.
fn ground_under(terrain: &Terrain, place: Vec3) -> f32 {
    terrain.grid.ground_at(place.x, -place.z).unwrap_or(place.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn neighbouring_kinds_are_told_apart() {
        let apart = |a: [u8; 3], b: [u8; 3]| (0..3).map(|i| u32::from(a[i].abs_diff(b[i]))).sum::<u32>();
        for kind in 0..200 {
            for other in kind + 1..kind + 5 {
                assert!(apart(kind_color(kind), kind_color(other)) > 45, "{kind} {other}");
            }
        }
    }

    #[test]
    fn faces_look_outward() {
        let shapes = shapes();
        for range in &shapes.ranges {
            let indices = &shapes.indices[range.indices.start as usize..range.indices.end as usize];
            assert!(!indices.is_empty());
            for triangle in indices.chunks_exact(3) {
                let [a, b, c] =
                    [0, 1, 2].map(|i| shapes.vertices[(i32::from(triangle[i]) + range.base_vertex) as usize]);
                let at = |v: ShapeVertex| Vec3::from(v.position);
                let facing = (at(b) - at(a)).cross(at(c) - at(a));
                assert!(facing.dot(Vec3::from(a.normal)) > 0.0, "{a:?} {b:?} {c:?}");
            }
        }
    }

    #[test]
    fn instances_are_as_small_as_promised() {
        assert!(size_of::<Place>() + size_of::<Look>() <= 64);
    }
}
