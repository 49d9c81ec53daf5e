//! Parts of the shown model: picking, the entries of bones, materials and parts, hiding.

use crate::{
    bytes::numbers::counted,
    formats::{Entry, EntryId, Outline, Role},
    gpu::Shading,
    scene::{
        Aabb, BoneBody, JointIndex, MaterialIndex, MeshIndex, ModelPart, ModelPiece, PosedPickable, SurfaceHit,
        bone_bodies, picking::Ray,
    },
    ui::{
        command::PartsCommand,
        place::Place,
        scene_member::{SceneMember, SceneModelId},
        state::{
            core::Core,
            stage::{Stage, StageContent, model::ModelStage},
        },
    },
};
use glam::Vec2;
use std::collections::HashMap;

impl Stage {
    /// The shown model as it is drawn.
    pub(crate) fn posed(&self) -> Option<(&ModelStage, PosedPickable<'_>)> {
        let (shown, view) = (self.model()?, &self.view);
        let posed = PosedPickable {
            frame: &shown.playback.frame,
            world_from_model: view.options.up_axis.world_from_model(),
            camera: &view.camera,
            level: view.options.level,
            hidden: view.options.show_hidden,
            one_sided: view.options.backface_culling,
            whole_materials: matches!(self.drawn_shading(), Shading::Lit | Shading::Unlit),
            left_out: Some(shown.parts.hidden()),
        };
        Some((shown, posed))
    }

    /// Selects what of the shown model lies at a place of the picture (0..1 from the top left): the bone whose body is drawn there,
    /// or the surface with its material; nothing there lets go of both.
    pub(crate) fn pick_in_model(&mut self, core: &mut Core, place: Vec2) {
        let (from, along) = self.view.camera.ray(place, self.viewport.aspect);
        let ray = Ray { from, along };
        let Some((shown, posed)) = self.posed() else { return };
        let is_seen = shown.scene.main.visible;
        let hit = shown.model.pick_posed(&ray, &posed).filter(|_| is_seen);
        let joint = self.bone_at(&ray, hit.as_ref()).filter(|_| is_seen);
        if joint.is_none()
            && let Some(other) = self.pick_other(&ray, hit.as_ref())
        {
            return self.select_in_scene(core, SceneMember::Other(other));
        }
        let found = hit.map(|hit| {
            let entry = core.entry_of_part(shown, hit.mesh, hit.material).unwrap_or(shown.place.entry);
            let strongest = shown.vertex_joints(hit.mesh, hit.vertex).first().map(|(joint, _)| *joint);
            (hit, Place { file: shown.place.file, entry }, strongest)
        });
        // The outline of another model of the scene goes.
        if let Some(shown) = self.content.model_mut()
            && shown.scene.selected.take().is_some()
        {
            shown.playback.revision += 1;
        }
        if joint.is_some() {
            return self.pick_joint(core, joint);
        }
        let Some((hit, place, strongest)) = found else {
            self.select_in_model(|selected| {
                (selected.vertex, selected.part, selected.socket) = (None, None, None);
            });
            return self.pick_joint(core, None);
        };
        if self.view.options.shading == Shading::Weights
            && let Some(joint) = strongest
        {
            self.select_in_model(|selected| selected.part = None);
            self.pick_joint(core, Some(joint.0));
            return self.select_in_model(|selected| selected.vertex = Some((hit.mesh, hit.vertex)));
        }
        self.select(core, place);
        let part = ModelPart { mesh: Some(hit.mesh), material: Some(hit.material) };
        self.select_in_model(|selected| {
            (selected.joint, selected.socket, selected.part) = (None, None, Some(part));
        });
    }

