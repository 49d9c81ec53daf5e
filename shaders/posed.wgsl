// Stands in for skin.wgsl where the CPU has skinned: vertices come in world space, the selected joint's weight in `run`.

struct Posed {
    position: vec3<f32>,
    normal: vec3<f32>,
    weight: f32,
}

fn pose(position: vec3<f32>, normal: vec3<f32>, run: vec2<u32>, point: u32, index: u32) -> Posed {
    return Posed(position, normal, bitcast<f32>(run.x));
}
