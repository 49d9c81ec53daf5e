//! What a material says that formats/j3d.md gives no meaning.

use super::{ABSENT, Kind, Mat3, MaterialEntry};
use crate::{
    formats::j3d::{codes, file::Findings},
    scene::gx::{BlendKind, Combiner, names},
};

/// Findings of one material.
struct Check<'a> {
    name: String,
    offset: u64,
    findings: &'a mut Findings,
}

impl Check<'_> {
    /// A code that must have a name.
    fn code(&mut self, what: &str, code: u8, names: impl Fn(u8) -> Option<&'static str>) {
        if names(code).is_none_or(str::is_empty) {
            self.unknown(what, code.into());
        }
    }

    fn unknown(&mut self, what: &str, code: u32) {
        let message = format!("{}: unknown {what} {code}", self.name);
        self.findings.add(&codes::UNKNOWN_CODE, Some(self.offset), message);
    }
}

impl Mat3 {
    /// Codes without a meaning, and records that are named but not there.
    pub(super) fn check(&self, findings: &mut Findings) {
        self.check_strays(findings);
        let mut checked = std::collections::HashSet::new();
        for material in 0..self.material_count() {
            let number = self.remap.get(material).copied().unwrap_or(ABSENT);
            let name = self.name(material);
            let Some(entry) = self.entry(material) else {
                let message = format!("{name}: entry {number} does not exist");
                findings.add(&codes::BAD_TABLE, Some(self.entries_offset), message);
                continue;
            };
            let mut check = Check { name, offset: self.entry_range(material).start, findings };
            self.check_indirect(&mut check, material);
            if checked.insert(number) {
                self.check_references(&mut check, entry);
                self.check_entry(&mut check, entry);
                self.check_stages(&mut check, entry);
            }
        }
    }

    /// Tables that begin among the records of others, where materials refer to them.
    fn check_strays(&self, findings: &mut Findings) {
        let is_used = |kind: Kind| {
            let mut is_used = false;
            self.entries.iter().for_each(|entry| entry.references(|of, _| is_used |= of == kind));
            is_used
        };
        for stray in self.places.strays.iter().filter(|stray| is_used(stray.kind)) {
            let (label, among) = (stray.kind.label(), stray.among.label());
            let then = match (stray.kind, self.records.ambient_colors.first()) {
                (Kind::AmbientColor, Some([r, g, b, a])) => format!(
                    "the bytes at this offset are used as colours, as in the game; \
                     the first colour is {r:02X}{g:02X}{b:02X}{a:02X}"
                ),
                _ => "the lights are ignored, because games set them at runtime".to_owned(),
            };
            let message = format!("“{label}” starts inside “{among}”: {then}");
            findings.add(&codes::STRAY_TABLE, Some(stray.offset), message);
        }
    }

    fn check_references(&self, check: &mut Check<'_>, entry: &MaterialEntry) {
        entry.references(|kind, index| {
            // Official files and SuperBMD name lights and post matrices that no table has.
            let usual = matches!(kind, Kind::Light | Kind::PostMatrix | Kind::PostTexGen);
            let usual = usual || self.places.strays.iter().any(|stray| stray.kind == kind);
            if !usual && usize::from(index) >= self.places.get(kind).count {
                let message = format!(
                    "{}: record {index} of “{}” does not exist and is treated as absent",
                    check.name,
                    kind.label()
                );
                check.findings.add(&codes::ABSENT_RECORD, Some(check.offset), message);
            }
        });
    }

