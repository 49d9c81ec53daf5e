// What the generated shaders of src/gpu/tev share: the data of one material in one picture, its textures, and small steps.
// Mirrors `TevBlock` in src/gpu/tev_block.rs. Positions and directions are in view space, colours 0..255.

struct Lamp {
    position: vec4<f32>,
    direction: vec4<f32>,
    color: vec4<f32>,
    // Attenuation by angle and by distance, three coefficients each.
    angle: vec4<f32>,
    reach: vec4<f32>,
}

struct Tev {
    // C0, C1, C2.
    registers: array<vec4<i32>, 3>,
    konst: array<vec4<i32>, 4>,
    material: array<vec4<i32>, 2>,
    ambient: array<vec4<i32>, 2>,
    lamps: array<Lamp, 8>,
    // Rows of the matrix after the first step, by texture coordinate.
    texgens: array<mat3x4<f32>, 8>,
    // The same by texture-matrix slot, and which first step each has: 0 none, 1 to view space, 2 turned only.
    slots: array<mat3x4<f32>, 10>,
    slot_steps: array<vec4<u32>, 10>,
    // Two rows a matrix, in 1/1024; w: its exponent.
    indirect: array<vec4<i32>, 6>,
    // xy: from a coordinate to a place in the map; z: LOD bias; w: two to the power of it. By indirect stage, by stage.
    indirect_lookups: array<vec4<f32>, 4>,
    lookups: array<vec4<f32>, 16>,
    // Texels that a coordinate of 1 stands for.
    coords: array<vec4<f32>, 8>,
    // Width and height of each map, and one over them.
    maps: array<vec4<f32>, 8>,
    nbt_scale: vec4<f32>,
    fog_color: vec4<i32>,
    // x: where it starts; y: one over its length.
    fog: vec4<f32>,
}

@group(2) @binding(0) var<uniform> tev: Tev;

@group(3) @binding(0) var map0: texture_2d<f32>;
@group(3) @binding(1) var map1: texture_2d<f32>;
@group(3) @binding(2) var map2: texture_2d<f32>;
@group(3) @binding(3) var map3: texture_2d<f32>;
@group(3) @binding(4) var map4: texture_2d<f32>;
@group(3) @binding(5) var map5: texture_2d<f32>;
@group(3) @binding(6) var map6: texture_2d<f32>;
@group(3) @binding(7) var map7: texture_2d<f32>;
@group(3) @binding(8) var sampler0: sampler;
@group(3) @binding(9) var sampler1: sampler;
@group(3) @binding(10) var sampler2: sampler;
@group(3) @binding(11) var sampler3: sampler;
@group(3) @binding(12) var sampler4: sampler;
@group(3) @binding(13) var sampler5: sampler;
@group(3) @binding(14) var sampler6: sampler;
@group(3) @binding(15) var sampler7: sampler;

struct VertexIn {
    @location(0) position: vec3<f32>,
    @location(1) folded_normal: vec2<f32>,
    @location(2) color: vec4<f32>,
    @location(3) run: vec2<u32>,
    @location(4) point: u32,
    // As the file has them, moved by nothing, not even morphs.
    @location(5) raw_position: vec3<f32>,
    @location(6) raw_normal: vec3<f32>,
    @location(7) binormal: vec3<f32>,
    @location(8) tangent: vec3<f32>,
    @location(9) second_color: vec4<f32>,
    // Texture-matrix slot of each coordinate; 255: the material's own.
    @location(10) slots0: vec4<u32>,
    @location(11) slots1: vec4<u32>,
    // Two sets each.
    @location(12) uv0: vec4<f32>,
    @location(13) uv1: vec4<f32>,
    @location(14) uv2: vec4<f32>,
    @location(15) uv3: vec4<f32>,
    @builtin(instance_index) instance: u32,
}

// A vertex where it is drawn, in world space.
struct Moved {
    // Rows of its matrix.
    rows: mat3x4<f32>,
    position: vec3<f32>,
    // Of unit length, for light.
    normal: vec3<f32>,
    // The raw normal, turned only.
    turned: vec3<f32>,
    // As the chip reads them, before its matrices.
    raw_position: vec3<f32>,
    raw_normal: vec3<f32>,
}

fn moved_vector(moved: Moved, vector: vec4<f32>) -> vec3<f32> {
    return vector * moved.rows;
}

fn ratio(top: f32, below: f32) -> f32 {
    return select(max(top, 0.0) / below, 0.0, below == 0.0);
}

fn spot_of(lamp: Lamp, toward: vec3<f32>, away: f32) -> f32 {
    let c = max(dot(toward, lamp.direction.xyz), 0.0);
    return ratio(dot(lamp.angle.xyz, vec3<f32>(1.0, c, c * c)), dot(lamp.reach.xyz, vec3<f32>(1.0, away, away * away)));
}

fn specular_of(lamp: Lamp, normal: vec3<f32>, toward: vec3<f32>) -> f32 {
    let c = select(0.0, max(dot(normal, lamp.direction.xyz), 0.0), dot(normal, toward) >= 0.0);
    let powers = vec3<f32>(1.0, c, c * c);
    return ratio(dot(lamp.angle.xyz, powers), dot(lamp.reach.xyz, powers));
}

// What a channel comes to between corners.
fn byte_of(value: vec4<f32>) -> vec4<i32> {
    return clamp(vec4<i32>(floor(value + 0.5)), vec4<i32>(0), vec4<i32>(255));
}

fn texel_of(value: vec4<f32>) -> vec4<i32> {
    return vec4<i32>(floor(value * 255.0 + 0.5));
}

fn divided(coordinate: vec3<f32>) -> vec2<f32> {
    return coordinate.xy / select(coordinate.z, 1.0, coordinate.z == 0.0);
}

fn sum_of(v: vec3<i32>) -> i32 {
    return v.x + v.y + v.z;
}

// Times two to the power of an exponent that may be negative.
fn scaled_by(value: vec2<i32>, exponent: i32) -> vec2<i32> {
    let up = value << vec2<u32>(u32(max(exponent, 0)));
    let down = value >> vec2<u32>(u32(max(-exponent, 0)));
    return select(down, up, exponent >= 0);
}

