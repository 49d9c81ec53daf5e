//#import globals.wgsl

// Bones as octahedra from joint to joint, joints as dots of constant size. Drawn into the front tenth of the depth range:
// over every mesh, and in order among themselves.

struct BoneIn {
    @location(0) head: vec3<f32>,
    // 1: selected.
    @location(1) flags: u32,
    @location(2) tail: vec3<f32>,
    // Half the thickness, in scene units.
    @location(3) radius: f32,
    @builtin(vertex_index) index: u32,
}

struct BoneVarying {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec3<f32>,
    @location(1) corner: vec3<f32>,
    @location(2) @interpolate(flat) flags: u32,
}

// The accent is for what is selected alone; all else is the colour of bone.
const BONE = vec3<f32>(0.86, 0.85, 0.82);

// The accent as bright as its hue can be: a light theme's is dark.
fn vivid_accent() -> vec3<f32> {
    let accent = globals.accent.rgb;
    return accent / max(max(accent.r, max(accent.g, accent.b)), 0.01);
}

fn bone_color(flags: u32) -> vec3<f32> {
    return select(BONE, vivid_accent(), (flags & 1u) != 0u);
}

fn seen_from(position: vec3<f32>) -> vec3<f32> {
    return select(normalize(globals.eye.xyz - position), -globals.forward.xyz, globals.eye.w > 0.5);
}

fn ring(bone: BoneIn, turn: u32) -> vec3<f32> {
    let along = bone.tail - bone.head;
    let axis = normalize(along);
    let other = select(vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(1.0, 0.0, 0.0), abs(axis.y) > 0.9);
    let side = normalize(cross(axis, other));
    let up = cross(side, axis);
    let angle = f32(turn & 3u) * 1.57079633;
    return bone.head + along * 0.14 + (side * cos(angle) + up * sin(angle)) * bone.radius;
}

@vertex
fn vs_bone(bone: BoneIn) -> BoneVarying {
    // Eight faces: four to the tail, four to the head.
    let face = bone.index / 3u;
    let turn = face & 3u;
    var corners = array<vec3<f32>, 3>(ring(bone, turn), ring(bone, turn + 1u), bone.tail);
    if face >= 4u {
        corners = array<vec3<f32>, 3>(ring(bone, turn + 1u), ring(bone, turn), bone.head);
    }
    let across = cross(corners[1] - corners[0], corners[2] - corners[0]);
    let normal = across * inverseSqrt(max(dot(across, across), 1e-30));
    let at = bone.index % 3u;
    let position = corners[at];
    let shade = 0.68 + 0.32 * abs(dot(normal, normalize(globals.key.xyz - globals.forward.xyz)));
    var out: BoneVarying;
    out.clip = globals.clip_from_world * vec4<f32>(position, 1.0);
    out.color = bone_color(bone.flags) * shade;
    out.flags = bone.flags;
    out.corner = vec3<f32>(f32(at == 0u), f32(at == 1u), f32(at == 2u));
    return out;
}

@fragment
fn fs_bone(in: BoneVarying) -> @location(0) vec4<f32> {
    let width = max(fwidth(in.corner), vec3<f32>(1e-5));
    let near = min(in.corner.x / width.x, min(in.corner.y / width.y, in.corner.z / width.z));
    // The model shows through a bone, less through the selected one; edges are dark lines that hold on any ground.
    let selected = (in.flags & 1u) != 0u;
    let inside = smoothstep(0.0, select(1.0, 1.6, selected), near);
    let edge = in.color * select(0.38, 0.22, selected);
    return vec4<f32>(mix(edge, in.color, inside), 1.0) * mix(0.9, select(0.74, 0.96, selected), inside);
}

struct JointIn {
    @location(0) position: vec3<f32>,
    @location(1) flags: u32,
    @builtin(vertex_index) index: u32,
}

struct JointVarying {
    @builtin(position) clip: vec4<f32>,
    // In pixels from the middle.
    @location(0) place: vec2<f32>,
    @location(1) @interpolate(flat) flags: u32,
}

fn dot_radius(flags: u32) -> f32 {
    let base = clamp(globals.viewport.y / 240.0, 1.5, 4.0);
    return select(base, base * 1.9, (flags & 1u) != 0u);
}

@vertex
fn vs_joint(joint: JointIn) -> JointVarying {
    let corner = vec2<f32>(f32(joint.index & 1u), f32(joint.index >> 1u)) * 2.0 - 1.0;
    let clip = globals.clip_from_world * vec4<f32>(joint.position, 1.0);
    var out: JointVarying;
    out.place = corner * (dot_radius(joint.flags) + 1.5);
    out.clip = vec4<f32>(clip.xy + out.place * 2.0 * globals.viewport.zw * clip.w, clip.z * 1.01, clip.w);
    if (joint.flags & 1u) != 0u {
        // The selected dot lies before every bone: depth is reversed.
        out.clip.z = out.clip.w * 0.9999;
    }
    out.flags = joint.flags;
    return out;
}

@fragment
fn fs_joint(in: JointVarying) -> @location(0) vec4<f32> {
    let radius = dot_radius(in.flags);
    let away = length(in.place);
    let cover = clamp(radius + 0.5 - away, 0.0, 1.0);
    let color = bone_color(in.flags);
    if (in.flags & 1u) != 0u {
        // From outside: a dark line, a light ring, the accent.
        let ring = clamp(radius * 0.84 + 0.5 - away, 0.0, 1.0);
        let core = clamp(radius * 0.6 + 0.5 - away, 0.0, 1.0);
        return vec4<f32>(mix(mix(vec3<f32>(0.08), vec3<f32>(1.0), ring), color, core), 1.0) * cover;
    }
    let core = clamp(radius * 0.62 + 0.5 - away, 0.0, 1.0);
    return vec4<f32>(mix(color * 0.3, color, core), 1.0) * cover;
}
