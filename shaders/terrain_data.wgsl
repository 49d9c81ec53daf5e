// What every shader of a landscape reads. Mirrors `TerrainData` in src/gpu/terrain/data.rs.
struct Terrain {
    // Last sample from west to east and from south to north, cell in metres, exaggeration.
    grid: vec4<f32>,
    // Lowest and highest ground in metres, foot of the walls in the scene, metres between contour lines.
    heights: vec4<f32>,
    // Texels of the relief in both directions and one over them.
    texels: vec4<f32>,
    // Tint, contours, wireframe, grid.
    switches: vec4<u32>,
    // x: models stand for props nearer than this; y: pixels of a metre, one metre away.
    props: vec4<f32>,
}

@group(1) @binding(0) var<uniform> terrain: Terrain;
// Metres, without holes.
@group(1) @binding(1) var heights: texture_2d<f32>;
// Slope eastward, slope northward, height, 1 for a square that is not drawn.
@group(1) @binding(2) var relief: texture_2d<f32>;
// Colours: below the sea, above it, by slope, plain.
@group(1) @binding(3) var ramp_picture: texture_2d<f32>;
@group(1) @binding(4) var smooth_sampler: sampler;

// Towards the light: from the north-west, as maps have it.
const SUN: vec3<f32> = vec3<f32>(-0.512, 0.690, -0.512);

fn view_direction(position: vec3<f32>) -> vec3<f32> {
    return select(normalize(globals.eye.xyz - position), -globals.forward.xyz, globals.eye.w > 0.5);
}

// Light on a surface; level ground has its own colour.
fn daylight(color: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let direct = max(dot(normal, SUN), 0.0) / SUN.y;
    let sky = 0.5 + 0.5 * normal.y;
    let shade = color * mix(vec3<f32>(0.30, 0.325, 0.37), vec3<f32>(0.40, 0.42, 0.46), sky);
    let lit = shade + color * vec3<f32>(0.61, 0.58, 0.53) * direct;
    let over = max(lit - 0.85, vec3<f32>(0.0));
    return min(lit, vec3<f32>(0.85)) + over / (1.0 + over * 3.5);
}

// How much of a line of a width in pixels lies here, for lines every whole number of `at`; `step` is how far `at` goes in a pixel.
fn line_cover(at: f32, step: f32, width: f32) -> f32 {
    let away = abs(fract(at - 0.5) - 0.5) / max(step, 1e-9);
    return clamp(width * 0.5 + 0.5 - away, 0.0, 1.0);
}

// Lines that would merge fade out, and so do those on ground that is level: it is all one line.
fn line_fade(step: f32) -> f32 {
    return (1.0 - smoothstep(0.17, 0.4, step)) * smoothstep(1e-6, 4e-6, step);
}

// Lines along both axes, every whole number.
fn lines_both(at: vec2<f32>, step: vec2<f32>, width: f32) -> f32 {
    let x = line_cover(at.x, step.x, width) * line_fade(step.x);
    let z = line_cover(at.y, step.y, width) * line_fade(step.y);
    return max(x, z);
}

// Lines every 100 m, 1 km and 10 km.
fn grid_lines(metres: vec2<f32>, step: vec2<f32>) -> f32 {
    let fine = lines_both(metres / 100.0, step / 100.0, 1.0) * 0.35;
    let middle = lines_both(metres / 1000.0, step / 1000.0, 1.3) * 0.6;
    let coarse = lines_both(metres / 10000.0, step / 10000.0, 1.8) * 0.8;
    return max(fine, max(middle, coarse));
}

// Whether the square at a place, in samples, is a hole.
fn is_hole(place: vec2<f32>) -> bool {
    let square = clamp(floor(place), vec2<f32>(0.0), max(terrain.grid.xy - 1.0, vec2<f32>(0.0)));
    return textureLoad(relief, vec2<i32>(square), 0).a > 0.5;
}
