//#import globals.wgsl

// The outline of what is selected: around the mask of its surfaces a band of the accent, and around that a thin dark one that
// sets it off from any ground.

@group(1) @binding(0) var mask: texture_2d<f32>;
@group(1) @binding(1) var mask_sampler: sampler;

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(covering(index), 0.0, 1.0);
}

fn covered(pixel: vec2<f32>) -> f32 {
    return textureSampleLevel(mask, mask_sampler, pixel * globals.viewport.zw, 0.0).r;
}

// The most that is covered on a ring around a pixel: in eight directions, `turn` (cosine and sine) from the axes.
fn ring(pixel: vec2<f32>, radius: f32, turn: vec2<f32>) -> f32 {
    var most = 0.0;
    for (var i = 0u; i < 4u; i++) {
        let quarter = select(turn, vec2<f32>(-turn.y, turn.x), (i & 1u) != 0u);
        let diagonal = vec2<f32>(quarter.x - quarter.y, quarter.x + quarter.y) * 0.70710678;
        let away = select(quarter, diagonal, (i & 2u) != 0u) * radius;
        most = max(most, max(covered(pixel + away), covered(pixel - away)));
    }
    return most;
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    // In pixels; thicker in large pictures.
    let width = clamp(globals.viewport.y / 400.0, 2.0, 3.5);
    let inside = covered(position.xy);
    let near = max(ring(position.xy, width, vec2<f32>(1.0, 0.0)), ring(position.xy, width * 0.5, vec2<f32>(0.92387953, 0.38268343)));
    let far = ring(position.xy, width + 1.25, vec2<f32>(0.92387953, 0.38268343));
    let band = near * (1.0 - inside);
    let rim = max(far, near) * (1.0 - inside) * (1.0 - band) * 0.55;
    return vec4<f32>(globals.accent.rgb * band, band + rim);
}
