use super::{
    Beside, Output, Room, TextureSize,
    beside::{PictureFile, PixelHash},
    node_extension::{InstancedNode, LodNode},
    pointers::PointerChannel,
    variant_mappings::Variants,
};
use crate::{
    export::{ExportError, ExportSpace, Note, Notes},
    scene::TargetKind,
};
use gltf_json::{
    self as json, Index,
    accessor::{ComponentType, GenericComponentType, IndexComponentType, Type, sparse},
    buffer::{Target, View},
    validation::Checked::Valid,
};
use std::collections::HashMap;

/// The largest binary chunk that is written: what a document may decode to, and far above what these games had.
pub const MAX_BYTES: usize = 512 << 20;

/// Whether an accessor says between which values its elements lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    No,
    Yes,
}

/// Where the numbers of an accessor go.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Into a view of their own.
    Own(Option<Target>),
    /// Into the view that was opened last, after what is there: for numbers that are no vertex data.
    Open(Index<View>),
}

type PictureKey = (PixelHash, Option<[u32; 2]>);

/// The JSON and the binary chunk as they grow.
pub struct Builder {
    pub root: json::Root,
    pub bin: Vec<u8>,
    pub notes: Notes,
    pub room: Room,
    /// What the file is written in; all that is added is in the scene's.
    pub space: ExportSpace,
    pub texture_size: TextureSize,
    /// Pictures that have been enlarged.
    pub enlarged: usize,
    /// Of each animation the stem of its clips' names, and their kinds.
    pub clips: Vec<(String, Vec<TargetKind>)>,
    /// The most by which clients show colours between vertices lighter than they are, of 255.
    pub lightening: f32,
    /// Pictures by their pixels and their size before they were enlarged.
    images: HashMap<PictureKey, Index<json::Image>>,
    /// Channels of animations that point to something other than a node's transform.
    pub pointers: Vec<PointerChannel>,
    /// Nodes with coarser levels outside of the scene.
    pub lods: Vec<LodNode>,
    /// Where pictures and numbers go that are not in the file itself.
    pub beside: Option<Beside>,
    /// Nodes that stand for many.
    pub instances: Vec<InstancedNode>,
    pub variants: Variants,
}

impl Builder {
    pub fn new(output: impl Into<Output>) -> Self {
        let Output { room, space, beside } = output.into();
        let (root, bin, notes, pointers, instances, lods) = Default::default();
        let (texture_size, enlarged, lightening, clips, variants) = Default::default();
        let images = HashMap::new();
        Self {
            root,
            bin,
            notes,
            room,
            space,
            texture_size,
            enlarged,
            clips,
            lightening,
            images,
            pointers,
            lods,
            beside,
            instances,
            variants,
        }
    }

    /// Makes sure that so many more bytes may be written, before they are made.
    pub fn check(&self, more: usize) -> Result<(), ExportError> {
        let wanted = self.bin.len().saturating_add(self.beside.as_ref().map_or(0, Beside::bytes)).saturating_add(more);
        if wanted > MAX_BYTES {
            return Err(ExportError::TooLarge(format!("the glTF file would be larger than {} MiB", MAX_BYTES >> 20)));
        }
        self.room.check(wanted as u64)
    }

    pub fn note(&mut self, note: impl Into<Note>) {
        self.notes.push(note);
    }

    /// Names an extension that the file uses, once.
    pub fn uses_extension(&mut self, name: &str) {
        if !self.root.extensions_used.iter().any(|known| known == name) {
            self.root.extensions_used.push(name.to_owned());
        }
    }

    /// Names an extension without which the file cannot be shown.
    pub fn requires_extension(&mut self, name: &str) {
        self.uses_extension(name);
        if !self.root.extensions_required.iter().any(|known| known == name) {
            self.root.extensions_required.push(name.to_owned());
        }
    }

    pub fn push_node(&mut self, node: json::Node) -> Index<json::Node> {
        Index::push(&mut self.root.nodes, node)
    }

