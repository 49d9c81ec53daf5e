//! The camera of a stage: what it frames, and how it flies.

use crate::{
    scene::{
        Aabb, Frame, LoopMode, MapItemKind, Model, Moments, Motion,
        camera::{FlyCamera, OrbitCamera, Steer, ViewDirection},
        picking::Ray,
        skinning,
    },
    ui::{
        command::CameraCommand,
        state::{
            core::Core,
            stage::{Stage, model::ModelStage},
        },
    },
};
use glam::Vec3;

/// Moments of a clip that are looked at for its extent.
const MOMENTS: u8 = 24;

/// A motion that leaves the bind pose's box by less than this share of the box's diagonal keeps the framing of the bind pose.
const LEAVES: f32 = 0.12;

/// Up to so many times the bind pose's size that pose is seen together with a motion elsewhere.
const WITH_BIND: f32 = 6.0;

/// Half the size of what is shown around a joint, at least, as a share of the model's diagonal.
const NEIGHBOURHOOD: f32 = 0.06;

impl Stage {
    /// The set of texture coordinates that is drawn: the chosen one, or the last that the shown model has.
    pub fn shown_uv_set(&self) -> u32 {
        let count = self.model().map_or(0, ModelStage::uv_set_count);
        self.view.options.uv_set.min(count.saturating_sub(1))
    }

    /// Triangles of the shown model at the level of detail that is drawn.
    pub fn shown_triangles(&self) -> usize {
        let Some(shown) = self.model() else { return 0 };
        let drawn = |mesh: &crate::scene::Mesh| {
            let level = (self.view.options.level as usize).min(mesh.levels.len()).checked_sub(1);
            level.and_then(|l| mesh.levels.get(l)).map_or(mesh.indices.len(), |level| level.indices.len()) / 3
        };
        shown.model.meshes.iter().map(drawn).sum()
    }

    /// The box of the shown model while no clip plays: at rest, or in bind pose if that is chosen.
    pub(in crate::ui) fn still_bounds(&self) -> Option<Aabb> {
        let shown = self.model()?;
        Some(shown.bind_bounds.filter(|_| shown.playback.player.options.bind_pose).unwrap_or(shown.bounds))
    }

    /// Box of the shown model in the world, while no clip plays.
    pub fn world_bounds(&self) -> Option<Aabb> {
        if let Some(shown) = self.level() {
            return Some(shown.bounds);
        }
        if let Some(shown) = self.landscape() {
            return Some(self.view.terrain.drawn_bounds(&shown.bounds));
        }
        Some(self.in_world(self.with_scene(self.still_bounds()?)))
    }

    /// The world's box around a box of the model.
    pub(in crate::ui) fn in_world(&self, bounds: Aabb) -> Aabb {
        let turn = self.view.options.up_axis.world_from_model();
        let corner = |i: u8, bit: u8, low: f32, high: f32| if i & bit == 0 { low } else { high };
        let (min, max) = (bounds.min, bounds.max);
        Aabb::of((0..8).map(|i| {
            turn.transform_point3(Vec3::new(
                corner(i, 1, min.x, max.x),
                corner(i, 2, min.y, max.y),
                corner(i, 4, min.z, max.z),
            ))
        }))
        .unwrap_or(bounds)
    }

    /// Brings a joint with the joints next to it into view, as they stand at this moment.
    pub(in crate::ui) fn focus_joint(&mut self, joint: u32) {
        self.pose();
        let Some(shown) = self.content.model() else { return };
        let Some(skeleton) = &shown.model.skeleton else { return };
        let place = |joint: u32| -> Option<Vec3> {
            let place = shown.playback.frame.world_from_joint.get(joint as usize)?.translation.into();
            Vec3::is_finite(place).then_some(place)
        };
        let Some(center) = place(joint) else { return };
        let parent = skeleton.joints().get(joint as usize).and_then(|j| j.parent);
        let children = (0u32..).zip(skeleton.joints()).filter(|(_, j)| j.parent == Some(joint)).map(|(index, _)| index);
        let reach = parent
            .into_iter()
            .chain(children)
            .filter_map(place)
            .map(|neighbour| neighbour.distance(center))
            .fold(shown.bounds.diagonal() * NEIGHBOURHOOD, f32::max);
        let bounds = Aabb { min: center - reach * 0.7, max: center + reach * 0.7 };
        let bounds = self.in_world(bounds);
        self.view.camera.frame(&bounds, self.viewport.aspect);
    }

    /// Brings the model in bind pose into view; where the clip that plays carries it out of that picture, its whole motion, or, where
    /// that leads far, the model where it is now, and the camera goes along with it ([`Motion`]).
    pub(in crate::ui) fn frame_model(&mut self) {
        if let Some(bounds) = self.world_bounds().filter(|_| self.landscape().is_some()) {
            self.frame_in_terrain(&bounds);
            return;
        }
        let Some(still) = self.still_bounds() else { return };
        let bounds = self.frame_way(None).unwrap_or(still);
        self.view.camera.frame(&self.in_world(self.with_scene(bounds)), self.viewport.aspect);
    }

