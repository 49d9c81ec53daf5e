//! Weights of clusters: BLK with keys (CLK1) and BLA with all frames (CLF1), formats/j3d.md §5.5. The clusters themselves are in
//! a file of their own, so that the weights can be listed and plotted and nothing more.

use super::{
    animated::Animated,
    bank::Bank,
    channels::ClipMaker,
    header::{Header, read_header},
    part,
    tables::Tables,
    track::{Track, read_track, track_size},
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
        j3d::chunk::{Findings, Part},
    },
    scene::{Clip, Target, Unit},
};

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
