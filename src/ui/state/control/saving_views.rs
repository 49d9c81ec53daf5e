//! What is looked at and how, in names that outlive the program.

use crate::{
    formats::EntryId,
    ui::{
        library_row::RowId,
        place::{FileId, Place},
        saved_view::{
            MAX_OBJECTS, MAX_ROWS, Modes, SavedFile, SavedPlace, SavedRow, SavedStage, SavedSubject, SavedView,
            TerrainModes, VERSION,
        },
        state::{State, stage::Stage},
        subject::{Subject, TimeOf},
    },
};
use std::path::Path;

/// Between two notes of what moves by itself.
const PAUSE_SECS: f64 = 1.0;

/// Numbers the files that a view names.
struct Names<'a> {
    state: &'a State,
    files: Vec<FileId>,
}

impl Names<'_> {
    fn file(&mut self, id: FileId) -> Option<usize> {
        if let Some(at) = self.files.iter().position(|known| *known == id) {
            return Some(at);
        }
        // What came through a pipe cannot come back.
        self.state.file(id).filter(|file| !file.piped)?;
        self.files.push(id);
        Some(self.files.len() - 1)
    }

    fn place(&mut self, place: Place) -> Option<SavedPlace> {
        let file = self.file(place.file)?;
        let entry = self.state.file(place.file)?.entry(place.entry)?;
        let path = if place.entry == EntryId::FILE { String::new() } else { entry.path().into_owned() };
        Some(SavedPlace { file, entry: path, number: place.entry.0 })
    }

    fn subject(&mut self, subject: Subject) -> SavedSubject {
        let found = match subject {
            // What is looked for is not kept; pictures of all files are of none.
            Subject::Nothing | Subject::Scripts | Subject::Pictures => None,
            Subject::Entry(place) => self.place(place).map(SavedSubject::Entry),
            Subject::Gallery(file) => self.file(file).map(SavedSubject::Gallery),
            Subject::Table(file) => self.file(file).map(SavedSubject::Table),
            Subject::Classes(file) => self.file(file).map(SavedSubject::Classes),
        };
        found.unwrap_or_default()
    }

    fn row(&mut self, row: RowId) -> Option<SavedRow> {
        Some(match row {
            RowId::Folder(folder) => SavedRow::Folder(self.file(self.state.library.files_in(folder).next()?)?),
            RowId::File(file) => SavedRow::File(self.file(file)?),
            RowId::Entry(place) => SavedRow::Entry(self.place(place)?),
            RowId::Branch { place, group } => SavedRow::Branch(self.place(place)?, group),
            RowId::Group { of, group } => SavedRow::Group(self.place(of)?, group),
        })
    }

    fn stage(&mut self, stage: &Stage) -> SavedStage {
        let view = &stage.view;
        let player = &stage.playback.player;
        let main = player.main().map(|layer| layer.kind());
        let others = player.layers().iter().filter(|layer| Some(layer.kind()) != main);
        let others: Vec<Place> = others.filter_map(|layer| stage.playback.places.of(layer)).collect();
        let (frame, playing, loop_mode, speed) = match stage.time_of() {
            Some(TimeOf::Clip) => {
                let alone = stage.curves.alone();
                (alone.frame(), alone.playing, alone.loop_mode(), alone.speed)
            }
            Some(TimeOf::Picture) => {
                let shown = stage.image();
                let at = shown.and_then(|shown| Some(shown.player.frame(shown.rate_hz()?) as f32));
                let playing = shown.is_some_and(|shown| shown.player.playing);
                (at.unwrap_or_default(), playing, Default::default(), shown.map_or(1.0, |shown| shown.speed()))
            }
            Some(TimeOf::Model | TimeOf::Sound) | None => {
                (player.frame(), player.playing, player.loop_mode(), player.speed)
            }
        };
        let is_space = stage.content.is_space();
        SavedStage {
            id: stage.id.0,
            subject: self.subject(stage.content.subject()),
            // One on its way is where it goes to.
            camera: is_space.then(|| view.tween.map_or(view.camera, |tween| tween.to)),
            fly: view.fly.filter(|_| is_space),
            top_down: view.top_down.map(|tilt| [tilt.yaw, tilt.pitch]),
            clip: stage.playback.playing.and_then(|place| self.place(place)),
            layers: others.into_iter().filter_map(|place| self.place(place)).collect(),
            frame,
            playing,
            loop_mode,
            speed: Some(speed),
            morphs: if player.morph_weights.iter().any(|weight| *weight != 0.0) {
                player.morph_weights.clone()
            } else {
                Vec::new()
            },
            drawer: stage.drawer,
            modes: modes_of(stage),
        }
    }
}

