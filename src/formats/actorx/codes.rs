//! Every diagnostic code of the family.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };
        )*
    };
}

codes! {
    TRUNCATED_HEADER, "actorx.truncated-header", Error, "The file ends inside a chunk header.";
    TRUNCATED_CHUNK, "actorx.truncated-chunk", Error, "A chunk extends past the end of the file. The complete records are kept.";
    BAD_HEADER, "actorx.bad-chunk-header", Error, "A chunk header has an unreadable ID, or a negative size or count.";
    BAD_STRIDE, "actorx.bad-stride", Error, "A chunk's records are too short for their required fields. The chunk is skipped.";
    LONG_RECORD, "actorx.long-record", Info, "A chunk's records are longer than the known layout. The extra bytes are kept as raw bytes.";
    UNKNOWN_CHUNK, "actorx.unknown-chunk", Info, "A chunk is of an unknown kind. Its bytes are kept unchanged.";
    DUPLICATE_CHUNK, "actorx.duplicate-chunk", Warning, "A chunk occurs more than once. The first one that is not empty is used.";
    CHUNK_COUNT, "actorx.chunk-count", Warning, "A chunk header specifies more records than the file contains before the next chunk.";
    EMPTY, "actorx.empty", Warning, "The file contains nothing to show.";
    MORPH_COUNT, "actorx.morph-count", Warning, "The record counts in MRPHINFO do not add up to the number of records in MRPHDATA.";
    SECOND_ROOT, "actorx.second-root", Warning, "A bone other than the first has no parent. It is attached to the first bone.";
    BAD_PARENT, "actorx.bad-parent", Error, "A bone's parent does not exist. The bone is attached to the first bone.";
    PARENT_CYCLE, "actorx.parent-cycle", Error, "A bone is its own ancestor. One bone of the cycle is attached to the first bone.";
    FORWARD_PARENT, "actorx.forward-parent", Info, "A bone is stored before its parent.";
    DUPLICATE_BONE, "actorx.duplicate-bone-name", Info, "Two bones have the same name, ignoring case and trailing spaces.";
    BAD_ROTATION, "actorx.bad-rotation", Warning, "A rotation is zero or not finite. The identity rotation is used instead.";
    NOT_FINITE, "actorx.not-finite", Error, "Numbers are NaN or infinite. Safe defaults are used instead.";
    BAD_NORMALS, "actorx.bad-normals", Warning, "Normals are zero or not finite. They are computed from the triangles.";
    BAD_FACE, "actorx.bad-face", Error, "A triangle refers to a wedge or point that does not exist. The triangle is skipped.";
    BAD_WEIGHT, "actorx.bad-weight", Error, "An influence has an invalid weight, or its point or bone does not exist. The influence is skipped.";
    UNWEIGHTED, "actorx.unweighted-points", Info, "Points without influences follow the first bone.";
    COUNT_MISMATCH, "actorx.count-mismatch", Warning, "The record count of a chunk does not match the number of wedges or points. The chunk is skipped.";
    MISSING_MATERIAL, "actorx.missing-material", Warning, "Triangles refer to a material that does not exist. A placeholder is used instead.";
    BAD_MORPH_POINT, "actorx.bad-morph-point", Error, "A morph moves a point that does not exist. The record is skipped.";
    SOCKET_BONE, "actorx.socket-bone", Warning, "A socket refers to a bone that does not exist. The socket is placed relative to the model.";
    FIRST_FRAME, "actorx.first-frame", Warning, "FirstRawFrame of the sequences is wrong. It is computed from the sequence lengths.";
    FRAMES_CUT, "actorx.frames-cut", Error, "A sequence has a negative number of frames, or more frames than keys. It is shortened.";
    BONE_COUNT, "actorx.bone-count", Warning, "TotalBones of a sequence differs from the number of bones in BONENAMES.";
    SCALE_KEYS, "actorx.scale-keys", Warning, "The number of scale keys differs from the number of other keys. The chunk is skipped.";
    BAD_RATE, "actorx.bad-rate", Warning, "AnimRate is not a positive number. 30 frames per second are used.";
    NO_SEQUENCE, "actorx.curve-without-sequence", Warning, "A curve chunk refers to a sequence that does not exist.";
    CURVE_LENGTH, "actorx.curve-length", Warning, "The number of values in a curve differs from the number of frames in its sequence.";
    SHARED_KEYS, "actorx.shared-keys", Error, "Too many sequences share the same keys. The remaining sequences are skipped.";
    FLAG_COUNT, "actorx.flag-count", Warning, "The number of bytes in ANIMFLAGS is not the number of sequences times the number of bones. Missing flags are 0.";
}

/// Every diagnostic code of mesh files (PSK, PSKX).
pub static PSK_CODES: &[&Code] = &[
    &TRUNCATED_HEADER,
    &TRUNCATED_CHUNK,
    &BAD_HEADER,
    &BAD_STRIDE,
    &LONG_RECORD,
    &UNKNOWN_CHUNK,
    &DUPLICATE_CHUNK,
    &CHUNK_COUNT,
    &EMPTY,
    &MORPH_COUNT,
    &SECOND_ROOT,
    &BAD_PARENT,
    &PARENT_CYCLE,
    &FORWARD_PARENT,
    &DUPLICATE_BONE,
    &BAD_ROTATION,
    &NOT_FINITE,
    &BAD_NORMALS,
    &BAD_FACE,
    &BAD_WEIGHT,
    &UNWEIGHTED,
    &COUNT_MISMATCH,
    &MISSING_MATERIAL,
    &BAD_MORPH_POINT,
    &SOCKET_BONE,
    &common_codes::TOO_MUCH_WORK,
    &common_codes::MISSING_FILE,
    &common_codes::BAD_PICTURE,
];

/// Every diagnostic code of animation files (PSA, PSAX).
pub static PSA_CODES: &[&Code] = &[
    &common_codes::TOO_MUCH_WORK,
    &TRUNCATED_HEADER,
    &TRUNCATED_CHUNK,
    &BAD_HEADER,
    &BAD_STRIDE,
    &LONG_RECORD,
    &UNKNOWN_CHUNK,
    &DUPLICATE_CHUNK,
    &CHUNK_COUNT,
    &EMPTY,
    &DUPLICATE_BONE,
    &BAD_ROTATION,
    &NOT_FINITE,
    &FIRST_FRAME,
    &FRAMES_CUT,
    &BONE_COUNT,
    &SCALE_KEYS,
    &BAD_RATE,
    &NO_SEQUENCE,
    &CURVE_LENGTH,
    &SHARED_KEYS,
    &FLAG_COUNT,
];
