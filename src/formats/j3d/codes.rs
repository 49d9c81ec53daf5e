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
    FILE_SIZE, "j3d.file-size", Info, "The header states another file size than there is; real files do.";
    CHUNK_COUNT, "j3d.chunk-count", Warning, "The file ends before all chunks that its header promises.";
    CHUNK_SIZE, "j3d.chunk-size", Info, "A chunk's size leads past the end of the file; real files do.";
    BAD_CHUNK, "j3d.bad-chunk", Error, "A chunk's size is smaller than its own header; what follows it cannot be found.";
    UNKNOWN_CHUNK, "j3d.unknown-chunk", Info, "A chunk of a kind that is not known is kept as it is.";
    DUPLICATE_CHUNK, "j3d.duplicate-chunk", Warning, "A chunk occurs again; the first one counts.";
    UNREADABLE_CHUNK, "j3d.unreadable-chunk", Error, "A chunk cannot be read to its end.";
    BAD_TABLE, "j3d.bad-table", Error, "A table of a material chunk leads out of the chunk, or what it should hold is not there.";
    UNUSED_TABLE, "j3d.unused-table", Warning, "The offset of a table that no material refers to leads out of its chunk.";
    ABSENT_RECORD, "j3d.absent-record", Info, "A material names a record that its table does not have; it counts as absent.";
    STRAY_TABLE, "j3d.stray-table", Warning, "Ambient colours or lights would begin among the records of another table; colours are the bytes there as in the game, lights are none.";
    BAD_TEXTURE, "j3d.bad-texture", Error, "A texture's pixels or its palette cannot be decoded, or only in part.";
    UNKNOWN_CODE, "j3d.unknown-code", Warning, "A code has no known meaning; it is shown as a number and nothing is guessed.";
    SHORT_ARRAY, "j3d.short-array", Error, "An array or table ends before the last element that is referred to.";
    BAD_HIERARCHY, "j3d.bad-hierarchy", Warning, "The list of joints, materials and shapes has no end or holds something unknown.";
    BAD_VALUE, "j3d.bad-value", Warning, "A number selects something that does not exist.";
    BAD_INDEX, "j3d.bad-index", Error, "An index leads past the end of what it selects from; zero takes its place.";
    BAD_SHAPE, "j3d.bad-shape", Error, "A shape cannot be read and is left out; the others are drawn.";
    ATTRIBUTE_ORDER, "j3d.attribute-order", Info, "A shape's vertices follow the order of its list of attributes, not that of the graphics chip.";
    BAD_NAMES, "j3d.bad-names", Warning, "A name table or one of its names leads out of its chunk; places are counted instead.";
    CUT_TABLE, "j3d.cut-table", Error, "A table of an animation leads out of its chunk; what is there is kept.";
    TRACK_BOUNDS, "j3d.track-bounds", Error, "A track's keys lead out of their bank; the whole ones are kept.";
    NAME_COUNT, "j3d.name-count", Warning, "An animation drives another number of materials than it names.";
    LOOP_MODE, "j3d.loop-mode", Warning, "A loop mode is none of the five that the runtime knows; the clip repeats.";
    ANIMATED_SLOT, "j3d.animated-slot", Warning, "An animation drives a slot or register that materials do not have.";
    POST_MATRICES, "j3d.post-matrices", Info, "Tracks for matrices after texture generation are listed; nothing known uses them, and they do not play.";
    KEY_FLOOD, "j3d.key-flood", Error, "Tracks share so many keys that the later ones are left out.";
    SOUNDS, "j3d.sounds", Warning, "The sound data of an animation leads out of the file.";
    NOT_FINITE, "j3d.not-finite", Error, "Numbers are NaN or infinite; 0 is put in their place.";
}