    /// The model beside the main one whose surface lies where a ray goes, before what is hit of the main one.
    fn pick_other(&self, ray: &Ray, hit: Option<&SurfaceHit>) -> Option<SceneModelId> {
        let view = &self.view;
        let mut nearest = hit.map_or(f32::INFINITY, |hit| hit.distance);
        let mut found = None;
        for other in self.scene()?.models.iter().filter(|other| other.look.visible) {
            let posed = PosedPickable {
                frame: &other.frame,
                world_from_model: view.options.up_axis.world_from_model() * other.scene_from_model,
                camera: &view.camera,
                level: 0,
                hidden: view.options.show_hidden,
                one_sided: view.options.backface_culling,
                whole_materials: matches!(view.options.shading, Shading::Lit | Shading::Unlit),
                left_out: None,
            };
            if let Some(hit) = other.model.pick_posed(ray, &posed).filter(|hit| hit.distance < nearest) {
                nearest = hit.distance;
                found = Some(other.id);
            }
        }
        found
    }

    /// The bone whose body is drawn where a ray goes: the one that moves the surface there, or the nearest.
    fn bone_at(&self, ray: &Ray, hit: Option<&SurfaceHit>) -> Option<u32> {
        let shown = self.model().filter(|_| self.view.options.skeleton)?;
        let skeleton = shown.model.skeleton.as_ref()?;
        let bodies = bone_bodies(skeleton, &shown.playback.frame, self.view.options.up_axis.world_from_model());
        let met: Vec<(f32, &BoneBody)> = bodies.iter().filter_map(|body| Some((body.met_at(ray)?, body))).collect();
        let moves = |body: &BoneBody| hit.and_then(|hit| hit.joint).is_some_and(|joint| joint.0 == body.joint);
        let own = met.iter().find(|(_, body)| moves(body));
        own.or(met.iter().min_by(|a, b| a.0.total_cmp(&b.0))).map(|(_, body)| body.joint)
    }

    /// The surfaces of the shown model that an entry is.
    pub(crate) fn part_of(&self, core: &Core, place: Place) -> Option<ModelPart> {
        let shown = self.model().filter(|shown| shown.place.file == place.file)?;
        let entry = core.file(place.file)?.entry(place.entry)?;
        match entry.role {
            role @ (Role::Material | Role::Part) => {
                let own = core.entries_of(shown, role);
                let at = own.iter().position(|found| found.id == place.entry)?;
                if role == Role::Material {
                    let material = core.material_at(shown, at, place.entry)?;
                    return Some(ModelPart { material: Some(material), ..ModelPart::default() });
                }
                let mesh = Core::mesh_at(shown, at, &own)?;
                Some(ModelPart { mesh: Some(mesh), ..ModelPart::default() })
            }
            _ => None,
        }
    }

    /// Notes which entries are pieces of the model that was put on the stage.
    pub(crate) fn find_pieces(&mut self, core: &mut Core) {
        let Some(shown) = self.content.model_mut() else { return };
        let mut pieces = HashMap::new();
        for (joint, entry) in (0_u32..).zip(core.bone_entries(shown)) {
            pieces.insert(entry, ModelPiece::Joint(JointIndex(joint)));
        }
        for (place, entry) in core.entries_of(shown, Role::Material).into_iter().enumerate() {
            if let Some(material) = core.material_at(shown, place, entry.id) {
                let part = ModelPart { material: Some(material), ..ModelPart::default() };
                pieces.insert(entry.id, ModelPiece::Surfaces(part));
            }
        }
        let parts = core.entries_of(shown, Role::Part);
        for (place, entry) in parts.iter().enumerate() {
            if let Some(mesh) = Core::mesh_at(shown, place, &parts) {
                let part = ModelPart { mesh: Some(mesh), ..ModelPart::default() };
                pieces.insert(entry.id, ModelPiece::Surfaces(part));
            }
        }
        shown.parts.follow(&shown.model, pieces);
    }

    /// Returns the name of the isolated part.
    pub fn name_of_alone(&self) -> Option<&str> {
        if let Some(shown) = self.level() {
            return Some(&shown.map.actors.get(shown.actors.alone()? as usize)?.name);
        }
        self.name_of_piece(self.model()?.parts.alone()?)
    }

