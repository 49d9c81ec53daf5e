//! What can be done to a part of the model on the stage, as items of a menu.

use crate::{
    formats::Role,
    scene::{JointIndex, ModelPiece},
    ui::{
        command::{
            CameraCommand, CollectionCommand, Command, ModelCommand, PartsCommand, SelectionCommand, StageCommand,
            ViewCommand, WindowCommand, keys_of,
        },
        section::Section,
        state::{DrawerPage, Place, Shading, State},
    },
};
use egui::{Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

/// Items for the selected part, as a click on the picture selects it; where nothing is selected, for the model.
pub fn of_selected(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_min_width(190.0);
    let Some(piece) = state.stages.front.selected_piece() else {
        item(ui, icon::FRAME_CORNERS, "Focus", &[Command::Camera(CameraCommand::Frame)], commands);
        // A socket may have an entry of its own.
        if state.core.selection.is_some_and(|place| {
            state.stages.front.selected().socket == state.stages.front.socket_at(&state.core, place)
        }) && state.stages.front.selected().socket.is_some()
        {
            let fields = Command::Window(WindowCommand::ShowSection(Section::Properties));
            item(ui, icon::LIST_DASHES, "Show fields", &[fields], commands);
        }
        ends(ui, state, commands);
        return;
    };
    let focus = match piece {
        ModelPiece::Joint(joint) => CameraCommand::FocusJoint(joint.0),
        ModelPiece::Surfaces(_) => CameraCommand::Frame,
    };
    item(ui, icon::FRAME_CORNERS, "Focus", &[Command::Camera(focus)], commands);
    if state.stages.front.alone_piece().is_none() {
        item(ui, icon::SELECTION_INVERSE, "Isolate", &[Command::Parts(PartsCommand::IsolateSelected)], commands);
    }
    item(ui, icon::EYE_SLASH, "Hide", &[Command::Parts(PartsCommand::HideSelected)], commands);
    let place = state.core.selection.filter(|place| state.stages.front.piece_at(*place).is_some());
    looks(ui, state, piece, place, commands);
    ends(ui, state, commands);
}

/// Items for the part of a model or the actor of a level that an entry is; nothing for an entry that is none.
pub fn of_entry(ui: &mut Ui, state: &State, place: Place, commands: &mut Vec<Command>) {
    let Some(is_hidden) = state.stages.front.is_hidden(place) else { return };
    let piece = state.stages.front.piece_at(place);
    let select = Command::Selection(SelectionCommand::Select(place));
    let focus = match piece {
        Some(ModelPiece::Joint(joint)) => Command::Camera(CameraCommand::FocusJoint(joint.0)),
        Some(ModelPiece::Surfaces(_)) | None => Command::Camera(CameraCommand::Frame),
    };
    item(ui, icon::FRAME_CORNERS, "Focus", &[select.clone(), focus], commands);
    let is_alone = match piece {
        Some(piece) => state.stages.front.alone_piece() == Some(piece),
        None => state.stages.front.alone_actor() == state.stages.front.actor_of(place),
    };
    if !is_alone {
        item(ui, icon::SELECTION_INVERSE, "Isolate", &[Command::Parts(PartsCommand::Isolate(place))], commands);
    }
    let (sign, name) = if is_hidden { (icon::EYE, "Unhide") } else { (icon::EYE_SLASH, "Hide") };
    item(ui, sign, name, &[Command::Parts(PartsCommand::Hide(place, !is_hidden))], commands);
    match piece {
        Some(piece) => {
            looks(ui, state, piece, Some(place), commands);
            ends(ui, state, commands);
        }
        None => {
            let fields = Command::Window(WindowCommand::ShowSection(Section::Properties));
            item(ui, icon::LIST_DASHES, "Show fields", &[select, fields], commands);
            ends_of_level(ui, state, commands);
        }
    }
    ui.separator();
}

/// Items for the selected actor of a level; where none is selected, for the level.
pub fn of_actor(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_min_width(190.0);
    item(ui, icon::FRAME_CORNERS, "Focus", &[Command::Camera(CameraCommand::Frame)], commands);
    if state.stages.front.selected_actor(&state.core).is_some() {
        if state.stages.front.alone_actor().is_none() {
            item(ui, icon::SELECTION_INVERSE, "Isolate", &[Command::Parts(PartsCommand::IsolateSelected)], commands);
        }
        item(ui, icon::EYE_SLASH, "Hide", &[Command::Parts(PartsCommand::HideSelected)], commands);
        let fields = Command::Window(WindowCommand::ShowSection(Section::Properties));
        item(ui, icon::LIST_DASHES, "Show fields", &[fields], commands);
    }
    ends_of_level(ui, state, commands);
}

/// What is done to the level as a whole.
fn ends_of_level(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    if state.stages.front.alone_actor().is_some() {
        let back = Command::Parts(PartsCommand::IsolateSelected);
        item(ui, icon::SELECTION, "Show others", &[back], commands);
    }
    if state.stages.front.level().is_some_and(|shown| !shown.actors.hidden().is_empty()) {
        item(ui, icon::EYE, "Show all", &[Command::Parts(PartsCommand::ShowAll)], commands);
    }
}

/// What else there is to see of a piece.
fn looks(ui: &mut Ui, state: &State, piece: ModelPiece, place: Option<Place>, commands: &mut Vec<Command>) {
    if let ModelPiece::Joint(joint) = piece {
        let select = Command::Selection(SelectionCommand::Joint(Some(joint.0)));
        let weights = Command::View(ViewCommand::SetShading(Shading::Weights));
        item(ui, icon::THERMOMETER, "Show weights", &[select.clone(), weights], commands);
        if has_curve(state, joint) {
            let mut curve = vec![select];
            if state.stages.front.viewport.drawer != Some(DrawerPage::Curves) {
                curve.push(Command::Stage(StageCommand::ToggleDrawer(DrawerPage::Curves)));
            }
            item(ui, icon::CHART_LINE, "Show curve", &curve, commands);
        }
    }
    let Some(place) = place else { return };
    if let Some(texture) = texture_of(state, place) {
        item(ui, icon::IMAGE, "Show texture", &[Command::Stage(StageCommand::Show(texture))], commands);
    }
    let fields = Command::Window(WindowCommand::ShowSection(Section::Properties));
    let select = Command::Selection(SelectionCommand::Select(place));
    item(ui, icon::LIST_DASHES, "Show fields", &[select, fields], commands);
}

/// What is done to the model as a whole.
fn ends(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    if state.stages.front.alone_piece().is_some() {
        let back = Command::Parts(PartsCommand::IsolateSelected);
        item(ui, icon::SELECTION, "Show others", &[back], commands);
    }
    let shown = state.stages.front.model();
    if shown.is_some_and(|shown| !shown.parts.hidden().is_empty()) {
        item(ui, icon::EYE, "Show all", &[Command::Parts(PartsCommand::ShowAll)], commands);
    }
    if state.collection.has_collection(&state.core) {
        let fits = Command::Collection(CollectionCommand::ShowFits(None));
        item(ui, icon::STACK, "Matching clips in collection", &[fits], commands);
    }
    if shown.is_some_and(|shown| !shown.textures.is_empty()) {
        item(
            ui,
            icon::IMAGE_BROKEN,
            "Restore original textures",
            &[Command::Model(ModelCommand::OwnTextures)],
            commands,
        );
    }
}

fn item(ui: &mut Ui, sign: &str, name: &str, does: &[Command], commands: &mut Vec<Command>) {
    let keys = does.last().and_then(|command| keys_of(ui.ctx(), command)).unwrap_or_default();
    let response = ui.add(egui::Button::new(format!("{sign}  {name}")).shortcut_text(keys));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, name));
    if response.clicked() {
        commands.extend_from_slice(does);
        ui.close();
    }
}

/// Whether the clip that plays moves a joint.
fn has_curve(state: &State, joint: JointIndex) -> bool {
    let skeleton = state.stages.front.model().and_then(|shown| shown.model.skeleton.as_ref());
    let Some(joint) = skeleton.and_then(|skeleton| skeleton.joints().get(joint.as_usize())) else { return false };
    let names = state.stages.front.curves_joint_names();
    names.iter().flat_map(|names| names.split(", ")).any(|name| name == joint.name)
}

/// The entry of the first texture that a material has.
fn texture_of(state: &State, place: Place) -> Option<Place> {
    let file = state.core.file(place.file)?;
    file.entry(place.entry).filter(|entry| entry.role == Role::Material)?;
    let surface = file.document.ask(place.entry, |can, entry| can.facts?.surface(entry))?;
    let first = match surface.material.tev() {
        Some(tev) => tev.textures.into_iter().flatten().next().map(|number| number as usize),
        None => surface.material.basic().image.map(|image| image as usize),
    };
    Some(Place { entry: *surface.textures.get(first?)?, ..place })
}
