//! What of a posed model lies under the pointer: its triangles as they are drawn, skinned on the CPU.

use super::{
    Aabb, Billboard, Frame, HiddenParts, Material, MaterialIndex, MaterialKind, Mesh, MeshIndex, Model, ModelPart,
    Surface, SurfaceRole,
    camera::OrbitCamera,
    gx::CullMode,
    index::JointIndex,
    picking::{Ray, enters, is_cut_out, meets},
    skinning,
};
use glam::{Affine3A, Vec3};

/// How near a line of sight must pass a line to hit it, as a share of the picture's height.
const NEAR: f32 = 0.008;

/// Where a line of sight meets a posed model first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceHit {
    /// Mesh that was hit.
    pub mesh: MeshIndex,
    /// Of the mesh at the level of detail that is drawn; past the end for a line.
    pub triangle: u32,
    /// The vertex of the mesh at its nearest corner or end.
    pub vertex: u32,
    /// Past the end for a surface without a material.
    pub material: MaterialIndex,
    /// The joint that moves the place most; `None` where none does.
    pub joint: Option<JointIndex>,
    /// In lengths of the ray.
    pub distance: f32,
    /// In the world.
    pub position: Vec3,
}

/// A model as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct PosedPickable<'a> {
    /// Pose in which the model is drawn.
    pub frame: &'a Frame,
    /// Transform from model space to world space.
    pub world_from_model: Affine3A,
    /// What billboards turn towards.
    pub camera: &'a OrbitCamera,
    /// Level of detail: 0 is full detail, past the last it is the last.
    pub level: u32,
    /// Surfaces that are hidden count too.
    pub hidden: bool,
    /// Far sides of surfaces with one side do not count.
    pub one_sided: bool,
    /// Materials with the chip's whole state leave out the sides that they say themselves.
    pub whole_materials: bool,
    /// What of the model is left out.
    pub left_out: Option<&'a HiddenParts>,
}

impl PosedPickable<'_> {
    fn has_surface(&self, mesh: MeshIndex, surface: &Surface) -> bool {
        self.left_out.is_none_or(|hidden| !hidden.has_surface(mesh, MaterialIndex(surface.material)))
    }

    fn has_triangle(&self, model: &Model, mesh: &Mesh, corners: [u32; 3]) -> bool {
        self.left_out.is_none_or(|hidden| !hidden.has_triangle(model, mesh, corners))
    }
}

/// Which sides of a surface are drawn.
#[derive(Clone, Copy)]
enum Sides {
    Both,
    Front,
    Back,
}

impl Mesh {
    /// Triangles and surfaces of a level of detail, as [`Model::at_level`] has them.
    pub(super) fn drawn_at(&self, level: u32) -> (&[u32], &[Surface]) {
        let coarser = (level as usize).min(self.levels.len()).checked_sub(1).and_then(|index| self.levels.get(index));
        match coarser {
            Some(level) => (&level.indices, &level.surfaces),
            None => (&self.indices, &self.surfaces),
        }
    }

    /// The joints' shares in a place within a triangle; the largest.
    pub(super) fn strongest_joint(&self, model: &Model, corners: [u32; 3], weights: Vec3) -> Option<JointIndex> {
        let skin = self.skin.as_ref()?;
        let skeleton = model.skeleton.as_ref()?;
        let mut shares: Vec<(u32, f32)> = Vec::new();
        let mut add = |joint: u32, share: f32| match shares.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += share,
            None => shares.push((joint, share)),
        };
        for (corner, weight) in corners.into_iter().zip(weights.to_array()) {
            let Some(point) = self.vertex_points.get(corner as usize) else { continue };
            for influence in skin.influences_of(*point as usize) {
                if skeleton.draw_matrices.is_empty() {
                    add(influence.joint, influence.weight * weight);
                    continue;
                }
                let matrix = skeleton.draw_matrices.get(influence.joint as usize);
                for term in matrix.into_iter().flat_map(|matrix| &matrix.terms) {
                    add(term.joint, term.weight * influence.weight * weight);
                }
            }
        }
        // Of equal shares the first.
        let strongest = shares.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
        strongest.filter(|(joint, _)| (*joint as usize) < model.joint_count()).map(|(joint, _)| JointIndex(joint))
    }
}