    /// What is to be seen of the clip that plays: its motion, or the model where it stands, `posed` if that is known, and from now on
    /// the camera goes along. `None` where the clip stays in the bind pose's picture.
    fn frame_way(&mut self, posed: Option<Aabb>) -> Option<Aabb> {
        self.viewport.follows = None;
        let motion = self.motion()?;
        let Some(joint) = motion.follows else {
            return Some(posed.map_or(motion.bounds, |posed| posed.union(motion.bounds)));
        };
        self.pose();
        let now =
            posed.or_else(|| joints_of(&self.playback()?.frame)).map_or(motion.bounds.center(), |now| now.center());
        self.viewport.follows = self.place_of_joint(joint).map(|place| (joint, place));
        let half = (motion.bounds.max - motion.bounds.min) * 0.5;
        Some(Aabb { min: now - half, max: now + half })
    }

    /// Returns the position of a joint, in world space.
    fn place_of_joint(&self, joint: u32) -> Option<Vec3> {
        Some(self.view.options.up_axis.world_from_model().transform_point3(self.playback()?.frame.place_of(joint)?))
    }

    /// The model has another pose: where the camera goes along, it does.
    pub(crate) fn go_along(&mut self) {
        let Some((joint, before)) = self.viewport.follows else { return };
        if let Some(place) = self.place_of_joint(joint) {
            if self.view.fly.is_none() {
                self.view.camera.focus += place - before;
            }
            self.viewport.follows = Some((joint, place));
        }
    }

    /// The viewport has another shape: a landscape that nobody has turned yet fits into it again.
    pub fn set_aspect(&mut self, aspect: f32) {
        let changed = (self.viewport.aspect - aspect).abs() > 1e-3;
        self.viewport.aspect = aspect;
        if changed && self.landscape().is_some() && !self.view.camera_touched && self.view.tween.is_none() {
            self.enter_terrain();
        }
    }

    pub(in crate::ui) fn reset_view(&mut self) {
        if let Some(bounds) = self.level().map(|shown| shown.bounds) {
            self.enter_map(&bounds);
            return;
        }
        if self.landscape().is_some() {
            self.enter_terrain();
            return;
        }
        (self.view.top_down, self.view.tween) = (None, None);
        self.view.fly = None;
        self.view.camera = OrbitCamera::default();
        self.view.camera.look_from(ViewDirection::Iso);
        self.view.camera_touched = false;
        self.frame_model();
    }

    /// A clip has been chosen: its motion comes into view, unless the user has pointed the camera at something. A camera that went
    /// along with the clip before does so with one that leads far too.
    pub(in crate::ui) fn frame_motion(&mut self) {
        if !self.view.camera_touched {
            self.frame_model();
        } else if self.viewport.follows.is_some() && self.motion().is_none_or(|motion| motion.follows.is_none()) {
            self.viewport.follows = None;
        }
    }

    /// The clip's motion, in the model, with the bind pose where that is near; `None` when the bind pose's box will do. Looks at
    /// joints only, at [`MOMENTS`] moments, and takes the surface around them to be as thick as in bind pose.
    pub(in crate::ui) fn motion(&self) -> Option<Motion> {
        let shown = self.model()?;
        let mut player = shown.playback.player.clone();
        let last = player.clip()?.last_frame();
        player.set_loop_mode(LoopMode::Once);
        let mut frame = Frame::bind(&shown.model);
        let bind = joints_of(&frame)?;
        let below = (bind.min - shown.bounds.min).max(Vec3::ZERO);
        let above = (shown.bounds.max - bind.max).max(Vec3::ZERO);
        let mut moments = Moments::default();
        for moment in 0..MOMENTS {
            player.seek(last * f32::from(moment) / f32::from(MOMENTS - 1));
            player.evaluate(&shown.model, &mut frame);
            if let Some(joints) = joints_of(&frame) {
                moments.add(Aabb { min: joints.min - below, max: joints.max + above }, &frame);
            }
        }
        let motion = moments.motion()?;
        let size = shown.bounds.diagonal();
        let all = motion.bounds.union(shown.bounds);
        let leaves = (shown.bounds.min - all.min).max_element().max((all.max - shown.bounds.max).max_element());
        if leaves <= size * LEAVES && motion.follows.is_none() {
            return None;
        }
        let has_bind = motion.follows.is_none() && all.diagonal() <= motion.bounds.diagonal().max(size * WITH_BIND);
        Some(if has_bind { Motion { bounds: all, ..motion } } else { motion })
    }

