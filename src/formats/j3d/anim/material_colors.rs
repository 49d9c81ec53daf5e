//! Animations of colours: of materials (BPK, BPA), and of registers and constants of the combiner (BRK), formats/j3d.md
//! §5.2, §5.3.

use super::{
    color::{ColorBanks, ColorTracks, color_size, read_color_banks, read_color_tracks},
    part::{self, Animated},
    tables::{Header, Tables, read_header},
    track::ClipMaker,
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
        j3d::{
            codes,
            file::{Findings, Part},
        },
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

/// Registers C0 to C2 and constants K0 to K3 of materials.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterAnimation {
    /// Loop mode (formats/j3d.md §3.4) and duration in frames.
    pub header: Header,
    /// Tracks of registers C0 to C2; values range from -1024 to 1023.
    pub registers: RegisterSet,
    /// Tracks of constants K0 to K3; values range from 0 to 255.
    pub constants: RegisterSet,
}

/// Registers, or constants, with what each belongs to. The lists are as long as `entries`, or shorter in damaged files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegisterSet {
    /// Registers or constants, in file order.
    pub entries: Vec<RegisterEntry>,
    /// Material indices as stored; games use the table as working memory, and materials are found by name.
    pub material_indices: Vec<u16>,
    /// Material names by entry; fewer in damaged files.
    pub names: Vec<String>,
    /// Keys that the tracks point into.
    pub banks: ColorBanks,
}

/// A register, or a constant, of a material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterEntry {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Tracks of red, green, blue and alpha.
    pub tracks: ColorTracks,
    /// Number of the register or constant.
    pub id: u8,
}

/// Bytes of an entry: tracks, id, padding.
const ENTRY_SIZE: u64 = color_size(true).saturating_add(4);
/// Registers that materials load; 3 is stored, and used by nothing.
const REGISTERS: u8 = 4;

fn read_entry(r: &mut FieldReader<'_>, id_name: fn(u8) -> Option<&'static str>) -> Result<RegisterEntry, Fault> {
    let offset = r.offset();
    let tracks = read_color_tracks(r, true)?;
    let id = r.named_u8("Register", id_name)?;
    r.pad(3)?;
    Ok(RegisterEntry { offset, tracks, id })
}

fn register_name(id: u8) -> Option<&'static str> {
    ["C0", "C1", "C2", "fourth register (unused)"].get(usize::from(id)).copied()
}

fn constant_name(id: u8) -> Option<&'static str> {
    ["K0", "K1", "K2", "K3"].get(usize::from(id)).copied()
}

/// What the header says of a set.
#[derive(Default)]
struct Places {
    count: u16,
    bank_counts: [u16; 4],
    table: u32,
    material_indices: u32,
    names: u32,
    banks: [u32; 4],
}

impl Places {
    fn starts(&self) -> impl Iterator<Item = u32> {
        [self.table, self.material_indices, self.names].into_iter().chain(self.banks)
    }
}

