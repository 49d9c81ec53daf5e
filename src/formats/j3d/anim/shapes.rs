//! Animations of shapes: visibility (BVA), cluster weights (BLK, BLA) and colours of vertices (BXK, BXA),
//! formats/j3d.md §5.4–§5.6.
//!
//! Weights of clusters: BLK with keys (CLK1) and BLA with all frames (CLF1), formats/j3d.md §5.5. The clusters
//! themselves are in a file of their own, so that the weights can be listed and plotted and nothing more.
//!
//! Colours of vertices: BXK with keys (VCK1) and BXA with all frames (VCF1), formats/j3d.md §5.6. They are listed and
//! plotted.

use super::{
    color::{ColorBanks, ColorTracks, color_size, read_color_banks, read_color_tracks},
    part::{self, Animated},
    tables::{Header, Tables, read_header},
    track::{Bank, ClipMaker, FULL_SIZE, Track, read_track, track_size},
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
        j3d::file::{Findings, Part},
    },
    scene::{Clip, MeshIndex, Target, Unit},
};

/// Shapes that come and go; they are a model's shapes by their place.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibilityAnimation {
    /// Loop mode (formats/j3d.md §3.4) and duration in frames.
    pub header: Header,
    /// Bytes from the start of the file, and the track there.
    pub shapes: Vec<(u64, Track)>,
    /// 1 shows, 0 hides.
    pub values: Bank<u8>,
}

/// Reads VAF1 from behind its tag and size on.
pub fn read_visibility(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<VisibilityAnimation, Fault> {
    let header = read_header(r, false, 1, findings)?;
    let count = r.u16("ShapeCount")?;
    let bank_count = r.u16("ValueCount")?;
    let table = r.u32("ShapeTableOffset")?;
    let bank = r.u32("ValueOffset")?;
    let mut tables = Tables::new(r, &[table, bank], findings);
    let shapes = tables.records(r, table, "Shapes", "Track", u64::from(count), FULL_SIZE, |r, _| {
        Ok((r.offset(), read_track(r, "Visible", false)?))
    });
    let values = tables.bank(r, (bank, bank_count), "Values", "u8", shapes.iter().copied());
    Ok(VisibilityAnimation { header, shapes, values })
}

impl Animated for VisibilityAnimation {
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        let mut maker = ClipMaker::new(self.header.clip(name), findings);
        for (mesh, (_, track)) in (0..).map(MeshIndex).zip(&self.shapes) {
            maker.track(Target::Visibility { mesh }, Unit::Plain, *track, &self.values.numbers);
        }
        maker.finish()
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(index, (at, _)): (usize, &(u64, Track))| {
            part::part(format!("shape {index}"), "Track", *at..at.saturating_add(FULL_SIZE))
        };
        self.shapes.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some((at, track)) = self.shapes.get(part) else { return Vec::new() };
        let mut fields = part::record(source, *at..at.saturating_add(FULL_SIZE), |r| read_track(r, "Visible", false));
        fields.extend(part::keys(source, "Values", *track, &self.values));
        fields
    }
}

/// Clusters that get heavier and lighter.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterAnimation {
    /// Loop mode (formats/j3d.md §3.4) and duration in frames.
    pub header: Header,
    /// With keys (BLK); a value a frame otherwise (BLA).
    pub keyed: bool,
    /// Bytes from the start of the file, and the track there.
    pub clusters: Vec<(u64, Track)>,
    /// Keys or values that the tracks point into.
    pub weights: Bank<f32>,
}

/// The weight of a cluster without keys.
const DEFAULT_WEIGHT: f32 = 1.0;

/// Reads CLK1, or CLF1 without `keyed`, from behind its tag and size on.
pub fn read_clusters(r: &mut FieldReader<'_>, keyed: bool, findings: &mut Findings) -> Result<ClusterAnimation, Fault> {
    let header = read_header(r, false, 1, findings)?;
    let count = r.u16("ClusterCount")?;
    let bank_count = r.u16("WeightCount")?;
    let table = r.u32("ClusterTableOffset")?;
    let bank = r.u32("WeightOffset")?;
    let mut tables = Tables::new(r, &[table, bank], findings);
    let size = track_size(keyed);
    let clusters = tables.records(r, table, "Clusters", "Track", u64::from(count), size, move |r, _| {
        Ok((r.offset(), read_track(r, "Weight", keyed)?))
    });
    let weights = tables.bank(r, (bank, bank_count), "Weights", "f32", clusters.iter().copied());
    Ok(ClusterAnimation { header, keyed, clusters, weights })
}

impl Animated for ClusterAnimation {
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        let mut maker = ClipMaker::new(self.header.clip(name), findings);
        for (cluster, (_, track)) in (0_u32..).zip(&self.clusters) {
            let target = Target::ClusterWeight { cluster };
            maker.track_or(target, Unit::Plain, *track, &self.weights.numbers, DEFAULT_WEIGHT);
        }
        maker.finish()
    }

    fn parts(&self) -> Vec<Part> {
        let size = track_size(self.keyed);
        let part = |(index, (at, _)): (usize, &(u64, Track))| {
            part::part(format!("cluster {index}"), "Track", *at..at.saturating_add(size))
        };
        self.clusters.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some((at, track)) = self.clusters.get(part) else { return Vec::new() };
        let range = *at..at.saturating_add(track_size(self.keyed));
        let mut fields = part::record(source, range, |r| read_track(r, "Weight", self.keyed));
        fields.extend(part::keys(source, "Weights", *track, &self.weights));
        fields
    }
}

