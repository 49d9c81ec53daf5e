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
    FILE_SIZE, "j3d.file-size", Info, "The file size in the header is wrong. This also occurs in original files.";
    CHUNK_COUNT, "j3d.chunk-count", Warning, "The file contains fewer chunks than its header specifies.";
    CHUNK_SIZE, "j3d.chunk-size", Info, "A chunk goes past the end of the file. This also occurs in original files.";
    BAD_CHUNK, "j3d.bad-chunk", Error, "A chunk is smaller than its header. Later chunks cannot be found.";
    UNKNOWN_CHUNK, "j3d.unknown-chunk", Info, "A chunk has an unknown kind. The bytes of the chunk are kept unchanged.";
    DUPLICATE_CHUNK, "j3d.duplicate-chunk", Warning, "A chunk occurs more than once. The first one is used.";
    UNREADABLE_CHUNK, "j3d.unreadable-chunk", Error, "A chunk cannot be read completely.";
    BAD_TABLE, "j3d.bad-table", Error, "A table is outside its chunk or incomplete.";
    UNUSED_TABLE, "j3d.unused-table", Warning, "The offset of an unused table is outside its chunk.";
    ABSENT_RECORD, "j3d.absent-record", Info, "A material refers to a record that does not exist in its table. The record is treated as absent.";
    STRAY_TABLE, "j3d.stray-table", Warning, "The table of ambient colours or of lights starts inside another table. Colours are read from there, as in the game. Lights are ignored.";
    BAD_TEXTURE, "j3d.bad-texture", Error, "The pixels or the palette of a texture cannot be decoded completely.";
    UNKNOWN_CODE, "j3d.unknown-code", Warning, "A field has an unknown value, which is shown as a number.";
    SHORT_ARRAY, "j3d.short-array", Error, "An array or table ends before the last element that is used.";
    BAD_HIERARCHY, "j3d.bad-hierarchy", Warning, "The hierarchy of joints, materials and shapes has no end node or contains an unknown node.";
    BAD_VALUE, "j3d.bad-value", Warning, "A field has an invalid value.";
    BAD_INDEX, "j3d.bad-index", Error, "An index is out of range. 0 is used instead.";
    BAD_SHAPE, "j3d.bad-shape", Error, "A shape cannot be read and is skipped.";
    ATTRIBUTE_ORDER, "j3d.attribute-order", Info, "The vertex attributes of a shape are in the order of its attribute list, not in hardware order.";
    BAD_NAMES, "j3d.bad-names", Warning, "A name table or one of its names is outside its chunk. Missing names are replaced by numbers.";
    CUT_TABLE, "j3d.cut-table", Error, "A table of an animation goes past the end of its chunk. The complete entries are kept.";
    TRACK_BOUNDS, "j3d.track-bounds", Error, "Keys of a track are outside their table. The complete keys are kept.";
    NAME_COUNT, "j3d.name-count", Warning, "The number of animated materials differs from the number of names.";
    LOOP_MODE, "j3d.loop-mode", Warning, "A loop mode is unknown. The clip loops.";
    ANIMATED_SLOT, "j3d.animated-slot", Warning, "An animation targets a slot or register that materials do not have.";
    POST_MATRICES, "j3d.post-matrices", Info, "Tracks of post-transform matrices are listed but not played. No known file contains such tracks.";
    KEY_FLOOD, "j3d.key-flood", Error, "Too many tracks share the same keys. The remaining tracks are skipped.";
    SOUNDS, "j3d.sounds", Warning, "The sound data of an animation goes past the end of the file.";
    NOT_FINITE, "j3d.not-finite", Error, "Numbers are NaN or infinite. 0 is used instead.";
}
