//! What the program says of the two formats.

use super::{codes, tree};
use crate::formats::{FormatInfo, METRES_PER_UNREAL_UNIT};

/// What the family leaves opaque.
static OPAQUE: &[(&str, &str)] = &[(tree::UNKNOWN_CHUNK, "records of an unknown chunk")];

const FAMILY: &str = "ActorX";

pub static PSK: FormatInfo = FormatInfo {
    id: "psk",
    name: "ActorX mesh",
    family: FAMILY,
    extensions: &["psk", "pskx"],
    companions: &["psa", "psax"],
    opaque: OPAQUE,
    codes: codes::PSK_CODES,
    metres: METRES_PER_UNREAL_UNIT,
};
pub static PSA: FormatInfo = FormatInfo {
    id: "psa",
    name: "ActorX animation",
    family: FAMILY,
    extensions: &["psa", "psax"],
    companions: &["psk", "pskx"],
    opaque: OPAQUE,
    codes: codes::PSA_CODES,
    metres: METRES_PER_UNREAL_UNIT,
};