    /// Returns the name of a part of the shown model.
    pub fn name_of_piece(&self, piece: ModelPiece) -> Option<&str> {
        let model = &self.model()?.model;
        Some(match piece {
            ModelPiece::Joint(joint) => &model.skeleton.as_ref()?.joints().get(joint.as_usize())?.name,
            ModelPiece::Surfaces(ModelPart { material: Some(material), .. })
                if let Some(material) = model.materials.get(material.as_usize()) =>
            {
                &material.name
            }
            ModelPiece::Surfaces(ModelPart { mesh, .. }) => &model.meshes.get(mesh?.as_usize())?.name,
        })
    }

    /// The box in the model's space of the selected part as it stands at this moment; without one, of what is not hidden, when
    /// anything is.
    pub(crate) fn part_bounds(&self) -> Option<Aabb> {
        let (shown, posed) = self.posed()?;
        let rest = (!shown.parts.hidden().is_empty()).then(ModelPart::default);
        let part = shown.selected.part.or(rest)?;
        shown.model.part_bounds(&part, &posed)
    }
}

impl Core {
    /// The entries with a role that belong to the shown model, in the order of the file, however the outline nests them. They lie
    /// below the model's own entry, or beside it in the same file.
    pub(crate) fn entries_of(&self, shown: &ModelStage, role: Role) -> Vec<&Entry> {
        let Some(file) = self.file(shown.place.file) else { return Vec::new() };
        let outline = file.document.outline();
        let mut scope = Some(shown.place.entry);
        while let Some(within) = scope {
            let inside = outline.entries().iter().filter(|entry| entry.role == role);
            let mut found: Vec<&Entry> = inside.filter(|entry| is_below(outline, entry, within)).collect();
            if !found.is_empty() {
                found.sort_by_key(|entry| (entry.offset, entry.id));
                return found;
            }
            // What lies in an archive or a folder beside the model is another file's.
            let above = outline.get(within).and_then(|entry| outline.get(entry.parent?));
            scope = above.filter(|above| !matches!(above.role, Role::Archive | Role::Folder)).map(|above| above.id);
        }
        Vec::new()
    }

    /// The entries that are the shown model's joints, in their order: bones lie in a file as the skeleton counts them. Nothing when
    /// their number is another one.
    pub(crate) fn bone_entries(&self, shown: &ModelStage) -> Vec<EntryId> {
        let bones = self.entries_of(shown, Role::Bone);
        if bones.len() == shown.model.joint_count() { bones.iter().map(|e| e.id).collect() } else { Vec::new() }
    }

    /// The material of the shown model that an entry is, the `place`th of those that it has.
    fn material_at(&self, shown: &ModelStage, place: usize, entry: EntryId) -> Option<MaterialIndex> {
        let index = match self.file(shown.place.file)?.document.ask(entry, |can, entry| can.facts?.surface(entry)) {
            Some(surface) if surface.owner == shown.place.entry => surface.index,
            Some(_) => return None,
            None => place,
        };
        shown.model.materials.get(index)?;
        Some(MaterialIndex(u32::try_from(index).ok()?))
    }

    /// The mesh of the shown model that one of its parts is: the one at the same place where there are as many, otherwise that of
    /// its name.
    fn mesh_at(shown: &ModelStage, place: usize, parts: &[&Entry]) -> Option<MeshIndex> {
        let meshes = &shown.model.meshes;
        let same_name = || meshes.iter().position(|mesh| parts.get(place).is_some_and(|part| part.name == mesh.name));
        let index = if parts.len() == meshes.len() { Some(place) } else { same_name() };
        Some(MeshIndex(u32::try_from(index?).ok()?))
    }

    /// The entry that the surface of a mesh with a material is: its material, or else its part.
    fn entry_of_part(&self, shown: &ModelStage, mesh: MeshIndex, material: MaterialIndex) -> Option<EntryId> {
        let materials = self.entries_of(shown, Role::Material);
        let mut numbered = materials.iter().enumerate();
        if let Some((_, found)) = numbered.find(|(at, entry)| self.material_at(shown, *at, entry.id) == Some(material))
        {
            return Some(found.id);
        }
        let parts = self.entries_of(shown, Role::Part);
        let place = (0..parts.len()).find(|place| Core::mesh_at(shown, *place, &parts) == Some(mesh))?;
        parts.get(place).map(|part| part.id)
    }
}

