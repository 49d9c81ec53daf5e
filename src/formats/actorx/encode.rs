//! Structures back to bytes: samples, tests and exports write through these.

use super::{AnimInfo, Bone, CurveChunk, Psa, Psk};
use crate::bytes::text;

/// Wedges that 16-bit indices can reach; above, faces are written as FACE3200.
const NARROW_WEDGES: usize = 1 << 16;

/// A mesh file: the base chunks always, even when empty; extension chunks where there is something in them.
pub fn encode_psk(psk: &Psk) -> Vec<u8> {
    let mut out = Writer::new(psk.type_flag);
    out.chunk("ACTRHEAD", 0, 0);
    out.chunk("PNTS0000", 12, psk.points.len());
    psk.points.iter().for_each(|p| out.f32s(p));
    out.chunk("VTXW0000", 16, psk.wedges.len());
    for wedge in &psk.wedges {
        out.u32(wedge.point);
        out.f32s(&wedge.uv);
        out.bytes(&[wedge.material, 0, 0, 0]);
    }
    faces(&mut out, psk);
    out.chunk("MATT0000", 88, psk.materials.len());
    for material in &psk.materials {
        out.text(&material.name, 64);
        out.i32(material.texture_index);
        out.u32(material.poly_flags);
        out.i32(material.aux_material);
        out.u32(material.aux_flags);
        out.i32(material.lod_bias);
        out.i32(material.lod_style);
    }
    out.chunk("REFSKELT", 120, psk.bones.len());
    psk.bones.iter().for_each(|b| bone(&mut out, b));
    out.chunk("RAWWEIGHTS", 12, psk.weights.len());
    for weight in &psk.weights {
        out.f32s(&[weight.weight]);
        out.i32(weight.point);
        out.i32(weight.bone);
    }
    extensions(&mut out, psk);
    out.bytes
}

fn faces(out: &mut Writer, psk: &Psk) {
    let wide = psk.wedges.len() > NARROW_WEDGES
        || psk.faces.iter().any(|f| f.wedges.iter().any(|w| u16::try_from(*w).is_err()));
    if wide {
        out.chunk("FACE3200", 18, psk.faces.len());
    } else {
        out.chunk("FACE0000", 12, psk.faces.len());
    }
    for face in &psk.faces {
        for wedge in face.wedges {
            match u16::try_from(wedge) {
                Ok(narrow) if !wide => out.bytes(&narrow.to_le_bytes()),
                _ => out.u32(wedge),
            }
        }
        out.bytes(&[face.material, face.aux_material]);
        out.u32(face.smoothing_groups);
    }
}

fn extensions(out: &mut Writer, psk: &Psk) {
    if !psk.normals.is_empty() {
        out.chunk("VTXNORMS", 12, psk.normals.len());
        psk.normals.iter().for_each(|n| out.f32s(n));
    }
    if !psk.colors.is_empty() {
        out.chunk("VERTEXCOLOR", 4, psk.colors.len());
        psk.colors.iter().for_each(|c| out.bytes(c));
    }
    for (set, uvs) in psk.extra_uvs.iter().enumerate() {
        out.chunk(&format!("EXTRAUVS{set}"), 8, uvs.len());
        uvs.iter().for_each(|uv| out.f32s(uv));
    }
    if !psk.morphs.is_empty() {
        out.chunk("MRPHINFO", 68, psk.morphs.len());
        for morph in &psk.morphs {
            out.text(&morph.name, 64);
            out.i32(morph.count);
        }
        out.chunk("MRPHDATA", 28, psk.morphs.iter().map(|m| m.data.len()).sum());
        for data in psk.morphs.iter().flat_map(|m| &m.data) {
            out.f32s(&data.position);
            out.f32s(&data.normal);
            out.i32(data.point);
        }
    }
    if !psk.sockets.is_empty() {
        out.chunk("SKELSOCK", 164, psk.sockets.len());
        for socket in &psk.sockets {
            out.text(&socket.name, 64);
            out.text(&socket.bone, 64);
            out.f32s(&socket.location);
            out.f32s(&socket.rotation_degrees);
            out.f32s(&socket.scale);
        }
    }
}

