//! The models of a scene.

use crate::ui::{
    command::SceneCommand,
    scene_member::{SceneMember, SceneModelId},
    state::{State, stage::scene::SceneModel},
};

impl State {
    pub(in crate::ui::state) fn apply_scene(&mut self, command: SceneCommand) {
        use SceneCommand as C;
        match command {
            C::Add(place) => self.add_to_scene(place),
            C::AddSelected => {
                if let Some(place) = self.core.selection {
                    self.add_to_scene(place);
                }
            }
            C::Drop(paths) => self.open_for_scene(paths),
            C::Join { main, added } => self.join_scene(main, added),
            C::Remove(id) => self.remove_from_scene(id),
            C::RemoveAll => {
                self.stages.front.scene.remove_all();
                self.scene_changed();
            }
            C::Select(member) => self.select_in_scene(member),
            C::MakeMain(id) => {
                if let Some(id) = id.or(self.stages.front.scene.selected) {
                    self.make_main(id);
                }
            }
            C::SetVisible(member, visible) => {
                if let Some(look) = self.stages.front.scene.look_mut(member) {
                    look.visible = visible;
                }
                self.scene_changed();
            }
            C::SetTint(member, tint) => {
                if let Some(look) = self.stages.front.scene.look_mut(member) {
                    look.tint = tint;
                }
                self.scene_changed();
            }
            C::SetGhost(member, ghost) => self.set_ghost(member, Some(ghost)),
            C::ToggleGhost => self.set_ghost(self.stages.front.scene.selected_member(), None),
            C::Play(id, place) => self.play_in_scene(id, place),
            C::FindClips(id) => self.find_clips_in_scene(id),
            C::SetOwnClock(id, own) => self.change_in_scene(id, |model| {
                model.own_clock = own;
                // Both go on from where they are.
                model.player.play();
            }),
            C::SetPlaying(id, true) => self.change_in_scene(id, |model| model.player.play()),
            C::SetPlaying(id, false) => self.change_in_scene(id, |model| model.player.playing = false),
            C::SetLoop(id, mode) => self.change_in_scene(id, |model| model.player.set_loop_mode(mode)),
            C::SetFollows(id, follows) => self.change_in_scene(id, |model| {
                model.follows = follows;
                model.attached.take_if(|_| follows);
            }),
            C::Attach(id, to) => self.attach(id, to),
            C::AttachToSelectedBone(id) => self.attach_to_selected_bone(id),
            C::ToggleSideBySide => {
                self.stages.front.scene.side_by_side = !self.stages.front.scene.side_by_side;
                self.scene_changed();
                self.stages.front.frame_motion();
            }
            C::ToggleList => self.stages.front.scene.list_is_open = !self.stages.front.scene.list_is_open,
        }
    }

    fn change_in_scene(&mut self, id: SceneModelId, change: impl FnOnce(&mut SceneModel)) {
        if let Some(model) = self.stages.front.scene.model_mut(id) {
            change(model);
        }
        self.scene_changed();
    }

    fn set_ghost(&mut self, member: SceneMember, ghost: Option<bool>) {
        if let Some(look) = self.stages.front.scene.look_mut(member) {
            look.ghost = ghost.unwrap_or(!look.ghost);
        }
        self.scene_changed();
    }
}