    /// Brings the selected part or model of a scene into view as it stands at this moment, or everything, with the motion of the clip
    /// that plays where that leaves the bind pose's picture.
    pub(crate) fn frame_pose(&mut self, core: &mut Core) {
        self.pose();
        let Some(shown) = self.content.model() else { return self.frame_selected(core) };
        if let Some(bounds) = self.socket_bounds().or_else(|| self.part_bounds()) {
            let (bounds, extent) = (self.in_world(bounds), self.in_world(shown.bounds).diagonal());
            self.view.camera.frame(&bounds, self.viewport.aspect);
            self.view.camera.extent = extent;
            return;
        }
        let (scene, rest) = (&shown.scene, shown.bounds);
        let chosen = scene.selected.and_then(|id| scene.model(id));
        let others = scene.models.iter().filter(|other| match chosen {
            Some(chosen) => chosen.id == other.id,
            None => other.look.visible,
        });
        let is_whole = chosen.is_none() && (scene.main.visible || scene.models.is_empty());
        let own = is_whole.then(|| posed_bounds(&shown.model, &shown.playback.frame).unwrap_or(rest));
        let boxes = others.map(|other| {
            let bounds = posed_bounds(&other.model, &other.frame).unwrap_or(other.bounds);
            bounds.transformed(&other.scene_from_model)
        });
        let boxes: Vec<Aabb> = boxes.collect();
        let own = own.map(|own| self.frame_way(Some(own)).unwrap_or(own));
        let bounds = own.into_iter().chain(boxes).reduce(Aabb::union).unwrap_or(rest);
        self.view.camera.frame(&self.in_world(bounds), self.viewport.aspect);
    }
}

/// Returns the bounds of a model in its current pose, in the space of the model.
fn posed_bounds(model: &Model, frame: &Frame) -> Option<Aabb> {
    let points = model.meshes.iter().flat_map(|mesh| skinning::skinned_points(model, mesh, frame));
    Aabb::of(points).or_else(|| joints_of(frame))
}

fn joints_of(frame: &Frame) -> Option<Aabb> {
    Aabb::of(frame.world_from_joint.iter().map(|m| m.translation.into()))
}

/// What a flight over a landscape counts as crossing, in metres: speeds and the near plane go by it, and an island is far
/// larger than what stands on it.
const FLIGHT: f32 = 1000.0;

/// Minimum height of the camera above the ground, in metres.
const EYES: f32 = 1.7;

impl Stage {
    /// Lets the camera go on for some seconds.
    pub(in crate::ui) fn advance_flight(&mut self, secs: f32) {
        if !self.flies() {
            self.viewport.steer = Steer::default();
        }
        let steer = self.viewport.steer;
        if !steer.is_still() {
            self.fly_with(|fly| fly.advance(&steer, secs));
        }
    }

    /// Changes the fly camera, and what is seen with it. Over a landscape it stays above the ground and in sight of it.
    pub(in crate::ui) fn fly_with(&mut self, change: impl FnOnce(&mut FlyCamera)) {
        let space = self.landscape().and_then(|_| self.world_bounds());
        let exaggeration = self.view.terrain.exaggeration;
        if let Some(fly) = &mut self.view.fly {
            change(fly);
            if let (Some(space), Some(shown)) = (space, self.content.landscape()) {
                let around = space.diagonal();
                fly.eye = fly.eye.clamp(space.min - around, space.max + around);
                if let Some(ground) = shown.terrain.grid.ground_at(fly.eye.x, -fly.eye.z) {
                    fly.eye.y = fly.eye.y.max(ground * exaggeration + EYES);
                }
            }
            self.view.camera = fly.orbit();
            self.view.camera_touched = true;
        }
    }

    pub(in crate::ui) fn toggle_fly(&mut self) {
        if self.view.fly.take().is_some() {
            self.viewport.steer = Steer::default();
            self.land();
        } else if let Some(bounds) = self.world_bounds() {
            let extent = if self.landscape().is_some() { bounds.diagonal().min(FLIGHT) } else { bounds.diagonal() };
            let mut fly = FlyCamera::from_orbit(&self.view.camera, extent);
            if self.level().is_some() {
                fly.speed = self.view.level_speed;
            }
            self.view.fly = Some(fly);
            self.view.camera = fly.orbit();
            self.fly_with(|_| {});
        }
    }

