//#import globals.wgsl
//#import skin.wgsl
//#import tev.wgsl

fn row_of(row: vec4<f32>, model: mat3x4<f32>) -> vec4<f32> {
    return row.x * model[0] + row.y * model[1] + row.z * model[2] + vec4<f32>(0.0, 0.0, 0.0, row.w);
}

// `normal`: the raw one, scaled for shapes with binormals.
fn move_of(in: VertexIn, normal: vec3<f32>) -> Moved {
    let item = instances[in.instance];
    let offset = morph_of(in.point, item);
    if (in.run.y & SOURCED) != 0u {
        // The processor has moved these vertices before the chip sees them: what is raw is in the model's space.
        let found = gathered(in.run, offset, item);
        let place = select(in.position + offset.position, found.position, found.any_joint);
        let raw = select(normal + offset.normal, found.normal, found.any_joint);
        let lit = unit_or(normal_times(item.world, raw), vec3<f32>(0.0));
        let turned = vec4<f32>(raw, 0.0) * item.world;
        return Moved(item.world, vec4<f32>(place, 1.0) * item.world, lit, turned, place, raw);
    }
    let model = draw_matrix(in.run, item);
    // World from model times model from vertex.
    let rows = mat3x4<f32>(row_of(item.world[0], model), row_of(item.world[1], model), row_of(item.world[2], model));
    let place = in.position + offset.position;
    let raw_normal = in.raw_normal + offset.normal;
    let lit = unit_or(normal_times(rows, normal + offset.normal), vec3<f32>(0.0));
    let turned = vec4<f32>(raw_normal, 0.0) * rows;
    return Moved(rows, vec4<f32>(place, 1.0) * rows, lit, turned, in.raw_position + offset.position, raw_normal);
}
