//! What is drawn over the picture of a level, to understand it.

use egui_phosphor::regular as icon;
use serde::{Deserialize, Serialize};

/// Something that is drawn as lines over a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapOverlay {
    /// From navigation point to navigation point.
    Paths,
    /// From who has an event to who has the tag.
    Events,
    /// To what an actor names as the next: patrols, teleporters.
    Ways,
    Lights,
    Sounds,
    Collisions,
    Starts,
}

impl MapOverlay {
    pub const ALL: [Self; 7] =
        [Self::Paths, Self::Events, Self::Ways, Self::Lights, Self::Sounds, Self::Collisions, Self::Starts];

    /// What menus call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paths => "Paths",
            Self::Events => "Events and tags",
            Self::Ways => "Patrols and teleporters",
            Self::Lights => "Light radii",
            Self::Sounds => "Sound radii",
            Self::Collisions => "Collision cylinders",
            Self::Starts => "Player starts",
        }
    }

    pub fn sign(self) -> &'static str {
        match self {
            Self::Paths => icon::PATH,
            Self::Events => icon::LIGHTNING,
            Self::Ways => icon::SIGNPOST,
            Self::Lights => icon::LIGHTBULB,
            Self::Sounds => icon::SPEAKER_HIGH,
            Self::Collisions => icon::CYLINDER,
            Self::Starts => icon::PERSON,
        }
    }

    /// What it tells.
    pub fn about(self) -> &'static str {
        match self {
            Self::Paths => {
                "Paths between navigation points. Green: walk, blue: swim, light blue: fly, orange: jump, yellow: door, \
                 violet: special. Faint: pruned paths, which the game does not use"
            }
            Self::Events => "Arrows from each actor with an event to the actors with the matching tag",
            Self::Ways => "Arrows from each actor to its next patrol point or destination",
            Self::Lights => "Radius of each light, in the light's colour. Spotlights are drawn as cones",
            Self::Sounds => "Radius of each ambient sound",
            Self::Collisions => "Collision cylinder of each actor that blocks others",
            Self::Starts => "Position and direction of each player start",
        }
    }

    /// Of its lines, where nothing else decides.
    pub fn color(self) -> [u8; 3] {
        match self {
            Self::Paths => [0x86, 0xc0, 0x76],
            Self::Events => [0xe8, 0x9a, 0x4c],
            Self::Ways => [0x4c, 0xc4, 0xb4],
            Self::Lights => [0xf2, 0xd4, 0x6a],
            Self::Sounds => [0xb4, 0x8c, 0xe6],
            Self::Collisions => [0xe0, 0x6c, 0x9c],
            Self::Starts => [0x6a, 0xd8, 0x6a],
        }
    }
}

/// Which of them are drawn for all actors. What belongs to the selected actor always is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MapOverlays {
    paths: bool,
    events: bool,
    ways: bool,
    lights: bool,
    sounds: bool,
    collisions: bool,
    starts: bool,
}

impl MapOverlays {
    pub fn shows(&self, overlay: MapOverlay) -> bool {
        match overlay {
            MapOverlay::Paths => self.paths,
            MapOverlay::Events => self.events,
            MapOverlay::Ways => self.ways,
            MapOverlay::Lights => self.lights,
            MapOverlay::Sounds => self.sounds,
            MapOverlay::Collisions => self.collisions,
            MapOverlay::Starts => self.starts,
        }
    }

    pub fn toggle(&mut self, overlay: MapOverlay) {
        let on = match overlay {
            MapOverlay::Paths => &mut self.paths,
            MapOverlay::Events => &mut self.events,
            MapOverlay::Ways => &mut self.ways,
            MapOverlay::Lights => &mut self.lights,
            MapOverlay::Sounds => &mut self.sounds,
            MapOverlay::Collisions => &mut self.collisions,
            MapOverlay::Starts => &mut self.starts,
        };
        *on = !*on;
    }

    pub fn is_any(&self) -> bool {
        *self != Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_overlay_is_a_switch_of_its_own() {
        for overlay in MapOverlay::ALL {
            let mut overlays = MapOverlays::default();
            overlays.toggle(overlay);
            let on: Vec<MapOverlay> = MapOverlay::ALL.into_iter().filter(|o| overlays.shows(*o)).collect();
            assert_eq!((on, overlays.is_any()), (vec![overlay], true));
            let text = serde_json::to_string(&overlays).unwrap();
            assert_eq!(serde_json::from_str::<MapOverlays>(&text).unwrap(), overlays);
            overlays.toggle(overlay);
            assert!(!overlays.is_any());
        }
    }
}
