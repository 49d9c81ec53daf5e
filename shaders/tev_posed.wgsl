//#import globals.wgsl
//#import octahedron.wgsl
//#import tev.wgsl

// The CPU has skinned: vertices come in world space. What else is moved goes by the identity.

fn unit_or(v: vec3<f32>, otherwise: vec3<f32>) -> vec3<f32> {
    let squared = dot(v, v);
    return select(otherwise, v * inverseSqrt(max(squared, 1e-38)), squared > 1e-38);
}

fn move_of(in: VertexIn, raw_normal: vec3<f32>) -> Moved {
    let normal = unfolded(in.folded_normal);
    let rows = mat3x4<f32>(vec4<f32>(1.0, 0.0, 0.0, 0.0), vec4<f32>(0.0, 1.0, 0.0, 0.0), vec4<f32>(0.0, 0.0, 1.0, 0.0));
    return Moved(rows, in.position, normal, normal, in.raw_position, in.raw_normal);
}

