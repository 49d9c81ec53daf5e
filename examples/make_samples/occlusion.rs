//! Computes ambient occlusion of a mesh, for soft shadows in its texture.

use glam::Vec3;

use super::mesh::Mesh;

const RAYS: usize = 64;
/// Surfaces farther away than this cast no shadow, in file units.
const REACH: f32 = 30.0;
const LEAF: usize = 6;

struct Node {
    min: Vec3,
    max: Vec3,
    /// Children, or none on a leaf.
    children: Option<[usize; 2]>,
    triangles: std::ops::Range<usize>,
}

/// Triangles in a tree of boxes.
struct Tree {
    nodes: Vec<Node>,
    triangles: Vec<[Vec3; 3]>,
}

impl Tree {
    fn new(triangles: Vec<[Vec3; 3]>) -> Self {
        let mut tree = Self { nodes: Vec::new(), triangles };
        let all = 0..tree.triangles.len();
        tree.split(all);
        tree
    }

    fn split(&mut self, range: std::ops::Range<usize>) -> usize {
        let slice = &mut self.triangles[range.clone()];
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for corner in slice.iter().flatten() {
            min = min.min(*corner);
            max = max.max(*corner);
        }
        let axis = (max - min).max_position();
        slice.sort_by(|a, b| {
            let center = |triangle: &[Vec3; 3]| triangle.iter().map(|corner| corner[axis]).sum::<f32>();
            center(a).total_cmp(&center(b))
        });
        let index = self.nodes.len();
        self.nodes.push(Node { min, max, children: None, triangles: range.clone() });
        if range.len() > LEAF {
            let middle = range.start + range.len() / 2;
            let low = self.split(range.start..middle);
            let high = self.split(middle..range.end);
            self.nodes[index].children = Some([low, high]);
        }
        index
    }

    /// The nearest triangle along a ray, up to [`REACH`]: how far, and whether it is met from behind.
    fn hit(&self, from: Vec3, direction: Vec3) -> Option<(f32, bool)> {
        let inverse = direction.recip();
        let mut nearest = REACH;
        let mut found = None;
        let mut stack = vec![0usize];
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index];
            let (a, b) = ((node.min - from) * inverse, (node.max - from) * inverse);
            let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
            if enter > leave || leave < 0.0 || enter > nearest {
                continue;
            }
            if let Some(children) = node.children {
                stack.extend(children);
                continue;
            }
            for [a, b, c] in &self.triangles[node.triangles.clone()] {
                if let Some((distance, behind)) = cross(from, direction, *a, *b, *c)
                    && distance < nearest
                {
                    nearest = distance;
                    found = Some((distance, behind));
                }
            }
        }
        found
    }
}

/// Distance at which a ray crosses a triangle, and whether it does so from behind.
fn cross(from: Vec3, direction: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Option<(f32, bool)> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant.abs() < 1e-9 {
        return None;
    }
    let offset = from - a;
    let u = offset.dot(p) / determinant;
    let q = offset.cross(ab);
    let v = direction.dot(q) / determinant;
    let distance = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some((distance, determinant < 0.0))
}

/// Says how open places near a mesh are: 1 = sees the whole sky, 0 = buried. The floor (z = 0) takes light away too, but
/// reflects some.
pub struct Sky {
    tree: Tree,
    rays: Vec<Vec3>,
}

impl Sky {
    /// `casts` says which parts cast shadows.
    pub fn new<P: Copy>(mesh: &Mesh<P>, casts: impl Fn(P) -> bool) -> Self {
        let triangles = mesh
            .triangles
            .iter()
            .filter(|triangle| casts(triangle.part))
            .map(|triangle| triangle.corners.map(|corner| mesh.points[mesh.corners[corner].point].vertex.position))
            .collect();
        // A spiral over the hemisphere, denser where the cosine is high.
        let rays = (0..RAYS)
            .map(|ray| {
                let t = (ray as f32 + 0.5) / RAYS as f32;
                let (sin, cos) = (ray as f32 * 2.399_963).sin_cos();
                Vec3::new(t.sqrt() * cos, t.sqrt() * sin, (1.0 - t).sqrt())
            })
            .collect();
        Self { tree: Tree::new(triangles), rays }
    }

    /// Nothing where the place lies inside something, so that nobody sees it.
    pub fn openness(&self, at: Vec3, normal: Vec3) -> Option<f32> {
        let (tangent, other) = normal.any_orthonormal_pair();
        let from = at + normal * 0.3;
        let mut from_behind = 0;
        let mut open = 0.0;
        for ray in &self.rays {
            let direction = tangent * ray.x + other * ray.y + normal * ray.z;
            open += match self.tree.hit(from, direction) {
                Some((_, true)) => {
                    from_behind += 1;
                    0.5
                }
                Some((distance, false)) => (distance / REACH).sqrt(),
                None if direction.z < 0.0 => {
                    let to_floor = from.z.max(0.0) / -direction.z;
                    0.55 + 0.45 * (to_floor / 60.0).min(1.0)
                }
                None => 1.0,
            };
        }
        (from_behind * 5 < RAYS * 2).then_some(open / RAYS as f32)
    }
}
