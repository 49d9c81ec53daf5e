//#import globals.wgsl
//#import skin.wgsl

// Writes skinned vertices out, for tests: the function is the one that draws.

// Eight words a vertex, as the vertex stage reads them.
@group(2) @binding(0) var<storage, read> vertices: array<u32>;
@group(2) @binding(1) var<storage, read_write> out: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = id.y * groups.x * 64u + id.x;
    if index >= arrayLength(&out) {
        return;
    }
    let word = index * 8u;
    let position = vec3<f32>(
        bitcast<f32>(vertices[word]),
        bitcast<f32>(vertices[word + 1u]),
        bitcast<f32>(vertices[word + 2u]),
    );
    let run = vec2<u32>(vertices[word + 5u], vertices[word + 6u]);
    let posed = skinned(position, vec3<f32>(0.0, 1.0, 0.0), run, vertices[word + 7u], instances[0]);
    out[index] = vec4<f32>(posed.position, 1.0);
}
