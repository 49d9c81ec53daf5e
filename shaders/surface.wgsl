// Surfaces: one vertex stage, one fragment stage for each way of colouring them. Needs globals, color, and skin or posed.

//#import octahedron.wgsl

struct Material {
    // Used without a texture.
    base: vec4<f32>,
    // x: has a texture; y: texture coordinates from the reflected view; z: index of the material.
    traits: vec4<u32>,
    // xy: how far the picture has moved over the surface, in pictures.
    motion: vec4<f32>,
}

@group(2) @binding(0) var<uniform> material: Material;
@group(2) @binding(1) var picture: texture_2d<f32>;
@group(2) @binding(2) var picture_sampler: sampler;
@group(2) @binding(3) var baked_light: texture_2d<f32>;
@group(2) @binding(4) var baked_light_sampler: sampler;

// Texels with less than half alpha are left out.
override masked: bool = false;

// The colour of one model among several, and its share of what is seen.
override tint_red: f32 = 1.0;
override tint_green: f32 = 1.0;
override tint_blue: f32 = 1.0;
override tint_share: f32 = 0.0;

struct VertexIn {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec2<f32>,
    @location(2) color: vec4<f32>,
    @location(3) run: vec2<u32>,
    @location(4) point: u32,
    @location(5) uv: vec2<f32>,
    // Coordinates of the baked light; where zones or kinds of lists are shown, the zone or the kind.
    @location(6) second: vec2<f32>,
    @builtin(instance_index) instance: u32,
}

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) uv: vec2<f32>,
    @location(4) weight: f32,
    @location(5) second: vec2<f32>,
}

fn vs_main_of(in: VertexIn) -> Varying {
    let posed = pose(in.position, unfolded(in.normal), in.run, in.point, in.instance);
    var out: Varying;
    out.clip = globals.clip_from_world * vec4<f32>(posed.position, 1.0);
    out.position = posed.position;
    out.normal = posed.normal;
    out.color = in.color;
    out.uv = in.uv;
    out.weight = posed.weight;
    out.second = in.second;
    return out;
}

@vertex
fn vs_main(in: VertexIn) -> Varying {
    return vs_main_of(in);
}

// Where kinds of lists are shown: the colour is one for the corner's kind and zero for the others, nothing for no list.
@vertex
fn vs_lists(in: VertexIn) -> Varying {
    var out = vs_main_of(in);
    out.color = select(vec4<f32>(0.0), vec4<f32>(1.0), vec4<f32>(in.second.x) == vec4<f32>(1.0, 2.0, 3.0, 4.0));
    return out;
}

// Edges, a hair nearer than the surface they lie on (depth is greater when nearer).
@vertex
fn vs_wire(in: VertexIn) -> @builtin(position) vec4<f32> {
    let posed = pose(in.position, unfolded(in.normal), in.run, in.point, in.instance);
    let clip = globals.clip_from_world * vec4<f32>(posed.position, 1.0);
    return vec4<f32>(clip.xy, clip.z + select(clip.z * 0.0015, 0.00004, globals.eye.w > 0.5), clip.w);
}

fn view_direction(position: vec3<f32>) -> vec3<f32> {
    return select(normalize(globals.eye.xyz - position), -globals.forward.xyz, globals.eye.w > 0.5);
}

fn facing(in: Varying, front: bool) -> vec3<f32> {
    let normal = normalize(in.normal);
    return select(-normal, normal, front);
}

// No branch here and below hangs on uniforms alone: Mesa's software Vulkan (seen in 22.3) makes a shader anew at each draw for
// every value of those, and keeps them all. `select` and `&` do not branch; `&&` does.
fn is_textured() -> bool {
    return (material.traits.x != 0u) & (globals.switches.x != 0u);
}

// Colour and alpha before light.
fn base_color(in: Varying, normal: vec3<f32>) -> vec4<f32> {
    let seen = reflect(-view_direction(in.position), normal);
    let mirrored = (globals.view_from_world * vec4<f32>(seen, 0.0)).xy * vec2<f32>(0.5, -0.5) + 0.5;
    let uv = select(in.uv + material.motion.xy, mirrored, material.traits.y != 0u);
    let texel = textureSample(picture, picture_sampler, uv);
    let color = select(material.base, texel, is_textured());
    return color * select(vec4<f32>(1.0), in.color, globals.switches.y != 0u);
}

// As bright as asked for. A power of one is left out, for it is not exact.
fn graded(color: vec3<f32>) -> vec3<f32> {
    let power = globals.grade.x;
    return select(pow(max(color, vec3<f32>(0.0)), vec3<f32>(power)), color, power == 1.0);
}

fn cut(alpha: f32) {
    if masked && alpha < 0.5 {
        discard;
    }
}

// What arrives at a surface, and what its edge catches from behind.
struct Light {
    diffuse: vec3<f32>,
    rim: f32,
    sheen: f32,
}

