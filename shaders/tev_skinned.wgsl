//#import globals.wgsl
//#import skin.wgsl
//#import tev.wgsl

fn row_of(row: vec4<f32>, model: mat3x4<f32>) -> vec4<f32> {
    return row.x * model[0] + row.y * model[1] + row.z * model[2] + vec4<f32>(0.0, 0.0, 0.0, row.w);
}

fn move_of(in: VertexIn) -> Moved {
    let item = instances[in.instance];
    let model = draw_matrix(in.run, item);
    // World from model times model from vertex.
    let rows = mat3x4<f32>(row_of(item.world[0], model), row_of(item.world[1], model), row_of(item.world[2], model));
    let position = vec4<f32>(in.position, 1.0) * rows;
    let normal = unit_or(normal_times(rows, in.raw_normal * tev.nbt_scale.xyz), vec3<f32>(0.0));
    return Moved(rows, position, normal, vec4<f32>(in.raw_normal, 0.0) * rows);
}

