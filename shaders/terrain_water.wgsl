//#import globals.wgsl
//#import terrain_data.wgsl

// The sea: its surface at height 0, and its four sides where the map ends.

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    // In samples, from the south-west.
    @location(1) place: vec2<f32>,
    // 0 for the surface, 1 to 4 for the sides to the west, east, south and north.
    @location(2) @interpolate(flat) side: u32,
    // 1 for a side that is seen from within.
    @location(3) @interpolate(flat) within: u32,
}

@vertex
fn vs_water(@builtin(vertex_index) index: u32) -> Varying {
    // The four sides from within, the surface, the four sides from outside: what is behind is drawn before what covers it.
    let quad = index / 6u;
    let side = select(select(quad - 4u, quad + 1u, quad < 4u), 0u, quad == 4u);
    let number = index % 6u;
    // Two triangles, anticlockwise: corners 0 1 2 and 3 2 1.
    let corner = select(number, 6u - number, number > 2u);
    let a = f32(corner & 1u);
    let b = f32(corner >> 1u);
    var at = vec2<f32>(a, b);
    at = select(at, vec2<f32>(0.0, 1.0 - a), side == 1u);
    at = select(at, vec2<f32>(1.0, a), side == 2u);
    at = select(at, vec2<f32>(a, 0.0), side == 3u);
    at = select(at, vec2<f32>(1.0 - a, 1.0), side == 4u);
    let place = at * terrain.grid.xy;
    let deep = terrain.heights.x * terrain.grid.w;
    let up = select(mix(deep, 0.0, b), 0.0, side == 0u);
    var out: Varying;
    out.position = vec3<f32>(place.x * terrain.grid.z, up, -place.y * terrain.grid.z);
    out.clip = globals.clip_from_world * vec4<f32>(out.position, 1.0);
    out.place = place;
    out.side = side;
    out.within = u32(quad < 4u);
    return out;
}

@fragment
fn fs_water(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let height = textureSample(relief, smooth_sampler, (in.place + 0.5) * terrain.texels.zw).b;
    let height_step = length(vec2<f32>(dpdx(height), dpdy(height)));
    let is_side = in.side != 0u;
    let under = in.position.y < height * terrain.grid.w;
    if is_hole(in.place) | (is_side & (under | (front == (in.within != 0u)))) | (!is_side & (height >= 0.0)) {
        discard;
    }
    let deepest = -terrain.heights.x;
    let depth = -height / max(deepest, 1e-6);
    let shallow = vec3<f32>(0.36, 0.62, 0.66);
    let deep = vec3<f32>(0.09, 0.25, 0.42);
    let thick = 1.0 - exp(-depth * 4.0);
    var color = mix(shallow, deep, thick);
    var alpha = mix(0.28, 0.62, thick);
    // The shore: clear water, with a pale rim of an even width.
    let shore = -height / max(height_step, 1e-9);
    let clear = smoothstep(0.0, 0.03, depth);
    alpha *= mix(0.55, 1.0, clear) * clamp(shore, 0.0, 1.0);
    let rim = (1.0 - smoothstep(1.0, 3.0, shore)) * 0.35;
    color = mix(color, vec3<f32>(0.90, 0.95, 0.95), rim);
    alpha = mix(alpha, 0.75, rim * clamp(shore, 0.0, 1.0));
    // The sky in it, at grazing angles.
    let upward = abs(view_direction(in.position).y);
    let mirror = pow(1.0 - upward, 4.0) * 0.5;
    color = mix(color, vec3<f32>(0.62, 0.74, 0.84), mirror);
    alpha = mix(alpha, max(alpha, 0.8), mirror * clamp(shore, 0.0, 1.0));
    // From beneath, and through the sides.
    let beneath = vec4<f32>(deep, 0.35);
    let through = mix(vec3<f32>(0.24, 0.50, 0.60), deep, clamp(in.position.y / min(terrain.heights.x * terrain.grid.w, -1e-6), 0.0, 1.0));
    var out = vec4<f32>(color, alpha);
    out = select(out, beneath, !is_side & !front);
    out = select(out, vec4<f32>(through, select(0.68, 0.96, in.within != 0u)), is_side);
    return vec4<f32>(out.rgb * out.a, out.a) + vec4<f32>(vec3<f32>(dither(in.clip.xy) * out.a), 0.0);
}
