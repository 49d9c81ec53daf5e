//! Every diagnostic code of the family.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };
        )*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    BAD_POINTER, "charpipe.bad-pointer", Error, "A section of a model block starts outside the block, or at the start of another section.";
    UNREADABLE_SECTION, "charpipe.unreadable-section", Error, "A section cannot be read completely.";
    UNKNOWN_MEMBER, "charpipe.unknown-member", Info, "A member of an archive has an unknown format. It is shown as raw bytes.";
    OTHER_VERSION, "charpipe.other-version", Warning, "A section has an unknown version. It is read as the known version.";
    SHORT_TABLE, "charpipe.short-table", Error, "A table of a skin or an actor has fewer entries than specified. The existing entries are read.";
    SHORT_FLUSH, "charpipe.short-flush", Warning, "The flush list of a skin has fewer slots than specified. This list is not used for drawing.";
    BAD_LINK, "charpipe.bad-link", Error, "A link of a bone does not point to a bone. The link is ignored.";
    LINK_CYCLE, "charpipe.link-cycle", Error, "Links between bones form a cycle. The cycle is broken.";
    UNLINKED_BONES, "charpipe.unlinked-bones", Warning, "Some bones are not linked to the hierarchy. They come last in the bone order.";
    BAD_CONTROL, "charpipe.bad-control", Error, "The transform of a bone cannot be read. The bone is placed at its parent.";
    FLAT_BONE, "charpipe.flat-bone", Warning, "The bind matrix of a bone cannot be inverted. Meshes attached to the bone cannot be posed.";
    BAD_NAME, "charpipe.bad-name", Warning, "A name is outside its section.";
    BAD_USER_DATA, "charpipe.bad-user-data", Warning, "User data is incomplete or outside its section. The readable part is decoded, and the rest is shown as raw bytes.";
    SHORT_LIST, "charpipe.short-list", Error, "A list of a skin has fewer entries than specified. The existing entries are used.";
    BAD_LIST_BONE, "charpipe.bad-list-bone", Error, "A list of a skin refers to a bone that the actor does not have. The list is skipped.";
    BAD_LIST_SLOTS, "charpipe.bad-list-slots", Error, "A list of a skin writes to an invalid vertex slot. The list or its invalid entries are skipped.";
    SHIFT_MISMATCH, "charpipe.shift-mismatch", Warning, "A skin and its mesh use different fixed-point scales. The scale of the mesh is used.";
    WEIGHT_SUM, "charpipe.weight-sum", Warning, "The weights of a vertex do not add up to 1. They are used as stored.";
    OVERWRITTEN_SLOT, "charpipe.overwritten-slot", Warning, "A vertex of a skin is overwritten or cleared before it is drawn.";
    UNCLEARED_SLOT, "charpipe.uncleared-slot", Warning, "A skin accumulates values in a vertex that is never cleared. The vertex is drawn as if it were cleared.";
    ODD_CLEAR, "charpipe.odd-clear", Info, "A skin clears a memory range that is not aligned to vertex slots or cache lines.";
    SKIN_ALONE, "charpipe.skin-alone", Warning, "A skin file has no geometry palette (.gpl) with the same name. There is no mesh to show.";
    BAD_MEMBER, "charpipe.bad-member", Error, "A member of an archive is outside the archive.";
    BAD_TEXTURE_TABLE, "charpipe.bad-texture-table", Error, "A texture table is outside its section, or has fewer textures than specified.";
    BAD_TEXTURE, "charpipe.bad-texture", Error, "A texture cannot be decoded completely.";
    NO_SUCH_TEXTURE, "charpipe.no-such-texture", Warning, "A display state refers to a texture that does not exist.";
    BORROWED_TEXTURES, "charpipe.borrowed-textures", Info, "A low-detail model uses the textures of its full-detail model.";
    UNKNOWN_TEXTURE_CODE, "charpipe.unknown-texture-code", Warning, "A field of a texture has an unknown value.";
    BAD_FACES, "charpipe.bad-faces", Error, "Some or all facial poses cannot be read.";
    UNKNOWN_FACES, "charpipe.unknown-faces", Warning, "Facial poses change an unknown attribute of a mesh.";
    FACES_MISFIT, "charpipe.faces-misfit", Warning, "Facial poses do not match their mesh.";
    BAD_OBJECT, "charpipe.bad-object", Error, "A mesh cannot be read and is skipped.";
    BAD_ARRAY, "charpipe.bad-array", Error, "An array of a mesh cannot be read and is skipped.";
    BAD_COUNT, "charpipe.bad-count", Error, "A table or an array of a mesh has fewer entries than specified. The existing entries are read.";
    TOO_MANY_UV_SETS, "charpipe.too-many-uv-sets", Warning, "A mesh has too many UV sets. Only the first sets are drawn.";
    LIST_SIZE, "charpipe.list-size", Warning, "A primitive list is larger than the available space. It is drawn up to the next structure.";
    BAD_LIST, "charpipe.bad-list", Error, "A primitive list cannot be read completely.";
    BAD_INDEX, "charpipe.bad-index", Error, "An index is out of range. It is ignored or replaced by a default.";
    TOO_MUCH, "charpipe.too-much", Error, "There are too many meshes, lists or states, or too many of them share the same bytes. Some are skipped.";
    TOO_MANY_PARTS, "charpipe.too-many-parts", Error, "The sections have too many parts for a file of this size. The remaining parts are not read.";
    UNKNOWN_STATE, "charpipe.unknown-state", Info, "A display state has an unknown type. It is ignored.";
    UNDRAWN_MESH, "charpipe.undrawn-mesh", Info, "A mesh is not attached to any bone. It is not shown with the model.";
    CUT_BANK, "charpipe.cut-bank", Error, "Sequences, tracks, keys or values are outside their animation bank. Only the complete ones are read.";
    TRACK_LEFT_OUT, "charpipe.track-left-out", Warning, "A track has an unknown type, no keys, or a duplicate ID. It is skipped.";
    ODD_KEYS, "charpipe.odd-keys", Warning, "A track has an invalid length, key time or value, or its keys are not sorted by time.";
    SHARED_KEYS, "charpipe.shared-keys", Error, "Too many tracks share the same keys, or too many sequences share the same tracks. The rest is skipped.";
    NOTHING_SKINNED, "charpipe.nothing-skinned", Warning, "A skin has no mesh to deform.";
}
