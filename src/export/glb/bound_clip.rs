use crate::{
    export::ExportError,
    scene::{Binding, Clip},
};

/// A clip and how it plays on the model.
#[derive(Clone, Copy, Debug)]
pub struct BoundClip<'a> {
    /// The clip.
    pub clip: &'a Clip,
    /// The binding of the clip to the model.
    pub binding: &'a Binding,
}

/// Where a clip lies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClipOrigin {
    /// The file's name without its folder.
    pub file: String,
    /// Its path in the file, as the command line takes it; `#0` where the file is the clip.
    pub entry: String,
}

/// Clips of a model, there one at a time: together they may be far larger than their file.
pub trait ClipSource {
    /// Returns the number of clips.
    fn count(&self) -> usize;

    /// Where a clip lies; `None` for one that lies nowhere.
    fn origin(&self, _index: usize) -> Option<ClipOrigin> {
        None
    }

    /// Hands a clip to `write` and lets go of it. Nothing happens where there is none after all.
    ///
    /// # Errors
    /// What `write` says, or that nobody wants the clips any more.
    fn with(
        &self,
        index: usize,
        write: &mut dyn FnMut(&BoundClip<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError>;
}

/// Clips that are there already.
impl ClipSource for [BoundClip<'_>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn with(
        &self,
        index: usize,
        write: &mut dyn FnMut(&BoundClip<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        self.get(index).map_or(Ok(()), write)
    }
}
