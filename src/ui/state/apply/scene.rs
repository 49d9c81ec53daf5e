//! The models of a scene.

use crate::ui::{
    command::SceneCommand,
    scene_member::{SceneMember, SceneModelId},
    state::{
        State,
        stage::{Stage, scene::SceneModel},
    },
};

impl State {
    pub(crate) fn apply_scene(&mut self, command: SceneCommand) {
        use SceneCommand as C;
        match command {
            C::Add(place) => self.stages.front.add_to_scene(&mut self.core, place),
            C::AddSelected => {
                if let Some(place) = self.core.selection {
                    self.stages.front.add_to_scene(&mut self.core, place);
                }
            }
            C::Drop(paths) => self.stages.front.open_for_scene(&mut self.core, paths),
            C::Join { main, added } => self.join_scene(main, added),
            C::Remove(id) => self.stages.front.remove_from_scene(id),
            C::RemoveAll => {
                self.stages.front.scene.remove_all();
                self.stages.front.scene_changed();
            }
            C::Select(member) => self.stages.front.select_in_scene(&mut self.core, member),
            C::MakeMain(id) => {
                if let Some(id) = id.or(self.stages.front.scene.selected) {
                    self.stages.front.make_main(&mut self.core, id);
                }
            }
            C::SetVisible(member, visible) => {
                if let Some(look) = self.stages.front.scene.look_mut(member) {
                    look.visible = visible;
                }
                self.stages.front.scene_changed();
            }
            C::SetTint(member, tint) => {
                if let Some(look) = self.stages.front.scene.look_mut(member) {
                    look.tint = tint;
                }
                self.stages.front.scene_changed();
            }
            C::SetGhost(member, ghost) => self.stages.front.set_ghost(member, Some(ghost)),
            C::ToggleGhost => self.stages.front.set_ghost(self.stages.front.scene.selected_member(), None),
            C::Play(id, place) => self.stages.front.play_in_scene(&mut self.core, id, place),
            C::FindClips(id) => self.stages.front.find_clips_in_scene(&mut self.core, id),
            C::SetOwnClock(id, own) => self.stages.front.change_in_scene(id, |model| {
                model.own_clock = own;
                // Both go on from where they are.
                model.player.play();
            }),
            C::SetPlaying(id, true) => self.stages.front.change_in_scene(id, |model| model.player.play()),
            C::SetPlaying(id, false) => self.stages.front.change_in_scene(id, |model| model.player.playing = false),
            C::SetLoop(id, mode) => self.stages.front.change_in_scene(id, |model| model.player.set_loop_mode(mode)),
            C::SetFollows(id, follows) => self.stages.front.change_in_scene(id, |model| {
                model.follows = follows;
                model.attached.take_if(|_| follows);
            }),
            C::Attach(id, to) => self.stages.front.attach(&mut self.core, id, to),
            C::AttachToSelectedBone(id) => self.stages.front.attach_to_selected_bone(&mut self.core, id),
            C::ToggleSideBySide => {
                self.stages.front.scene.side_by_side = !self.stages.front.scene.side_by_side;
                self.stages.front.scene_changed();
                self.stages.front.frame_motion();
            }
            C::ToggleList => self.stages.front.scene.list_is_open = !self.stages.front.scene.list_is_open,
        }
    }
}

impl Stage {
    fn change_in_scene(&mut self, id: SceneModelId, change: impl FnOnce(&mut SceneModel)) {
        if let Some(model) = self.scene.model_mut(id) {
            change(model);
        }
        self.scene_changed();
    }

    fn set_ghost(&mut self, member: SceneMember, ghost: Option<bool>) {
        if let Some(look) = self.scene.look_mut(member) {
            look.ghost = ghost.unwrap_or(!look.ghost);
        }
        self.scene_changed();
    }
}
