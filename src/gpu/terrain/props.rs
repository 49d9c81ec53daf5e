//! What stands on the ground, on the device: places are written once, colours when they change.

use super::super::buffers::GrowableBuffer;
use super::super::buffers::filled;
use super::super::{GpuContext, GpuError};
use super::look::{Look, look_of};
use crate::scene::{Prop, PropColors, PropMarker, Terrain, TerrainView};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::ops::Range;
use std::sync::Arc;

/// Where a prop's box is: 52 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Place {
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

    #[test]
    fn instances_are_as_small_as_promised() {
        assert!(size_of::<Place>() + size_of::<Look>() <= 64);
    }
}