impl Stage {
    /// The piece of the shown model that is selected.
    pub fn selected_piece(&self) -> Option<ModelPiece> {
        let selected = self.selected();
        let joint = selected.joint.map(|joint| ModelPiece::Joint(JointIndex(joint)));
        joint.or(selected.part.map(ModelPiece::Surfaces))
    }

    /// The piece of the shown model that an entry is.
    pub fn piece_at(&self, place: Place) -> Option<ModelPiece> {
        let shown = self.model().filter(|shown| shown.place.file == place.file)?;
        shown.parts.pieces.get(&place.entry).copied()
    }

    /// Whether the piece of the shown model or the actor of the shown level that an entry is, is hidden; `None` for what is none.
    pub fn is_hidden(&self, place: Place) -> Option<bool> {
        if let Some(actor) = self.actor_of(place) {
            return Some(self.level()?.actors.hidden().contains(&Some(actor)));
        }
        let (shown, piece) = (self.model()?, self.piece_at(place)?);
        Some(shown.parts.hidden().has(&shown.model, piece))
    }

    /// Returns a description of the hidden parts; `None` if nothing is hidden.
    pub fn hidden_words(&self) -> Option<String> {
        let of = |count: usize, name: &str| (count > 0).then(|| counted(count, name));
        if let Some(shown) = self.level() {
            let actors = shown.actors.hidden().iter().flatten().count();
            return of(actors, "actor").map(|actors| format!("{actors} hidden"));
        }
        let shown = self.model().filter(|shown| !shown.parts.hidden().is_empty())?;
        let hidden = shown.parts.hidden();
        let (surfaces, bones) = hidden.counts(&shown.model);
        let counts: Vec<String> = [of(surfaces, "part"), of(bones, "bone")].into_iter().flatten().collect();
        Some(format!("{} hidden", counts.join(" and ")))
    }
}

fn is_below(outline: &Outline, entry: &Entry, ancestor: EntryId) -> bool {
    let above = std::iter::successors(entry.parent, |id| outline.get(*id)?.parent);
    // Parents that lead in a circle end here.
    above.take(outline.entries().len()).any(|id| id == ancestor)
}

impl Stage {
    pub(crate) fn apply_parts(&mut self, core: &mut Core, command: PartsCommand) {
        use PartsCommand as C;
        let selected = self.selected_piece();
        let is_level = self.level().is_some();
        let actor = self.selected_actor(core).and_then(|actor| u32::try_from(actor).ok());
        match command {
            C::HideSelected if self.landscape().is_some() => self.hide_selected_kinds(),
            C::IsolateSelected if self.landscape().is_some() => self.isolate_selected_kinds(),
            C::ShowAll if self.landscape().is_some() => self.isolate_kinds(None),
            C::HideSelected if is_level => self.hide_actor(actor, true),
            C::IsolateSelected if is_level => {
                self.isolate_actor(self.alone_actor().or(actor));
            }
            C::Hide(place, hide) if is_level => self.hide_actor(self.actor_of(place), hide),
            C::Isolate(place) if is_level => self.isolate_actor(self.actor_of(place)),
            C::HideActors(actors, hide) => self.hide_actors(&actors, hide),
            C::HideSelected => self.hide_piece(selected, true),
            C::IsolateSelected => self.isolate_piece(self.alone_piece().or(selected)),
            C::ShowAll => match &mut self.content {
                StageContent::Model(shown) => shown.parts.show_all(),
                StageContent::Level(shown) => shown.actors.show_all(),
                _ => {}
            },
            C::Hide(place, hide) => self.hide_piece(self.piece_at(place), hide),
            C::Isolate(place) => self.isolate_piece(self.piece_at(place)),
        }
        self.model_changed();
    }

    /// The piece of the shown model that is shown alone.
    pub fn alone_piece(&self) -> Option<ModelPiece> {
        self.model()?.parts.alone()
    }

