//! Every diagnostic code of the family.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*
    };
}

codes! {
    TRUNCATED_HEADER, "actorx.truncated-header", Error, "The file ends inside a chunk header.";
    TRUNCATED_CHUNK, "actorx.truncated-chunk", Error, "A chunk's records go past the end of the file; the whole ones are kept.";
    BAD_HEADER, "actorx.bad-chunk-header", Error, "A chunk header has no readable id, or a negative size or count.";
    BAD_STRIDE, "actorx.bad-stride", Error, "A chunk's records are smaller than what they must hold; the chunk is left out.";
    LONG_RECORD, "actorx.long-record", Info, "A chunk's records are longer than known; what follows is kept as raw bytes.";
    UNKNOWN_CHUNK, "actorx.unknown-chunk", Info, "A chunk that no known writer makes is kept as it is.";
    DUPLICATE_CHUNK, "actorx.duplicate-chunk", Warning, "A chunk occurs again; the first one that is not empty counts.";
    CHUNK_COUNT, "actorx.chunk-count", Warning, "A chunk header promises more records than were written before the next chunk.";
    EMPTY, "actorx.empty", Warning, "The file holds nothing that can be shown.";
    MORPH_COUNT, "actorx.morph-count", Warning, "The record counts of MRPHINFO do not add up to the records of MRPHDATA.";
    SECOND_ROOT, "actorx.second-root", Warning, "A bone besides the first has no parent; it is hung on the first one.";
    BAD_PARENT, "actorx.bad-parent", Error, "A bone's parent does not exist; it is hung on the first bone.";
    PARENT_CYCLE, "actorx.parent-cycle", Error, "Bones are parents of each other in a circle, which is cut.";
    FORWARD_PARENT, "actorx.forward-parent", Info, "A bone's parent comes later in the list.";
    DUPLICATE_BONE, "actorx.duplicate-bone-name", Info, "Two bones have the same name (case and trailing blanks aside).";
    BAD_ROTATION, "actorx.bad-rotation", Warning, "A quaternion is zero or not finite; it is read as no rotation.";
    NOT_FINITE, "actorx.not-finite", Error, "Numbers are NaN or infinite; harmless ones are put in their place.";
    BAD_NORMALS, "actorx.bad-normals", Warning, "Normals are zero or not finite; they are worked out from the triangles.";
    BAD_FACE, "actorx.bad-face", Error, "A triangle names a wedge or a point that does not exist; it is left out.";
    BAD_WEIGHT, "actorx.bad-weight", Error, "An influence is negative or not finite, or its point or bone does not exist; it is left out.";
    UNWEIGHTED, "actorx.unweighted-points", Info, "Points without influences follow the first bone.";
    COUNT_MISMATCH, "actorx.count-mismatch", Warning, "A per-wedge or per-point chunk has another number of records than wedges or points; it is left out.";
    MISSING_MATERIAL, "actorx.missing-material", Warning, "Triangles name a material that does not exist; a placeholder stands in.";
    BAD_MORPH_POINT, "actorx.bad-morph-point", Error, "A morph moves a point that does not exist; the record is left out.";
    SOCKET_BONE, "actorx.socket-bone", Warning, "A socket names a bone that does not exist; it is placed relative to the model.";
    FIRST_FRAME, "actorx.first-frame", Warning, "FirstRawFrame of the sequences is wrong; it is worked out from the lengths.";
    FRAMES_CUT, "actorx.frames-cut", Error, "A sequence promises frames for which there are no keys, or a negative number; it is shortened.";
    BONE_COUNT, "actorx.bone-count", Warning, "TotalBones of a sequence differs from the number of BONENAMES.";
    SCALE_KEYS, "actorx.scale-keys", Warning, "SCALEKEYS fits neither all keys nor the sequences that claim scales; it is left out.";
    BAD_RATE, "actorx.bad-rate", Warning, "AnimRate is no positive number; 30 frames a second are taken.";
    NO_SEQUENCE, "actorx.curve-without-sequence", Warning, "A curve chunk names no sequence of the file.";
    CURVE_LENGTH, "actorx.curve-length", Warning, "A curve has another number of values than its sequence has frames.";
    SHARED_KEYS, "actorx.shared-keys", Error, "So many sequences share keys that further ones are left out.";
    FLAG_COUNT, "actorx.flag-count", Warning, "ANIMFLAGS has another number of bytes than sequences times bones; missing ones count as 0.";
}

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
