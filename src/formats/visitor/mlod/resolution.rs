//! What a level is there for: its resolution says (formats/visitor.md §2.4).

/// Levels with a smaller number are looked at, the finest the least.
const FIRST_SPECIAL: f32 = 1e3;
/// The collision model, the best box of what has no visual level.
pub const GEOMETRY: f32 = 1e13;

/// Numbers of levels that are there for the game alone.
const PURPOSES: &[(f32, &str)] = &[
    (1e13, "Geometry"),
    (2e13, "Geometry buoyancy"),
    (3e13, "Geometry underground"),
    (4e13, "Geometry physics"),
    (1e15, "Memory"),
    (2e15, "Land contact"),
    (3e15, "Roadway"),
    (4e15, "Paths"),
    (5e15, "Hit points"),
    (6e15, "View geometry"),
    (7e15, "Fire geometry"),
    (8e15, "View cargo geometry"),
    (9e15, "View cargo fire geometry"),
    (1e16, "View commander"),
    (1.1e16, "View commander geometry"),
    (1.2e16, "View commander fire geometry"),
    (1.3e16, "View pilot geometry"),
    (1.4e16, "View pilot fire geometry"),
    (1.5e16, "View gunner geometry"),
    (1.6e16, "View gunner fire geometry"),
    (1.7e16, "Sub parts"),
    (1.8e16, "Cargo view shadow volume"),
    (1.9e16, "Pilot view shadow volume"),
    (2e16, "Gunner view shadow volume"),
    (2.1e16, "Wreckage"),
];

/// Whether a level is one that is looked at from outside.
pub fn is_visual(resolution: f32) -> bool {
    resolution < FIRST_SPECIAL
}

pub fn is_geometry(resolution: f32) -> bool {
    is_near(resolution, GEOMETRY)
}

fn is_near(resolution: f32, purpose: f32) -> bool {
    (resolution / purpose - 1.0).abs() < 1e-3
}

/// For people: `Visual 1`, `Geometry`, `Shadow volume 10`.
pub fn name(resolution: f32) -> String {
    if is_visual(resolution) {
        return format!("Visual {resolution}");
    }
    if let Some((_, name)) = PURPOSES.iter().find(|(purpose, _)| is_near(resolution, *purpose)) {
        return (*name).to_owned();
    }
    match resolution {
        r if (999.0..1050.0).contains(&r) => "View gunner".to_owned(),
        r if (1050.0..1150.0).contains(&r) => "View pilot".to_owned(),
        r if (1150.0..1300.0).contains(&r) => "View cargo".to_owned(),
        r if (1e4..2e4).contains(&r) => format!("Shadow volume {}", r - 1e4),
        r if (2e4..3e4).contains(&r) => format!("Edit {}", r - 2e4),
        r => format!("Level {r:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolutions_say_what_a_level_is_for() {
        for (resolution, expected) in [
            (0.0, "Visual 0"),
            (1.5, "Visual 1.5"),
            (1000.0, "View gunner"),
            (1100.0, "View pilot"),
            (1200.0, "View cargo"),
            (10010.0, "Shadow volume 10"),
            (1e13, "Geometry"),
            (1e15, "Memory"),
            (4e15, "Paths"),
            (1.1e16, "View commander geometry"),
            (2.1e16, "Wreckage"),
            (5e5, "Level 5e5"),
            (f32::NAN, "Level NaN"),
        ] {
            assert_eq!(name(resolution), expected);
        }
        assert!(is_visual(999.0) && !is_visual(1000.0) && !is_visual(f32::NAN));
    }
}