/// An animation file: the base chunks always, even when empty; scale keys, flags and curves where there are some.
pub fn encode_psa(psa: &Psa) -> Vec<u8> {
    let mut out = Writer::new(psa.type_flag);
    out.chunk("ANIMHEAD", 0, 0);
    out.chunk("BONENAMES", 120, psa.bones.len());
    psa.bones.iter().for_each(|b| bone(&mut out, b));
    out.chunk("ANIMINFO", 168, psa.sequences.len());
    psa.sequences.iter().for_each(|s| sequence(&mut out, s));
    out.chunk("ANIMKEYS", 32, psa.keys.len());
    for key in &psa.keys {
        out.f32s(&key.position);
        out.f32s(&key.rotation);
        out.f32s(&[key.time]);
    }
    if !psa.scale_keys.is_empty() {
        out.chunk("SCALEKEYS", 16, psa.scale_keys.len());
        for key in &psa.scale_keys {
            out.f32s(&key.scale);
            out.f32s(&[key.time]);
        }
    }
    if !psa.flags.is_empty() {
        out.chunk("ANIMFLAGS", 1, psa.flags.len());
        out.bytes(&psa.flags);
    }
    psa.curves.iter().for_each(|c| curves(&mut out, c));
    out.bytes
}

fn bone(out: &mut Writer, bone: &Bone) {
    out.text(&bone.name, 64);
    out.u32(bone.flags);
    out.i32(bone.child_count);
    out.i32(bone.parent);
    out.f32s(&bone.rotation);
    out.f32s(&bone.position);
    out.f32s(&[bone.length]);
    out.f32s(&bone.size);
}

fn sequence(out: &mut Writer, info: &AnimInfo) {
    out.text(&info.name, 64);
    out.text(&info.group, 64);
    out.i32(info.total_bones);
    out.i32(info.scale_include);
    out.i32(info.key_compression_style);
    out.i32(info.key_quotum);
    out.f32s(&[info.key_reduction, info.track_time, info.rate_hz]);
    out.i32(info.start_bone);
    out.i32(info.first_raw_frame);
    out.i32(info.raw_frames);
}

/// All curves of a chunk have as many values as its longest; shorter ones hold their last value.
fn curves(out: &mut Writer, chunk: &CurveChunk) {
    let frames = chunk.curves.iter().map(|c| c.values.len()).max().unwrap_or(0);
    let mut prefix = text::encode(&chunk.sequence);
    prefix.truncate(15);
    out.chunk_bytes(
        &[&prefix, b":CUR".as_slice()].concat(),
        frames.saturating_mul(4).saturating_add(128),
        chunk.curves.len(),
    );
    for curve in &chunk.curves {
        out.text(&curve.name, 128);
        let held = curve.values.last().copied().unwrap_or(0.0);
        for frame in 0..frames {
            out.f32s(&[curve.values.get(frame).copied().unwrap_or(held)]);
        }
    }
}

struct Writer {
    bytes: Vec<u8>,
    type_flag: i32,
}

impl Writer {
    fn new(type_flag: i32) -> Self {
        Self { bytes: Vec::new(), type_flag }
    }

    fn chunk(&mut self, id: &str, stride: usize, count: usize) {
        self.chunk_bytes(id.as_bytes(), stride, count);
    }

    fn chunk_bytes(&mut self, id: &[u8], stride: usize, count: usize) {
        self.padded(id, 20);
        self.i32(self.type_flag);
        self.i32(i32::try_from(stride).unwrap_or(i32::MAX));
        self.i32(i32::try_from(count).unwrap_or(i32::MAX));
    }

    fn padded(&mut self, bytes: &[u8], width: usize) {
        let kept = bytes.get(..width).unwrap_or(bytes);
        self.bytes.extend_from_slice(kept);
        self.bytes.extend(std::iter::repeat_n(0, width.saturating_sub(kept.len())));
    }

    fn text(&mut self, text: &str, width: usize) {
        self.padded(&text::encode(text), width);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    fn i32(&mut self, value: i32) {
        self.bytes(&value.to_le_bytes());
    }

    fn f32s(&mut self, values: &[f32]) {
        values.iter().for_each(|v| self.bytes(&v.to_le_bytes()));
    }
}
