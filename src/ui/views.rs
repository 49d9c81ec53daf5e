//! What the panels remember between frames, and what of the state each is given.

use crate::{
    formats::{Content, Dependency, EntryId, SharedText},
    library::OpenFile,
    scene::{MaterialKind, TexturePlace},
    ui::{
        command::{
            ACTIONS, BytesCommand, Command, ExportCommand, LibraryCommand, SelectionCommand, StageCommand,
            WindowCommand, key_names, other_words,
        },
        export,
        file_dialog::OwnDialog,
        inspector::{
            panel::{self as inspector, CountedModel, InspectorView, SelectedHierarchy},
            surfaces::SelectedSurface,
        },
        log::{self, LogView},
        log_buffer::LogBuffer,
        samples,
        section::Section,
        stage::{
            classes::{self, ClassesView},
            collection::{self, CollectionView},
            compare::{self, CompareView},
            gallery::{self, GalleryView},
            image::{self, view::ImageView},
            landscape::{
                objects::{self, ObjectsView},
                statistics,
            },
            level::actors::{self, ActorsView},
            pictures::{self, PicturesView},
            scripts::{self, ScriptsView},
            sound::{self, SoundView},
            table::{self, EntriesView},
            text::{self, TextView},
        },
        state::{FileId, Place, StageId, State},
        theme::Palette,
        transport::{
            self, ClipsView, TracksView,
            curves::{self, view::CurvesView},
        },
        widgets::{
            dependencies_card::DependenciesCard,
            entry_icon, field_path,
            skin_card::SkinCard,
            slot_card::SelectedSlot,
            subject::{EntryFields, JointPose, Subject},
            uses_card::{MAX_LISTED, User, UsesCard},
            value_text,
        },
        window::{
            jump::{self, JumpView},
            keys,
            palette::{self, PaletteItem, PaletteView},
            settings::{self, SettingsView},
            texture_chooser::{self, TextureChooserView},
            welcome::{self, Offers, WelcomeView},
        },
    },
};
use egui::Ui;
use glam::Mat3A;
use std::{collections::HashMap, path::PathBuf, sync::Arc};

/// The panels' own memory.
#[derive(Default)]
pub struct Views {
    /// Kept by the program's logger.
    pub program_log: LogBuffer,
    fields: EntryFields,
    inspector: InspectorView,
    surface: SelectedSurface,
    hierarchy: SelectedHierarchy,
    slot: SelectedSlot,
    counted: CountedModel,
    log: LogView,
    palette: PaletteView,
    chooser: TextureChooserView,
    jump: JumpView,
    settings: SettingsView,
    file_dialog: OwnDialog,
    welcome: WelcomeView,
    actors: ActorsView,
    objects: ObjectsView,
    stages: HashMap<StageId, StageViews>,
    /// Looked for once.
    samples: Option<Vec<PathBuf>>,
    /// The revision of the library that the rest was made for.
    revision: u64,
}

/// What the panels of one stage remember.
#[derive(Default)]
struct StageViews {
    image: ImageView,
    sound: SoundView,
    text: TextView,
    curves: CurvesView,
    tracks: TracksView,
    clips: ClipsView,
    gallery: GalleryView,
    pictures: PicturesView,
    entries: EntriesView,
    classes: ClassesView,
    compare: CompareView,
    scripts: ScriptsView,
    collection: CollectionView,
}

impl Views {
    /// Forgets what belongs to stages that are gone.
    pub fn keep_stages(&mut self, stages: &[StageId]) {
        self.stages.retain(|id, _| stages.contains(id));
    }

    /// Lets go of what was made from files, once the open files are others; what is still shown is made again.
    pub fn follow_files(&mut self, state: &State) {
        if self.revision == state.core.library.revision() {
            return;
        }
        self.revision = state.core.library.revision();
        // Rows of tables hold the bytes that they are read from.
        (self.fields, self.slot) = Default::default();
        (self.surface, self.hierarchy) = Default::default();
        let is_open = |file: FileId| state.core.file(file).is_some();
        for views in self.stages.values_mut() {
            views.image.keep_open(is_open);
            views.text.keep_open(is_open);
            views.gallery.keep_open(is_open);
            views.pictures.keep_open(is_open);
            views.entries.keep_open(is_open);
        }
    }