/// Reads TRK1 from behind its tag and size on.
pub fn read_registers(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<RegisterAnimation, Fault> {
    let header = read_header(r, false, 1, findings)?;
    let (mut c, mut k) = (Places::default(), Places::default());
    c.count = r.u16("RegisterCount")?;
    k.count = r.u16("ConstantCount")?;
    c.bank_counts = [
        r.u16("RegisterRedCount")?,
        r.u16("RegisterGreenCount")?,
        r.u16("RegisterBlueCount")?,
        r.u16("RegisterAlphaCount")?,
    ];
    k.bank_counts = [
        r.u16("ConstantRedCount")?,
        r.u16("ConstantGreenCount")?,
        r.u16("ConstantBlueCount")?,
        r.u16("ConstantAlphaCount")?,
    ];
    c.table = r.u32("RegisterTableOffset")?;
    k.table = r.u32("ConstantTableOffset")?;
    c.material_indices = r.u32("RegisterMaterialIndexOffset")?;
    k.material_indices = r.u32("ConstantMaterialIndexOffset")?;
    c.names = r.u32("RegisterNameOffset")?;
    k.names = r.u32("ConstantNameOffset")?;
    c.banks = [
        r.u32("RegisterRedOffset")?,
        r.u32("RegisterGreenOffset")?,
        r.u32("RegisterBlueOffset")?,
        r.u32("RegisterAlphaOffset")?,
    ];
    k.banks = [
        r.u32("ConstantRedOffset")?,
        r.u32("ConstantGreenOffset")?,
        r.u32("ConstantBlueOffset")?,
        r.u32("ConstantAlphaOffset")?,
    ];
    let starts: Vec<u32> = c.starts().chain(k.starts()).collect();
    let mut tables = Tables::new(r, &starts, findings);
    let registers = read_set(&mut tables, r, &c, &REGISTER_FIELDS);
    let constants = read_set(&mut tables, r, &k, &CONSTANT_FIELDS);
    let strange = registers.entries.iter().chain(&constants.entries).find(|e| e.id >= REGISTERS);
    if let Some(entry) = strange {
        let message = format!("register {} does not exist", entry.id);
        findings.add(&codes::ANIMATED_SLOT, Some(entry.offset.saturating_add(color_size(true))), message);
    }
    Ok(RegisterAnimation { header, registers, constants })
}

/// Names of the fields of a set.
struct SetFields {
    table: &'static str,
    material_indices: &'static str,
    banks: [&'static str; 4],
    id_name: fn(u8) -> Option<&'static str>,
}

const REGISTER_FIELDS: SetFields = SetFields {
    table: "Registers",
    material_indices: "RegisterMaterialIndices",
    banks: ["RegisterReds", "RegisterGreens", "RegisterBlues", "RegisterAlphas"],
    id_name: register_name,
};

const CONSTANT_FIELDS: SetFields = SetFields {
    table: "Constants",
    material_indices: "ConstantMaterialIndices",
    banks: ["ConstantReds", "ConstantGreens", "ConstantBlues", "ConstantAlphas"],
    id_name: constant_name,
};

fn read_set(tables: &mut Tables<'_>, r: &mut FieldReader<'_>, places: &Places, fields: &SetFields) -> RegisterSet {
    let count = usize::from(places.count);
    let id_name = fields.id_name;
    let entries =
        tables.records(r, places.table, fields.table, "RegisterTracks", u64::from(places.count), ENTRY_SIZE, {
            move |r, _| read_entry(r, id_name)
        });
    let tracks: Vec<(u64, ColorTracks)> = entries.iter().map(|e| (e.offset, e.tracks)).collect();
    let material_indices = tables.list(r, places.material_indices, fields.material_indices, "u16", count);
    let names = tables.names(r, places.names, count);
    let mut bank_places = [(0, 0); 4];
    for (place, (offset, count)) in bank_places.iter_mut().zip(places.banks.into_iter().zip(places.bank_counts)) {
        *place = (offset, count);
    }
    let banks = read_color_banks(tables, r, fields.banks, bank_places, true, &tracks);
    RegisterSet { entries, material_indices, names, banks }
}

impl RegisterSet {
    fn names(&self) -> impl Iterator<Item = String> {
        (0..self.entries.len()).map(|i| part::material_name(&self.names, i))
    }

    fn parts(&self, letter: char) -> impl Iterator<Item = Part> {
        self.names().zip(&self.entries).map(move |(name, entry)| {
            let range = entry.offset..entry.offset.saturating_add(ENTRY_SIZE);
            part::part(format!("{name} {letter}{}", entry.id), "RegisterTracks", range)
        })
    }

    fn fields(&self, source: &Source, index: usize, id_name: fn(u8) -> Option<&'static str>) -> Vec<Field> {
        let Some(entry) = self.entries.get(index) else { return Vec::new() };
        let range = entry.offset..entry.offset.saturating_add(ENTRY_SIZE);
        let mut fields = part::record(source, range, |r| read_entry(r, id_name));
        fields.extend(self.banks.keys(source, &entry.tracks));
        fields
    }
}

impl Animated for RegisterAnimation {
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        let mut maker = ClipMaker::new(self.header.clip(name), findings);
        maker.clip.materials = self.registers.names().chain(self.constants.names()).collect();
        for (material, entry) in (0..).map(ClipMaterial).zip(&self.registers.entries) {
            let target = |part| Target::Register { material, register: entry.id, part };
            self.registers.banks.channels(&mut maker, &entry.tracks, Unit::Color11, target);
        }
        let first = self.registers.entries.len() as u32;
        for (material, entry) in (first..).map(ClipMaterial).zip(&self.constants.entries) {
            let target = |part| Target::Konst { material, konst: entry.id, part };
            self.constants.banks.channels(&mut maker, &entry.tracks, Unit::Color8, target);
        }
        maker.finish()
    }

    fn parts(&self) -> Vec<Part> {
        self.registers.parts('C').chain(self.constants.parts('K')).collect()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        match part.checked_sub(self.registers.entries.len()) {
            Some(part) => self.constants.fields(source, part, constant_name),
            None => self.registers.fields(source, part, register_name),
        }
    }
}
