// Skinning where vertices are drawn: vertex frames, then morphs, then influence runs of any length, over the vertex itself or
// over a source of each influence's own. Follows scene::skinning operation by operation.

//#import octahedron.wgsl

struct Instance {
    // Rows of world_from_model.
    world: mat3x4<f32>,
    palette_first: u32,
    joint_count: u32,
    // First pair of the item's morph offsets; all bits set for none.
    morph_first: u32,
    // First points of the two frames that are shown; all bits set for none.
    frame_from: u32,
    frame_to: u32,
    frame_blend: f32,
    point_count: u32,
    // First matrix whose first number is a draw matrix' share of the selected joint; all bits set for none.
    shares_first: u32,
}

struct Influence {
    joint: u32,
    weight: f32,
}

// Rows of world_from_bind, joint by joint, item by item: point * matrix.
@group(0) @binding(1) var<storage, read> palette: array<mat3x4<f32>>;
@group(0) @binding(2) var<storage, read> instances: array<Instance>;
// Two a point: what morphs add to its position and to its normal.
@group(0) @binding(3) var<storage, read> morphs: array<vec4<f32>>;
@group(1) @binding(0) var<storage, read> influences: array<Influence>;

// The normal of points that no frame moves.
const STILL: u32 = 0x80008000u;

// Frame by frame all points: position as three floats, normal as a folded octahedron.
@group(1) @binding(1) var<storage, read> frames: array<vec4<u32>>;

// Two an influence: the position and the normal that it moves in the place of the vertex'. One alone where no mesh has any.
@group(1) @binding(2) var<storage, read> sources: array<vec4<f32>>;

// Set in the number of a run's influences where each of them has a source.
const SOURCED: u32 = 0x80000000u;

struct Posed {
    position: vec3<f32>,
    normal: vec3<f32>,
    // Influence of the selected joint.
    weight: f32,
}

// The inverse transpose up to a positive factor, from the matrix' columns.
fn cofactor_times(x: vec3<f32>, y: vec3<f32>, z: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let turned = cross(y, z) * normal.x + cross(z, x) * normal.y + cross(x, y) * normal.z;
    return select(turned, -turned, dot(x, cross(y, z)) < 0.0);
}

fn normal_times(rows: mat3x4<f32>, normal: vec3<f32>) -> vec3<f32> {
    let x = vec3<f32>(rows[0].x, rows[1].x, rows[2].x);
    let y = vec3<f32>(rows[0].y, rows[1].y, rows[2].y);
    let z = vec3<f32>(rows[0].z, rows[1].z, rows[2].z);
    return cofactor_times(x, y, z, normal);
}

fn unit_or(v: vec3<f32>, otherwise: vec3<f32>) -> vec3<f32> {
    let squared = dot(v, v);
    return select(otherwise, v * inverseSqrt(max(squared, 1e-38)), squared > 1e-38);
}

// What morphs add to a point.
struct Offset {
    position: vec3<f32>,
    normal: vec3<f32>,
}

fn morph_of(point: u32, item: Instance) -> Offset {
    var out = Offset(vec3<f32>(0.0), vec3<f32>(0.0));
    if item.morph_first != 0xffffffffu && point < item.point_count {
        let first = item.morph_first + point * 2u;
        out = Offset(morphs[first].xyz, morphs[first + 1u].xyz);
    }
    return out;
}

// The sources of a run, each with its joint's matrix: their weighted sum. The normal is turned by the matrices themselves and not
// of unit length.
struct Gathered {
    position: vec3<f32>,
    normal: vec3<f32>,
    any_joint: bool,
}

fn gathered(run: vec2<u32>, offset: Offset, item: Instance) -> Gathered {
    var out = Gathered(vec3<f32>(0.0), vec3<f32>(0.0), false);
    for (var i = 0u; i < (run.y & ~SOURCED); i++) {
        let influence = influences[run.x + i];
        if influence.joint < item.joint_count {
            let rows = palette[item.palette_first + influence.joint];
            let at = (run.x + i) * 2u;
            out.position += (vec4<f32>(sources[at].xyz + offset.position, 1.0) * rows) * influence.weight;
            out.normal += (vec4<f32>(sources[at + 1u].xyz + offset.normal, 0.0) * rows) * influence.weight;
            out.any_joint = true;
        }
    }
    return out;
}

// Between two frames, morphed and skinned, in the model's space.
fn skinned(position: vec3<f32>, normal: vec3<f32>, run: vec2<u32>, point: u32, item: Instance) -> Posed {
    var p = position;
    var n = normal;
    if item.frame_from != 0xffffffffu && point < item.point_count {
        let a = frames[item.frame_from + point];
        let b = frames[item.frame_to + point];
        let first = unfolded(unpack2x16snorm(a.w));
        let between = unit_or(mix(first, unfolded(unpack2x16snorm(b.w)), item.frame_blend), first);
        let moves = a.w != STILL;
        p = select(p, mix(bitcast<vec3<f32>>(a.xyz), bitcast<vec3<f32>>(b.xyz), item.frame_blend), moves);
        n = select(n, between, moves);
    }
    let offset = morph_of(point, item);
    if item.morph_first != 0xffffffffu {
        p += offset.position;
        n = unit_or(n + offset.normal, n);
    }
    let sourced = (run.y & SOURCED) != 0u;
    var sum = vec3<f32>(0.0);
    var blended = mat3x4<f32>(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    var any_joint = false;
    var selected = 0.0;
    for (var i = 0u; i < (run.y & ~SOURCED); i++) {
        let influence = influences[run.x + i];
        if !sourced && influence.joint < item.joint_count {
            let rows = palette[item.palette_first + influence.joint];
            sum += (vec4<f32>(p, 1.0) * rows) * influence.weight;
            blended += rows * influence.weight;
            any_joint = true;
        }
        // Where matrices were blended of joints before, each brings its share of the selected one.
        if item.shares_first != 0xffffffffu {
            selected += influence.weight * palette[item.shares_first + influence.joint][0].x;
        } else if influence.joint == globals.switches.z {
            selected += influence.weight;
        }
    }
    if sourced {
        let moved = gathered(run, offset, item);
        return Posed(select(p, moved.position, moved.any_joint), unit_or(moved.normal, n), selected);
    }
    if !any_joint {
        return Posed(p, n, selected);
    }
    return Posed(sum, unit_or(normal_times(blended, n), n), selected);
}

// Rows of the matrix that moves a vertex in its model's space, all influences blended: the identity without any.
fn draw_matrix(run: vec2<u32>, item: Instance) -> mat3x4<f32> {
    var blended = mat3x4<f32>(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    var any_joint = false;
    for (var i = 0u; i < (run.y & ~SOURCED); i++) {
        let influence = influences[run.x + i];
        if influence.joint < item.joint_count {
            blended += palette[item.palette_first + influence.joint] * influence.weight;
            any_joint = true;
        }
    }
    let still = select(1.0, 0.0, any_joint);
    return blended + mat3x4<f32>(vec4<f32>(still, 0.0, 0.0, 0.0), vec4<f32>(0.0, still, 0.0, 0.0), vec4<f32>(0.0, 0.0, still, 0.0));
}

// In world space.
fn pose(position: vec3<f32>, normal: vec3<f32>, run: vec2<u32>, point: u32, index: u32) -> Posed {
    let item = instances[index];
    let model = skinned(position, normal, run, point, item);
    let turned = unit_or(normal_times(item.world, model.normal), model.normal);
    return Posed(vec4<f32>(model.position, 1.0) * item.world, turned, model.weight);
}
