//! The BSP tree of a level's faces.

use bonebox::formats::unreal::encode::BspNode;

use super::blocks::{Face, Place};

const NONE: i32 = -1;

/// A tree under construction.
pub struct Tree<'a> {
    place: &'a Place,
    pub nodes: Vec<BspNode>,
    /// The face of each node.
    pub faces: Vec<Face>,
    /// The zone of each leaf.
    pub leaf_zones: Vec<usize>,
}

/// Where a face lies to a plane.
enum Side {
    On,
    Before,
    Behind,
    Both,
}

fn side(face: &Face, plane: &Face) -> Side {
    let axis = plane.axis;
    let at = plane.low[axis];
    let (low, high) = (face.low[axis] - at, face.high[axis] - at);
    let (low, high) = if plane.positive { (low, high) } else { (-high, -low) };
    if low == 0.0 && high == 0.0 {
        Side::On
    } else if low >= 0.0 {
        Side::Before
    } else if high <= 0.0 {
        Side::Behind
    } else {
        Side::Both
    }
}

impl<'a> Tree<'a> {
    pub fn new(place: &'a Place, faces: Vec<Face>) -> Self {
        let mut tree = Self { place, nodes: Vec::new(), faces: Vec::new(), leaf_zones: Vec::new() };
        tree.grow(faces);
        tree
    }

    /// Adds a node for the face that splits the others best, and all that follows; returns its number.
    fn grow(&mut self, faces: Vec<Face>) -> i32 {
        let cost = |plane: &Face| {
            let (mut before, mut behind, mut both) = (0i32, 0i32, 0i32);
            for face in &faces {
                match side(face, plane) {
                    Side::On => {}
                    Side::Before => before += 1,
                    Side::Behind => behind += 1,
                    Side::Both => both += 1,
                }
            }
            both * 8 + (before - behind).abs()
        };
        let Some(splitter) = faces.iter().min_by_key(|face| cost(face)).copied() else { return NONE };
        let (mut on, mut before, mut behind) = (Vec::new(), Vec::new(), Vec::new());
        for face in faces {
            match side(&face, &splitter) {
                Side::On => on.push(face),
                Side::Before => before.push(face),
                Side::Behind => behind.push(face),
                Side::Both => {
                    let (axis, at) = (splitter.axis, splitter.low[splitter.axis]);
                    let (mut low, mut high) = (face, face);
                    low.high[axis] = at;
                    high.low[axis] = at;
                    let (front, back) = if splitter.positive { (high, low) } else { (low, high) };
                    before.push(front);
                    behind.push(back);
                }
            }
        }
        // The first one parts the space: what lies before it must be before the splitter.
        on.sort_by_key(|face| face.positive != splitter.positive);
        let first = self.nodes.len();
        for face in &on {
            let zone = |step: f32| self.place.zone(face.middle() + face.normal() * step);
            let normal = face.normal();
            self.nodes.push(BspNode {
                plane: [normal.x, normal.y, normal.z, normal.dot(face.low)],
                zone_mask: u64::MAX,
                surface: face.surface as i32,
                zones: [zone(-0.25) as i32, zone(0.25) as i32],
                vertex_count: 4,
                ..BspNode::default()
            });
            self.faces.push(*face);
        }
        for node in first..self.nodes.len() - 1 {
            self.nodes[node].coplanar = node as i32 + 1;
        }
        let leaf = |tree: &mut Self, zone: i32| {
            if zone == 0 {
                return NONE;
            }
            tree.leaf_zones.push(zone as usize);
            tree.leaf_zones.len() as i32 - 1
        };
        let [behind_zone, before_zone] = self.nodes[first].zones;
        if before.is_empty() {
            self.nodes[first].leaves[1] = leaf(self, before_zone);
        }
        if behind.is_empty() {
            self.nodes[first].leaves[0] = leaf(self, behind_zone);
        }
        let front = self.grow(before);
        let back = self.grow(behind);
        self.nodes[first].front = front;
        self.nodes[first].back = back;
        first as i32
    }
}
