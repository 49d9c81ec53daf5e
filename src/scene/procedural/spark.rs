//! What feeds a fire.
//!
//! A spark stands at a place of the fire's picture, has a heat, and four bytes `a b c d` whose meaning depends on its kind. A
//! *speed* byte counts from 128, which stands still: 0 is a pixel a frame to the left or upwards, 255 a pixel a frame to the
//! right or downwards. A *turning* byte counts from 128 too, in 1/256 turn a frame. A *phase* byte is a turn in 256 parts. An
//! *inverse area* byte says 255 less the area: the edge of a square or the width of an orbit in pixels. Everything that leaves
//! the picture on one side enters on the other. Bytes that a kind does not use hold what was left there when the fire was saved.
//!
//! | kind | what it does | a | b | c | d |
//! |---|---|---|---|---|---|
//! | 0 Burn | its pixel, at a random part of its heat | | | | |
//! | 1 Sparkle | one pixel of a rectangle down and right of it, at its heat | width | height | | |
//! | 2 Pulse | its pixel, swelling and fading | phase | | speed of the phase | |
//! | 3 Signal | its pixel, in bright and dark spells; heat is the share of bright ones | | | how often a spell ends, of 255 | |
//! | 4 Blaze | throws motes in all directions | | | | |
//! | 5 OzHasSpoken | motes that rise straight up and fade | | | | |
//! | 6 Cone | throws motes in all directions, and they fall | | | | |
//! | 7 BlazeRight | throws motes up to the right, and they fall | | | | |
//! | 8 BlazeLeft | throws motes up to the left, and they fall | | | | |
//! | 9 Cylinder | goes round a level circle seen from its edge; heat is the brightness of its far side | phase | turning | width | |
//! | 10 Cylinder3D | the same, and its far side is dark | phase | turning | width | |
//! | 11 Lissajous | swings sideways and up and down on its own; heat is the brightness of the far side | turning sideways | turning up and down | width and height | phase |
//! | 12 Jugglers | swings up and down; heat is the brightness of the far side | phase | turning | height | |
//! | 13 Emit | motes that go straight and fade | speed sideways | speed down | frames that they last | |
//! | 14 Fountain | the same, and they fall | speed sideways | speed down | frames that they last | |
//! | 15 Flocks | wanders; its motes go round in circles | | frames that they last | | inverse area |
//! | 16 Eels | wanders; motes that go straight in any direction and do not fade | | | frames that they last | |
//! | 17 Organic | motes that rise fast along a V and fade | | | | |
//! | 18 WanderOrganic | wanders, and does the same | | | | |
//! | 19 RandomCloud | wanders; motes that rise two pixels a frame and fade | | | | |
//! | 20 CustomCloud | wanders; motes that go straight, glow up and go out | speed sideways | speed down | | heat that they start with |
//! | 21 LocalCloud | the same from places in a square down and right of it | speed sideways | speed down | | heat that they start with; inverse area of the square |
//! | 22 Stars | its pixel, behind the fire and never spread by it | | | | |
//! | 23 LineLightning | a bolt to another place | pixels to the right, signed | pixels down, signed | | how seldom it flashes, of 256 |
//! | 24 RampLightning | a bolt that fades towards its end | pixels to the right, signed | pixels down, signed | | how seldom it flashes, of 256 |
//! | 25 SphereLightning | bolts from the middle of a circle to its edge | | | width of the circle | how seldom it flashes, of 256 |
//! | 26 Wheel | motes that set out at an angle that turns, and bend round | phase | turning | frames that they last | inverse area |
//! | 27 Gametes | wanders; motes that go straight in one of 16 directions and do not fade | | | frames that they last | |
//! | 28 Sprinkler | motes that rise and fade, swung from side to side | phase | turning | | |

/// A source of heat in a fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spark {
    /// Kind of the spark, which also gives `a`, `b`, `c` and `d` their meaning.
    pub kind: SparkKind,
    /// Heat, from 0 to 255; for some kinds a share or a brightness (see the module's table).
    pub heat: u8,
    /// Pixels from the left.
    pub x: u8,
    /// Pixels from the top.
    pub y: u8,
    /// First parameter ([`SparkKind::uses`]).
    pub a: u8,
    /// Second parameter ([`SparkKind::uses`]).
    pub b: u8,
    /// Third parameter ([`SparkKind::uses`]).
    pub c: u8,
    /// Fourth parameter ([`SparkKind::uses`]).
    pub d: u8,
}

