//! Channels that travel in others (formats/containers.md §7.5).

/// What SWIZ says of the stored channels: alpha, red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swizzle(pub [u8; 4]);

/// The order that channels have in commands, as places in RGBA.
const PLACES: [usize; 4] = [3, 0, 1, 2];
const NAMES: [&str; 4] = ["alpha", "red", "green", "blue"];
/// A command from here on moves nothing.
const NOTHING: u8 = 8;
const INVERTED: u8 = 4;

impl Swizzle {
    /// Whether every channel of the picture is stored as itself.
    pub fn is_plain(self) -> bool {
        self.moves().all(|(stored, shown, inverted)| stored == shown && !inverted)
    }

    /// Stored and shown channels, in the order of commands, and whether the values are inverted.
    fn moves(self) -> impl Iterator<Item = (usize, usize, bool)> {
        let commands = self.0.into_iter().enumerate().filter(|(_, command)| *command < NOTHING);
        commands.map(|(stored, command)| (stored, usize::from(command & 3), command & INVERTED != 0))
    }

    /// What channels are to be shown as, of RGBA pixels with the stored ones.
    pub fn undo(self, rgba: &mut [u8]) {
        let moves: Vec<(usize, usize, bool)> = self
            .moves()
            .filter_map(|(stored, shown, inverted)| Some((*PLACES.get(stored)?, *PLACES.get(shown)?, inverted)))
            .collect();
        for pixel in rgba.as_chunks_mut::<4>().0 {
            let stored = *pixel;
            for (from, to, inverted) in &moves {
                if let (Some(value), Some(shown)) = (stored.get(*from), pixel.get_mut(*to)) {
                    *shown = if *inverted { 255_u8.saturating_sub(*value) } else { *value };
                }
            }
        }
    }

    /// For people: `red = 255 − stored alpha`.
    pub fn text(self) -> String {
        let name = |channel: usize| NAMES.get(channel).copied().unwrap_or_default();
        let moves = self.moves().filter(|(stored, shown, inverted)| stored != shown || *inverted);
        let moves = moves.map(|(stored, shown, inverted)| {
            format!("{} = {}stored {}", name(shown), if inverted { "255 − " } else { "" }, name(stored))
        });
        moves.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_go_where_they_are_said_to() {
        // A normal map: red travels inverted in alpha.
        let normal = Swizzle([5, 4, 2, 3]);
        let mut pixels = [0, 130, 222, 152, 10, 20, 30, 40];
        normal.undo(&mut pixels);
        assert_eq!(pixels, [103, 130, 222, 255, 215, 20, 30, 245]);
        assert_eq!(normal.text(), "red = 255 − stored alpha, alpha = 255 − stored red");
        // 8 moves nothing; what nobody names stays.
        let mut pixels = [1, 2, 3, 4];
        Swizzle([8, 2, 8, 9]).undo(&mut pixels);
        assert_eq!(pixels, [1, 1, 3, 4]);
        assert!(Swizzle([0, 1, 2, 3]).is_plain() && Swizzle([8; 4]).is_plain() && !normal.is_plain());
    }
}