    /// A picture, in the file or beside it, with the size that it had before it was enlarged. Pictures of the same pixels are one,
    /// under the name of the first.
    pub fn image(
        &mut self,
        name: &str,
        pixels: PixelHash,
        file: PictureFile,
        original: Option<[u32; 2]>,
    ) -> Result<Index<json::Image>, ExportError> {
        let key = (pixels, original);
        if let Some(known) = self.images.get(&key) {
            return Ok(*known);
        }
        if let PictureFile::Png(png) = &file {
            self.check(png.len())?;
        }
        self.enlarged += usize::from(original.is_some());
        let extras = original.map(|size| serde_json::json!({ "original_size": size }).to_string());
        let (buffer_view, uri) = match (&mut self.beside, file) {
            (Some(beside), file) => (None, Some(beside.add(name, pixels, file))),
            (None, PictureFile::Png(png)) => (Some(self.view(&png, None)?), None),
            (None, PictureFile::Written(path)) => (None, Some(path.to_string_lossy().into_owned())),
        };
        let image = json::Image {
            buffer_view,
            mime_type: Some(json::image::MimeType("image/png".to_owned())),
            name: Some(name.to_owned()),
            uri,
            extensions: None,
            extras: extras.and_then(|extras| json::extras::RawValue::from_string(extras).ok()),
        };
        let index = Index::push(&mut self.root.images, image);
        self.images.insert(key, index);
        Ok(index)
    }

    /// Appends bytes on a multiple of four and says where.
    fn append(&mut self, bytes: &[u8]) -> Result<usize, ExportError> {
        let start = self.bin.len().next_multiple_of(4);
        self.check(bytes.len().saturating_add(3))?;
        self.bin.resize(start, 0);
        self.bin.extend_from_slice(bytes);
        Ok(start)
    }

    /// Bytes in a view of their own.
    pub fn view(&mut self, bytes: &[u8], target: Option<Target>) -> Result<Index<View>, ExportError> {
        let start = self.append(bytes)?;
        Ok(self.push_view(start, bytes.len(), target))
    }

    fn push_view(&mut self, start: usize, len: usize, target: Option<Target>) -> Index<View> {
        let view = View {
            buffer: Index::new(0),
            byte_length: len.into(),
            byte_offset: Some(start.into()),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: None,
        };
        Index::push(&mut self.root.buffer_views, view)
    }

    /// Starts a view that several accessors share; [`Builder::close_view`] ends it.
    pub fn open_view(&mut self) -> Index<View> {
        let start = self.bin.len().next_multiple_of(4);
        self.bin.resize(start, 0);
        self.push_view(start, 0, None)
    }

    pub fn close_view(&mut self, view: Index<View>) {
        let end = self.bin.len();
        if let Some(view) = self.root.buffer_views.get_mut(view.value()) {
            let start = view.byte_offset.map_or(0, |o| o.0 as usize);
            view.byte_length = (end - start).into();
        }
    }

    fn place(&mut self, bytes: &[u8], place: Place) -> Result<(Index<View>, Option<usize>), ExportError> {
        match place {
            Place::Own(target) => Ok((self.view(bytes, target)?, None)),
            Place::Open(view) => {
                let start = self.append(bytes)?;
                let base = self.root.buffer_views.get(view.value()).and_then(|v| v.byte_offset).map_or(0, |o| o.0);
                Ok((view, Some(start - base as usize)))
            }
        }
    }

    /// Vectors of `N` floats; `N` is 1, 2, 3, 4 or 16. At least one.
    ///
    /// # Errors
    /// When there is no room for them, or one of them is not finite.
    pub fn floats<const N: usize>(
        &mut self,
        values: &[[f32; N]],
        place: Place,
        bounds: Bounds,
    ) -> Result<Index<json::Accessor>, ExportError> {
        if !values.as_flattened().iter().all(|number| number.is_finite()) {
            return Err(not_finite());
        }
        let (view, offset) = self.place(&float_bytes(values), place)?;
        let mut accessor = accessor(values.len(), ComponentType::F32, type_of(N));
        accessor.buffer_view = Some(view);
        accessor.byte_offset = offset.map(Into::into);
        if bounds == Bounds::Yes {
            set_bounds(&mut accessor, values.iter());
        }
        Ok(Index::push(&mut self.root.accessors, accessor))
    }

