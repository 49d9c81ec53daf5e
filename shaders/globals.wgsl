// What every stage may read: the camera, the lights and the switches of one picture. Mirrors `Globals` in
// src/gpu/globals.rs. All colours are gamma-space.
struct Globals {
    clip_from_world: mat4x4<f32>,
    view_from_world: mat4x4<f32>,
    // xyz: the eye; w: 1 for orthographic.
    eye: vec4<f32>,
    // xyz: where the camera looks; w: its distance from the focus.
    forward: vec4<f32>,
    focus: vec4<f32>,
    // xyz: towards the light; w: strength.
    key: vec4<f32>,
    fill: vec4<f32>,
    rim: vec4<f32>,
    // Light from above and from below; w of the first: 1 where the key light comes from all around the eye.
    sky: vec4<f32>,
    ground: vec4<f32>,
    // Width and height in pixels, and one over them.
    viewport: vec4<f32>,
    // rgb, a: 0 for a transparent background.
    background_top: vec4<f32>,
    background_bottom: vec4<f32>,
    accent: vec4<f32>,
    // x: height of the floor; y: size of a cell; z: radius where the grid has faded; w: how much of the next size shows.
    floor: vec4<f32>,
    // xz: centre of the shadow; y: half its size; w: height above the floor where things cast none.
    shadow: vec4<f32>,
    // x: textures; y: vertex colours; z: selected joint; w: 1 when one is selected.
    switches: vec4<u32>,
    // What each channel of vertex colours counts in a grey; all 0 for the colour.
    channel: vec4<f32>,
    // x: the power that colours of textured surfaces are raised to.
    grade: vec4<f32>,
    // rgb: what is added to the whole picture.
    fog: vec4<f32>,
    // Colours of the floor's lines along X and along Z.
    floor_axes: array<vec4<f32>, 2>,
}

@group(0) @binding(0) var<uniform> globals: Globals;

// Between -0.5 and 0.5 of one step of 8-bit colour: no bands in gradients. Depends on the pixel alone.
fn dither(pixel: vec2<f32>) -> f32 {
    return (fract(52.9829189 * fract(dot(floor(pixel), vec2<f32>(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

// The triangle that covers the picture.
fn covering(index: u32) -> vec2<f32> {
    return vec2<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
}
