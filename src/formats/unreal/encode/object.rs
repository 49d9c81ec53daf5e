//! The bytes of one object, primitive by primitive (formats/unreal.md §2), and the state frame of an actor (§4.1).

use super::package::{Export, Fixup, ObjectBytes, PackageWriter, Ref};
use crate::formats::compact;

/// Writes one object; names and imports that it uses are added to the package on the way.
pub struct ObjectWriter<'a> {
    package: &'a mut PackageWriter,
    bytes: Vec<u8>,
    fixups: Vec<Fixup>,
    /// What the bytes written so far take in memory, for bytecode: see [`Self::memory_size`].
    memory_size: usize,
}

impl<'a> ObjectWriter<'a> {
    pub(super) fn new(package: &'a mut PackageWriter) -> Self {
        Self { package, bytes: Vec::new(), fixups: Vec::new(), memory_size: 0 }
    }

    pub(super) fn finish(self) -> ObjectBytes {
        ObjectBytes { bytes: self.bytes, fixups: self.fixups }
    }

    /// Returns the version of the package.
    pub fn version(&self) -> u16 {
        self.package.version()
    }

    /// The package that the object lies in.
    pub fn package(&mut self) -> &mut PackageWriter {
        self.package
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns `true` if nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Size in memory of what was written: as in the file, but four bytes for each name and each reference (section 10.3).
    pub fn memory_size(&self) -> usize {
        self.memory_size
    }

    /// Writes bytes without a count.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.memory_size = self.memory_size.saturating_add(bytes.len());
    }

