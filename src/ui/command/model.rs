//! What can be done to the model on show, to its clips and to how it is read.

use crate::{
    formats::RootConjugate,
    scene::{LayerIndex, LoopMode, MaterialIndex, PoseOptions, Translation},
    ui::state::Place,
};
use glam::Vec2;

/// One thing to do to the model on show.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelCommand {
    /// Selects what of the model lies at a place of the picture, 0..1 from the top left.
    Pick(Vec2),
    /// Puts an image on the model, in the place of a texture.
    UseAsTexture(Place),
    /// Puts an image on one material.
    TextureMaterial(MaterialIndex, Place),
    /// Asks for an image for a material, or no longer.
    ChooseTexture(Option<MaterialIndex>),
    /// Opens the texture that a material has as a picture.
    OpenTexture(MaterialIndex),
    /// Takes all such images off again.
    OwnTextures,
    /// Plays a clip even though few of its bones fit.
    PlayAnyway(Place),
    /// Goes this many clips on.
    NextClip(i32),
    /// Changes one of the clips that play together.
    Layer(LayerIndex, LayerCommand),
    /// Frames a second of clips that do not say; `None`: what their format mostly has.
    SetAssumedRate(Option<f32>),
    SetPoseOptions(PoseOptions),
    /// Shows the model in bind pose, if it is on the active stage.
    ShowBindPose(Place),
    /// Seconds over which the pose of one clip becomes that of the next; 0 for at once.
    SetBlend(f32),
    /// Back to the bind pose.
    StopClip,
    SetMorph(usize, f32),
    /// Every morph's weight back to none.
    ResetMorphs,
    /// Shows a coarser level of detail; 0 is all of the model.
    SetLevel(u32),
    SetTranslation(Translation),
    CycleTranslation,
    SetAdditive(bool),
    SetRootConjugate(RootConjugate),
    SetSwapRedBlue(bool),
    /// Moves the playhead of the curves, in frames of their clip.
    SeekCurves(f32),
    /// Shows the curves of the clip that drives this on the model.
    ShowCurvesOf(LayerIndex),
}

/// What can be done to one of the clips that play together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LayerCommand {
    /// To a frame; everything on the common clock goes along.
    Seek(f32),
    SetLoop(LoopMode),
    /// Off the common clock, or back on it.
    SetDetached(bool),
    /// While it is off the clock.
    SetPlaying(bool),
    Remove,
}
