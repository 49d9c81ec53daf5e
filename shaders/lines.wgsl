//#import globals.wgsl

// Lines of a width in pixels, between two points of the world each.

struct LineIn {
    @location(0) from_point: vec3<f32>,
    @location(1) color: vec4<f32>,
    @location(2) to_point: vec3<f32>,
    // In pixels.
    @location(3) width: f32,
    @builtin(vertex_index) index: u32,
}

struct LineVarying {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    // Pixels from the line's middle, times w, and w: the quotient runs evenly over the picture.
    @location(1) across: vec2<f32>,
    @location(2) @interpolate(flat) width: f32,
}

@vertex
fn vs_line(line: LineIn) -> LineVarying {
    let a = globals.clip_from_world * vec4<f32>(line.from_point, 1.0);
    let b = globals.clip_from_world * vec4<f32>(line.to_point, 1.0);
    // How far each end is before the near plane (depth is reversed); an end behind it is drawn back to it.
    let before_a = a.w - a.z;
    let before_b = b.w - b.z;
    let span = before_a - before_b;
    let crossing = mix(a, b, before_a / select(span, 1.0, abs(span) < 1e-20));
    let start = select(a, crossing, before_a < 0.0);
    let end = select(b, crossing, before_b < 0.0);
    let pixels = globals.viewport.xy * 0.5;
    let start_place = start.xy / max(start.w, 1e-20) * pixels;
    let end_place = end.xy / max(end.w, 1e-20) * pixels;
    let way = end_place - start_place;
    let along = way * inverseSqrt(max(dot(way, way), 1e-12));
    let side = f32(line.index & 1u) * 2.0 - 1.0;
    let at_end = (line.index >> 1u) != 0u;
    let half = line.width * 0.5 + 0.5;
    let place = select(start, end, at_end);
    let shift = vec2<f32>(-along.y, along.x) * side * half;
    // A hair nearer than the surface that it lies on.
    let depth = place.z + select(place.z * 0.002, 0.00004, globals.eye.w > 0.5);
    var out: LineVarying;
    out.clip = vec4<f32>(place.xy + shift / pixels * place.w, min(depth, place.w), place.w);
    // Wholly behind: out of the picture.
    out.clip = select(out.clip, vec4<f32>(0.0, 0.0, 2.0, 1.0), (before_a < 0.0) & (before_b < 0.0));
    out.color = line.color;
    out.across = vec2<f32>(side * half, 1.0) * place.w;
    out.width = line.width;
    return out;
}

@fragment
fn fs_line(in: LineVarying) -> @location(0) vec4<f32> {
    let cover = clamp(in.width * 0.5 + 0.5 - abs(in.across.x / in.across.y), 0.0, 1.0) * in.color.a;
    return vec4<f32>(in.color.rgb * cover, cover);
}