    /// Numbers that are zero or not, for keys of what is or is not.
    pub fn flags(&mut self, values: &[u8], place: Place) -> Result<Index<json::Accessor>, ExportError> {
        let (view, offset) = self.place(values, place)?;
        let mut accessor = accessor(values.len(), ComponentType::U8, Type::Scalar);
        accessor.buffer_view = Some(view);
        accessor.byte_offset = offset.map(Into::into);
        Ok(Index::push(&mut self.root.accessors, accessor))
    }

    /// Small integers, four a vertex.
    pub fn bytes4(&mut self, values: &[[u8; 4]], normalized: bool) -> Result<Index<json::Accessor>, ExportError> {
        let view = self.view(values.as_flattened(), Some(Target::ArrayBuffer))?;
        let mut accessor = accessor(values.len(), ComponentType::U8, Type::Vec4);
        accessor.buffer_view = Some(view);
        accessor.normalized = normalized;
        Ok(Index::push(&mut self.root.accessors, accessor))
    }

    /// Integers of 16 bits, four a vertex.
    pub fn shorts4(&mut self, values: &[[u16; 4]]) -> Result<Index<json::Accessor>, ExportError> {
        let bytes: Vec<u8> = values.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(Target::ArrayBuffer))?;
        let mut accessor = accessor(values.len(), ComponentType::U16, Type::Vec4);
        accessor.buffer_view = Some(view);
        Ok(Index::push(&mut self.root.accessors, accessor))
    }

    /// Linear colours of 16 bits, 65,535 for 1.
    pub fn colors(&mut self, values: &[[u16; 4]]) -> Result<Index<json::Accessor>, ExportError> {
        let bytes: Vec<u8> = values.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(Target::ArrayBuffer))?;
        let mut accessor = accessor(values.len(), ComponentType::U16, Type::Vec4);
        accessor.buffer_view = Some(view);
        accessor.normalized = true;
        Ok(Index::push(&mut self.root.accessors, accessor))
    }

    /// Vertex indices of triangles: 16 bits where no index needs more (65,535 itself restarts a primitive).
    pub fn indices(&mut self, values: &[u32], vertices: usize) -> Result<Index<json::Accessor>, ExportError> {
        let (bytes, component) = index_bytes(values, vertices);
        let view = self.view(&bytes, Some(Target::ElementArrayBuffer))?;
        let mut accessor = accessor(values.len(), component, Type::Scalar);
        accessor.buffer_view = Some(view);
        Ok(Index::push(&mut self.root.accessors, accessor))
    }

    /// `count` vectors that are zero but for some. Written whole where that is smaller.
    pub fn sparse(
        &mut self,
        count: usize,
        values: &[(u32, [f32; 3])],
        bounds: Bounds,
    ) -> Result<Index<json::Accessor>, ExportError> {
        let index_size = if count < 65_535 { 2 } else { 4 };
        if values.len() * (12 + index_size) >= count * 12 {
            let mut all = vec![[0.0; 3]; count];
            for (index, value) in values {
                if let Some(slot) = all.get_mut(*index as usize) {
                    *slot = *value;
                }
            }
            return self.floats(&all, Place::Own(Some(Target::ArrayBuffer)), bounds);
        }
        // Readers differ on accessors with neither a view nor sparse values: an empty one names a zero at vertex 0.
        let values = if values.is_empty() { &[(0, [0.0; 3])] } else { values };
        let indices: Vec<u32> = values.iter().map(|(index, _)| *index).collect();
        let vectors: Vec<[f32; 3]> = values.iter().map(|(_, vector)| *vector).collect();
        if !vectors.as_flattened().iter().all(|number| number.is_finite()) {
            return Err(not_finite());
        }
        let (index_bytes, component) = index_bytes(&indices, count);
        let indices_view = self.view(&index_bytes, None)?;
        let values_view = self.view(&float_bytes(&vectors), None)?;
        let mut accessor = accessor(count, ComponentType::F32, Type::Vec3);
        accessor.sparse = Some(sparse::Sparse {
            count: values.len().into(),
            indices: sparse::Indices {
                buffer_view: indices_view,
                byte_offset: 0_usize.into(),
                component_type: Valid(IndexComponentType(component)),
                extensions: None,
                extras: None,
            },
            values: sparse::Values {
                buffer_view: values_view,
                byte_offset: 0_usize.into(),
                extensions: None,
                extras: None,
            },
            extensions: None,
            extras: None,
        });
        if bounds == Bounds::Yes {
            let zero = (values.len() < count).then_some([0.0; 3]);
            set_bounds(&mut accessor, vectors.iter().chain(&zero));
        }
        Ok(Index::push(&mut self.root.accessors, accessor))
    }
}

