//! The shapes that stand for props: within −½..½ on the ground and 0..1 upward.

use bytemuck::{Pod, Zeroable};

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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

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
}