    fn of_stage(&mut self, state: &State) -> &mut StageViews {
        self.stages.entry(state.stages.front.id).or_default()
    }

    pub fn inspector(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        let file = state.core.selected_file().cloned();
        let mut subject = subject(state, file.as_ref());
        if let Some(subject) = &mut subject {
            subject.hierarchy = self.hierarchy.card(subject.document, subject.place, subject.revision);
            subject.slot = self.slot.card(state, subject.place);
            subject.statistics = self.counted.card(state, subject.place);
            subject.surface = self.surface.card(state, subject.document, subject.place);
        }
        margin().show(ui, |ui| {
            let open = &state.core.settings.sections;
            inspector::show(ui, subject.as_ref(), open, &mut self.fields, &mut self.inspector, commands);
        });
    }

    /// Ctrl+F searches the bytes while they have the keyboard.
    pub fn take_find(&self, commands: &mut [Command]) {
        let find = Command::Library(LibraryCommand::FocusFilter);
        if self.inspector.bytes.has_keyboard
            && let Some(command) = commands.iter_mut().find(|command| **command == find)
        {
            *command = Command::Bytes(BytesCommand::OpenSearch);
        }
    }

    /// The value of the field that the marked bytes belong to.
    pub fn marked_value(&mut self, state: &State) -> Option<String> {
        let file = state.core.selected_file().cloned();
        let subject = subject(state, file.as_ref())?;
        let tree = self.fields.of(&subject).ok()?;
        let path = field_path::owner(tree, state.core.selected_bytes.as_ref()?.start)?;
        Some(value_text::whole(&field_path::at(tree, &path)?.value))
    }

    /// Brings a section of the inspector into view.
    pub fn reveal(&mut self, section: Section) {
        self.inspector.reveal(section);
    }

    pub fn actors(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        actors::show(ui, state, &mut self.actors, commands);
    }

    pub fn objects(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        objects::show(ui, state, &mut self.objects, commands);
    }

    pub fn statistics(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        statistics::show(ui, state, commands);
    }

    pub fn image(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        image::show(ui, state, &mut self.of_stage(state).image, commands);
    }

    pub fn sound(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        sound::show(ui, state, &mut self.of_stage(state).sound, commands);
    }

    pub fn text(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        text::show(ui, state, &mut self.of_stage(state).text, commands);
    }

    pub fn curves(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        curves::show(ui, state, &mut self.of_stage(state).curves, commands);
    }

    /// The time of what is on the stage, and the drawer above it.
    pub fn transport(&mut self, ui: &mut Ui, state: &mut State, commands: &mut Vec<Command>) {
        let views = self.stages.entry(state.stages.front.id).or_default();
        transport::show(ui, state, &mut views.clips, &mut views.tracks, &mut views.curves, commands);
    }

    pub fn gallery(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        gallery::show(ui, state, &mut self.of_stage(state).gallery, commands);
    }

    pub fn pictures(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        pictures::show(ui, state, &mut self.of_stage(state).pictures, commands);
    }

    pub fn entries(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        table::show(ui, state, &mut self.of_stage(state).entries, commands);
    }

    pub fn classes(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        classes::show(ui, state, &mut self.of_stage(state).classes, commands);
    }

    pub fn scripts(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        scripts::show(ui, state, &mut self.of_stage(state).scripts, commands);
    }

    pub fn collection(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        collection::show(ui, state, &mut self.of_stage(state).collection, commands);
    }

    /// `draw` draws two models.
    pub fn compare(
        &mut self,
        ui: &mut Ui,
        state: &State,
        draw: &mut compare::DrawModels<'_>,
        commands: &mut Vec<Command>,
    ) {
        compare::show(ui, state, &mut self.of_stage(state).compare, draw, commands);
    }

    pub fn log(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        log::show(ui, &state.core.log, &self.program_log, &mut self.log, commands);
    }

