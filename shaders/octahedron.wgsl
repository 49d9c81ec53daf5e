// A unit vector from the octahedron unfolded to a square.
fn unfolded(square: vec2<f32>) -> vec3<f32> {
    let z = 1.0 - abs(square.x) - abs(square.y);
    let under = max(-z, 0.0);
    let xy = square - select(vec2<f32>(-under), vec2<f32>(under), square >= vec2<f32>(0.0));
    return normalize(vec3<f32>(xy, z));
}