    fn check_entry(&self, check: &mut Check<'_>, entry: &MaterialEntry) {
        let records = &self.records;
        fn get<T: Copy>(table: &[T], index: u16) -> Option<T> {
            if index == ABSENT { None } else { table.get(usize::from(index)).copied() }
        }
        if !matches!(entry.mode, 1 | 2 | 4) {
            check.unknown("mode", entry.mode.into());
        }
        if let Some(cull) = get(&records.cull, entry.cull).filter(|cull| *cull > 3) {
            check.unknown("cull mode", cull);
        }
        for (what, count, most) in [
            ("channel count", get(&records.channel_counts, entry.channel_count), 2),
            ("texgen count", get(&records.texgen_counts, entry.texgen_count), 8),
            ("TEV stage count", get(&records.stage_counts, entry.stage_count), 16),
        ] {
            if let Some(count) = count.filter(|count| *count > most) {
                check.unknown(what, count.into());
            }
        }
        for channel in entry.channels.iter().filter_map(|index| get(&records.channels, *index)) {
            check.code("diffuse function", channel.diffuse.into(), names::diffuse);
            check.code("attenuation", channel.attenuation.into(), names::attenuation);
        }
        for index in entry.texgens.iter().take(self.texgen_count(entry)) {
            let Some(texgen) = get(&records.texgens, *index) else { continue };
            check.code("texgen type", texgen.kind, names::texgen_type);
            check.code("texgen source", texgen.source, names::texgen_source);
            check.code("texgen matrix", texgen.matrix, names::texture_matrix);
        }
        for matrix in entry.texture_matrices.iter().filter_map(|index| get(&records.texture_matrices, *index)) {
            check.code("map mode", matrix.map_mode.into(), names::map_mode);
        }
        for source in entry.swap_tables.iter().filter_map(|index| get(&records.swap_tables, *index)).flatten() {
            if source > 3 {
                check.unknown("swap channel", source.into());
            }
        }
        if let Some(compare) = get(&records.alpha_compares, entry.alpha_compare) {
            check.code("alpha comparison", compare.compare0.into(), names::compare);
            check.code("alpha comparison", compare.compare1.into(), names::compare);
            check.code("alpha operation", compare.op.into(), names::alpha_op);
        }
        if let Some(blend) = get(&records.blends, entry.blend) {
            check.code("blend type", blend.kind.into(), names::blend_type);
            match blend.kind {
                BlendKind::Blend => {
                    check.code("source factor", blend.source.into(), names::source_factor);
                    check.code("destination factor", blend.destination.into(), names::destination_factor);
                }
                BlendKind::Logic => check.code("logic operation", blend.logic.into(), names::logic_op),
                BlendKind::None | BlendKind::Subtract | BlendKind::Unknown(_) => {}
            }
        }
        if let Some(mode) = get(&records.z_modes, entry.z_mode) {
            check.code("depth comparison", mode.compare.into(), names::compare);
        }
        if let Some(fog) = get(&records.fogs, entry.fog) {
            check.code("fog type", fog.kind, names::fog_type);
        }
    }

    fn check_stages(&self, check: &mut Check<'_>, entry: &MaterialEntry) {
        let at = |list: &[u16; 16], index: usize| usize::from(list.get(index).copied().unwrap_or(ABSENT));
        for index in 0..self.stage_count(entry) {
            if let Some(order) = self.records.tev_orders.get(at(&entry.tev_orders, index)) {
                check.code("raster colour", order.channel, names::raster_channel);
                if order.texture > 7 && order.texture != 0xFF {
                    check.unknown("texture map", order.texture.into());
                }
                if order.tex_coord > 7 && order.tex_coord != 0xFF {
                    check.unknown("texture coordinate", order.tex_coord.into());
                }
            }
            if let Some(swap) = self.records.swap_modes.get(at(&entry.swap_modes, index)) {
                for table in [swap.raster, swap.texture].into_iter().filter(|table| *table > 3) {
                    check.unknown("swap table", table.into());
                }
            }
            for selectors in [&entry.konst_color_selectors, &entry.konst_alpha_selectors] {
                let code = selectors.get(index).copied().unwrap_or(0xFF);
                if code != 0xFF {
                    check.code("konst selector", code, names::konst);
                }
            }
            let Some(stage) = self.records.tev_stages.get(at(&entry.tev_stages, index)) else { continue };
            check_combiner(check, &stage.color, names::color_input);
            check_combiner(check, &stage.alpha, names::alpha_input);
        }
    }

    fn check_indirect(&self, check: &mut Check<'_>, material: usize) {
        let Some(block) = self.indirect(material).filter(|block| block.on != 0) else { return };
        if block.on != 1 {
            check.unknown("indirect switch", block.on.into());
            return;
        }
        if block.stage_count > 4 {
            check.unknown("indirect stage count", block.stage_count.into());
        }
        for order in block.orders.iter().take(usize::from(block.stage_count)) {
            for scale in [order.scale_s, order.scale_t].into_iter().filter(|scale| *scale > 8) {
                check.unknown("indirect coordinate scale", scale.into());
            }
        }
        let stages = self.entry(material).map_or(0, |entry| self.stage_count(entry));
        for stage in block.stages.iter().take(stages) {
            check.code("indirect format", stage.format, names::indirect_format);
            check.code("indirect bias", stage.bias, names::indirect_bias);
            check.code("indirect matrix", stage.matrix, names::indirect_matrix);
            check.code("indirect wrap", stage.wrap_s, names::indirect_wrap);
            check.code("indirect wrap", stage.wrap_t, names::indirect_wrap);
            check.code("bump alpha", stage.alpha, names::bump_alpha);
        }
    }
}

fn check_combiner<I: Copy + Into<u8>>(
    check: &mut Check<'_>,
    combiner: &Combiner<I>,
    input: fn(u8) -> Option<&'static str>,
) {
    combiner.inputs.iter().for_each(|code| check.code("combiner input", (*code).into(), input));
    check.code("combiner operation", combiner.op.into(), names::combiner_op);
    check.code("combiner destination", combiner.destination.into(), names::register);
    // Comparisons have neither.
    if u8::from(combiner.op) < 8 {
        check.code("combiner bias", combiner.bias.into(), names::combiner_bias);
        check.code("combiner scale", combiner.scale.into(), names::combiner_scale);
    }
}
