//#import globals.wgsl
//#import terrain_data.wgsl

// What stands on the ground: boxes and posts, points where those would be too small, outlines of what is selected.

struct Place {
    // Edges of the box and the middle of its floor.
    @location(3) x: vec3<f32>,
    @location(4) y: vec3<f32>,
    @location(5) z: vec3<f32>,
    // w: height of the ground under it.
    @location(6) floor: vec4<f32>,
}

struct Look {
    // RGB; 1 for shown, 2 for selected, 4 for a type with a model.
    @location(7) fill: vec4<u32>,
    @location(8) edge: vec4<f32>,
}

const NOWHERE: vec4<f32> = vec4<f32>(0.0, 0.0, 2.0, 1.0);
// A box of fewer pixels is a point.
const POINT_PX: f32 = 3.0;
const LEAST_PX: f32 = 2.0;
const MODEL_PX: f32 = 12.2;

fn floor_of(place: Place) -> vec3<f32> {
    return place.floor.xyz + vec3<f32>(0.0, place.floor.w * (terrain.grid.w - 1.0), 0.0);
}

fn fill_of(look: Look) -> vec3<f32> {
    return vec3<f32>(look.fill.rgb) / 255.0;
}

// Pixels of the box's diagonal.
fn pixels_of(place: Place, middle: vec4<f32>) -> f32 {
    let diagonal = sqrt(dot(place.x, place.x) + dot(place.y, place.y) + dot(place.z, place.z));
    return diagonal * terrain.props.y / max(middle.w, 1e-6);
}

fn is_shown(look: Look) -> bool {
    return (look.fill.a & 1u) != 0u;
}

// Whether a model stands there: as src/gpu/terrain/bodies.rs chooses them, and a little larger, so that nothing is left out twice.
fn is_model(look: Look, floor: vec3<f32>, size: f32) -> bool {
    return ((look.fill.a & 4u) != 0u) & (distance(globals.eye.xyz, floor) < terrain.props.x) & (size > MODEL_PX);
}

struct PropVarying {
    @builtin(position) clip: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) face: vec2<f32>,
    @location(2) @interpolate(flat) fill: vec3<f32>,
    @location(3) @interpolate(flat) edge: vec3<f32>,
}

@vertex
fn vs_prop(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) face: vec2<f32>,
    place: Place,
    look: Look,
) -> PropVarying {
    let floor = floor_of(place);
    let middle = globals.clip_from_world * vec4<f32>(floor + place.y * 0.5, 1.0);
    let world = floor + place.x * position.x + place.y * position.y + place.z * position.z;
    let square = vec3<f32>(dot(place.x, place.x), dot(place.y, place.y), dot(place.z, place.z));
    let turned = normal / max(square, vec3<f32>(1e-12));
    var out: PropVarying;
    out.clip = globals.clip_from_world * vec4<f32>(world, 1.0);
    let size = pixels_of(place, middle);
    let small = (middle.w > 0.0) & (size < POINT_PX);
    out.clip = select(out.clip, NOWHERE, small | !is_shown(look) | is_model(look, floor, size));
    out.normal = place.x * turned.x + place.y * turned.y + place.z * turned.z;
    out.face = face;
    out.fill = fill_of(look);
    out.edge = look.edge.rgb;
    return out;
}

@fragment
fn fs_prop(in: PropVarying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let away = (1.0 - abs(in.face)) / max(fwidth(in.face), vec2<f32>(1e-6));
    // Lines stay thinner than the faces that they frame.
    let room = 1.0 / max(max(fwidth(in.face.x), fwidth(in.face.y)), 1e-6);
    let edge = (1.0 - smoothstep(0.6, 1.6, min(away.x, away.y))) * smoothstep(2.0, 8.0, room);
    let normal = normalize(in.normal) * select(-1.0, 1.0, front);
    let color = mix(in.fill, in.edge, edge * 0.85);
    // Sides away from the sun keep their colour.
    let direct = max(dot(normal, SUN), 0.0);
    let shade = 0.62 + 0.16 * normal.y + 0.34 * direct;
    return vec4<f32>(min(color * shade, vec3<f32>(1.0)), 1.0);
}