impl Model {
    /// The nearest triangle or line of the model as it is drawn. Where a masked picture is cut out, the ray goes on.
    pub fn pick_posed(&self, ray: &Ray, seen: &PosedPickable<'_>) -> Option<SurfaceHit> {
        let model_from_world = seen.world_from_model.inverse();
        if !model_from_world.is_finite() {
            return None;
        }
        let local = Ray {
            from: model_from_world.transform_point3(ray.from),
            along: model_from_world.transform_vector3(ray.along),
        };
        let mut nearest: Option<SurfaceHit> = None;
        for index in self.drawn_meshes(seen.frame) {
            let Some(mesh) = self.meshes.get(index.as_usize()) else { continue };
            let points = self.points_seen(mesh, seen);
            let limit = nearest.map_or(f32::INFINITY, |hit| hit.distance);
            if Aabb::of(points.iter().copied()).is_some_and(|bounds| enters(&local, &bounds) <= limit) {
                self.pick_mesh((index, mesh), &points, &local, seen, &mut nearest);
            }
            self.pick_lines((index, mesh), &points, ray, seen, &mut nearest);
        }
        nearest.map(|hit| SurfaceHit { position: ray.from + ray.along * hit.distance, ..hit })
    }

    fn pick_mesh(
        &self,
        (index, mesh): (MeshIndex, &Mesh),
        points: &[Vec3],
        ray: &Ray,
        seen: &PosedPickable<'_>,
        nearest: &mut Option<SurfaceHit>,
    ) {
        let (indices, surfaces) = mesh.drawn_at(seen.level);
        let whole = [Surface { first_index: 0, index_count: u32::MAX, material: u32::MAX }];
        let surfaces = if surfaces.is_empty() { whole.as_slice() } else { surfaces };
        let position = |vertex: u32| -> Option<Vec3> {
            let point = *mesh.vertex_points.get(vertex as usize)?;
            points.get(point as usize).copied()
        };
        for surface in surfaces.iter().filter(|surface| seen.has_surface(index, surface)) {
            let material = self.materials.get(surface.material as usize);
            let Some(sides) = sides_of(material, seen) else { continue };
            let first = surface.first_index as usize;
            let last = first.saturating_add(surface.index_count as usize).min(indices.len());
            let triangles = indices.get(first..last).unwrap_or_default().chunks_exact(3);
            for (triangle, corners) in (surface.first_index / 3..).zip(triangles) {
                let [a, b, c] = corners else { continue };
                let corners = [*a, *b, *c];
                let [Some(a), Some(b), Some(c)] = corners.map(position) else { continue };
                let Some(met) = meets(ray, [a, b, c]) else { continue };
                let is_drawn = match sides {
                    Sides::Both => true,
                    Sides::Front => met.front,
                    Sides::Back => !met.front,
                };
                // Of two at the same place the later one is seen.
                if !is_drawn
                    || nearest.is_some_and(|hit| met.distance > hit.distance)
                    || !seen.has_triangle(self, mesh, corners)
                {
                    continue;
                }
                if let Some(Material { kind: MaterialKind::Basic(basic), .. }) = material
                    && is_cut_out(self, basic, mesh, corners, met.weights)
                {
                    continue;
                }
                *nearest = Some(SurfaceHit {
                    mesh: index,
                    triangle,
                    vertex: nearest_corner(corners, met.weights),
                    material: MaterialIndex(surface.material),
                    joint: mesh.strongest_joint(self, corners, met.weights),
                    distance: met.distance,
                    position: Vec3::ZERO,
                });
            }
        }
    }

