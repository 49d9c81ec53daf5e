//! Material colours: BPK with keys (PAK1) and BPA with all frames (PAF1), formats/j3d.md §5.2.

use super::{
    animated::Animated,
    channels::ClipMaker,
    color::{ColorBanks, ColorTracks, color_size, read_color_banks, read_color_tracks},
    header::{Header, read_header},
    part,
    tables::Tables,
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
        j3d::chunk::{Findings, Part},
    },
    scene::{Clip, ClipMaterial, Target, Unit},
};

/// Material colour 0 of materials.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialColorAnimation {
    /// Loop mode (formats/j3d.md §3.4) and duration in frames.
    pub header: Header,
    /// With keys (BPK); a value a frame otherwise (BPA).
    pub keyed: bool,
    /// Bytes from the start of the file, and the tracks there.
    pub entries: Vec<(u64, ColorTracks)>,
    /// Material indices as stored; games use the table as working memory, and materials are found by name.
    pub material_indices: Vec<u16>,
    /// Material names by entry; fewer in damaged files.
    pub names: Vec<String>,
    /// Keys or values that the tracks point into.
    pub banks: ColorBanks,
}

/// Reads PAK1, or PAF1 without `keyed`, from behind its tag and size on.
pub fn read_material_colors(
    r: &mut FieldReader<'_>,
    keyed: bool,
    findings: &mut Findings,
) -> Result<MaterialColorAnimation, Fault> {
    let header = read_header(r, false, 3, findings)?;
    let count = r.u16("MaterialCount")?;
    let counts = [r.u16("RedCount")?, r.u16("GreenCount")?, r.u16("BlueCount")?, r.u16("AlphaCount")?];
    let table = r.u32("TrackTableOffset")?;
    let indices = r.u32("MaterialIndexOffset")?;
    let names = r.u32("NameOffset")?;
    let [red, green, blue, alpha] =
        [r.u32("RedOffset")?, r.u32("GreenOffset")?, r.u32("BlueOffset")?, r.u32("AlphaOffset")?];
    let mut tables = Tables::new(r, &[table, indices, names, red, green, blue, alpha], findings);
    let entries =
        tables.records(r, table, "Tracks", "ColorTracks", u64::from(count), color_size(keyed), move |r, _| {
            Ok((r.offset(), read_color_tracks(r, keyed)?))
        });
    let [red_count, green_count, blue_count, alpha_count] = counts;
    let places = [(red, red_count), (green, green_count), (blue, blue_count), (alpha, alpha_count)];
    let bank_names = ["Reds", "Greens", "Blues", "Alphas"];
    Ok(MaterialColorAnimation {
        header,
        keyed,
        material_indices: tables.list(r, indices, "MaterialIndices", "u16", usize::from(count)),
        names: tables.names(r, names, usize::from(count)),
        banks: read_color_banks(&mut tables, r, bank_names, places, keyed, &entries),
        entries,
    })
}

impl Animated for MaterialColorAnimation {
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        let mut maker = ClipMaker::new(self.header.clip(name), findings);
        maker.clip.materials = (0..self.entries.len()).map(|i| part::material_name(&self.names, i)).collect();
        for (material, (_, tracks)) in (0..).map(ClipMaterial).zip(&self.entries) {
            let target = |part| Target::MaterialColor { material, part };
            self.banks.channels(&mut maker, tracks, Unit::Color8, target);
        }
        maker.finish()
    }

    fn parts(&self) -> Vec<Part> {
        let size = color_size(self.keyed);
        let part = |(index, (at, _)): (usize, &(u64, ColorTracks))| {
            part::part(part::material_name(&self.names, index), "ColorTracks", *at..at.saturating_add(size))
        };
        self.entries.iter().enumerate().map(part).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        let Some((at, tracks)) = self.entries.get(part) else { return Vec::new() };
        let range = *at..at.saturating_add(color_size(self.keyed));
        let mut fields = part::record(source, range, |r| read_color_tracks(r, self.keyed));
        fields.extend(self.banks.keys(source, tracks));
        fields
    }
}
