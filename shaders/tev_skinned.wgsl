//#import globals.wgsl
//#import skin.wgsl
//#import tev.wgsl

fn row_of(row: vec4<f32>, model: mat3x4<f32>) -> vec4<f32> {
    return row.x * model[0] + row.y * model[1] + row.z * model[2] + vec4<f32>(0.0, 0.0, 0.0, row.w);
}

// `normal`: the raw one, scaled for shapes with binormals.
fn move_of(in: VertexIn, normal: vec3<f32>) -> Moved {
    let item = instances[in.instance];
    let model = draw_matrix(in.run, item);
    // World from model times model from vertex.
    let rows = mat3x4<f32>(row_of(item.world[0], model), row_of(item.world[1], model), row_of(item.world[2], model));
    let position = vec4<f32>(in.position, 1.0) * rows;
    let lit = unit_or(normal_times(rows, normal), vec3<f32>(0.0));
    return Moved(rows, position, lit, vec4<f32>(in.raw_normal, 0.0) * rows);
}

