//! Open files: the descriptions of both formats, outline, fields, and assets.

use super::{
    Psa, Psk, clip, codes,
    container::{ChunkKind, Findings},
    hierarchy, parse,
    sequences::{self, Sequences},
    sidecar::{Config, config_request},
    to_scene,
    tree::{self, Node, Plan, Tree},
};
use crate::{
    bytes::{Endian, Source},
    formats::{
        Asset, Base, Capabilities, ClipSize, Document, EntryId, Facts, FieldTree, FormatInfo, LoadContext,
        METRES_PER_UNREAL_UNIT, Native, OpenContext, OpenError, Purpose, ReadError, Role,
    },
};
use std::sync::Arc;

/// What the family leaves opaque.
static OPAQUE: &[(&str, &str)] = &[(tree::UNKNOWN_CHUNK, "records of an unknown chunk")];

const FAMILY: &str = "ActorX";

pub static PSK: FormatInfo = FormatInfo {
    id: "psk",
    name: "ActorX mesh",
    family: FAMILY,
    extensions: &["psk", "pskx"],
    companions: &["psa", "psax"],
    opaque: OPAQUE,
    codes: codes::PSK_CODES,
    metres: METRES_PER_UNREAL_UNIT,
};
pub static PSA: FormatInfo = FormatInfo {
    id: "psa",
    name: "ActorX animation",
    family: FAMILY,
    extensions: &["psa", "psax"],
    companions: &["psk", "pskx"],
    opaque: OPAQUE,
    codes: codes::PSA_CODES,
    metres: METRES_PER_UNREAL_UNIT,
};

/// An open mesh file.
pub struct PskDocument {
    source: Source,
    psk: Psk,
    /// Repaired.
    parents: Vec<Option<u32>>,
    tree: Tree,
}

/// An open animation file.
pub struct PsaDocument {
    source: Source,
    psa: Psa,
    parents: Vec<Option<u32>>,
    sequences: Sequences,
    /// For each sequence, whether its keys may be read.
    affordable: Vec<bool>,
    /// The sequence of each curve chunk.
    curves: Vec<Option<usize>>,
    joints: Arc<[String]>,
    tree: Tree,
}

impl PskDocument {
    pub fn open(source: Source, cx: &mut OpenContext<'_>) -> Result<Self, OpenError> {
        let parse::Parsed { value: psk, chunks, mut findings } =
            parse::parse_psk(source.as_slice()).map_err(|message| OpenError::new(cx.file, message))?;
        let parents = hierarchy::parents(&psk.bones, &mut findings);
        hierarchy::report_duplicates(&psk.bones, &mut findings);
        let names = |kind| -> Vec<String> {
            match kind {
                ChunkKind::Materials => psk.materials.iter().map(|m| m.name.clone()).collect(),
                ChunkKind::MorphInfo => psk.morphs.iter().map(|m| m.name.clone()).collect(),
                ChunkKind::Sockets => psk.sockets.iter().map(|s| s.name.clone()).collect(),
                _ => Vec::new(),
            }
        };
        let shows = !psk.points.is_empty() || !psk.bones.is_empty();
        let tree = Tree::new(
            &source,
            Plan {
                file_class: "Psk",
                whole: shows.then_some(("Mesh", Role::Model, "Mesh")),
                chunks,
                bones: &psk.bones,
                parents: Some(&parents),
                narrow: super::parse::narrow_points(psk.points.len()),
                names: &names,
            },
        );
        tree.report(findings, None, cx.diagnostics);
        Ok(Self { source, psk, parents, tree })
    }
}

impl Document for PskDocument {
    fn base(&self) -> Base<'_> {
        Base { format: &PSK, source: &self.source, outline: &self.tree.outline, endian: Endian::Little }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        let mut tree = self.tree.fields(&self.source, entry)?;
        if let Some(Node::Record(chunk, record)) = self.tree.node(entry)
            && self.tree.chunks.get(chunk).is_some_and(|c| c.kind == ChunkKind::MorphInfo)
            && let Some(morph) = self.psk.morphs.get(record)
        {
            let before = self.psk.morphs.iter().take(record);
            let first = before.fold(0_usize, |sum, m| sum.saturating_add(m.data.len()));
            let count = morph.data.len();
            let data = self.tree.mirrored_records(&self.source, ChunkKind::MorphData, "Data", first, count);
            tree.fields.extend(data);
        }
        Ok(tree)
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.base().outline.entry(entry)?;
        if self.tree.node(entry) != Some(Node::Whole) {
            return Err(ReadError::new(found, "this entry cannot be shown. Show “Mesh” instead"));
        }
        let mut findings = Findings::default();
        let model = to_scene::model(&self.psk, &self.parents, cx, &mut findings);
        self.tree.report(findings, Some(entry), cx.diagnostics);
        Ok(Asset::Model(Arc::new(model)))
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { native: Some(Native::Psk(&self.psk)), ..Capabilities::default() }
    }
}