fn light(normal: vec3<f32>, position: vec3<f32>) -> Light {
    let view = view_direction(position);
    let around = mix(globals.ground.rgb, globals.sky.rgb, normal.y * 0.5 + 0.5);
    let toward = select(globals.key.xyz, view, globals.sky.w > 0.5);
    let key = max((dot(normal, toward) + 0.2) / 1.2, 0.0) * globals.key.w;
    let fill = max((dot(normal, globals.fill.xyz) + 0.4) / 1.4, 0.0) * globals.fill.w;
    let edge = 1.0 - max(dot(normal, view), 0.0);
    let behind = smoothstep(-0.3, 0.9, dot(normal, globals.rim.xyz));
    let rim = edge * edge * edge * behind * globals.rim.w;
    let half_way = normalize(toward + view);
    let sheen = pow(max(dot(normal, half_way), 0.0), 22.0) * globals.key.w;
    let warm = vec3<f32>(1.0, 0.985, 0.955);
    let cool = vec3<f32>(0.93, 0.97, 1.0);
    return Light(around + warm * key + cool * fill, rim, sheen);
}

// Leaves what is dark alone and bends what would be clipped.
fn shoulder(color: vec3<f32>) -> vec3<f32> {
    let over = max(color - 0.8, vec3<f32>(0.0));
    return min(color, vec3<f32>(0.8)) + over / (1.0 + over * 2.6);
}

fn shaded(color: vec3<f32>, normal: vec3<f32>, position: vec3<f32>) -> vec3<f32> {
    let lit = light(normal, position);
    let sheen = select(0.16, 0.0, is_textured()) * lit.sheen;
    return shoulder(color * lit.diffuse + (0.25 + 0.75 * color) * lit.rim + vec3<f32>(sheen));
}

// Even light for colours that mean something.
fn form(color: vec3<f32>, normal: vec3<f32>, position: vec3<f32>) -> vec3<f32> {
    let towards = max(dot(normal, view_direction(position)), 0.0);
    return color * (0.72 + 0.28 * towards);
}

@fragment
fn fs_lit(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    let color = base_color(in, normal);
    cut(color.a);
    return vec4<f32>(shaded(color.rgb, normal, in.position), 1.0);
}

// Each triangle by its own plane.
@fragment
fn fs_flat(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = base_color(in, facing(in, front));
    cut(color.a);
    let across = cross(dpdx(in.position), dpdy(in.position));
    let plane = across * inverseSqrt(max(dot(across, across), 1e-38));
    // Towards the eye, whichever way derivatives run.
    let normal = select(-plane, plane, dot(plane, view_direction(in.position)) >= 0.0);
    return vec4<f32>(shaded(color.rgb, normal, in.position), 1.0);
}

@fragment
fn fs_unlit(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = base_color(in, facing(in, front));
    cut(color.a);
    return vec4<f32>(graded(color.rgb), 1.0);
}

// What is multiplied with what lies behind it: light and dark are not its own.
@fragment
fn fs_modulated(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    return vec4<f32>(base_color(in, facing(in, front)).rgb, 1.0);
}

@fragment
fn fs_normals(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    cut(base_color(in, normal).a);
    return vec4<f32>(normal * 0.5 + 0.5, 1.0);
}

@fragment
fn fs_uv(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    cut(base_color(in, normal).a);
    // Eight by eight cells; hue runs with U, lightness with V, so that every place tells where it is. Where cells are
    // smaller than pixels they fade to their mean.
    let cells = in.uv * 8.0;
    let blur = max(fwidth(cells), vec2<f32>(1e-5));
    let wave = (abs(fract(cells * 0.5) - 0.5) - 0.25) / blur * 2.0;
    let sides = clamp(wave, vec2<f32>(-1.0), vec2<f32>(1.0)) * (1.0 - smoothstep(vec2<f32>(0.4), vec2<f32>(1.0), blur));
    let place = fract(in.uv);
    let color = from_oklch(0.66 - 0.16 * place.y + 0.09 * sides.x * sides.y, 0.12, place.x * 6.2831853);
    return vec4<f32>(form(color, normal, in.position), 1.0);
}

@fragment
fn fs_material(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    cut(base_color(in, normal).a);
    let index = f32(material.traits.z);
    // The golden ratio keeps neighbours apart.
    let color = from_oklch(0.7 + 0.08 * sin(index * 2.1), 0.13, fract(index * 0.61803399 + 0.1) * 6.2831853);
    return vec4<f32>(form(color, normal, in.position), 1.0);
}

// One colour a mesh, whose number lies in the place of the second set of texture coordinates.
@fragment
fn fs_part(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    cut(base_color(in, normal).a);
    let index = round(in.second.x);
    let color = from_oklch(0.7 + 0.08 * sin(index * 2.1), 0.13, fract(index * 0.61803399 + 0.35) * 6.2831853);
    return vec4<f32>(form(color, normal, in.position), 1.0);
}

// Colours of vertices, or one of their channels as a grey.
@fragment
fn fs_colors(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    var plain = in;
    plain.color = vec4<f32>(1.0);
    cut(base_color(plain, facing(in, front)).a);
    let grey = vec3<f32>(dot(in.color, globals.channel));
    return vec4<f32>(select(in.color.rgb, grey, dot(globals.channel, vec4<f32>(1.0)) > 0.5), 1.0);
}

