//#import globals.wgsl
//#import terrain_data.wgsl

// The ground: patches of squares, walls around the map's edge, and the underside.

struct PatchIn {
    // Column, row, part: 0 for ground, 1 to 4 for tops of walls, 5 to 8 for their feet.
    @location(0) corner: vec4<u32>,
    // First sample in both directions, samples between vertices, edges (src/gpu/terrain/patches.rs).
    @location(1) node: vec4<u32>,
}

struct Varying {
    @builtin(position) @invariant clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    // In samples, from the south-west.
    @location(1) place: vec2<f32>,
    // In metres.
    @location(2) height: f32,
    // In the scene, under the ground.
    @location(3) depth: f32,
    // 0 for ground, 1 to 4 for walls to the west, east, south and north.
    @location(4) @interpolate(flat) wall: u32,
}

// A corner on an edge takes the place of the corner before it that the coarser neighbour has too.
fn joined(along: u32, edges: u32, first_bit: u32) -> u32 {
    let steps = (edges >> first_bit) & 7u;
    return (along >> steps) << steps;
}

@vertex
fn vs_ground(in: PatchIn) -> Varying {
    let corner = in.corner.xy;
    let edges = in.node.w;
    var moved = corner;
    moved.y = select(moved.y, joined(corner.y, edges, 0u), corner.x == 0u);
    moved.y = select(moved.y, joined(corner.y, edges, 3u), corner.x == 64u);
    moved.x = select(moved.x, joined(corner.x, edges, 6u), corner.y == 0u);
    moved.x = select(moved.x, joined(corner.x, edges, 9u), corner.y == 64u);
    let last = vec2<u32>(terrain.grid.xy);
    let sample = min(in.node.xy + moved * in.node.z, last);
    let height = textureLoad(heights, vec2<i32>(sample), 0).r;
    let part = in.corner.z;
    let is_foot = part > 4u;
    let wall = select(part, part - 4u, is_foot);
    let place = vec2<f32>(sample);
    let ground = height * terrain.grid.w;
    let up = select(ground, terrain.heights.z, is_foot);
    var out: Varying;
    out.position = vec3<f32>(place.x * terrain.grid.z, up, -place.y * terrain.grid.z);
    out.clip = globals.clip_from_world * vec4<f32>(out.position, 1.0);
    out.place = place;
    out.height = height;
    out.depth = ground - up;
    out.wall = wall;
    // Walls stand at the map's edge alone.
    let stands = (wall == 0u) | ((edges & (0x800u << wall)) != 0u);
    out.clip = select(vec4<f32>(0.0, 0.0, 2.0, 1.0), out.clip, stands);
    return out;
}

// Colour of the ground before light. `slope` is steepness without exaggeration.
fn tinted(height: f32, slope: f32) -> vec3<f32> {
    let low = terrain.heights.x;
    let high = terrain.heights.y;
    let floor_height = max(low, 0.0);
    let above = (height - floor_height) / max(high - floor_height, 1e-6);
    let below = (height - low) / max(min(high, 0.0) - low, 1e-6);
    let steep = atan(slope) / 1.0472;
    let by_height = select(vec2<f32>(above, 1.0), vec2<f32>(below, 0.0), height < 0.0);
    let tint = terrain.switches.x;
    var at = select(by_height, vec2<f32>(steep, 2.0), tint == 1u);
    at = select(at, vec2<f32>(0.0, 3.0), tint == 2u);
    // The middles of the first and the last texel are the ends of a row.
    let across = (clamp(at.x, 0.0, 1.0) * 511.0 + 0.5) / 512.0;
    return textureSampleLevel(ramp_picture, smooth_sampler, vec2<f32>(across, (at.y + 0.5) / 4.0), 0.0).rgb;
}

// Triangles of the ground every so many squares; coarser where they would merge.
fn triangle_lines(place: vec2<f32>, step: vec2<f32>) -> f32 {
    let pixel = max(length(step) * 0.7, 1e-9);
    let level = max(log2(pixel * 9.0), 0.0);
    let whole = floor(level);
    let size = exp2(whole);
    let fine = triangles_of(place / size, step / size);
    let coarse = triangles_of(place / (size * 2.0), step / (size * 2.0));
    return max(fine * (1.0 - (level - whole)), coarse);
}

fn triangles_of(at: vec2<f32>, step: vec2<f32>) -> f32 {
    let x = line_cover(at.x, step.x, 1.0);
    let z = line_cover(at.y, step.y, 1.0);
    let diagonal = line_cover(at.x + at.y, length(step), 1.0);
    return max(max(x, z), diagonal);
}

fn lengths(dx: vec2<f32>, dy: vec2<f32>) -> vec2<f32> {
    return sqrt(dx * dx + dy * dy);
}

