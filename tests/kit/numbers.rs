//! Which code computes numbers that are read or written, and where it asks the system for them: exports have the same bits
//! everywhere with `scene::exact`.

/// Functions of numbers whose last bit is the system's own.
const OF_THE_SYSTEM: &[&str] = &[
    ".sin()",
    ".cos()",
    ".sin_cos()",
    ".tan()",
    ".asin()",
    ".acos()",
    ".atan()",
    ".atan2(",
    ".powf(",
    ".cbrt()",
    ".hypot(",
    ".exp()",
    ".exp2()",
    ".ln()",
    ".mul_add(",
    "from_euler(",
    "from_axis_angle(",
    "from_rotation_x(",
    "from_rotation_y(",
    "from_rotation_z(",
];

/// Of `scene`: what is only seen, and never in an export.
pub const FOR_PICTURES_ALONE: &[&str] = &[
    "scene/camera.rs",
    "scene/ground_line.rs",
    "scene/gx/fog.rs",
    "scene/terrain_picking.rs",
    "scene/terrain_view.rs",
    "scene/texture_motion.rs",
];

/// Whether a file (from `src`) reads, evaluates or writes; tests and encoders for tests do not.
pub fn are_written(file: &str) -> bool {
    let is_written = ["formats/", "export/", "scene/"].iter().any(|folder| file.starts_with(folder));
    is_written && !FOR_PICTURES_ALONE.contains(&file) && !file.contains("/encode/") && !file.ends_with("tests.rs")
}

/// A sentence for each function of the system that code without comments calls, its own tests aside.
pub fn of_the_system(file: &str, code: &str) -> Vec<String> {
    // Other items that are for tests alone may stand before the code.
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let found = OF_THE_SYSTEM.iter().filter(|call| code.contains(**call));
    found.map(|call| format!("src/{file}: {call}: exports are the same everywhere with scene::exact")).collect()
}