    /// The actor of the shown level that is shown alone.
    pub fn alone_actor(&self) -> Option<u32> {
        self.level()?.actors.alone()
    }

    fn hide_actor(&mut self, actor: Option<u32>, hide: bool) {
        if let (Some(shown), Some(actor)) = (self.content.level_mut(), actor) {
            shown.actors.set(actor, hide);
        }
    }

    /// Shows an actor of the level alone, or, if it is shown alone, the actors that were shown before.
    fn isolate_actor(&mut self, actor: Option<u32>) {
        let (Some(shown), Some(actor)) = (self.content.level_mut(), actor) else { return };
        if shown.actors.alone() == Some(actor) {
            shown.actors.leave_alone();
        } else {
            shown.actors.isolate(&shown.map, actor);
        }
    }

    /// Returns true if a command for parts has an effect.
    pub(crate) fn is_parts_possible(&self, core: &Core, command: &PartsCommand) -> bool {
        let terrain = &self.view.terrain;
        let (is_landscape, is_level) = (self.landscape().is_some(), self.level().is_some());
        match command {
            PartsCommand::HideSelected | PartsCommand::IsolateSelected if is_landscape => !terrain.selected.is_empty(),
            PartsCommand::ShowAll if is_landscape => !terrain.hidden_kinds.is_empty(),
            PartsCommand::HideSelected if is_level => self.selected_actor(core).is_some(),
            PartsCommand::IsolateSelected if is_level => {
                self.selected_actor(core).is_some() || self.alone_actor().is_some()
            }
            PartsCommand::ShowAll if is_level => self.level().is_some_and(|shown| !shown.actors.hidden().is_empty()),
            PartsCommand::Hide(place, _) | PartsCommand::Isolate(place) if is_level => self.actor_of(*place).is_some(),
            PartsCommand::HideActors(..) => is_level,
            PartsCommand::HideSelected => self.selected_piece().is_some(),
            PartsCommand::IsolateSelected => self.selected_piece().or(self.alone_piece()).is_some(),
            PartsCommand::ShowAll => self.model().is_some_and(|shown| !shown.parts.hidden().is_empty()),
            PartsCommand::Hide(place, _) | PartsCommand::Isolate(place) => self.piece_at(*place).is_some(),
        }
    }

    fn hide_actors(&mut self, actors: &[u32], hide: bool) {
        let Some(shown) = self.content.level_mut() else { return };
        let count = shown.map.actors.len();
        for actor in actors.iter().filter(|actor| (**actor as usize) < count) {
            shown.actors.set(*actor, hide);
        }
    }

    fn hide_piece(&mut self, piece: Option<ModelPiece>, hide: bool) {
        if let (Some(shown), Some(piece)) = (self.content.model_mut(), piece) {
            shown.parts.set(&shown.model, piece, hide);
        }
    }

    /// Shows a piece of the model alone, or, if it is shown alone, the parts that were shown before.
    fn isolate_piece(&mut self, piece: Option<ModelPiece>) {
        let (Some(shown), Some(piece)) = (self.content.model_mut(), piece) else { return };
        if shown.parts.alone() == Some(piece) {
            shown.parts.leave_alone();
        } else {
            shown.parts.isolate(&shown.model, piece);
        }
    }

    fn hide_selected_kinds(&mut self) {
        let kinds: Vec<u32> = self.selected_kinds().into_iter().collect();
        self.hide_kinds(&kinds, true);
    }

    /// Nothing but the types of what is selected, or everything again where that is so already.
    fn isolate_selected_kinds(&mut self) {
        let kinds = self.selected_kinds();
        if kinds.is_empty() {
            return;
        }
        let hidden = &self.view.terrain.hidden_kinds;
        let is_alone =
            !hidden.is_empty() && (0..).zip(hidden.iter()).all(|(kind, hidden)| *hidden != kinds.contains(&kind));
        let kinds: Vec<u32> = kinds.into_iter().collect();
        self.isolate_kinds((!is_alone).then_some(&kinds));
    }
}
