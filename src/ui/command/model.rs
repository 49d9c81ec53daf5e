//! Commands for the shown model, its clips and how it is read.

use crate::{
    formats::RootConjugate,
    scene::{LayerIndex, LoopMode, MaterialIndex, PoseOptions, Translation},
    ui::state::Place,
};
use glam::Vec2;

/// A command for the shown model.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelCommand {
    /// Selects the part of the model at a point of the viewport, 0..1 from the top left.
    Pick(Vec2),
    /// Replaces a texture of the model by an image.
    UseAsTexture(Place),
    /// Replaces the texture of one material by an image.
    TextureMaterial(MaterialIndex, Place),
    /// Opens the list of images for a material; `None` closes it.
    ChooseTexture(Option<MaterialIndex>),
    /// Shows the texture of a material.
    OpenTexture(MaterialIndex),
    /// Restores the original textures.
    OwnTextures,
    /// Plays a clip even if it fits only a few bones.
    PlayAnyway(Place),
    /// Plays another clip, by its distance in the list.
    NextClip(i32),
    /// Changes one of the playing clips.
    Layer(LayerIndex, LayerCommand),
    /// Sets the rate of clips without a rate, in frames per second; `None` for the default of their format.
    SetAssumedRate(Option<f32>),
    SetPoseOptions(PoseOptions),
    /// Shows the model in bind pose, if it is on the active stage.
    ShowBindPose(Place),
    /// Sets the duration of the blend between two clips, in seconds; 0 for no blend.
    SetBlend(f32),
    /// Stops the clips and shows the bind pose.
    StopClip,
    SetMorph(usize, f32),
    /// Resets the weights of all morphs.
    ResetMorphs,
    /// Sets the level of detail; 0 is the complete model.
    SetLevel(u32),
    SetTranslation(Translation),
    CycleTranslation,
    SetAdditive(bool),
    SetRootConjugate(RootConjugate),
    SetSwapRedBlue(bool),
    /// Moves the playhead of the curves, in frames of their clip.
    SeekCurves(f32),
    /// Shows the curves of the clip that animates this kind of target.
    ShowCurvesOf(LayerIndex),
}

/// A command for one of the playing clips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LayerCommand {
    /// Seeks to a frame. Clips with the common clock follow.
    Seek(f32),
    SetLoop(LoopMode),
    /// Removes the clip from the common clock, or adds it again.
    SetDetached(bool),
    /// Plays or pauses a clip with its own clock.
    SetPlaying(bool),
    Remove,
}
