//! Zones of a level, and which one a point lies in.

use glam::{Vec3, Vec4};

/// A zone as its ZoneInfo has it (formats/unreal.md §9.2, §16.3, §16.4).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapZone {
    /// What people call it: the ZoneName, else the name of its actor; empty for a zone without one.
    pub name: String,
    /// Into [`super::Map::actors`]: its ZoneInfo.
    pub actor: Option<u32>,
    /// Into [`super::Map::skies`]: what is seen through its surfaces that are windows to the sky.
    pub sky: Option<u32>,
    /// True if the zone is filled with water.
    pub is_water: bool,
    /// What the picture is multiplied by for who is in it, red, green and blue; one where the zone leaves it alone.
    pub view_flash: Vec3,
    /// What is added to the picture for who is in it, of one; zero where the zone leaves it alone.
    pub view_fog: Vec3,
}

/// The planes that part a level, in scene space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapTree {
    /// Nodes, the root first; if empty, every point is in zone 0.
    pub nodes: Vec<MapNode>,
}

/// A node of a [`MapTree`]: a plane with the space on both of its sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapNode {
    /// Normal and distance from the origin along it.
    pub plane: Vec4,
    /// Into [`MapTree::nodes`], behind and in front; `None` where the space goes on undivided.
    pub children: [Option<u32>; 2],
    /// The zones behind and in front; 0 is none.
    pub zones: [u8; 2],
}

impl MapTree {
    /// The zone that a point lies in; 0 outside all of them.
    pub fn zone_at(&self, point: Vec3) -> u8 {
        let Some(mut node) = self.nodes.first() else { return 0 };
        // A tree that bites its tail ends too.
        for _ in 0..self.nodes.len() {
            let ([back, front], [zone_behind, zone_before]) = (node.children, node.zones);
            let is_before = node.plane.truncate().dot(point) >= node.plane.w;
            let (child, zone) = if is_before { (front, zone_before) } else { (back, zone_behind) };
            match child.and_then(|child| self.nodes.get(child as usize)) {
                Some(next) => node = next,
                None => return zone,
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_followed_to_its_leaf() {
        let node = |plane, children, zones| MapNode { plane, children, zones };
        let tree = MapTree {
            nodes: vec![
                node(Vec4::new(0.0, 1.0, 0.0, 2.0), [None, Some(1)], [1, 0]),
                node(Vec4::new(1.0, 0.0, 0.0, 0.0), [None, None], [2, 3]),
            ],
        };
        assert_eq!(tree.zone_at(Vec3::new(5.0, 0.0, 0.0)), 1);
        assert_eq!(tree.zone_at(Vec3::new(-5.0, 3.0, 0.0)), 2);
        assert_eq!(tree.zone_at(Vec3::new(5.0, 2.0, 0.0)), 3);
        assert_eq!(MapTree::default().zone_at(Vec3::ZERO), 0);
        let looping = MapTree { nodes: vec![node(Vec4::new(0.0, 1.0, 0.0, 0.0), [Some(0); 2], [1, 1])] };
        assert_eq!(looping.zone_at(Vec3::ZERO), 0);
    }
}