    /// The nearest line that the ray passes closely. It also hits lines on the surfaces that it meets.
    fn pick_lines(
        &self,
        (index, mesh): (MeshIndex, &Mesh),
        points: &[Vec3],
        ray: &Ray,
        seen: &PosedPickable<'_>,
        nearest: &mut Option<SurfaceHit>,
    ) {
        let position = |vertex: u32| -> Option<Vec3> {
            let point = *mesh.vertex_points.get(vertex as usize)?;
            Some(seen.world_from_model.transform_point3(*points.get(point as usize)?))
        };
        for surface in mesh.line_surfaces.iter().filter(|surface| seen.has_surface(index, surface)) {
            if sides_of(self.materials.get(surface.material as usize), seen).is_none() {
                continue;
            }
            let is_drawn = |ends: &&[u32; 2]| seen.left_out.is_none_or(|hidden| !hidden.has_line(self, mesh, **ends));
            for ends in mesh.lines_of(surface).iter().filter(is_drawn) {
                let [Some(a), Some(b)] = ends.map(position) else { continue };
                let (distance, share) = approach(ray, [a, b]);
                let [on_ray, on_line] = [ray.from + ray.along * distance, a.lerp(b, share)];
                let places = [on_ray, on_line].map(|point| seen.camera.project(point, 1.0));
                let [Some(on_ray), Some(on_line)] = places else { continue };
                let is_hit = distance > 0.0 && on_ray.distance(on_line) <= NEAR;
                if !is_hit || nearest.is_some_and(|hit| distance > hit.distance * 1.001) {
                    continue;
                }
                let (corners, weights) = ([ends[0], ends[1], ends[1]], Vec3::new(1.0 - share, share, 0.0));
                *nearest = Some(SurfaceHit {
                    mesh: index,
                    triangle: u32::MAX,
                    vertex: nearest_corner(corners, weights),
                    material: MaterialIndex(surface.material),
                    joint: mesh.strongest_joint(self, corners, weights),
                    distance,
                    position: Vec3::ZERO,
                });
            }
        }
    }

    /// The box in the model's space of the surfaces of a part as they are drawn; `None` when none is.
    pub fn part_bounds(&self, part: &ModelPart, seen: &PosedPickable<'_>) -> Option<Aabb> {
        let mut bounds: Option<Aabb> = None;
        for index in self.drawn_meshes(seen.frame) {
            let Some(mesh) = self.meshes.get(index.as_usize()) else { continue };
            let (indices, surfaces) = mesh.drawn_at(seen.level);
            let whole = [Surface { first_index: 0, index_count: u32::MAX, material: u32::MAX }];
            let surfaces = if surfaces.is_empty() { whole.as_slice() } else { surfaces };
            let is_own = |s: &&Surface| part.has(index, MaterialIndex(s.material)) && seen.has_surface(index, s);
            let mut own = surfaces.iter().filter(is_own).peekable();
            let mut lines = mesh.line_surfaces.iter().filter(is_own).peekable();
            if own.peek().is_none() && lines.peek().is_none() {
                continue;
            }
            let points = self.points_seen(mesh, seen);
            let triangles = own.flat_map(|surface| {
                let first = surface.first_index as usize;
                let last = first.saturating_add(surface.index_count as usize).min(indices.len());
                indices.get(first..last).unwrap_or_default().chunks_exact(3)
            });
            let is_drawn = |corners: &&[u32]| match corners {
                [a, b, c] => seen.has_triangle(self, mesh, [*a, *b, *c]),
                _ => false,
            };
            let point = |vertex: &u32| points.get(*mesh.vertex_points.get(*vertex as usize)? as usize).copied();
            let lines = lines.flat_map(|surface| mesh.lines_of(surface));
            let lines = lines.filter(|ends| seen.left_out.is_none_or(|hidden| !hidden.has_line(self, mesh, **ends)));
            let vertices = triangles.filter(is_drawn).flatten().chain(lines.flatten());
            let found = Aabb::of(vertices.filter_map(point));
            bounds = bounds.zip(found).map(|(a, b)| a.union(b)).or(bounds).or(found);
        }
        bounds
    }

    /// Meshes that are drawn, in their order.
    fn drawn_meshes<'a>(&'a self, frame: &'a Frame) -> impl Iterator<Item = MeshIndex> + 'a {
        let own = self.draw_order.is_empty().then_some(0..self.meshes.len() as u32);
        let order = self.draw_order.iter().copied();
        let all = own.into_iter().flatten().chain(order);
        all.filter(|mesh| frame.visible.get(*mesh as usize).copied().unwrap_or(true)).map(MeshIndex)
    }

    /// A mesh's points as they are drawn, in the model's space.
    fn points_seen(&self, mesh: &Mesh, seen: &PosedPickable<'_>) -> Vec<Vec3> {
        if mesh.billboard == Billboard::None {
            return skinning::skinned_points(self, mesh, seen.frame);
        }
        let view_from_model = Affine3A::from_mat4(seen.camera.view_from_world()) * seen.world_from_model;
        let mut frame = seen.frame.clone();
        for matrix in &mut frame.world_from_bind {
            *matrix = mesh.billboard.turned(*matrix, &view_from_model);
        }
        skinning::skinned_points(self, mesh, &frame)
    }
}

