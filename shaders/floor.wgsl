//#import globals.wgsl

// The grid, and the shadow on it.

@group(1) @binding(0) var shade: texture_2d<f32>;
@group(1) @binding(1) var shade_sampler: sampler;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
}

fn on_floor(index: u32, center: vec2<f32>, half: f32) -> Varying {
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let place = center + corner * half;
    var out: Varying;
    out.position = vec3<f32>(place.x, globals.floor.x, place.y);
    let clip = globals.clip_from_world * vec4<f32>(out.position, 1.0);
    // A hair farther than what stands flat on it (depth is greater when nearer).
    out.clip = vec4<f32>(clip.xy, clip.z - select(clip.z * 0.001, 0.00002, globals.eye.w > 0.5), clip.w);
    return out;
}

@vertex
fn vs_grid(@builtin(vertex_index) index: u32) -> Varying {
    return on_floor(index, globals.focus.xz, globals.floor.z);
}

@vertex
fn vs_shadow(@builtin(vertex_index) index: u32) -> Varying {
    return on_floor(index, globals.shadow.xz, globals.shadow.y);
}

// From above all of it is seen, from below little.
fn side() -> f32 {
    return select(0.25, 1.0, globals.eye.y >= globals.floor.x);
}

@fragment
fn fs_shadow(in: Varying) -> @location(0) vec4<f32> {
    let place = (in.position.xz - globals.shadow.xz) / globals.shadow.y;
    let dark = textureSample(shade, shade_sampler, place * 0.5 + 0.5).r;
    let edge = 1.0 - smoothstep(0.8, 1.0, max(abs(place.x), abs(place.y)));
    return vec4<f32>(0.0, 0.0, 0.0, dark * edge * 0.7 * side());
}

// How much of a line one pixel wide lies here, for lines every `cell`.
fn lines(place: vec2<f32>, cell: f32) -> f32 {
    let at = place / cell;
    let width = max(fwidth(at), vec2<f32>(1e-6));
    let near = abs(fract(at - 0.5) - 0.5) / width;
    let cover = (1.0 - min(near, vec2<f32>(1.0))) * (1.0 - smoothstep(vec2<f32>(0.15), vec2<f32>(0.55), width));
    return max(cover.x, cover.y);
}

@fragment
fn fs_grid(in: Varying) -> @location(0) vec4<f32> {
    let place = in.position.xz;
    let cell = globals.floor.y;
    let grown = globals.floor.w;
    let minor = 0.13;
    let major = 0.3;
    var cover = lines(place, cell) * minor * (1.0 - grown);
    cover = max(cover, lines(place, cell * 10.0) * mix(major, minor, grown));
    cover = max(cover, lines(place, cell * 100.0) * major * grown);

    let bright = dot(globals.background_bottom.rgb, vec3<f32>(0.3, 0.59, 0.11));
    let opaque = globals.background_bottom.w;
    var color = mix(vec3<f32>(0.5), select(vec3<f32>(0.82, 0.86, 0.92), vec3<f32>(0.12, 0.14, 0.18), bright > 0.5), opaque);

    // The axes of the file: one along z = 0, another along x = 0.
    let width = max(fwidth(place), vec2<f32>(1e-9));
    let axis = 1.0 - min(abs(place) / (width * 1.2), vec2<f32>(1.0));
    color = mix(color, globals.floor_axes[0].rgb, axis.y);
    color = mix(color, globals.floor_axes[1].rgb, axis.x);
    cover = max(cover, max(axis.x, axis.y) * 0.7);

    let away = length(place - globals.focus.xz) / globals.floor.z;
    let fade = 1.0 - smoothstep(0.1, 1.0, away);
    let towards = select(normalize(globals.eye.xyz - in.position), -globals.forward.xyz, globals.eye.w > 0.5);
    let grazing = smoothstep(0.0, 0.22, abs(towards.y));
    return vec4<f32>(color, cover * fade * fade * grazing * side());
}
