//! Every diagnostic code of the family.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    BAD_POINTER, "charpipe.bad-pointer", Error, "A section of a model block would lie outside it, or where another one begins.";
    UNREADABLE_SECTION, "charpipe.unreadable-section", Error, "A section cannot be read to its end.";
    UNKNOWN_MEMBER, "charpipe.unknown-member", Info, "A member of an archive is of a kind that is not known; it is kept as it is.";
    OTHER_VERSION, "charpipe.other-version", Warning, "A section is of a version that is not known; it is read like the known one.";
    SHORT_TABLE, "charpipe.short-table", Error, "A table of a skin or an actor has fewer entries than it announces; those that are whole are read.";
    SHORT_FLUSH, "charpipe.short-flush", Warning, "The slots that a skin has the processor write back are fewer than it says; nothing is drawn by them.";
    BAD_LINK, "charpipe.bad-link", Error, "A link of a bone leads to where no bone is; it is left out.";
    LINK_CYCLE, "charpipe.link-cycle", Error, "Links of bones lead in a circle, which is cut.";
    UNLINKED_BONES, "charpipe.unlinked-bones", Warning, "Nothing leads to some bones; they come last in the order that skins count by.";
    BAD_CONTROL, "charpipe.bad-control", Error, "Where a bone stands cannot be read; it stands where its parent does.";
    FLAT_BONE, "charpipe.flat-bone", Warning, "A bone has no extent in bind pose, so nothing can be posed by it.";
    BAD_NAME, "charpipe.bad-name", Warning, "A name would lie outside its section.";
    BAD_USER_DATA, "charpipe.bad-user-data", Warning, "User data does not fit where it should lie; what is before it is read, the rest is kept as it is.";
    SHORT_LIST, "charpipe.short-list", Error, "A list of a skin has fewer entries than it counts; those that are whole are used.";
    BAD_LIST_BONE, "charpipe.bad-list-bone", Error, "A list of a skin names a bone that the actor does not have; it is left out.";
    BAD_LIST_SLOTS, "charpipe.bad-list-slots", Error, "A list of a skin writes to where no vertex can be; it is left out, or those entries are.";
    SHIFT_MISMATCH, "charpipe.shift-mismatch", Warning, "A skin counts in other units than the mesh that it moves; the mesh decides.";
    WEIGHT_SUM, "charpipe.weight-sum", Warning, "Weights of a vertex do not add up to one; it is drawn as they say.";
    OVERWRITTEN_SLOT, "charpipe.overwritten-slot", Warning, "What a list of a skin writes is written again or cleared before it is drawn.";
    UNCLEARED_SLOT, "charpipe.uncleared-slot", Warning, "A vertex is only added to and never cleared; it is drawn as if it were.";
    ODD_CLEAR, "charpipe.odd-clear", Info, "What a skin clears is laid out as in no file of the games.";
    SKIN_ALONE, "charpipe.skin-alone", Warning, "A skin lies alone: without the palette of its name it has no shape to show.";
    BAD_MEMBER, "charpipe.bad-member", Error, "A member of an archive would lie outside it.";
    BAD_TEXTURE_TABLE, "charpipe.bad-texture-table", Error, "A table of textures leads out of its section, or holds fewer than are counted.";
    BAD_TEXTURE, "charpipe.bad-texture", Error, "A texture cannot be decoded, or only in part.";
    NO_SUCH_TEXTURE, "charpipe.no-such-texture", Warning, "A display state names a texture that its file does not have.";
    BORROWED_TEXTURES, "charpipe.borrowed-textures", Info, "A low-detail model has the textures of the model that it stands for.";
    UNKNOWN_TEXTURE_CODE, "charpipe.unknown-texture-code", Warning, "A code of a texture has no known meaning.";
    BAD_FACES, "charpipe.bad-faces", Error, "Facial poses, or a part of them, cannot be read.";
    UNKNOWN_FACES, "charpipe.unknown-faces", Warning, "Facial poses change something of a mesh that is not known.";
    FACES_MISFIT, "charpipe.faces-misfit", Warning, "Facial poses do not fit the mesh that they are for.";
    BAD_OBJECT, "charpipe.bad-object", Error, "A mesh cannot be read; it is left out.";
    BAD_ARRAY, "charpipe.bad-array", Error, "An array of a mesh cannot be read; it is left out.";
    BAD_COUNT, "charpipe.bad-count", Error, "A table or an array of meshes has fewer entries than it counts; those that are whole are read.";
    TOO_MANY_UV_SETS, "charpipe.too-many-uv-sets", Warning, "A mesh has more sets of texture coordinates than can be drawn; the first are.";
    LIST_SIZE, "charpipe.list-size", Warning, "A primitive list is to be larger than there is room for; it is drawn up to what follows it.";
    BAD_LIST, "charpipe.bad-list", Error, "A primitive list cannot be read to its end.";
    BAD_INDEX, "charpipe.bad-index", Error, "A number leads past the end of what it selects from; what takes its place is not what was meant.";
    TOO_MUCH, "charpipe.too-much", Error, "Meshes, lists or states are so many, or share so many bytes, that some are left out.";
    TOO_MANY_PARTS, "charpipe.too-many-parts", Error, "Sections have more parts than a file of that size can have; those that are left are not read.";
    UNKNOWN_STATE, "charpipe.unknown-state", Info, "A display state is of a kind that is not known; it changes nothing.";
    UNDRAWN_MESH, "charpipe.undrawn-mesh", Info, "No bone draws a mesh; it is kept but not shown with the model.";
    CUT_BANK, "charpipe.cut-bank", Error, "Sequences, tracks, keys or values of an animation bank would lie outside it; what is whole is kept.";
    TRACK_LEFT_OUT, "charpipe.track-left-out", Warning, "A track is left out: it is of a kind that is not known, has no keys, or repeats another's number.";
    ODD_KEYS, "charpipe.odd-keys", Warning, "A track's length, times or numbers are none, or its times fall.";
    SHARED_KEYS, "charpipe.shared-keys", Error, "So many tracks share keys, or sequences their tracks, that the rest of a sequence or of the bank is left out.";
    NOTHING_SKINNED, "charpipe.nothing-skinned", Warning, "A skin has no mesh that it moves.";
}
