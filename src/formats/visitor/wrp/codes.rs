//! Every diagnostic code of worlds.

use crate::formats::{Code, Severity, common_codes};

macro_rules! codes {
    ($($name:ident, $id:literal, $severity:ident, $meaning:literal;)*) => {
        $(pub const $name: Code = Code { id: $id, severity: Severity::$severity, meaning: $meaning };)*

        /// All of them, with those that are no family's own.
        pub static CODES: &[&Code] = &[$(&$name,)* &common_codes::MORE, &common_codes::TOO_MUCH_WORK];
    };
}

codes! {
    NO_GRID, "wrp.no-grid", Error, "The sides of the grid are absurd; nothing of the world can be read.";
    SHORT, "wrp.short", Error, "The file ends within the heights, cells, materials or objects; what is whole is shown.";
    HEIGHT_HOLES, "wrp.height-holes", Warning, "Some heights are not finite; there is no ground.";
    BAD_OBJECT, "wrp.bad-object", Warning, "Where an object stands is no finite place, or it has no extent; it is not shown.";
    BAD_CELL, "wrp.bad-cell", Warning, "The distance of the heights is no positive number; 50 m are taken.";
    TOO_MANY_TYPES, "wrp.too-many-types", Warning, "Objects have more models than can be told apart; the rest share one type.";
    GUESSED_CLASSES, "wrp.guessed-classes", Info, "Worlds do not say what their objects are; classes are guessed from folders.";
    BAD_OVERRIDE, "wrp.bad-override", Warning, "What is wanted read otherwise names no reading that there is.";
}