impl State {
    /// All that is looked at now.
    pub fn view_now(&self) -> SavedView {
        let mut names = Names { state: self, files: Vec::new() };
        let stages: Vec<SavedStage> = self.stages().map(|stage| names.stage(stage)).collect();
        let selection = self.selection.and_then(|place| names.place(place));
        let unfolded = self.library.unfolded().take(MAX_ROWS).collect::<Vec<_>>();
        let mut rows: Vec<SavedRow> = unfolded.into_iter().filter_map(|row| names.row(row)).collect();
        rows.sort();
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let files = names.files.iter().filter_map(|id| self.file(*id));
        let files = files.map(|file| SavedFile { path: absolute(&file.path), relative: None }).collect();
        SavedView { version: VERSION, files, stages, linked: self.stages_are_linked(), selection, rows }
    }

    /// Notes what is looked at for the next start; what moves by itself now and then. Not while it is still coming back.
    pub fn keep_view(&mut self, always: bool) {
        let is_coming = self.restoring.is_some() || self.stages().any(|stage| stage.coming.is_some());
        if is_coming || self.works.iter().any(|work| work.restores) {
            return;
        }
        let now = self.clock.now_secs();
        if !always && self.is_moving() && now - self.view_kept_secs < PAUSE_SECS {
            return;
        }
        self.view_kept_secs = now;
        let view = self.view_now();
        self.settings.session_view = Some(view).filter(|view| !view.files.is_empty());
    }
}

fn modes_of(stage: &Stage) -> Modes {
    let view = &stage.view;
    let terrain = stage.landscape().map(|shown| {
        let drawn = &view.terrain;
        let kinds = shown.terrain.kinds.iter().zip(drawn.hidden_kinds.iter());
        let hidden = kinds.filter(|(_, hidden)| **hidden).map(|(kind, _)| kind.name.clone());
        let selected = drawn.selected.iter().filter_map(|index| shown.terrain.props.get(*index as usize));
        TerrainModes {
            tint: drawn.tint,
            contours: drawn.contours,
            contour_step: drawn.contour_step,
            water: drawn.water,
            exaggeration: drawn.exaggeration,
            wireframe: drawn.wireframe,
            grid: drawn.grid,
            props: drawn.props,
            bodies: drawn.bodies,
            prop_colors: drawn.prop_colors,
            zones: drawn.zones,
            pictures: drawn.pictures,
            prop_names: view.prop_names,
            legend: view.terrain_legend,
            hidden: hidden.take(MAX_OBJECTS).collect(),
            selected: selected.take(MAX_OBJECTS).map(|prop| prop.slot).collect(),
        }
    });
    Modes {
        shading: view.shading,
        uv_set: view.uv_set,
        level: view.level,
        wireframe: view.wireframe,
        skeleton: view.skeleton,
        bone_names: view.bone_names,
        sockets: view.sockets,
        bounds: view.bounds,
        channel: view.channel,
        normal_lines: view.normal_lines,
        uv_layout: view.uv_layout,
        shadow: view.shadow,
        light: view.light,
        grid: view.grid,
        textures: view.textures,
        vertex_colors: view.vertex_colors,
        backface_culling: view.backface_culling,
        nearest_filter: view.nearest_filter,
        show_hidden: view.show_hidden,
        gx: view.gx,
        background: view.background,
        layers: view.layers,
        up_axis: view.up_axis,
        terrain,
    }
}
