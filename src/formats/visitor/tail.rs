//! Layers and what follows them: strict while the layout is known, then whatever is found (formats/visitor.md §1.7).

use super::{
    blue::has_layers,
    choices, codes,
    layers::{Backgrounds, find_backgrounds, read_backgrounds, read_layers, read_zones},
    layout::LayerNames,
    project::Reading,
    spans::SpanKind,
};
use crate::{bytes::numbers::counted, formats::field_reader::Fault};

impl Reading<'_> {
    /// Reads the layers, which follow the objects.
    pub fn read_layers(&mut self) {
        let Some(objects) = &self.project.objects else { return };
        let at = objects.end;
        let strings = self.project.layout.strings;
        // Behind objects that are cut off only layers that are some count.
        if objects.fault.is_some() && !has_layers(self.source, at..u64::MAX, strings) {
            return;
        }
        let read = |names| read_layers(&mut self.reader(at), strings, names);
        let [each, leading] = LayerNames::ALL.map(|names| (read(names), names));
        let ((first, _), (second, _)) = match self.wanted.layers {
            Some(LayerNames::Leading) => (leading, each),
            _ => (each, leading),
        };
        let (layers, other) = match (first, second, self.wanted.layers) {
            (Ok(layers), second, _) => (layers, second.is_ok()),
            (Err(_), Ok(layers), None) => (layers, false),
            (Err(fault), second, wanted) => {
                let message = format!("the layers cannot be read: {}", fault.message);
                self.findings.add(&codes::BAD_LAYERS, Some(fault.offset), message);
                self.misfit(wanted.is_some() && second.is_ok(), "layers");
                return;
            }
        };
        self.spans.add(SpanKind::Layers, layers.range.clone());
        self.project.layout.layer_names = layers.names;
        self.project.choices.push(choices::of_layers(&layers, other, self.wanted.layers));
        self.project.layers = Some(layers);
    }

    /// What follows the layers: strict while it is known, then whatever backgrounds are found.
    pub fn read_tail(&mut self) {
        let mut backgrounds = None;
        if self.project.layers.is_some() {
            match self.read_known_tail() {
                Ok(found) => backgrounds = Some(found),
                Err(Some(fault)) => {
                    let message = format!("the data after the layers cannot be read: {}", fault.message);
                    self.findings.add(&codes::BAD_TAIL, Some(fault.offset), message);
                }
                Err(None) => {}
            }
        }
        let from = self.spans.end();
        let is_empty = backgrounds.as_ref().is_none_or(|found| found.list.is_empty());
        if is_empty && let Some(found) = find_backgrounds(self.source, from, &self.project.layout) {
            backgrounds = Some(found);
        }
        let Some(found) = backgrounds else { return };
        self.spans.add(self.rest, from..found.range.start);
        self.spans.add(SpanKind::Backgrounds, found.range.clone());
        self.rest = SpanKind::EndBlocks;
        self.project.backgrounds = Some(found);
    }

    /// Reads on as long as the layout is known. `Err(None)` where it is not.
    fn read_known_tail(&mut self) -> Result<Backgrounds, Option<Fault>> {
        let layout = self.project.layout;
        let mut r = self.reader(self.spans.end());
        let start = r.offset();
        if self.project.is_older_order() {
            let zones = read_zones(&mut r, &layout)?;
            self.spans.add(SpanKind::AfterLayers, zones.range.clone());
            self.project.zones = Some(zones);
        } else {
            r.u32("UnknownAfterLayers").map_err(Some)?;
            self.spans.add(SpanKind::AfterLayers, start..r.offset());
        }
        let blocks_at = r.offset();
        let blocks = r.u32("RoadBlockCount")?;
        if blocks > 0 {
            let count = counted(blocks, "road block");
            let message = format!("the layout of {count} is unknown. The data is shown as raw bytes");
            self.findings.add(&codes::ROAD_BLOCKS, Some(blocks_at), message);
            self.rest = SpanKind::RoadBlocks;
            return Err(None);
        }
        self.spans.add(SpanKind::RoadBlocks, blocks_at..r.offset());
        if !self.project.is_older_order() {
            let zones = read_zones(&mut r, &layout)?;
            self.spans.add(SpanKind::NamedZones, zones.range.clone());
            self.project.zones = Some(zones);
        }
        // An empty list is taken when there is none further on.
        Ok(read_backgrounds(&mut r, &layout)?)
    }
}