    pub fn welcome(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        // Those of a page arrive after it.
        if cfg!(target_arch = "wasm32") && self.samples.as_ref().is_some_and(Vec::is_empty) {
            self.samples = None;
        }
        let samples = self.samples.get_or_insert_with(samples::files);
        let offers = Offers {
            recents: &state.core.settings.recents,
            favourites: &state.core.settings.favourites,
            samples,
            no_drops: state.no_drops,
        };
        welcome::show(ui, &offers, &mut self.welcome, commands);
    }

    /// What lies over the window: palette and key sheet.
    pub fn overlays(&mut self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        self.file_dialog.show(ui.ctx(), state, commands);
        if state.dialogs.file.is_some() {
            // What asked for it comes back when it is closed.
            return;
        }
        palette::show(ui, state.dialogs.palette, || palette_items(state), &mut self.palette, commands);
        jump::show(ui, state.dialogs.jump.as_ref(), &mut self.jump, commands);
        keys::show(ui, state.dialogs.keys, commands);
        texture_chooser::show(ui, state, &mut self.chooser, commands);
        settings::show(ui, state, &mut self.settings, commands);
        export::show(ui, state.exports.draft.as_ref(), commands);
        export::picture::show(ui, state.exports.picture.as_ref(), commands);
        export::show_large(ui, state.exports.large.as_ref(), commands);
        jump::view_question(ui, state.dialogs.asked_view.as_deref(), commands);
    }
}

/// The dock gives panels no margin of its own.
fn margin() -> egui::Frame {
    egui::Frame::new().inner_margin(8.0)
}

/// The selected entry.
fn subject<'a>(state: &'a State, file: Option<&'a Arc<OpenFile>>) -> Option<Subject<'a>> {
    let (place, file) = (state.core.selection?, file?);
    Some(Subject {
        place,
        file_name: &file.name,
        document: file.document.as_ref(),
        file: Some(file),
        diagnostics: &file.diagnostics,
        revision: state.core.library.revision(),
        is_reread: state.reloads.is_reread(place.file),
        selected_bytes: state.core.selected_bytes.as_ref(),
        byte_search: Some(&state.lookups.bytes),
        pose: joint_pose(state, place),
        surface: None,
        skin: skin_card(state, place),
        hierarchy: None,
        slot: None,
        statistics: None,
        uses: uses_card(state, place),
        dependencies: dependencies_card(state, place),
    })
}

/// The material that is selected on the model on show.
fn skin_card(state: &State, place: Place) -> Option<SkinCard> {
    let shown = state.stages.front.model().filter(|shown| shown.place.file == place.file)?;
    let material = state.stages.front.selected().part?.material?;
    let of = shown.model.materials.get(material.as_usize())?;
    let MaterialKind::Basic(basic) = &of.kind else { return None };
    let chosen = shown.textures.image_at(TexturePlace { material, slot: 0 });
    let own = basic.image.and_then(|image| shown.model.images.get(image as usize));
    Some(SkinCard { material, name: of.name.clone(), image: chosen.or(own).cloned(), chosen: chosen.is_some() })
}

/// The files that the selected file needs.
fn dependencies_card(state: &State, place: Place) -> Option<DependenciesCard<'_>> {
    let known = state
        .lookups
        .dependencies
        .as_ref()
        .filter(|known| place == Place { file: known.file, entry: EntryId::FILE })?;
    let list = known.list.as_deref();
    let place_of = |needed: &Dependency| {
        let file = state.core.library.at_path(needed.found.as_ref()?)?;
        Some(Place { file, entry: EntryId::FILE })
    };
    Some(DependenciesCard { list, open: list.unwrap_or_default().iter().map(place_of).collect() })
}

