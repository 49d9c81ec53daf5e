//! Every diagnostic code of the family's projects.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK, &common_codes::BAD_PICTURE];
    };
}

codes! {
    OTHER_VERSION, "visitor.other-version", Warning, "A project is of a version that is not known; it is read like the nearest known one.";
    OFP_RECORDS, "visitor.ofp-records", Warning, "A project has records of the older game, whose layout is not known.";
    MOVED_TYPES, "visitor.moved-types", Warning, "The object types are not where they should be; they were found further on.";
    SHORT_TYPES, "visitor.short-types", Error, "Fewer object types can be read than are announced.";
    NO_TYPES, "visitor.no-types", Error, "The object types cannot be found.";
    UNKNOWN_CLASS, "visitor.unknown-class", Warning, "An object type is of a class that is not known; its size was found out by what follows it.";
    BAD_ROADS, "visitor.bad-roads", Error, "The road nets cannot be read.";
    CROSSROADS, "visitor.crossroads", Info, "A project has crossroads, whose layout is not known; their bytes are kept.";
    NO_GRID, "visitor.no-grid", Error, "The grid of heights cannot be found, or its sides are absurd.";
    MOVED_GRID, "visitor.moved-grid", Warning, "The grid of heights does not follow the road nets; it was found further on.";
    SHORT_HEIGHTS, "visitor.short-heights", Error, "The file ends within the heights; the rows that exist are shown.";
    HEIGHT_HOLES, "visitor.height-holes", Warning, "Some heights are not finite; there is no ground.";
    BLUE_EDGE, "visitor.blue-edge", Warning, "The floats between heights and objects are not all zero, or their number is unusual.";
    NO_OBJECTS, "visitor.no-objects", Error, "The objects cannot be found.";
    SHORT_OBJECTS, "visitor.short-objects", Error, "Fewer objects can be read than are announced.";
    BAD_OBJECT, "visitor.bad-object", Warning, "Where an object stands is no finite place, or it has no extent; it is not shown.";
    UNRESOLVED_TYPE, "visitor.unresolved-type", Warning, "Objects are of a type that the project does not have.";
    BAD_LAYERS, "visitor.bad-layers", Error, "The layers cannot be read.";
    BAD_TAIL, "visitor.bad-tail", Warning, "Zones or backgrounds behind the layers cannot be read where they should be.";
    ROAD_BLOCKS, "visitor.road-blocks", Info, "A project has road blocks, whose layout is not known; their bytes are kept.";
    GUESSED_CELL, "visitor.guessed-cell", Info, "How far the heights are apart is not stated; a distance was chosen.";
    BAD_OVERRIDE, "visitor.bad-override", Warning, "What is wanted read otherwise names no reading that there is.";
    OVERRIDE_MISFIT, "visitor.override-misfit", Error, "Something cannot be read the way that is wanted.";
}
