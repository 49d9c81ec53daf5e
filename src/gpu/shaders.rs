//! The shaders, and the one directive they know: a line `//#import file.wgsl` stands for that file, once.

/// Every file of `shaders/`, by name.
pub const SHADERS: &[(&str, &str)] = &[
    ("background.wgsl", include_str!("../../shaders/background.wgsl")),
    ("blur.wgsl", include_str!("../../shaders/blur.wgsl")),
    ("color.wgsl", include_str!("../../shaders/color.wgsl")),
    ("floor.wgsl", include_str!("../../shaders/floor.wgsl")),
    ("globals.wgsl", include_str!("../../shaders/globals.wgsl")),
    ("lines.wgsl", include_str!("../../shaders/lines.wgsl")),
    ("octahedron.wgsl", include_str!("../../shaders/octahedron.wgsl")),
    ("outline.wgsl", include_str!("../../shaders/outline.wgsl")),
    ("posed.wgsl", include_str!("../../shaders/posed.wgsl")),
    ("read_skinned.wgsl", include_str!("../../shaders/read_skinned.wgsl")),
    ("skeleton.wgsl", include_str!("../../shaders/skeleton.wgsl")),
    ("skin.wgsl", include_str!("../../shaders/skin.wgsl")),
    ("surface.wgsl", include_str!("../../shaders/surface.wgsl")),
    ("surface_level.wgsl", include_str!("../../shaders/surface_level.wgsl")),
    ("surface_posed.wgsl", include_str!("../../shaders/surface_posed.wgsl")),
    ("surface_skinned.wgsl", include_str!("../../shaders/surface_skinned.wgsl")),
    ("terrain.wgsl", include_str!("../../shaders/terrain.wgsl")),
    ("terrain_data.wgsl", include_str!("../../shaders/terrain_data.wgsl")),
    ("terrain_props.wgsl", include_str!("../../shaders/terrain_props.wgsl")),
    ("terrain_water.wgsl", include_str!("../../shaders/terrain_water.wgsl")),
    ("tev.wgsl", include_str!("../../shaders/tev.wgsl")),
    ("tev_posed.wgsl", include_str!("../../shaders/tev_posed.wgsl")),
    ("tev_skinned.wgsl", include_str!("../../shaders/tev_skinned.wgsl")),
];

/// A shader with its imports; `None` when it or one of them does not exist.
pub fn shader_source(name: &str) -> Option<String> {
    let mut out = String::new();
    let mut done = Vec::new();
    append(name, &mut out, &mut done)?;
    Some(out)
}

fn append<'a>(name: &'a str, out: &mut String, done: &mut Vec<&'a str>) -> Option<()> {
    if done.contains(&name) {
        return Some(());
    }
    done.push(name);
    let (_, source) = SHADERS.iter().find(|(file, _)| *file == name)?;
    for line in source.lines() {
        match line.strip_prefix("//#import ") {
            Some(import) => {
                let (file, _) = SHADERS.iter().find(|(file, _)| *file == import.trim())?;
                append(file, out, done)?;
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    Some(())
}
