// Ways of colouring the surfaces of levels; a part of surface.wgsl.

// Baked light: scene::BasicMaterial says how it counts. From the full-size picture alone: smaller ones mix what is apart.
fn baked(color: vec3<f32>, in: Varying) -> vec3<f32> {
    return color * textureSampleLevel(baked_light, baked_light_sampler, in.second, 0.0).rgb * 2.0;
}

@fragment
fn fs_baked(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = base_color(in, facing(in, front));
    cut(color.a);
    return vec4<f32>(graded(baked(color.rgb, in)), 1.0);
}

@fragment
fn fs_baked_alpha(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = base_color(in, facing(in, front));
    return vec4<f32>(graded(min(baked(color.rgb, in), vec3<f32>(1.0))) * color.a, color.a);
}

@fragment
fn fs_baked_translucent(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = graded(min(baked(base_color(in, facing(in, front)).rgb, in), vec3<f32>(1.0)));
    return vec4<f32>(color, max(color.r, max(color.g, color.b)));
}

// Baked light on white.
@fragment
fn fs_light(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    cut(base_color(in, facing(in, front)).a);
    return vec4<f32>(graded(baked(vec3<f32>(0.5), in)), 1.0);
}

// What has no baked light, beside what has.
@fragment
fn fs_plain(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    cut(base_color(in, normal).a);
    return vec4<f32>(form(vec3<f32>(0.6), normal, in.position), 1.0);
}

// What is seen through a window, drawn before in a picture of the same size.
@fragment
fn fs_window(in: Varying) -> @location(0) vec4<f32> {
    return textureLoad(picture, vec2<i32>(in.clip.xy), 0);
}

@fragment
fn fs_zones(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    let color = base_color(in, normal);
    cut(color.a);
    let zone = round(in.second.x);
    let hue = fract(zone * 0.61803399 + 0.1) * 6.2831853;
    let own = from_oklch(0.7 + 0.08 * sin(zone * 2.1), select(0.13, 0.0, zone < 0.5), hue);
    // The picture shows through a little, so that one knows where one is.
    let light = dot(color.rgb, vec3<f32>(0.3, 0.59, 0.11));
    return vec4<f32>(form(own, normal, in.position) * (0.7 + 0.45 * light), 1.0);
}