macro_rules! kinds {
    ($($kind:ident = [$a:literal, $b:literal, $c:literal, $d:literal] $meaning:literal)*) => {
        /// What a [`Spark`] does; the module's table says it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SparkKind {
            $(
                #[doc = concat!("A spark that ", $meaning, ".")]
                $kind
            ),*
        }

        impl SparkKind {
            /// In the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The kind's name in the format.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => stringify!($kind)),* }
            }

            /// What the bytes `a b c d` are to it, for people; empty where it does not use one.
            pub fn uses(self) -> [&'static str; 4] {
                match self { $(Self::$kind => [$a, $b, $c, $d]),* }
            }

            /// What it does, for people.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$kind => $meaning),* }
            }
        }
    };
}

kinds! {
    Burn = ["", "", "", ""] "burns with random heat"
    Sparkle = ["width", "height", "", ""] "sparkles within a rectangle"
    Pulse = ["phase", "", "phase speed", ""] "pulses"
    Signal = ["", "", "probability of a change", ""] "flickers between bright and dark"
    Blaze = ["", "", "", ""] "emits sparks in all directions"
    OzHasSpoken = ["", "", "", ""] "emits sparks that rise and fade"
    Cone = ["", "", "", ""] "emits falling sparks in all directions"
    BlazeRight = ["", "", "", ""] "emits falling sparks to the right"
    BlazeLeft = ["", "", "", ""] "emits falling sparks to the left"
    Cylinder = ["phase", "rotation speed", "width", ""] "moves in a horizontal circle"
    Cylinder3D = ["phase", "rotation speed", "width", ""] "moves in a horizontal circle, dark at the far side"
    Lissajous = ["rotation speed X", "rotation speed Y", "size", "phase"] "swings horizontally and vertically"
    Jugglers = ["phase", "rotation speed", "height", ""] "swings up and down"
    Emit = ["speed X", "speed Y", "lifetime", ""] "emits sparks that fly straight and fade"
    Fountain = ["speed X", "speed Y", "lifetime", ""] "emits sparks that fly, fade and fall"
    Flocks = ["", "lifetime", "", "inverse area (255 − area)"] "moves randomly and emits circling sparks"
    Eels = ["", "", "lifetime", ""] "moves randomly and emits sparks that fly straight in any direction"
    Organic = ["", "", "", ""] "emits sparks that rise fast in a V shape"
    WanderOrganic = ["", "", "", ""] "moves randomly and emits sparks that rise fast in a V shape"
    RandomCloud = ["", "", "", ""] "moves randomly and emits sparks that rise fast"
    CustomCloud = ["speed X", "speed Y", "", "initial heat"] "moves randomly and emits sparks that fly straight and brighten"
    LocalCloud = ["speed X", "speed Y", "", "initial heat, inverse area (255 − area)"] "emits sparks from random points of a square; the sparks fly straight and brighten"
    Stars = ["", "", "", ""] "draws a background pixel that the fire covers"
    LineLightning = ["length X", "length Y", "", "rarity"] "draws a lightning bolt"
    RampLightning = ["length X", "length Y", "", "rarity"] "draws a lightning bolt that fades towards its end"
    SphereLightning = ["", "", "width", "rarity"] "draws lightning bolts from the centre of a circle to its edge"
    Wheel = ["phase", "rotation speed", "lifetime", "inverse area (255 − area)"] "emits sparks in a rotating direction; the sparks fly on curved paths"
    Gametes = ["", "", "lifetime", ""] "moves randomly and emits sparks that fly straight in one of 16 directions"
    Sprinkler = ["phase", "rotation speed", "", ""] "emits rising sparks that sway from side to side"
}

impl SparkKind {
    /// The kind with this number; `None` past the last.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

impl Spark {
    /// A spark from its eight bytes; `None` when there is no kind of that number.
    pub fn from_bytes([kind, heat, x, y, a, b, c, d]: [u8; 8]) -> Option<Self> {
        Some(Self { kind: SparkKind::from_number(kind)?, heat, x, y, a, b, c, d })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_those_of_the_format() {
        assert_eq!(SparkKind::ALL.len(), 29);
        for (number, name) in [(0, "Burn"), (5, "OzHasSpoken"), (10, "Cylinder3D"), (22, "Stars"), (28, "Sprinkler")] {
            assert_eq!(SparkKind::from_number(number).unwrap().name(), name);
        }
        assert_eq!(SparkKind::from_number(29), None);
        assert_eq!(SparkKind::from_number(255), None);
    }
}
