//! Worlds made byte by byte (formats/visitor.md §1.9).

/// Something that stands on the ground, turned clockwise from north.
pub struct MadeObject {
    pub heading_degrees: f32,
    pub scale: f32,
    /// East, up, north.
    pub position: [f32; 3],
    pub id: u32,
    pub model: &'static str,
}

/// How many bytes objects take after which the file may end.
pub fn sizes(objects: &[MadeObject], newer: bool) -> Vec<usize> {
    objects.iter().map(|object| if newer { 56 + object.model.len() } else { 128 }).collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn name(text: &str) -> Vec<u8> {
    [&words(&[text.len() as u32])[..], text.as_bytes()].concat()
}

fn field(text: &str, size: usize) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(size, 0);
    bytes
}

/// Aside, up, dir, position.
fn transform(object: &MadeObject) -> Vec<u8> {
    let (sin, cos) = object.heading_degrees.to_radians().sin_cos();
    let s = object.scale;
    let axes = [cos * s, 0.0, -sin * s, 0.0, s, 0.0, sin * s, 0.0, cos * s];
    [floats(&axes), floats(&object.position)].concat()
}

/// Where the height of a sample is what tests expect: metres.
pub fn height(column: u32, row: u32) -> f32 {
    (column * 10 + row) as f32
}

pub fn objects() -> Vec<MadeObject> {
    let object =
        |heading_degrees, scale, position, id, model| MadeObject { heading_degrees, scale, position, id, model };
    vec![
        object(0.0, 1.0, [5.0, 30.0, 5.0], 1, "ca\\plants\\smrk.p3d"),
        object(90.0, 2.0, [20.0, 45.0, 15.0], 2, "ca\\buildings\\house.p3d"),
        object(0.0, 1.0, [10.0, 20.0, 10.0], 3, "CA\\Plants\\SMRK.p3d"),
        object(0.0, 1.0, [12.0, 20.0, 10.0], 4, "ca\\roads\\asf12.p3d"),
        // What ends the list.
        object(0.0, 1.0, [0.0; 3], 5, ""),
    ]
}

/// 4 × 2 cells of land of 20 m each over 8 × 4 heights.
pub fn eight(objects: &[MadeObject]) -> Vec<u8> {
    let mut out = b"8WVR".to_vec();
    out.extend(words(&[4, 2, 8, 4]));
    out.extend(floats(&[20.0]));
    for row in 0..4 {
        out.extend((0..8).flat_map(|column| floats(&[height(column, row)])));
    }
    out.extend([0_u16, 1, 1, 2, 0, 1, 1, 2].iter().flat_map(|v| v.to_le_bytes()));
    out.extend(words(&[3]));
    // The first has no names, the last two.
    out.extend(words(&[0]));
    out.extend([name("ca\\grass.rvmat"), words(&[0])].concat());
    out.extend([name("ca\\rock.rvmat"), name("second"), words(&[0])].concat());
    for object in objects {
        out.extend([transform(object), words(&[object.id]), name(object.model)].concat());
    }
    out
}

/// 8 × 4 heights of 0.045 m a step, with as many textured cells.
pub fn four(objects: &[MadeObject]) -> Vec<u8> {
    let mut out = b"4WVR".to_vec();
    out.extend(words(&[8, 4]));
    for row in 0..4 {
        out.extend((0..8).flat_map(|column| ((column * 100 + row) as i16 - 50).to_le_bytes()));
    }
    out.extend([3_u8; 64]);
    for texture in 0..512 {
        out.extend(field(if texture == 3 { "landtext\\pi.paa" } else { "" }, 32));
    }
    for object in objects {
        out.extend([transform(object), words(&[object.id]), field(object.model, 76)].concat());
    }
    out
}
