use crate::{
    formats::{LoadOptions, RootConjugate},
    scene::{BindingOptions, PoseOptions, Translation},
};
use clap::ValueEnum;

/// Options for single format families. The window has the same options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "Format options")]
pub struct Switches {
    /// ActorX: source of bone positions: chosen by the clip's files (auto), the clip's keys, or the mesh's bind pose (except the root)
    #[arg(long, value_name = "SOURCE", value_enum, default_value_t)]
    pub translation: TranslationSwitch,
    /// ActorX: add the clip's keys to the bind pose
    #[arg(long)]
    pub additive: bool,
    /// ActorX: whether bone 0 stores the conjugate of its rotation, like the other bones
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    pub root_conjugate: RootConjugateSwitch,
    /// ActorX: read vertex colours in blue, green, red order
    #[arg(long)]
    pub swap_red_blue: bool,
    /// ActorX: apply a morph's delta also to points at the same position that have no delta
    #[arg(long)]
    pub repair_morphs: bool,
    /// J3D: interpolate rotations along the shorter arc between whole frames instead of per angle
    #[arg(long)]
    pub smooth_rotation: bool,
    /// J3D: pose of a model if no clip moves its bones: rest (default), or bind, from its inverse bind matrices. Also the rest pose of
    /// exported glb, gltf and obj
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
    /// Returns the options for decoding an entry.
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

    /// Returns the options for computing a pose.
    pub fn pose_options(&self) -> PoseOptions {
        PoseOptions {
            smooth_rotation: self.smooth_rotation,
            bind_pose: self.pose == PoseSwitch::Bind,
            ..PoseOptions::default()
        }
    }

    /// Returns the options for playing a clip on a model.
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