/// Where a ray and a line from `a` to `b` are nearest to each other: in lengths of the ray, and in shares of the line.
fn approach(ray: &Ray, [a, b]: [Vec3; 2]) -> (f32, f32) {
    let (line, start) = (b - a, ray.from - a);
    let (length, along) = (ray.along.length_squared(), ray.along.dot(line));
    let apart = length * line.length_squared() - along * along;
    let share = (length * start.dot(line) - along * start.dot(ray.along)) / apart;
    // A line along the ray is nearest at its start.
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    ((line * share - start).dot(ray.along) / length, share)
}

/// The corner that has most of a place within its triangle.
fn nearest_corner([a, b, c]: [u32; 3], weights: Vec3) -> u32 {
    let [x, y, z] = weights.to_array();
    if x >= y && x >= z {
        a
    } else if y >= z {
        b
    } else {
        c
    }
}

/// `None` for a surface that is not drawn.
fn sides_of(material: Option<&Material>, seen: &PosedPickable<'_>) -> Option<Sides> {
    let Some(material) = material else {
        return Some(if seen.one_sided { Sides::Front } else { Sides::Both });
    };
    if let Some(tev) = material.tev().filter(|_| seen.whole_materials) {
        return match tev.cull {
            CullMode::None | CullMode::Unknown(_) => Some(Sides::Both),
            CullMode::Back => Some(Sides::Front),
            CullMode::Front => Some(Sides::Back),
            CullMode::All => None,
        };
    }
    let basic = material.basic();
    if basic.hidden && !seen.hidden {
        return None;
    }
    // What stands for something unseen is drawn as a tint from both sides.
    let is_tint = basic.hidden && basic.role != SurfaceRole::Ordinary;
    Some(if seen.one_sided && !basic.two_sided && !is_tint { Sides::Front } else { Sides::Both })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{
        BasicMaterial, DrawMatrix, DrawTerm, Influence, Joint, MeshLevel, Run, Skeleton, Skin, gx::TevMaterial,
    };

    /// A square from (−1, −1) to (1, 1) at a height, facing +Z; the left corners follow joint 0, the right ones joint 1.
    fn square(z: f32, material: u32) -> Mesh {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let joints = [0, 1, 1, 0];
        Mesh {
            points: corners.iter().map(|(x, y)| Vec3::new(*x, *y, z)).collect(),
            vertex_points: vec![0, 1, 2, 3],
            indices: vec![0, 1, 2, 0, 2, 3],
            surfaces: vec![Surface { first_index: 0, index_count: 6, material }],
            skin: Some(Skin {
                runs: (0..4).map(|first| Run { first, count: 1 }).collect(),
                influences: joints.map(|joint| Influence { joint, weight: 1.0 }).to_vec(),
                sources: Vec::new(),
            }),
            levels: vec![MeshLevel {
                point_count: 3,
                indices: vec![0, 1, 2],
                surfaces: vec![Surface { first_index: 0, index_count: 3, material }],
            }],
            ..Mesh::default()
        }
    }

    fn material(basic: BasicMaterial) -> Material {
        Material { name: String::new(), kind: MaterialKind::Basic(basic) }
    }

    /// Two squares, one at 0 and one at 3, with a material each.
    fn model() -> Model {
        let skeleton = Skeleton::new(vec![Joint::default(), Joint::default()], vec![]);
        Model {
            meshes: vec![square(0.0, 0), square(3.0, 1)],
            materials: vec![material(BasicMaterial::default()), material(BasicMaterial::default())],
            skeleton: Some(skeleton),
            ..Model::empty("squares")
        }
    }

    fn ray(x: f32, y: f32) -> Ray {
        Ray { from: Vec3::new(x, y, 10.0), along: Vec3::NEG_Z }
    }

    fn behind() -> Ray {
        Ray { from: Vec3::new(0.5, -0.25, -10.0), along: Vec3::Z }
    }

    fn seen_by<'a>(frame: &'a Frame, camera: &'a OrbitCamera) -> PosedPickable<'a> {
        PosedPickable {
            frame,
            world_from_model: Affine3A::IDENTITY,
            camera,
            level: 0,
            hidden: false,
            one_sided: true,
            whole_materials: true,
            left_out: None,
        }
    }

    fn pick_with(
        model: &Model,
        frame: &Frame,
        ray: &Ray,
        change: impl Fn(&mut PosedPickable<'_>),
    ) -> Option<SurfaceHit> {
        let mut camera = OrbitCamera::default();
        camera.look_from(crate::scene::camera::ViewDirection::Front);
        let mut seen = seen_by(frame, &camera);
        change(&mut seen);
        model.pick_posed(ray, &seen)
    }

    fn pick(model: &Model, frame: &Frame, ray: &Ray) -> Option<SurfaceHit> {
        pick_with(model, frame, ray, |_| ())
    }

    #[test]
    fn the_nearest_surface_is_hit_and_the_joint_that_moves_it_most() {
        let model = model();
        let frame = Frame::bind(&model);
        let hit = pick(&model, &frame, &ray(0.5, -0.25)).unwrap();
        assert_eq!((hit.mesh, hit.material, hit.triangle, hit.distance), (MeshIndex(1), MaterialIndex(1), 0, 7.0));
        // Three quarters of the way to the right.
        assert_eq!((hit.joint, hit.position), (Some(JointIndex(1)), Vec3::new(0.5, -0.25, 3.0)));
        let left = pick(&model, &frame, &ray(-0.5, 0.25)).unwrap();
        assert_eq!((left.triangle, left.joint), (1, Some(JointIndex(0))));
        assert_eq!(pick(&model, &frame, &ray(1.5, 0.0)), None);
    }

    #[test]
    fn what_is_hit_stands_as_it_is_posed() {
        let model = model();
        let mut frame = Frame::bind(&model);
        // Both joints carry the squares to x from 4 to 6; the farther one is hidden.
        frame.world_from_bind.fill(Affine3A::from_translation(Vec3::X * 5.0));
        frame.visible = vec![true, false];
        assert_eq!(pick(&model, &frame, &ray(0.5, 0.0)), None);
        let hit = pick(&model, &frame, &ray(5.5, -0.25)).unwrap();
        assert_eq!((hit.mesh, hit.distance), (MeshIndex(0), 10.0));
        // The whole model stands somewhere else, turned around: it is seen from behind.
        let turned = Affine3A::from_rotation_y(std::f32::consts::PI);
        assert!(pick_with(&model, &frame, &ray(-5.5, -0.25), |seen| seen.world_from_model = turned).is_none());
        let both = |seen: &mut PosedPickable<'_>| (seen.world_from_model, seen.one_sided) = (turned, false);
        let hit = pick_with(&model, &frame, &ray(-5.5, -0.25), both).unwrap();
        assert!((hit.distance - 10.0).abs() < 1e-4 && hit.position.abs_diff_eq(Vec3::new(-5.5, -0.25, 0.0), 1e-4));
    }

    #[test]
    fn sides_and_surfaces_that_are_not_drawn_are_passed_through() {
        let mut model = model();
        let frame = Frame::bind(&model);
        assert_eq!(pick(&model, &frame, &behind()), None);
        let hit = pick_with(&model, &frame, &behind(), |seen| seen.one_sided = false).unwrap();
        assert_eq!((hit.mesh, hit.distance), (MeshIndex(0), 10.0));
        model.materials[1] = material(BasicMaterial { hidden: true, ..BasicMaterial::default() });
        assert_eq!(pick(&model, &frame, &ray(0.5, -0.25)).unwrap().mesh, MeshIndex(0));
        let hit = pick_with(&model, &frame, &ray(0.5, -0.25), |seen| seen.hidden = true).unwrap();
        assert_eq!(hit.mesh, MeshIndex(1));
        // The chip's own rule does not care for the switch.
        for (cull, front, back) in [
            (CullMode::None, true, true),
            (CullMode::Back, true, false),
            (CullMode::Front, false, true),
            (CullMode::All, false, false),
        ] {
            let tev = Box::new(TevMaterial { cull, ..TevMaterial::default() });
            model.materials.fill(Material { name: String::new(), kind: MaterialKind::Tev(tev) });
            let is_hit = |ray: &Ray| pick_with(&model, &frame, ray, |seen| seen.one_sided = false).is_some();
            assert_eq!((is_hit(&ray(0.5, -0.25)), is_hit(&behind())), (front, back), "{cull:?}");
        }
    }

    #[test]
    fn a_coarser_level_and_an_order_leave_triangles_out() {
        let mut model = model();
        let frame = Frame::bind(&model);
        let coarse = |model: &Model, ray: &Ray| pick_with(model, &frame, ray, |seen| seen.level = 7);
        // The upper left triangle is gone.
        assert!(coarse(&model, &ray(0.5, -0.25)).is_some() && coarse(&model, &ray(-0.5, 0.25)).is_none());
        model.draw_order = vec![0];
        assert_eq!(pick(&model, &frame, &ray(0.5, -0.25)).unwrap().mesh, MeshIndex(0));
    }

    #[test]
    fn blended_matrices_share_a_place_among_their_joints() {
        let mut model = model();
        let term = |joint, weight| DrawTerm { joint, weight, joint_from_bind: Affine3A::IDENTITY };
        let matrices =
            vec![DrawMatrix { terms: vec![term(0, 0.4), term(1, 0.6)] }, DrawMatrix { terms: vec![term(0, 1.0)] }];
        model.skeleton.as_mut().unwrap().draw_matrices = matrices;
        let mut frame = Frame::bind(&model);
        frame.world_from_bind = vec![Affine3A::IDENTITY; 2];
        // At the left edge six tenths are joint 1, at the right all is joint 0.
        assert_eq!(pick(&model, &frame, &ray(-0.9, 0.0)).unwrap().joint, Some(JointIndex(1)));
        assert_eq!(pick(&model, &frame, &ray(0.9, 0.0)).unwrap().joint, Some(JointIndex(0)));
    }

    #[test]
    fn lines_are_hit_close_to_them() {
        let mut model = model();
        let frame = Frame::bind(&model);
        // From (−1, −1) to (1, 1) at 5, before both squares. The picture is 20 · tan 0.35 = 7.3 high, 0.058 of it is near.
        let mut lines = square(5.0, 1);
        (lines.indices, lines.surfaces, lines.levels) = Default::default();
        lines.add_lines(&[[0, 2]], 1);
        model.meshes.push(lines);
        let mut camera = OrbitCamera { distance: 10.0, orthographic: true, ..OrbitCamera::default() };
        camera.look_from(crate::scene::camera::ViewDirection::Front);
        let seen = seen_by(&frame, &camera);
        let hit = model.pick_posed(&ray(0.5, 0.48), &seen).unwrap();
        let of = (hit.mesh, hit.material, hit.vertex, hit.joint, hit.triangle);
        assert_eq!(of, (MeshIndex(2), MaterialIndex(1), 2, Some(JointIndex(1)), u32::MAX));
        assert!((hit.distance - 5.0).abs() < 1e-4, "{hit:?}");
        assert_eq!(model.pick_posed(&ray(0.5, 0.3), &seen).unwrap().mesh, MeshIndex(1));
        // Past its end, and behind the start of the ray.
        assert_eq!(model.pick_posed(&ray(1.1, 1.1), &seen), None);
        assert_eq!(model.pick_posed(&Ray { along: Vec3::Z, ..ray(0.5, 0.5) }, &seen), None);
        // A nearer surface hides it.
        model.meshes.push(square(6.0, 0));
        assert_eq!(model.pick_posed(&ray(0.5, 0.5), &seen).unwrap().mesh, MeshIndex(3));
    }

    #[test]
    fn a_part_is_as_large_as_its_surfaces_are_drawn() {
        let model = model();
        let mut frame = Frame::bind(&model);
        frame.world_from_bind[1] = Affine3A::from_translation(Vec3::X * 2.0);
        let camera = OrbitCamera::default();
        let seen = seen_by(&frame, &camera);
        let of = |mesh: Option<u32>, material: Option<u32>| {
            let part = ModelPart { mesh: mesh.map(MeshIndex), material: material.map(MaterialIndex) };
            model.part_bounds(&part, &seen).map(|bounds| (bounds.min, bounds.max))
        };
        let second = Some((Vec3::new(-1.0, -1.0, 3.0), Vec3::new(3.0, 1.0, 3.0)));
        assert_eq!(of(Some(1), None), second);
        assert_eq!(of(None, Some(1)), second);
        assert_eq!(of(None, None), Some((Vec3::new(-1.0, -1.0, 0.0), Vec3::new(3.0, 1.0, 3.0))));
        assert_eq!(of(Some(0), Some(1)), None);
    }
}