    /// The orbit camera goes on from where the fly camera was, about what lies ahead.
    pub(in crate::ui) fn land(&mut self) {
        let camera = self.view.camera;
        let (from, along) = camera.ray(glam::Vec2::splat(0.5), self.viewport.aspect);
        let Some(bounds) = self.world_bounds() else { return };
        let solid = |kind| matches!(kind, MapItemKind::World | MapItemKind::Mover | MapItemKind::Mesh);
        let ahead = self.ray_hits(&camera, glam::Vec2::splat(0.5), false, |item| solid(item.kind));
        let ground = self.landscape().and_then(|shown| {
            let exaggeration = self.view.terrain.exaggeration;
            shown.picker.ground(&shown.terrain.grid, &Ray { from, along }, exaggeration)
        });
        let extent = self.camera_extent();
        let distance = ahead.map(|hit| hit.distance).or(ground).map_or_else(
            || (bounds.center() - from).dot(along).max(bounds.diagonal() * 0.1),
            |distance| distance.max(extent * 1e-3),
        );
        self.view.camera = OrbitCamera { focus: from + along * distance, distance, extent, ..camera };
    }

    pub(in crate::ui) fn look(&mut self, delta: glam::Vec2) {
        self.fly_with(|fly| fly.turn(delta));
    }

    pub(in crate::ui) fn change_fly_speed(&mut self, factor: f32) {
        if self.level().is_some() {
            if factor > 0.0 {
                self.set_level_speed(self.view.level_speed * factor);
            }
            return;
        }
        self.fly_with(|fly| fly.change_speed(factor));
    }

    /// To a start of the level.
    pub(in crate::ui) fn go_to_start(&mut self, index: usize) {
        let Some(shown) = self.content.level_mut() else { return };
        let Some(start) = shown.map.starts.get(index) else { return };
        // A start's turn counts from +Z, the camera's from −Z.
        let fly = FlyCamera::new(start.location, start.yaw + std::f32::consts::PI, &shown.bounds);
        shown.tools.start = Some(index);
        self.view.fly = Some(FlyCamera { speed: self.view.level_speed, ..fly });
        self.view.camera = fly.orbit();
        self.view.camera_touched = true;
    }

    /// A level is entered at its first start; without one it is seen from above.
    pub(in crate::ui) fn enter_map(&mut self, bounds: &Aabb) {
        (self.view.fly, self.view.top_down, self.view.tween) = (None, None, None);
        self.viewport.steer = Steer::default();
        if self.level().is_some_and(|shown| !shown.map.starts.is_empty()) {
            self.go_to_start(0);
        } else {
            self.view.camera = OrbitCamera::framing(bounds, ViewDirection::Iso, self.viewport.aspect);
            self.view.camera.extent = bounds.diagonal();
        }
    }

    /// Executes a camera command while flying. Returns false if the command has no special meaning then.
    pub(crate) fn apply_flying(&mut self, core: &mut Core, command: CameraCommand) -> bool {
        use CameraCommand as C;
        if self.view.fly.is_none() {
            return false;
        }
        match command {
            C::Orbit(delta) => self.fly_with(|fly| fly.turn(glam::vec2(-delta.x, -delta.y))),
            C::Zoom(factor) => {
                let step = -factor.max(1e-3).ln();
                self.fly_with(|fly| fly.eye += fly.forward() * (step * fly.extent * 0.05));
            }
            C::Pan(delta) => {
                let mut camera = self.view.camera;
                camera.pan(delta);
                self.fly_with(|fly| fly.eye = camera.eye());
            }
            C::LookFrom(direction) => {
                // Whoever is inside looks that way; seen as a whole the level is from outside.
                let mut camera = self.view.camera;
                camera.look_from(direction);
                if let (ViewDirection::Iso | ViewDirection::Top | ViewDirection::Bottom, Some(bounds)) =
                    (direction, self.world_bounds())
                {
                    self.view.fly = None;
                    camera.frame(&bounds, self.viewport.aspect);
                    self.view.camera = camera;
                    self.view.camera_touched = true;
                } else {
                    self.fly_with(|fly| (fly.yaw, fly.pitch) = (camera.yaw, 0.0));
                }
            }
            C::Frame => self.frame_selected(core),
            C::ToggleOrtho => {
                self.toggle_fly();
                self.view.camera.orthographic = true;
            }
            C::FocusJoint(_) | C::Reset | C::ToggleFly | C::Steer(_) | C::Look(_) | C::ChangeFlySpeed(_) => {
                return false;
            }
        }
        true
    }

    /// Brings what is selected in the level into view.
    pub(crate) fn frame_selected(&mut self, core: &mut Core) {
        let selected = self.bounds_in_map(core).or_else(|| self.bounds_of_props());
        let Some(bounds) = selected.or_else(|| self.world_bounds()) else { return };
        if self.landscape().is_some() && self.view.fly.is_none() {
            self.frame_in_terrain(&bounds);
            return;
        }
        let mut camera = self.view.camera;
        camera.frame(&bounds, self.viewport.aspect);
        if self.view.fly.is_some() {
            self.fly_with(|fly| fly.eye = camera.eye());
        } else {
            camera.extent = self.camera_extent();
            self.view.camera = camera;
            self.view.camera_touched = true;
        }
    }
}