impl PsaDocument {
    pub fn open(source: Source, cx: &mut OpenContext<'_>) -> Result<Self, OpenError> {
        let parse::Parsed { value: psa, chunks, mut findings } =
            parse::parse_psa(source.as_slice()).map_err(|message| OpenError::new(cx.file, message))?;
        let hierarchy = clip::has_hierarchy(&psa.bones);
        // Parents that say nothing are no fault.
        let parents = match hierarchy {
            true => hierarchy::parents(&psa.bones, &mut findings),
            false => hierarchy::parents(&psa.bones, &mut Findings::default()),
        };
        hierarchy::report_duplicates(&psa.bones, &mut findings);
        let sequences = sequences::sequences(&psa, &mut findings);
        let affordable = sequences::affordable(&psa, &sequences, &mut findings);
        let curves = sequences::curve_sequences(&psa, &mut findings);
        let names = |kind| -> Vec<String> {
            match kind {
                ChunkKind::AnimInfo => psa.sequences.iter().map(|s| s.name.clone()).collect(),
                _ => Vec::new(),
            }
        };
        let tree = Tree::new(
            &source,
            Plan {
                file_class: "Psa",
                whole: hierarchy.then_some(("Skeleton", Role::Skeleton, "Skeleton")),
                chunks,
                bones: &psa.bones,
                parents: hierarchy.then_some(&parents),
                narrow: true,
                names: &names,
            },
        );
        tree.report(findings, None, cx.diagnostics);
        let joints = clip::joints(&psa, &sequences);
        Ok(Self { source, psa, parents, sequences, affordable, curves, joints, tree })
    }

    fn clip(&self, index: usize, cx: &mut LoadContext<'_>, findings: &mut Findings) -> Option<Asset> {
        let request = config_request(cx.file);
        let config = cx.resolver.find(&request).map(|found| Config::parse(found.source.as_slice()));
        let source = clip::Source {
            psa: &self.psa,
            sequences: &self.sequences,
            curves: &self.curves,
            joints: &self.joints,
            config: config.unwrap_or_default(),
            root_conjugate: cx.options.root_conjugate,
        };
        clip::clip(&source, index, findings).map(|clip| Asset::Clip(Arc::new(clip)))
    }
}

impl Document for PsaDocument {
    fn base(&self) -> Base<'_> {
        Base { format: &PSA, source: &self.source, outline: &self.tree.outline, endian: Endian::Little }
    }

    fn fields_for(&self, entry: EntryId, _: Purpose) -> Result<FieldTree, ReadError> {
        let mut tree = self.tree.fields(&self.source, entry)?;
        if let Some(Node::Record(chunk, record)) = self.tree.node(entry)
            && self.tree.chunks.get(chunk).is_some_and(|c| c.kind == ChunkKind::AnimInfo)
            && let Some(sequence) = self.sequences.list.get(record)
        {
            let count = sequence.frames.saturating_mul(self.sequences.stride);
            let mirrored = |kind, name, first| self.tree.mirrored_records(&self.source, kind, name, first, count);
            tree.fields.extend(mirrored(ChunkKind::AnimKeys, "Keys", sequence.first_key));
            let scales = sequence.first_scale_key.and_then(|f| mirrored(ChunkKind::ScaleKeys, "ScaleKeys", f));
            tree.fields.extend(scales);
        }
        Ok(tree)
    }

    fn load(&self, entry: EntryId, cx: &mut LoadContext<'_>) -> Result<Asset, ReadError> {
        let found = self.base().outline.entry(entry)?;
        let mut findings = Findings::default();
        let asset = match self.tree.node(entry) {
            Some(Node::Whole) => {
                let root = cx.options.root_conjugate;
                let skeleton = clip::skeleton(&self.psa, &self.sequences, &self.parents, root, &mut findings);
                Some(Asset::Model(Arc::new(to_scene::stick_figure(cx.stem(), skeleton))))
            }
            Some(Node::Record(chunk, record))
                if self.tree.chunks.get(chunk).is_some_and(|c| c.kind == ChunkKind::AnimInfo) =>
            {
                if self.affordable.get(record) == Some(&false) {
                    return Err(ReadError::new(found, "sequence skipped: too many sequences share the same keys"));
                }
                self.clip(record, cx, &mut findings)
            }
            _ => None,
        };
        self.tree.report(findings, Some(entry), cx.diagnostics);
        asset.ok_or_else(|| ReadError::new(found, "this entry cannot be shown. Show the sequences of ANIMINFO instead"))
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { facts: Some(self), native: Some(Native::Psa(&self.psa)), ..Capabilities::default() }
    }
}

impl Facts for PsaDocument {
    fn clip_size(&self, entry: EntryId) -> Option<ClipSize> {
        let Some(Node::Record(chunk, record)) = self.tree.node(entry) else { return None };
        self.tree.chunks.get(chunk).filter(|c| c.kind == ChunkKind::AnimInfo)?;
        let frames = self.sequences.list.get(record)?.frames as u64;
        Some(ClipSize { joints: self.sequences.stride as u64, frames })
    }
}
