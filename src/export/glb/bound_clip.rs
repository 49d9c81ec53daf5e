use crate::scene::{Binding, Clip};

/// A clip and how it plays on the model.
#[derive(Clone, Copy, Debug)]
pub struct BoundClip<'a> {
    pub clip: &'a Clip,
    pub binding: &'a Binding,
}
