//! A geometry palette: its display objects and the states that they are drawn in (formats/charpipe.md §4).

use super::{super::draw_state::DrawState, display_states::StateIds, object::DisplayObject};
use crate::bytes::Source;
use std::ops::Range;

/// A geometry palette.
pub struct Gpl {
    /// Bytes of the whole file.
    pub source: Source,
    /// The section.
    pub range: Range<u64>,
    /// By their numbers, which bones go by; `None` for one that cannot be read.
    pub objects: Vec<Option<DisplayObject>>,
    /// Where they are, which is so for those that cannot be read too.
    pub places: Vec<Descriptor>,
    /// Numbering of the display states.
    pub ids: StateIds,
    /// The states that its lists are drawn in: its materials.
    pub drawn: Vec<DrawnState>,
    /// Which of them may be shown alone: those that share more bytes than they have may not.
    pub shows: Vec<bool>,
    /// Where things begin in it, ascending; empty while every list ends inside it.
    pub starts: Vec<u64>,
}

/// Where a display object and its name are: bytes from the start of the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    pub object: u32,
    /// 0 for none.
    pub name: u32,
}

impl Gpl {
    /// The name of a display object, or its number.
    pub fn name(&self, index: usize) -> String {
        let name = self.objects.get(index).and_then(Option::as_ref).map(|object| object.name.as_str());
        name.filter(|name| !name.is_empty()).map_or_else(|| format!("Mesh {index}"), str::to_owned)
    }

    /// The skinned object: the last with normals between its positions (§1, row 6).
    pub fn skinned(&self) -> Option<usize> {
        self.objects.iter().rposition(|object| object.as_ref().is_some_and(DisplayObject::is_skinned))
    }
}

/// A state that lists are drawn in, and what draws the first of them.
#[derive(Clone, Copy, Debug)]
pub struct DrawnState {
    pub state: DrawState,
    /// Into [`Gpl::objects`].
    pub object: usize,
    /// Which of the object's display states.
    pub number: usize,
}