    /// Writes a byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes(&[value]);
    }

    /// Writes a signed 16-bit number, little-endian.
    pub fn i16(&mut self, value: i16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes an unsigned 16-bit number, little-endian.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes a signed 32-bit number, little-endian.
    pub fn i32(&mut self, value: i32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes an unsigned 32-bit number, little-endian.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes an unsigned 64-bit number, little-endian.
    pub fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes a 32-bit float, little-endian.
    pub fn f32(&mut self, value: f32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes 32-bit floats without a count.
    pub fn f32s(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.f32(*value));
    }

    /// Writes signed 32-bit numbers without a count.
    pub fn i32s(&mut self, values: &[i32]) {
        values.iter().for_each(|value| self.i32(*value));
    }

    /// A compact index, one to five bytes.
    pub fn index(&mut self, value: i32) {
        compact::write_index(&mut self.bytes, value);
        self.memory_size = self.memory_size.saturating_add(4);
    }

    /// A count, or another number that cannot be negative, as a compact index.
    pub fn count(&mut self, value: usize) {
        self.index(i32::try_from(value).unwrap_or(i32::MAX));
    }

    /// Writes the index of a name, which is added to the package if it is missing.
    pub fn name(&mut self, name: &str) {
        let index = self.package.name(name);
        self.index(index);
    }

    /// Writes an object reference as a compact index.
    pub fn object(&mut self, object: Ref) {
        self.index(object.0);
    }

    /// Text with its NUL: counted from version 64 on (UTF-16 where windows-1252 lacks a character), up to its NUL before.
    pub fn string(&mut self, text: &str) {
        let version = self.version();
        compact::write_string(&mut self.bytes, version, text);
    }

    /// An array: count and elements.
    pub fn array<T>(&mut self, elements: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.count(elements.len());
        elements.iter().for_each(|element| write(self, element));
    }

    /// An array that the engine can skip: from version 62 on the offset of what follows it comes first.
    pub fn lazy<T>(&mut self, elements: &[T], write: impl FnMut(&mut Self, &T)) {
        let skips = self.version() >= 62;
        let at = self.bytes.len();
        if skips {
            self.u32(0);
        }
        self.array(elements, write);
        if skips {
            self.fixups.push(Fixup { at, target: self.bytes.len() });
        }
    }

    /// A lazy array of bytes.
    pub fn lazy_bytes(&mut self, bytes: &[u8]) {
        let skips = self.version() >= 62;
        let at = self.bytes.len();
        if skips {
            self.u32(0);
        }
        self.count(bytes.len());
        self.bytes(bytes);
        if skips {
            self.fixups.push(Fixup { at, target: self.bytes.len() });
        }
    }

    /// Sets two bytes written before.
    pub(super) fn patch_u16(&mut self, at: usize, value: u16) {
        if let Some(place) = self.bytes.get_mut(at..at.saturating_add(2)) {
            place.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// Writes into bytes of their own, whose size must be known before they can be placed: bytes and size in memory.
    pub(super) fn apart(&mut self, write: impl FnOnce(&mut ObjectWriter<'_>)) -> (Vec<u8>, usize) {
        let mut inner = ObjectWriter::new(self.package);
        write(&mut inner);
        (inner.bytes, inner.memory_size)
    }

    /// `valid` false writes a box that encloses nothing.
    pub fn bounding_box(&mut self, min: [f32; 3], max: [f32; 3], valid: bool) {
        self.f32s(&min);
        self.f32s(&max);
        self.u8(u8::from(valid));
    }

    /// The radius is written from version 62 on.
    pub fn sphere(&mut self, center: [f32; 3], radius: f32) {
        self.f32s(&center);
        if self.version() >= 62 {
            self.f32(radius);
        }
    }
}

impl PackageWriter {
    /// A group: a folder of exports.
    pub fn group(&mut self, name: &str) -> Ref {
        let class = self.class("Core", "Package");
        let group = self.export(&Export::new(class, name));
        self.write(group, |out| out.name("None"));
        group
    }

    /// Writes an export's bytes; what was written before is replaced. Nothing happens for a reference that is no export.
    pub fn write(&mut self, export: Ref, write: impl FnOnce(&mut ObjectWriter<'_>)) {
        let mut out = ObjectWriter::new(self);
        write(&mut out);
        let object = out.finish();
        self.set_object(export, object);
    }

    /// Declares an export and writes it.
    pub fn add(&mut self, export: &Export, write: impl FnOnce(&mut ObjectWriter<'_>)) -> Ref {
        let id = self.export(export);
        self.write(id, write);
        id
    }
}

/// Where the script of an object stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateFrame {
    /// The class, state or function whose bytecode runs.
    pub node: Ref,
    /// The state that the object is in; its class if it is in no state.
    pub state_node: Ref,
    /// `ProbeMask`; all bits are set for an object that has not begun.
    pub probe_mask: u64,
    /// `LatentAction`; often arbitrary in files.
    pub latent_action: u32,
    /// Offset into the node's bytecode, −1 for none; written where there is a node.
    pub offset: i32,
}

impl StateFrame {
    /// An actor that has not begun: its class is the node.
    pub fn idle(class: Ref) -> Self {
        Self { node: class, state_node: class, probe_mask: u64::MAX, latent_action: 0, offset: -1 }
    }
}

/// For exports with flag [`HAS_STACK`](super::flags::HAS_STACK), before their properties.
pub fn write_state_frame(out: &mut ObjectWriter<'_>, frame: &StateFrame) {
    out.object(frame.node);
    out.object(frame.state_node);
    out.u64(frame.probe_mask);
    out.u32(frame.latent_action);
    if frame.node != Ref::NULL {
        out.index(frame.offset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lazy_arrays_point_behind_themselves_wherever_the_object_lies() {
        for version in [61, 62, 69] {
            let mut package = PackageWriter::new(version, 0);
            let class = package.class("Engine", "Sound");
            let ids = ["A", "B"].map(|name| package.export(&Export::new(class, name)));
            for id in ids {
                package.write(id, |out| {
                    out.u8(7);
                    out.lazy_bytes(b"abc");
                    out.u8(9);
                });
            }
            let file = package.finish();
            let mut found = 0;
            for at in 0..file.len() - 5 {
                if file[at..].starts_with(b"\x03abc\x09") {
                    found += 1;
                    if version >= 62 {
                        let skip = u32::from_le_bytes(file[at - 4..at].try_into().unwrap());
                        assert_eq!(skip as usize, at + 4);
                        assert_eq!(file[at - 5], 7);
                    } else {
                        assert_eq!(file[at - 1], 7);
                    }
                }
            }
            assert_eq!(found, 2);
        }
    }
}