/// What refers to the selected entry, by name.
fn uses_card(state: &State, place: Place) -> Option<UsesCard> {
    let uses = state.lookups.uses.as_ref().filter(|uses| uses.of == place)?;
    let Some(list) = &uses.list else { return Some(UsesCard { list: None, count: 0 }) };
    // An entry whose fields refer several times is one user.
    let mut by_place: Vec<(Place, Vec<String>)> = Vec::new();
    for used in list {
        match by_place.last_mut().filter(|(last, _)| *last == used.place) {
            Some((_, fields)) => fields.push(used.field.clone()),
            None => by_place.push((used.place, vec![used.field.clone()])),
        }
    }
    let count = by_place.len();
    let user = |(user, fields): (Place, Vec<String>)| {
        let file = state.core.file(user.file)?;
        let entry = file.entry(user.entry)?;
        let name = match user.file == place.file {
            true => entry.path().into_owned(),
            false => format!("{}: {}", file.name, entry.path()),
        };
        Some(User { place: user, name, fields })
    };
    let list = by_place.into_iter().take(MAX_LISTED).filter_map(user).collect();
    Some(UsesCard { list: Some(list), count })
}

/// Where the selected joint is, in the axes that are chosen, when the selected entry is one of the shown model.
fn joint_pose(state: &State, place: Place) -> Option<JointPose> {
    let shown = state.stages.front.model().filter(|shown| shown.place.file == place.file)?;
    let joint = state.stages.front.selected().joint?;
    let skeleton = shown.model.skeleton.as_ref()?;
    let source = skeleton.joints().get(joint as usize)?;
    let joints = &shown.playback.frame.world_from_joint;
    let world_from_joint = *joints.get(joint as usize)?;
    let parent_from_joint = match source.moving_parent() {
        Some(parent) => joints.get(parent as usize)?.inverse() * world_from_joint,
        None => world_from_joint,
    };
    let axes = state.core.number_axes(shown.model.file_from_scene);
    Some(JointPose {
        parent_from_joint: axes.matrix(parent_from_joint),
        world_from_joint: axes.matrix(world_from_joint),
        scene_axes: (shown.model.file_from_scene.matrix3 != Mat3A::IDENTITY).then_some(state.core.settings.scene_axes),
    })
}

/// Every action, and every entry of the open files that shows as something.
fn palette_items(state: &State) -> Vec<PaletteItem> {
    let mut items: Vec<PaletteItem> = ACTIONS
        .iter()
        .filter(|action| action.command != Command::Window(WindowCommand::TogglePalette))
        .filter(|action| state.is_possible(&action.command))
        .map(|action| PaletteItem {
            icon: action.icon,
            group: action.group.to_owned(),
            types: ("command", SharedText::default()),
            name: action.name.to_owned(),
            also: other_words(action.name),
            on: state.is_on(&action.command) == Some(true),
            keys: state.core.settings.keys.of(action).first().map(key_names).unwrap_or_default(),
            command: action.command.clone(),
            export: None,
        })
        .collect();
    let palette = Palette::of(state.core.settings.dark);
    items.extend(state.core.settings.favourites.iter().map(|favourite| PaletteItem {
        icon: egui_phosphor::regular::STAR,
        group: "Favourites".to_owned(),
        types: ("favourite", SharedText::default()),
        name: favourite.name(),
        also: "star bookmark open show",
        on: false,
        keys: Vec::new(),
        command: Command::Library(LibraryCommand::OpenFavourite(favourite.clone())),
        export: None,
    }));
    for opened in &state.core.library.files {
        for entry in opened.file.document.outline().entries() {
            let place = Place { file: opened.id, entry: entry.id };
            let is_file = entry.id == EntryId::FILE;
            let shows = !matches!(entry.content, Content::None | Content::Bytes);
            items.push(PaletteItem {
                icon: entry_icon::of(entry, &palette).0,
                group: if is_file { entry.class.to_string() } else { opened.file.name.clone() },
                types: (entry.role.word(), entry.class.clone()),
                name: if is_file { opened.file.name.clone() } else { entry.name.to_string() },
                also: if matches!(entry.content, Content::Clip | Content::Sound | Content::Music) {
                    "play show open listen"
                } else {
                    "show open view go to"
                },
                on: false,
                keys: Vec::new(),
                export: shows.then_some(Command::Export(ExportCommand::Prepare(place))),
                command: if shows {
                    Command::Stage(StageCommand::Show(place))
                } else {
                    Command::Selection(SelectionCommand::Select(place))
                },
            });
        }
    }
    items
}
