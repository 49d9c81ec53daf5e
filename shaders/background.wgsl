//#import globals.wgsl

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(covering(index), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let place = position.xy * globals.viewport.zw;
    let down = smoothstep(0.0, 1.0, place.y);
    // A little lighter where the model stands, a little darker in the corners.
    let off = (place - vec2<f32>(0.5, 0.48)) * vec2<f32>(1.0, 0.9);
    let bright = dot(globals.background_top.rgb, vec3<f32>(0.3, 0.59, 0.11));
    let glow = 1.0 + (0.08 - 0.34 * smoothstep(0.1, 0.85, length(off))) * (1.0 - 0.75 * bright);
    let flat_color = all(globals.background_top.rgb == globals.background_bottom.rgb);
    let color = mix(globals.background_top.rgb, globals.background_bottom.rgb, down);
    return vec4<f32>(select(color * glow + dither(position.xy), color, flat_color), 1.0);
}

// Alpha alone is written.
@fragment
fn fs_opaque() -> @location(0) vec4<f32> {
    return vec4<f32>(1.0);
}

// Added to the picture, which is multiplied by the blend's constant: what a zone does to the sight of who is in it.
@fragment
fn fs_fog() -> @location(0) vec4<f32> {
    return vec4<f32>(globals.fog.rgb, 1.0);
}
