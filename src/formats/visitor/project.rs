//! A project, read from its start to its end by the readings that fit it best (formats/visitor.md §1.7).

use super::{
    blue::{BlueEnd, Follower},
    cell,
    choices::{self, AllWanted},
    codes,
    grid::{Grid, find_grid, read_u32},
    ground::OnGround,
    layers::{Backgrounds, Layers, Zones},
    layout::Layout,
    objects::Objects,
    placing::TransformOrder,
    roads::RoadNets,
    spans::{Span, SpanKind, Spans},
    survey::{Flags, Survey, TYPES_AT, Types},
};
use crate::{
    bytes::{
        Endian, Source,
        numbers::{counted, grouped},
    },
    formats::{Choice, Overrides, field_reader::FieldReader, findings::Findings},
};
use glam::Vec2;
use std::sync::Arc;

/// Where the number of textures of the older game is, in bytes.
pub const OFP_TEXTURES_AT: u64 = 40;

/// The two digits of the magic; `None` for what is no project.
pub fn read_version(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"POSEW")?.get(..2)?;
    digits.iter().all(u8::is_ascii_digit).then(|| std::str::from_utf8(digits).ok()?.parse().ok())?
}

/// A project.
#[derive(Debug)]
pub struct Project {
    /// As its magic says.
    pub version: u32,
    pub layout: Layout,
    /// Metres between heights.
    pub cell: f32,
    pub types: Types,
    pub flags: Option<Flags>,
    pub roads: Option<RoadNets>,
    pub grid: Option<Grid>,
    pub objects: Option<Arc<Objects>>,
    pub layers: Option<Layers>,
    pub zones: Option<Zones>,
    pub backgrounds: Option<Backgrounds>,
    /// They tile the file.
    pub spans: Vec<Span>,
    pub choices: Vec<Choice>,
}

/// Reads one part after the other.
pub(super) struct Reading<'a> {
    pub source: &'a Source,
    pub wanted: AllWanted,
    pub findings: &'a mut Findings,
    pub project: Project,
    pub spans: Spans,
    /// What the bytes behind the last part are.
    pub rest: SpanKind,
}

impl Project {
    /// Reads a project whose magic is right. `version`: its two digits.
    pub fn read(source: &Source, version: u32, overrides: &Overrides, findings: &mut Findings) -> Self {
        let wanted = AllWanted::of(overrides, findings);
        if version != 59 && version != 60 {
            let like = if version >= 60 { 60 } else { 59 };
            let message = format!("unknown version {version}. The file is read as version {like}");
            findings.add(&codes::OTHER_VERSION, Some(5), message);
        }
        let types = Types { at: TYPES_AT, announced: 0, list: Vec::new(), end: TYPES_AT, fault: None };
        let project = Self {
            version,
            layout: Layout { bgra: wanted.survey.bgra, ..Layout::default() },
            cell: 0.0,
            types,
            flags: None,
            roads: None,
            grid: None,
            objects: None,
            layers: None,
            zones: None,
            backgrounds: None,
            spans: Vec::new(),
            choices: Vec::new(),
        };
        let mut reading =
            Reading { source, wanted, findings, project, spans: Spans::default(), rest: SpanKind::Unknown };
        reading.read_types_and_roads();
        reading.read_ground();
        reading.read_layers();
        reading.read_tail();
        reading.decide_cell();
        let Reading { mut project, spans, rest, .. } = reading;
        project.spans = spans.finish(rest, source.len() as u64);
        project
    }

    /// Whether it is read as version 59.
    pub fn is_older_order(&self) -> bool {
        self.version < 60
    }

    /// The part of a kind.
    pub fn span(&self, kind: SpanKind) -> Option<&Span> {
        self.spans.iter().find(|span| span.kind == kind)
    }
}