/// Groups of vertices that change colour.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexColorAnimation {
    /// Loop mode (formats/j3d.md §3.4) and duration in frames.
    pub header: Header,
    /// With keys (BXK); a value a frame otherwise (BXA).
    pub keyed: bool,
    /// Of colour set 0 and 1.
    pub sets: [VertexColorSet; 2],
    /// What the tracks of both sets point into.
    pub banks: ColorBanks,
}

/// Groups of vertices of one colour set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexColorSet {
    /// Bytes from the start of the file, and the tracks there.
    pub groups: Vec<(u64, ColorTracks)>,
    /// Which of `indices` each group colours.
    pub spans: Vec<IndexSpan>,
    /// Of vertex colours.
    pub indices: Vec<u16>,
}

/// A run of indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexSpan {
    /// Number of indices.
    pub count: u16,
    /// First index of the run, into [`VertexColorSet::indices`].
    pub first: u32,
}

const SPAN_SIZE: u64 = 8;

/// Reads VCK1, or VCF1 without `keyed`, from behind its tag and size on.
pub fn read_vertex_colors(
    r: &mut FieldReader<'_>,
    keyed: bool,
    findings: &mut Findings,
) -> Result<VertexColorAnimation, Fault> {
    let header = read_header(r, false, 1, findings)?;
    let counts = [r.u16("Color0GroupCount")?, r.u16("Color1GroupCount")?];
    let index_counts = if keyed {
        [r.u32("Color0IndexCount")?, r.u32("Color1IndexCount")?]
    } else {
        let counts = [u32::from(r.u16("Color0IndexCount")?), u32::from(r.u16("Color1IndexCount")?)];
        r.pad(4)?;
        counts
    };
    let tables_at = [r.u32("Color0TableOffset")?, r.u32("Color1TableOffset")?];
    let spans_at = [r.u32("Color0SpanOffset")?, r.u32("Color1SpanOffset")?];
    let indices_at = [r.u32("Color0IndexOffset")?, r.u32("Color1IndexOffset")?];
    let banks_at = [r.u32("RedOffset")?, r.u32("GreenOffset")?, r.u32("BlueOffset")?, r.u32("AlphaOffset")?];
    let starts: Vec<u32> = [&tables_at[..], &spans_at, &indices_at, &banks_at].into_iter().flatten().copied().collect();
    let mut tables = Tables::new(r, &starts, findings);
    let mut sets: [VertexColorSet; 2] = Default::default();
    let names = [("Color0", "Color0Spans", "Color0Indices"), ("Color1", "Color1Spans", "Color1Indices")];
    let places = tables_at.into_iter().zip(spans_at).zip(indices_at);
    let wanted = counts.into_iter().zip(index_counts);
    for ((set, (groups, spans, indices)), (((table, span), index), (count, index_count))) in
        sets.iter_mut().zip(names).zip(places.zip(wanted))
    {
        let count = u64::from(count);
        set.groups = tables.records(r, table, groups, "ColorTracks", count, color_size(keyed), move |r, _| {
            Ok((r.offset(), read_color_tracks(r, keyed)?))
        });
        set.spans = tables.records(r, span, spans, "IndexSpan", count, SPAN_SIZE, |r, _| {
            let count = r.u16("Count")?;
            r.pad(2)?;
            Ok(IndexSpan { count, first: r.u32("First")? })
        });
        set.indices = tables.list(r, index, indices, "u16", usize::try_from(index_count).unwrap_or(usize::MAX));
    }
    let tracks: Vec<(u64, ColorTracks)> = sets.iter().flat_map(|s| s.groups.iter().copied()).collect();
    // How long the banks are is not stated: as long as the tracks need.
    let bank_places = banks_at.map(|offset| (offset, 0));
    let banks = read_color_banks(&mut tables, r, ["Reds", "Greens", "Blues", "Alphas"], bank_places, keyed, &tracks);
    Ok(VertexColorAnimation { header, keyed, sets, banks })
}

impl Animated for VertexColorAnimation {
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        let mut maker = ClipMaker::new(self.header.clip(name), findings);
        for (set, groups) in (0_u8..).zip(&self.sets) {
            for (group, (_, tracks)) in (0_u32..).zip(&groups.groups) {
                let target = |part| Target::VertexColor { group, set, part };
                self.banks.channels(&mut maker, tracks, Unit::Color8, target);
            }
        }
        maker.finish()
    }

    fn parts(&self) -> Vec<Part> {
        let size = color_size(self.keyed);
        let mut parts = Vec::new();
        for (set, groups) in self.sets.iter().enumerate() {
            parts.extend(groups.groups.iter().enumerate().map(|(index, (at, _))| {
                part::part(format!("colour set {set}, group {index}"), "ColorTracks", *at..at.saturating_add(size))
            }));
        }
        parts
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some((at, tracks)) = self.sets.iter().flat_map(|s| &s.groups).nth(part) else { return Vec::new() };
        let range = *at..at.saturating_add(color_size(self.keyed));
        let mut fields = part::record(source, range, |r| read_color_tracks(r, self.keyed));
        fields.extend(self.banks.keys(source, tracks));
        fields
    }
}