struct PointVarying {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn vs_point(@builtin(vertex_index) index: u32, place: Place, look: Look) -> PointVarying {
    let floor = floor_of(place);
    let middle = globals.clip_from_world * vec4<f32>(floor + place.y * 0.5, 1.0);
    let size = pixels_of(place, middle);
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u)) - 0.5;
    let shift = corner * 2.0 * globals.viewport.zw * clamp(size * 0.7, LEAST_PX, POINT_PX) * middle.w;
    // A hair nearer than the ground that it stands on.
    let nearer = middle.z + select(middle.z * 0.002, 0.00002, globals.eye.w > 0.5);
    var out: PointVarying;
    out.clip = vec4<f32>(middle.xy + shift, nearer, middle.w);
    let hidden = (middle.w <= 0.0) | (size >= POINT_PX) | !is_shown(look);
    out.clip = select(out.clip, NOWHERE, hidden);
    // The smaller, the fainter: a forest far away is a tint.
    let selected = (look.fill.a & 2u) != 0u;
    let alpha = select(clamp(size / LEAST_PX, 0.3, 1.0), 1.0, selected);
    let color = select(fill_of(look) * 0.92, globals.accent.rgb, selected);
    out.color = vec4<f32>(color * alpha, alpha);
    return out;
}

@fragment
fn fs_point(in: PointVarying) -> @location(0) vec4<f32> {
    return in.color;
}

struct OutlineVarying {
    @builtin(position) clip: vec4<f32>,
    // Pixels from the line's middle, times w, and w.
    @location(0) across: vec2<f32>,
}

// Two triangles for each of a box's twelve edges.
@vertex
fn vs_outline(@builtin(vertex_index) index: u32, place: Place) -> OutlineVarying {
    let edge = index / 6u;
    let number = index % 6u;
    let corner = select(number, 6u - number, number > 2u);
    let along = edge / 4u;
    let u = f32(edge & 1u);
    let v = f32((edge >> 1u) & 1u);
    // The edge's own direction, and where it lies in the others.
    let start = select(select(vec3<f32>(u, v, 0.0), vec3<f32>(u, 0.0, v), along == 1u), vec3<f32>(0.0, u, v), along == 0u);
    let way = select(select(vec3<f32>(0.0, 0.0, 1.0), vec3<f32>(0.0, 1.0, 0.0), along == 1u), vec3<f32>(1.0, 0.0, 0.0), along == 0u);
    let from_place = corner_place(place, start);
    let to_place = corner_place(place, start + way);
    let a = globals.clip_from_world * vec4<f32>(from_place, 1.0);
    let b = globals.clip_from_world * vec4<f32>(to_place, 1.0);
    // An end behind the near plane is drawn back to it (depth is reversed).
    let before_a = a.w - a.z;
    let before_b = b.w - b.z;
    let span = before_a - before_b;
    let crossing = mix(a, b, before_a / select(span, 1.0, abs(span) < 1e-20));
    let first = select(a, crossing, before_a < 0.0);
    let second = select(b, crossing, before_b < 0.0);
    let pixels = globals.viewport.xy * 0.5;
    let first_at = first.xy / max(first.w, 1e-20) * pixels;
    let second_at = second.xy / max(second.w, 1e-20) * pixels;
    let direction = second_at - first_at;
    let unit = direction * inverseSqrt(max(dot(direction, direction), 1e-12));
    let side = f32(corner & 1u) * 2.0 - 1.0;
    let half = 1.5;
    let end = select(first, second, (corner >> 1u) != 0u);
    var out: OutlineVarying;
    out.clip = vec4<f32>(end.xy + vec2<f32>(-unit.y, unit.x) * side * half / pixels * end.w, end.zw);
    out.clip = select(out.clip, NOWHERE, (before_a < 0.0) & (before_b < 0.0));
    out.across = vec2<f32>(side * half, 1.0) * end.w;
    return out;
}

// A little larger than the box, so that the lines are beside its faces.
fn corner_place(place: Place, corner: vec3<f32>) -> vec3<f32> {
    let wide = (corner - vec3<f32>(0.5, 0.0, 0.5)) * vec3<f32>(1.04, 1.02, 1.04);
    return floor_of(place) + place.x * wide.x + place.y * wide.y + place.z * wide.z;
}

@fragment
fn fs_outline(in: OutlineVarying) -> @location(0) vec4<f32> {
    let cover = clamp(1.5 - abs(in.across.x / in.across.y), 0.0, 1.0);
    return vec4<f32>(globals.accent.rgb * cover, cover);
}