// Added up, layer by layer: dark red, orange, yellow, white.
@fragment
fn fs_overdraw(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    cut(base_color(in, facing(in, front)).a);
    return vec4<f32>(0.2, 0.09, 0.035, 1.0);
}

@fragment
fn fs_weights(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    cut(base_color(in, normal).a);
    return vec4<f32>(form(ramp(in.weight), normal, in.position), 1.0);
}

// How far one share is ahead of all others, from 0 to 1 over a pixel.
fn ahead(share: f32, others: f32) -> f32 {
    let lead = share - others;
    return clamp(lead / max(fwidth(lead), 1e-5) + 0.5, 0.0, 1.0);
}

// Every corner's colour reaches halfway to the next. Mirrors `LIST_COLORS` in src/gpu/view.rs.
@fragment
fn fs_lists(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    let kinds = in.color;
    let none = 1.0 - dot(kinds, vec4<f32>(1.0));
    let one = ahead(kinds.x, max(max(kinds.y, kinds.z), max(kinds.w, none)));
    let two = ahead(kinds.y, max(max(kinds.x, kinds.z), max(kinds.w, none)));
    let supplemented = ahead(kinds.z, max(max(kinds.x, kinds.y), max(kinds.w, none)));
    let accumulated = ahead(kinds.w, max(max(kinds.x, kinds.y), max(kinds.z, none)));
    let rest = ahead(none, max(max(kinds.x, kinds.y), max(kinds.z, kinds.w)));
    let sum = rest * vec3<f32>(165.0, 168.0, 173.0)
        + one * vec3<f32>(0.0, 114.0, 178.0)
        + two * vec3<f32>(240.0, 228.0, 66.0)
        + supplemented * vec3<f32>(230.0, 159.0, 0.0)
        + accumulated * vec3<f32>(213.0, 94.0, 0.0);
    let color = sum / (255.0 * max(rest + one + two + supplemented + accumulated, 1e-5));
    var plain = in;
    plain.color = vec4<f32>(1.0);
    cut(base_color(plain, normal).a);
    return vec4<f32>(form(color, normal, in.position), 1.0);
}

// What is not to be seen, as a tint.
@fragment
fn fs_tint(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = form(material.base.rgb, facing(in, front), in.position);
    return vec4<f32>(color * material.base.a, material.base.a);
}

// Under the model's own colour: light and dark of the picture stay.
fn tinted(color: vec3<f32>) -> vec3<f32> {
    let grey = dot(color, vec3<f32>(0.3, 0.59, 0.11));
    let tint = vec3<f32>(tint_red, tint_green, tint_blue) * (0.45 + 0.75 * grey);
    return mix(color, tint, tint_share);
}

@fragment
fn fs_tinted(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    let color = base_color(in, normal);
    cut(color.a);
    return vec4<f32>(shaded(tinted(color.rgb), normal, in.position), 1.0);
}

@fragment
fn fs_ghost(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    let color = base_color(in, normal);
    cut(color.a);
    // More of it where one looks along the surface, so that its outline tells the shape.
    let along = 1.0 - abs(dot(normal, view_direction(in.position)));
    let cover = 0.28 + 0.3 * along;
    return vec4<f32>(shaded(tinted(color.rgb), normal, in.position) * cover, cover);
}

// Colour times alpha, for blending.
@fragment
fn fs_lit_alpha(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    let color = base_color(in, normal);
    return vec4<f32>(shaded(color.rgb, normal, in.position) * color.a, color.a);
}

@fragment
fn fs_unlit_alpha(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = base_color(in, facing(in, front));
    return vec4<f32>(graded(color.rgb) * color.a, color.a);
}

// Colour hides what is behind it as far as it is bright.
@fragment
fn fs_lit_translucent(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let normal = facing(in, front);
    let color = shaded(base_color(in, normal).rgb, normal, in.position);
    return vec4<f32>(color, max(color.r, max(color.g, color.b)));
}

@fragment
fn fs_unlit_translucent(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = graded(base_color(in, facing(in, front)).rgb);
    return vec4<f32>(color, max(color.r, max(color.g, color.b)));
}

@fragment
fn fs_wire() -> @location(0) vec4<f32> {
    return vec4<f32>(0.03, 0.035, 0.045, 1.0) * 0.55;
}

// Where a selected surface is.
@fragment
fn fs_mask(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    cut(base_color(in, facing(in, front)).a);
    return vec4<f32>(1.0);
}

// Seen from under the floor: the nearer, the darker.
@fragment
fn fs_caster(in: Varying) -> @location(0) vec4<f32> {
    let height = max(in.position.y - globals.floor.x, 0.0) / globals.shadow.w;
    let near = clamp(1.0 - height, 0.0, 1.0);
    return vec4<f32>(near * near, 0.0, 0.0, 1.0);
}

//#import surface_level.wgsl