/// A number that no reader of the file would take.
pub fn not_finite() -> ExportError {
    ExportError::Unsupported("the data contains a number that is not finite, which glTF does not support".to_owned())
}

fn index_bytes(values: &[u32], count: usize) -> (Vec<u8>, ComponentType) {
    if count <= 65_535 {
        (values.iter().flat_map(|v| (*v as u16).to_le_bytes()).collect(), ComponentType::U16)
    } else {
        (values.iter().flat_map(|v| v.to_le_bytes()).collect(), ComponentType::U32)
    }
}

/// Little-endian bytes.
fn float_bytes<const N: usize>(values: &[[f32; N]]) -> std::borrow::Cow<'_, [u8]> {
    let flat = values.as_flattened();
    if cfg!(target_endian = "little") {
        bytemuck::cast_slice(flat).into()
    } else {
        flat.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>().into()
    }
}

fn type_of(components: usize) -> Type {
    match components {
        1 => Type::Scalar,
        2 => Type::Vec2,
        3 => Type::Vec3,
        4 => Type::Vec4,
        _ => Type::Mat4,
    }
}

fn accessor(count: usize, component: ComponentType, kind: Type) -> json::Accessor {
    json::Accessor {
        buffer_view: None,
        byte_offset: None,
        count: count.into(),
        component_type: Valid(GenericComponentType(component)),
        extensions: None,
        extras: None,
        type_: Valid(kind),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}

fn set_bounds<'a, const N: usize>(accessor: &mut json::Accessor, values: impl Iterator<Item = &'a [f32; N]>) {
    let (mut min, mut max) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for value in values {
        for ((low, high), number) in min.iter_mut().zip(&mut max).zip(value) {
            *low = low.min(*number);
            *high = high.max(*number);
        }
    }
    accessor.min = Some(min.to_vec().into());
    accessor.max = Some(max.to_vec().into());
}

#[cfg(test)]
mod tests {
    use super::{super::options::OptionNames, *};

    #[test]
    fn numbers_that_are_none_are_refused() {
        for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut builder = Builder::new(Room::all());
            assert!(builder.floats(&[[0.0], [number]], Place::Own(None), Bounds::Yes).is_err());
            assert!(builder.sparse(1_000, &[(3, [0.0, number, 0.0])], Bounds::Yes).is_err());
            assert!(builder.bin.is_empty() && builder.root.accessors.is_empty());
            // What is put into the text by other ways does not come out of it.
            builder.push_node(json::Node { translation: Some([0.0, number, 0.0]), ..json::Node::default() });
            let error = super::super::container::finish(builder, OptionNames::default()).unwrap_err();
            assert!(error.to_string().contains("not finite"), "{error}");
        }
    }

    #[test]
    fn there_is_as_much_room_as_was_given() {
        let mut builder = Builder::new(Room::new("a", 100));
        builder.floats(&[[0.0; 16]], Place::Own(None), Bounds::No).unwrap();
        let error = builder.floats(&[[0.0; 16]], Place::Own(None), Bounds::No).unwrap_err();
        assert!(matches!(error, ExportError::OverBudget { most: 100, .. }), "{error}");
        assert!(super::super::container::finish(builder, OptionNames::default()).is_err(), "the text counts too");
    }
}
