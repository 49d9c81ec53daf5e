use crate::{
    formats::{LoadOptions, RootConjugate},
    scene::{BindingOptions, PoseOptions, Translation},
};
use clap::ValueEnum;

/// Switches of the families: the window has the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "Family switches")]
pub struct Switches {
    /// ActorX: where bones' positions come from: as the clip's files say, the clip's keys, or the mesh's bind pose (root aside)
    #[arg(long, value_name = "FROM", value_enum, default_value_t)]
    pub translation: TranslationSwitch,
    /// ActorX: add the clip's keys to the bind pose
    #[arg(long)]
    pub additive: bool,
    /// ActorX: whether bone 0 stores the conjugate of its rotation, as the other bones do
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub root_conjugate: RootConjugateSwitch,
    /// ActorX: vertex colours are stored blue first
    #[arg(long)]
    pub swap_red_blue: bool,
    /// ActorX: give a morph's delta also to points at the same position that have none
    #[arg(long)]
    pub repair_morphs: bool,
    /// J3D: turn on the shorter arc from one whole frame to the next instead of angle by angle
    #[arg(long)]
    pub smooth_rotation: bool,
    /// J3D: the pose of a model while no clip moves its bones: rest, as without it, or bind, that of its inverse bind matrices; glb,
    /// gltf and obj have it as the rest pose
    #[arg(long, value_name = "POSE", value_enum, default_value_t)]
    pub pose: PoseSwitch,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PoseSwitch {
    #[default]
    Rest,
    Bind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TranslationSwitch {
    #[default]
    Auto,
    Clip,
    Mesh,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RootConjugateSwitch {
    #[default]
    Auto,
    On,
    Off,
}

impl Switches {
    /// What they mean for decoding an entry.
    pub fn load_options(&self) -> LoadOptions {
        LoadOptions {
            root_conjugate: match self.root_conjugate {
                RootConjugateSwitch::Auto => RootConjugate::Auto,
                RootConjugateSwitch::On => RootConjugate::On,
                RootConjugateSwitch::Off => RootConjugate::Off,
            },
            swap_red_blue: self.swap_red_blue,
            repair_morphs: self.repair_morphs,
            ..LoadOptions::default()
        }
    }

    /// What they mean for working out a pose.
    pub fn pose_options(&self) -> PoseOptions {
        PoseOptions {
            smooth_rotation: self.smooth_rotation,
            bind_pose: self.pose == PoseSwitch::Bind,
            ..PoseOptions::default()
        }
    }

    /// What they mean for playing a clip on a model.
    pub fn binding_options(&self) -> BindingOptions {
        BindingOptions {
            translation: match self.translation {
                TranslationSwitch::Auto => Translation::Auto,
                TranslationSwitch::Clip => Translation::Clip,
                TranslationSwitch::Mesh => Translation::Mesh,
            },
            additive: self.additive,
            ignore_key_rule: self.root_conjugate == RootConjugateSwitch::On,
        }
    }
}
