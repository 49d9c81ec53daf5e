//! Numbers of things, by what they count: a material's number cannot be taken for a joint's.
//!
//! Those of a model are made where a clip is bound to it ([`super::Binding`]); those of a clip are its own and mean nothing to a
//! model until then.

use std::fmt;

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        pub struct $name(pub u32);

        impl $name {
            /// To index a list with.
            pub const fn as_usize(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

indices! {
    /// A joint of a model: into [`super::Skeleton::joints`], [`super::Frame::locals`] and what else has one item a joint.
    JointIndex;
    /// A material of a model: into [`super::Model::materials`] and [`super::Frame::materials`].
    MaterialIndex;
    /// A mesh of a model: into [`super::Model::meshes`] and [`super::Frame::visible`].
    MeshIndex;
    /// A morph of a model: into [`super::Model::morph_names`] and [`super::Frame::morph_weights`].
    MorphIndex;
    /// A joint as a clip counts them: into [`super::Clip::joints`]. Which joint of a model it is, its
    /// [`super::JointAddressing`] says.
    ClipJoint;
    /// A material as a clip counts them: into [`super::Clip::materials`].
    ClipMaterial;
    /// A clip that plays: into [`super::Player::layers`], until one is added or removed.
    LayerIndex;
    /// An entry of the document that something was made from. The scene does not know what an entry is; `formats::EntryId` is
    /// made from it.
    SourceEntry;
}

impl SourceEntry {
    /// The file itself.
    pub const FILE: Self = Self(0);
}

impl JointIndex {
    /// The joint that a file has first, which is the root in most.
    pub const FIRST: Self = Self(0);
}

impl ClipJoint {
    /// The joint of the model that has the same place, for clips that speak of joints by place.
    pub const fn same_place(self) -> JointIndex {
        JointIndex(self.0)
    }
}
