//#import globals.wgsl

// One direction of a Gaussian blur over the shadow.

@group(1) @binding(0) var shade: texture_2d<f32>;
@group(1) @binding(1) var shade_sampler: sampler;

// Steps between samples, in texels.
override step_x: f32 = 1.0;
override step_y: f32 = 0.0;

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(covering(index), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = 1.0 / vec2<f32>(textureDimensions(shade));
    var sum = 0.0;
    var total = 0.0;
    for (var i = -7; i <= 7; i++) {
        let away = f32(i);
        let weight = exp(-away * away / 22.0);
        let place = (position.xy + vec2<f32>(step_x, step_y) * away) * texel;
        sum += textureSampleLevel(shade, shade_sampler, place, 0.0).r * weight;
        total += weight;
    }
    return vec4<f32>(sum / total, 0.0, 0.0, 1.0);
}
