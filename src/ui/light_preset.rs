//! Lights that a model can be looked at in.

use crate::gpu::{GxLights, GxSettings, LightSettings};

/// Where the light comes from. It turns with the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum LightPreset {
    /// Three lamps, the brightest from the upper left.
    #[default]
    Studio,
    /// From the camera.
    Camera,
    Left,
    Right,
    Above,
    ThreeQuarter,
    Behind,
    /// From all around the camera.
    Ring,
}

impl LightPreset {
    pub const ALL: [Self; 8] = [
        Self::Studio,
        Self::Camera,
        Self::Left,
        Self::Right,
        Self::Above,
        Self::ThreeQuarter,
        Self::Behind,
        Self::Ring,
    ];

    /// What menus call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Studio => "Studio light",
            Self::Camera => "Headlight",
            Self::Left => "Light from the left",
            Self::Right => "Light from the right",
            Self::Above => "Light from above",
            Self::ThreeQuarter => "Three-quarter light",
            Self::Behind => "Light from behind",
            Self::Ring => "Ring light",
        }
    }

    /// Turn about the vertical and height of the brightest lamp, in radians.
    fn direction(self) -> (f32, f32) {
        let studio = LightSettings::default();
        match self {
            Self::Studio => (studio.yaw, studio.pitch),
            Self::Camera | Self::Ring => (0.0, 0.0),
            Self::Left => (-1.4, 0.2),
            Self::Right => (1.4, 0.2),
            Self::Above => (0.0, 1.45),
            Self::ThreeQuarter => (0.8, 0.6),
            Self::Behind => (2.6, 0.5),
        }
    }

    pub fn settings(self) -> LightSettings {
        let studio = LightSettings::default();
        let (yaw, pitch) = self.direction();
        let one = LightSettings { yaw, pitch, intensity: 1.35, ambient: 0.55, others: 0.25, ..studio };
        match self {
            Self::Studio => studio,
            Self::Camera => LightSettings { follows: 1.0, ..one },
            Self::Ring => LightSettings { follows: 1.0, others: 0.0, ambient: 0.4, ring: true, ..one },
            Self::Left | Self::Right | Self::Above | Self::ThreeQuarter | Self::Behind => one,
        }
    }

    /// The same for materials of the GameCube's chip, which have one lamp.
    pub fn lamp(self, gx: GxSettings) -> GxSettings {
        let own = GxSettings::default();
        let (key_yaw, key_pitch) = match self {
            Self::Studio => (own.key_yaw, own.key_pitch),
            other => other.direction(),
        };
        GxSettings { lights: GxLights::Key, key_yaw, key_pitch, ..gx }
    }
}