// Contour lines, grid and wireframe over a colour.
fn marked(ground: vec3<f32>, in: Varying, place_step: vec2<f32>, height_step: f32) -> vec3<f32> {
    var color = ground;
    // Contour lines: every fifth is stronger.
    let step = terrain.heights.w;
    let minor = line_cover(in.height / step, height_step / step, 1.0) * line_fade(height_step / step);
    let major = line_cover(in.height / (step * 5.0), height_step / (step * 5.0), 1.5) * line_fade(height_step / (step * 5.0));
    let contour = max(minor * 0.34, major * 0.58) * f32(terrain.switches.y);
    let ink = select(vec3<f32>(0.27, 0.18, 0.10), vec3<f32>(0.05, 0.16, 0.30), in.height < 0.0);
    color = mix(color, ink, contour);

    let metres = in.place * terrain.grid.z;
    let grid = grid_lines(metres, place_step * terrain.grid.z) * f32(terrain.switches.w);
    color = mix(color, vec3<f32>(0.10, 0.11, 0.14), grid);
    let wire = triangle_lines(in.place, place_step) * f32(terrain.switches.z);
    return mix(color, vec3<f32>(0.03, 0.035, 0.045), wire * 0.55);
}

@fragment
fn fs_ground(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let place_step = lengths(dpdx(in.place), dpdy(in.place));
    let height_step = length(vec2<f32>(dpdx(in.height), dpdy(in.height)));
    let texel = textureSample(relief, smooth_sampler, (in.place + 0.5) * terrain.texels.zw);
    let is_wall = in.wall != 0u;
    if is_hole(in.place) | (is_wall & !front) {
        discard;
    }
    if is_wall {
        return vec4<f32>(earth(in), 1.0);
    }
    let slope = texel.xy * terrain.grid.w;
    let normal = normalize(vec3<f32>(-slope.x, 1.0, slope.y));
    var color = tinted(in.height, length(texel.xy));
    color = daylight(color, normal);

    color = marked(color, in, place_step, height_step);
    // From below: the inside of the earth.
    color = select(vec3<f32>(0.17, 0.14, 0.12), color, front);
    return vec4<f32>(color + dither(in.clip.xy), 1.0);
}

// A cut through the earth: soil on top, then layers that follow the ground less and less.
fn earth(in: Varying) -> vec3<f32> {
    let whole = max(in.position.y + in.depth - terrain.heights.z, 1e-6);
    let share = clamp(in.depth / whole, 0.0, 1.0);
    let level = (in.position.y - terrain.heights.z) / max(terrain.heights.y * terrain.grid.w - terrain.heights.z, 1e-6);
    let bands = sin(share * 21.0 + level * 5.0) * 0.5 + sin(share * 47.0 - level * 9.0 + 1.3) * 0.3;
    let soil = vec3<f32>(0.44, 0.35, 0.26);
    let rock = vec3<f32>(0.36, 0.325, 0.30);
    var color = mix(soil, rock, smoothstep(0.0, 0.7, share)) * (1.0 + bands * 0.045);
    color *= mix(1.0, 0.72, share);
    // West and north lie in the light.
    let facing = select(select(0.80, 0.92, in.wall == 3u), 1.1, (in.wall == 1u) | (in.wall == 4u));
    return color * facing + dither(in.clip.xy);
}

struct UndersideVarying {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
}

@vertex
fn vs_underside(@builtin(vertex_index) index: u32) -> UndersideVarying {
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    var out: UndersideVarying;
    out.place = corner * terrain.grid.xy;
    let metres = out.place * terrain.grid.z;
    out.clip = globals.clip_from_world * vec4<f32>(metres.x, terrain.heights.z, -metres.y, 1.0);
    return out;
}

// The strip runs anticlockwise seen from above.
@fragment
fn fs_underside(in: UndersideVarying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    if front | is_hole(in.place) {
        discard;
    }
    return vec4<f32>(vec3<f32>(0.20, 0.175, 0.16) + dither(in.clip.xy), 1.0);
}

struct Overlay {
    // South-west corner in metres, one over the size.
    rect: vec4<f32>,
    // Opacity; 1 for what the sun shines on; 1 for colours that are multiplied by alpha already.
    how: vec4<f32>,
}

@group(2) @binding(0) var<uniform> overlay: Overlay;
@group(2) @binding(1) var laid: texture_2d<f32>;
@group(2) @binding(2) var laid_sampler: sampler;

// A picture over the ground, north up.
@fragment
fn fs_overlay(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let place_step = lengths(dpdx(in.place), dpdy(in.place));
    let height_step = length(vec2<f32>(dpdx(in.height), dpdy(in.height)));
    let slope = textureSample(relief, smooth_sampler, (in.place + 0.5) * terrain.texels.zw).xy * terrain.grid.w;
    let at = (in.place * terrain.grid.z - overlay.rect.xy) * overlay.rect.zw;
    let texel = textureSample(laid, laid_sampler, vec2<f32>(at.x, 1.0 - at.y));
    if is_hole(in.place) | (in.wall != 0u) | !front | any(at < vec2<f32>(0.0)) | any(at > vec2<f32>(1.0)) {
        discard;
    }
    let lit = daylight(texel.rgb, normalize(vec3<f32>(-slope.x, 1.0, slope.y)));
    let color = marked(lit, in, place_step, height_step) * texel.a;
    let flat_color = select(texel.rgb * texel.a, texel.rgb, overlay.how.z > 0.5);
    return vec4<f32>(select(flat_color, color, overlay.how.y > 0.5), texel.a) * overlay.how.x;
}