impl<'a> Reading<'a> {
    pub fn reader(&self, at: u64) -> FieldReader<'a> {
        FieldReader::new(self.source, at..u64::MAX, Endian::Little)
    }

    fn is_older_game(&self) -> bool {
        read_u32(self.source.as_slice(), OFP_TEXTURES_AT as usize).is_some_and(|count| count != 0)
    }

    fn read_types_and_roads(&mut self) {
        let is_older = self.is_older_game();
        let survey = Survey::of(self.source, &self.wanted.survey, is_older);
        // Types that were found before their place cut the header short.
        let types_at = survey.chosen().and_then(|chosen| survey.types.get(chosen.types)).map(|trial| trial.types.at);
        self.spans.add(SpanKind::Header, 0..OFP_TEXTURES_AT.min(types_at.unwrap_or(OFP_TEXTURES_AT)));
        let Some(chosen) = survey.chosen() else { return };
        self.project.choices = choices::of_survey(&survey, chosen, &self.wanted.survey);
        self.project.layout = chosen.layout;
        let Some(trial) = survey.types.get(chosen.types) else { return };
        self.project.types = trial.types.clone();
        self.take_types(is_older);
        self.take_flags(chosen.flags.clone());
        match &chosen.roads {
            Ok(roads) => {
                self.spans.add(SpanKind::RoadNets, roads.range.clone());
                if roads.crossroads > 0 {
                    let count = grouped(roads.crossroads);
                    let message =
                        format!("the layout of {count} crossroads is unknown. The data is shown as raw bytes");
                    self.findings.add(&codes::CROSSROADS, Some(roads.range.end), message);
                }
                self.project.roads = Some(roads.clone());
            }
            Err(fault) => {
                let message = format!("the road nets cannot be read: {}", fault.message);
                self.findings.add(&codes::BAD_ROADS, Some(fault.offset), message);
                self.misfit(self.wanted.survey.flags.is_some(), "flags");
            }
        }
        self.project.grid = chosen.grid;
    }

    /// Says that what a person wants leaves something unread.
    pub fn misfit(&mut self, is_wanted: bool, id: &str) {
        if is_wanted {
            let message = format!(
                "the file cannot be read completely with the selected value of “{id}”. The readable parts are shown"
            );
            self.findings.add(&codes::OVERRIDE_MISFIT, None, message);
        }
    }

    fn take_types(&mut self, is_older: bool) {
        let (at, announced, count) = {
            let types = &self.project.types;
            (types.at, types.announced, types.list.len())
        };
        let fault = self.project.types.fault.clone();
        if at >= TYPES_AT {
            self.spans.add(SpanKind::OfpTextures, OFP_TEXTURES_AT..at);
        }
        self.spans.add(SpanKind::ObjectTypes, at..self.project.types.end);
        if is_older {
            let message = "Operation Flashpoint textures have an unknown layout and are shown as raw bytes".to_owned();
            self.findings.add(&codes::OFP_RECORDS, Some(OFP_TEXTURES_AT), message);
        } else if at != TYPES_AT {
            let message = format!("the object types were found at offset {at} instead of {TYPES_AT}");
            self.findings.add(&codes::MOVED_TYPES, Some(TYPES_AT), message);
        }
        let is_unknown = |class: u32| super::types::class_name(class).is_none();
        for one in self.project.types.list.iter().filter(|one| is_unknown(one.class)) {
            let message = format!("object type {} has an unknown class ({})", one.name, one.class);
            self.findings.add(&codes::UNKNOWN_CLASS, Some(one.range.start), message);
        }
        let is_misfit = fault.is_some() || (at != TYPES_AT && !is_older);
        self.misfit(is_misfit && self.wanted.survey.strings.is_some(), "strings");
        self.misfit(is_misfit && self.wanted.survey.trailing_ids.is_some(), "type_ids");
        let Some(fault) = fault else { return };
        let message =
            format!("{} of {} object types can be read: {}", grouped(count), grouped(announced), fault.message);
        let code = if count == 0 { &codes::NO_TYPES } else { &codes::SHORT_TYPES };
        self.findings.add(code, Some(fault.offset), message);
    }

    fn take_flags(&mut self, flags: Option<Flags>) {
        let Some(Flags { at: [first, second, end], .. }) = flags else { return };
        self.spans.add(SpanKind::OfpTerrains, first..second);
        self.spans.add(SpanKind::OfpForests, second..end);
        self.project.flags = flags;
    }

    /// The grid, the heights, what lies behind them, and the objects.
    fn read_ground(&mut self) {
        let layout = self.project.layout;
        let types = std::mem::take(&mut self.project.types.list);
        let follower = Follower::new(self.source, &layout, &types);
        self.project.types.list = types;
        if self.project.grid.is_none() {
            self.find_grid(&follower);
        }
        let Some(grid) = self.project.grid else {
            // Objects may be found without the ground that they stand on.
            let found = follower.search(self.spans.end());
            self.take_objects(found);
            return;
        };
        self.spans.add(SpanKind::Grid, grid.at..grid.heights_at());
        self.spans.add(SpanKind::Heights, grid.heights());
        if !grid.is_whole() {
            let rows = grid.present.div_euclid(u64::from(grid.columns.max(1)));
            let (rows, all) = (grouped(rows), grouped(grid.rows));
            let message = format!("the file ends within the heights. Complete rows: {rows} of {all}");
            self.findings.add(&codes::SHORT_HEIGHTS, Some(grid.heights().end), message);
        }
        let holes = grid.holes(self.source);
        if holes > 0 {
            let message = format!("heights that are not finite: {}", grouped(holes));
            self.findings.add(&codes::HEIGHT_HOLES, Some(grid.heights_at()), message);
        }
        if grid.is_whole() {
            let found = self.find_blue(&follower, &grid);
            self.take_objects(found);
        }
    }

    fn find_grid(&mut self, follower: &Follower<'_>) {
        let from = self.spans.end();
        if self.project.roads.as_ref().is_some_and(|roads| roads.crossroads == 0) {
            self.misfit(self.wanted.survey.flags.is_some(), "flags");
        }
        let bytes = self.source.as_slice();
        let fits = |grid: &Grid| {
            let counts = Follower::formulas(grid);
            counts.into_iter().any(|count| follower.verdict_for(grid, count) != super::blue::Verdict::Nothing)
        };
        self.project.grid = find_grid(bytes, usize::try_from(from).unwrap_or(usize::MAX), fits);
        let crossroads = self.project.roads.as_ref().is_some_and(|roads| roads.crossroads > 0);
        match &self.project.grid {
            Some(grid) if crossroads => self.spans.add(SpanKind::Crossroads, from..grid.at),
            Some(grid) => {
                let message =
                    format!("the grid of heights was found {} bytes later than expected", grid.at.saturating_sub(from));
                self.findings.add(&codes::MOVED_GRID, Some(from), message);
            }
            None => {
                let at = usize::try_from(from).unwrap_or(usize::MAX);
                let side = |at: Option<usize>| at.and_then(|at| read_u32(bytes, at));
                let message = match (side(Some(at)), side(at.checked_add(4))) {
                    (Some(x), Some(z)) if !crossroads => format!("invalid grid size of {x} × {z} heights"),
                    _ => "the grid of heights was not found".to_owned(),
                };
                self.findings.add(&codes::NO_GRID, Some(from), message);
            }
        }
    }

    /// The end of the floats behind the heights.
    fn find_blue(&mut self, follower: &Follower<'_>, grid: &Grid) -> Option<BlueEnd> {
        let heights_end = grid.heights().end;
        let found = match self.wanted.blue {
            Some(floats) => {
                let at = heights_end.saturating_add(floats.saturating_mul(4));
                let verdict = follower.verdict_for(grid, floats);
                if verdict == super::blue::Verdict::Nothing {
                    self.misfit(true, "blue");
                }
                Some(BlueEnd { at, verdict, searched: false })
            }
            None => follower.find(grid),
        };
        let file_end = self.source.len() as u64;
        let found = found.filter(|end| end.at.saturating_add(8) <= file_end);
        let floats = found.map_or(0, |end| end.at.saturating_sub(heights_end).div_euclid(4));
        let floats = self.wanted.blue.unwrap_or(floats);
        self.project.choices.push(choices::of_blue(follower, grid, found, floats, self.wanted.blue.is_some()));
        let end = found?;
        let blue = heights_end..end.at;
        let bytes = self.source.as_slice().get(blue.start as usize..blue.end as usize).unwrap_or_default();
        if end.searched {
            let message = format!("unusual number of bytes between heights and objects: {}", bytes.len());
            self.findings.add(&codes::BLUE_EDGE, Some(heights_end), message);
        } else if let Some(at) = bytes.iter().position(|byte| *byte != 0) {
            let message = "the floats after the heights are not all zero".to_owned();
            self.findings.add(&codes::BLUE_EDGE, Some(heights_end.saturating_add(at as u64)), message);
        }
        self.spans.add(SpanKind::Blue, blue);
        found
    }

    /// Reads the objects behind the unknown number at `found`.
    fn take_objects(&mut self, found: Option<BlueEnd>) {
        let at = found.map(|end| end.at.saturating_add(4));
        let layout = self.project.layout;
        let Some(objects) = at.and_then(|at| Objects::read(self.source, at, &layout)) else {
            let message = "the objects were not found".to_owned();
            self.findings.add(&codes::NO_OBJECTS, Some(self.spans.end()), message);
            return;
        };
        self.spans.add(SpanKind::UnknownAfterBlue, objects.at.saturating_sub(4)..objects.at);
        self.spans.add(SpanKind::Objects, objects.at..objects.end);
        if let Some(fault) = &objects.fault {
            let (read, all) = (grouped(objects.len()), grouped(objects.announced));
            let message = format!("{read} of {all} objects can be read: {}", fault.message);
            self.findings.add(&codes::SHORT_OBJECTS, Some(fault.offset), message);
        }
        let known: std::collections::BTreeSet<u32> = self.project.types.list.iter().map(|t| t.id).collect();
        for (id, count) in objects.per_type.iter().filter(|(id, _)| !known.contains(id)) {
            let message = format!("object type {id} is missing, but used by {}", counted(count, "object"));
            self.findings.add(&codes::UNRESOLVED_TYPE, Some(objects.at), message);
        }
        let (order, transform) = choices::of_transform(&objects, self.wanted.transform);
        let (percent, size) = choices::of_size(&objects, self.wanted.percent);
        self.project.layout.transform = order;
        self.project.layout.percent = percent;
        self.project.choices.extend([transform, size]);
        self.project.objects = Some(Arc::new(objects));
    }

    /// Decides what only the whole project tells.
    fn decide_cell(&mut self) {
        let project = &self.project;
        let is_older = self.is_older_game();
        let order = project.layout.transform;
        let reach = project.objects.as_ref().map_or(Vec2::ZERO, |objects| {
            let [rows, columns] = objects.reach;
            if order == TransformOrder::Cols4x3 { columns } else { rows }
        });
        let evidence = cell::Evidence {
            header: self.source.as_slice().get(..OFP_TEXTURES_AT as usize).unwrap_or_default(),
            grid: project.grid.as_ref(),
            backgrounds: project.backgrounds.as_ref().map(|b| b.list.as_slice()).unwrap_or_default(),
            reach,
            is_older,
            wanted: self.wanted.cell,
        };
        let (cell, is_stated, choice) = cell::choose(&evidence);
        if !is_stated && project.grid.is_some() {
            let message = format!("the sample spacing is assumed to be {cell} m. {}", choice.evidence);
            self.findings.add(&codes::GUESSED_CELL, None, message);
        }
        let ground = match (&project.grid, &project.objects) {
            (Some(grid), Some(objects)) => OnGround::of(self.source, grid, cell, &objects.sample, order),
            _ => OnGround::default(),
        };
        let (north_first, rows) = choices::of_rows(&ground, self.wanted.north_first);
        self.project.cell = cell;
        self.project.layout.north_first = north_first;
        let (placing, heights) = choices::of_placing(&ground, &self.project.layout, self.wanted.placing);
        self.project.layout.placing = placing;
        self.project.choices.extend([choice, rows, heights, choices::of_colors(self.wanted.bgra)]);
    }
}
