//! Every diagnostic code of the family's projects.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };
        )*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK, &common_codes::BAD_PICTURE];
    };
}

codes! {
    OTHER_VERSION, "visitor.other-version", Warning, "The project version is unknown. The project is read as the nearest known version.";
    OFP_RECORDS, "visitor.ofp-records", Warning, "A project contains Operation Flashpoint records, whose layout is unknown.";
    MOVED_TYPES, "visitor.moved-types", Warning, "The object types were found at a later offset than expected.";
    SHORT_TYPES, "visitor.short-types", Error, "Some object types cannot be read.";
    NO_TYPES, "visitor.no-types", Error, "The object types were not found.";
    UNKNOWN_CLASS, "visitor.unknown-class", Warning, "The class of an object type is unknown. The record size is derived from the offset of the next record.";
    BAD_ROADS, "visitor.bad-roads", Error, "The road nets cannot be read.";
    CROSSROADS, "visitor.crossroads", Info, "A project contains crossroads records in an unknown format. The records are shown as raw bytes.";
    NO_GRID, "visitor.no-grid", Error, "The grid of heights was not found, or its size is invalid.";
    MOVED_GRID, "visitor.moved-grid", Warning, "The grid of heights does not follow the road nets directly. The grid was found later in the file.";
    SHORT_HEIGHTS, "visitor.short-heights", Error, "The file ends within the heights. The complete rows are shown.";
    HEIGHT_HOLES, "visitor.height-holes", Warning, "Some heights are not finite. The ground has holes at these points.";
    BLUE_EDGE, "visitor.blue-edge", Warning, "The floats between heights and objects are not all zero, or their number is unusual.";
    NO_OBJECTS, "visitor.no-objects", Error, "The objects were not found.";
    SHORT_OBJECTS, "visitor.short-objects", Error, "Some objects cannot be read.";
    BAD_OBJECT, "visitor.bad-object", Warning, "The position of an object is not finite, or its size is zero. The object is not shown.";
    UNRESOLVED_TYPE, "visitor.unresolved-type", Warning, "Objects use a type that is missing from the project.";
    BAD_LAYERS, "visitor.bad-layers", Error, "The layers cannot be read.";
    BAD_TAIL, "visitor.bad-tail", Warning, "Zones or backgrounds cannot be read at the expected offset after the layers.";
    ROAD_BLOCKS, "visitor.road-blocks", Info, "A project contains road blocks, whose layout is unknown. The road blocks are shown as raw bytes.";
    GUESSED_CELL, "visitor.guessed-cell", Info, "The sample spacing is not stored. A likely value was chosen.";
    BAD_OVERRIDE, "visitor.bad-override", Warning, "An option of --reading has an unknown name or value.";
    OVERRIDE_MISFIT, "visitor.override-misfit", Error, "A part of the file cannot be read with the selected reading option.";
}
