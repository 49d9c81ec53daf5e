//! The bar at the top: name, menus and the way to every command.

use crate::{
    formats::RootConjugate,
    scene::{LoopMode, PoseOptions, Translation},
    ui::{
        command::{
            ACTIONS, Action, Command, ExportCommand, LibraryCommand, ModelCommand, TerrainCommand, TransportCommand,
            ViewCommand, WindowCommand,
        },
        settings::BLENDS,
        stage::{
            landscape::menus as landscape_menus,
            view_menus::{direction_items, shading_items},
        },
        state::{State, TimeOf, UpAxis},
        theme,
        transport::loop_sign::loop_sign,
        widgets::menu_item::{item, tick},
    },
};
use egui::{RichText, Ui};
use egui_phosphor::regular as icon;

/// The first items of the file menu.
static OPENING: [Command; 2] =
    [Command::Library(LibraryCommand::OpenFilesDialog), Command::Library(LibraryCommand::OpenFolderDialog)];
/// The others below the recent files and the folders, in groups.
static FILE_MENU: [&[Command]; 5] = [
    &[Command::Library(LibraryCommand::OpenSamples), Command::Library(LibraryCommand::ReadAgain(None))],
    &[Command::Export(ExportCommand::PrepareShown), Command::Export(ExportCommand::AllDialog(None))],
    &[Command::Window(WindowCommand::Screenshot(false)), Command::Library(LibraryCommand::SaveViewDialog)],
    &[Command::Library(LibraryCommand::CloseAll)],
    &[Command::Window(WindowCommand::Quit)],
];

pub fn show(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    egui::MenuBar::new().ui(ui, |ui| {
        ui.label(RichText::new(icon::BONE).size(18.0).color(p.accent));
        ui.label(RichText::new("Bonebox").size(15.0).color(p.strong));
        ui.add_space(8.0);
        ui.menu_button("File", |ui| file_menu(ui, state, commands));
        ui.menu_button("Edit", |ui| edit_menu(ui, state, commands));
        ui.menu_button("View", |ui| view_menu(ui, state, commands));
        ui.menu_button("Playback", |ui| playback_menu(ui, state, commands));
        ui.menu_button("Go", |ui| listed(ui, "Go", commands));
        ui.menu_button("Help", |ui| listed(ui, "Help", commands));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let hint = RichText::new(format!("{}  Search or command", icon::MAGNIFYING_GLASS)).color(p.weak);
            let keys = RichText::new("Ctrl+P").small().color(p.weak);
            let button = egui::Button::new(hint).right_text(keys).fill(p.field).min_size(egui::vec2(240.0, 24.0));
            let response = ui.add(button);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Search or command"));
            if response.clicked() {
                commands.push(Command::Window(WindowCommand::TogglePalette));
            }
        });
    });
}

/// The item of a command that the table of actions names.
fn item_of(ui: &mut Ui, command: &Command, commands: &mut Vec<Command>) {
    if let Some(action) = Action::of(command) {
        item(ui, action, commands);
    }
}

fn listed(ui: &mut Ui, group: &str, commands: &mut Vec<Command>) {
    ui.set_min_width(200.0);
    for action in ACTIONS.iter().filter(|a| a.group == group) {
        item(ui, action, commands);
    }
}

fn file_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_min_width(220.0);
    for command in &OPENING {
        item_of(ui, command, commands);
    }
    ui.menu_button(format!("{}  Open recent", icon::CLOCK_COUNTER_CLOCKWISE), |ui| {
        ui.set_min_width(200.0);
        if state.settings.recents.is_empty() {
            ui.weak("No file was opened yet");
        }
        for path in &state.settings.recents {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                commands.push(Command::Library(LibraryCommand::Open(vec![path.clone()])));
                ui.close();
            }
        }
        if !state.settings.recents.is_empty() {
            ui.separator();
            if ui.button(format!("{}  Forget them", icon::ERASER)).clicked() {
                commands.push(Command::Library(LibraryCommand::ClearRecents));
            }
        }
    });
    ui.menu_button(format!("{}  Folders to look in", icon::FOLDER_PLUS), |ui| {
        ui.set_min_width(240.0);
        if state.settings.folders.is_empty() {
            ui.weak("Files that others refer to are looked for beside them.\nAdd a game's folder to look there too.");
        }
        for folder in &state.settings.folders {
            let button = egui::Button::new(folder.display().to_string()).right_text(icon::X);
            if ui.add(button).on_hover_text("Look here no longer").clicked() {
                commands.push(Command::Library(LibraryCommand::RemoveSearchFolder(folder.clone())));
            }
        }
        ui.separator();
        if ui.button(format!("{}  Add a folder…", icon::PLUS)).clicked() {
            commands.push(Command::Library(LibraryCommand::SearchFolderDialog));
            ui.close();
        }
    });
    ui.menu_button(format!("{}  Favourites", icon::STAR), |ui| {
        ui.set_min_width(200.0);
        if state.settings.favourites.is_empty() {
            ui.weak("Files, folders and entries with a star are listed here.");
        }
        for favourite in &state.settings.favourites {
            if ui.button(favourite.name()).on_hover_text(favourite.way()).clicked() {
                commands.push(Command::Library(LibraryCommand::OpenFavourite(favourite.clone())));
                ui.close();
            }
        }
        if state.selection.is_some() {
            ui.separator();
            item_of(ui, &Command::Library(LibraryCommand::ToggleFavouriteOfSelected), commands);
        }
    });
    for (index, group) in FILE_MENU.iter().enumerate() {
        if index > 0 {
            ui.separator();
        }
        for command in *group {
            item_of(ui, command, commands);
        }
    }
}

fn edit_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    listed(ui, "Edit", commands);
    ui.separator();
    let autoplay = state.settings.autoplay;
    tick(
        ui,
        autoplay,
        "Play the first clip that fits",
        Command::Window(WindowCommand::SetAutoplay(!autoplay)),
        commands,
    );
    let reopen = state.settings.reopen_session;
    tick(ui, reopen, "Reopen the last session", Command::Window(WindowCommand::SetReopenSession(!reopen)), commands);
    let watch = state.settings.watch_files;
    tick(ui, watch, "Watch open files", Command::Window(WindowCommand::SetWatchFiles(!watch)), commands);
    ui.menu_button(format!("{}  Size of the interface", icon::TEXT_AA), |ui| {
        for percent in [80, 90, 100, 110, 125, 150, 175, 200] {
            let scale = percent as f32 / 100.0;
            let on = (state.settings.ui_scale - scale).abs() < 0.01;
            tick(ui, on, &format!("{percent} %"), Command::Window(WindowCommand::SetUiScale(scale)), commands);
        }
    });
}

fn view_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    use Command as C;
    ui.set_min_width(220.0);
    let view = &state.stage.view;
    if let Some(shown) = state.stage.landscape() {
        tick(ui, state.stage.is_map(), "Map from above", C::Terrain(TerrainCommand::ToggleMap), commands);
        let stays =
            || egui::containers::menu::MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
        let part = |sign: &str, name: &str| {
            egui::containers::menu::SubMenuButton::new(format!("{sign}  {name}")).config(stays())
        };
        part(icon::MOUNTAINS, "Ground").ui(ui, |ui| landscape_menus::ground(ui, shown, state, commands));
        part(icon::TREE, "Objects").ui(ui, |ui| landscape_menus::objects(ui, shown, state, commands));
        ui.separator();
    }
    let (wireframe, grid) = match state.stage.landscape() {
        Some(_) => (view.terrain.wireframe, view.terrain.grid),
        None => (view.wireframe, view.grid),
    };
    for (on, name, command) in [
        (view.textures, "Textures", C::View(ViewCommand::ToggleTextures)),
        (wireframe, "Wireframe", C::View(ViewCommand::ToggleWireframe)),
        (view.skeleton, "Bones", C::View(ViewCommand::ToggleSkeleton)),
        (view.bone_names, "Bone names", C::View(ViewCommand::ToggleBoneNames)),
        (view.shadow, "Shadow", C::View(ViewCommand::ToggleShadow)),
        (view.sockets, "Sockets", C::View(ViewCommand::ToggleSockets)),
        (view.bounds, "Bounds", C::View(ViewCommand::ToggleBounds)),
        (view.vertex_colors, "Vertex colours", C::View(ViewCommand::ToggleVertexColors)),
        (grid, "Grid", C::View(ViewCommand::ToggleGrid)),
        (view.backface_culling, "Hide back faces", C::View(ViewCommand::ToggleCulling)),
        (view.nearest_filter, "Unfiltered textures", C::View(ViewCommand::ToggleNearest)),
        (view.show_hidden, "Hidden surfaces", C::View(ViewCommand::ToggleHidden)),
    ] {
        // A landscape has none of the others.
        if state.stage.landscape().is_some()
            && !matches!(command, C::View(ViewCommand::ToggleWireframe) | C::View(ViewCommand::ToggleGrid))
        {
            continue;
        }
        if matches!(
            command,
            C::View(ViewCommand::ToggleSockets | ViewCommand::ToggleBounds | ViewCommand::ToggleShadow)
        ) && !state.is_possible(&command)
        {
            continue;
        }
        // Materials of the GameCube's chip say these themselves.
        if state.stage.draws_gx()
            && matches!(command, C::View(ViewCommand::ToggleVertexColors) | C::View(ViewCommand::ToggleCulling))
        {
            continue;
        }
        tick(ui, on, name, command, commands);
    }
    let own = Command::Model(ModelCommand::OwnTextures);
    if !state.stage.textures.is_empty()
        && let Some(action) = Action::of(&own)
    {
        item(ui, action, commands);
    }
    ui.separator();
    if state.stage.model().is_some() {
        ui.menu_button(format!("{}  Scene", icon::STACK_PLUS), |ui| listed(ui, "Scene", commands));
    }
    for action in ACTIONS.iter().filter(|action| matches!(action.command, Command::Parts(_))) {
        ui.add_enabled_ui(state.is_possible(&action.command), |ui| item(ui, action, commands));
    }
    ui.separator();
    if state.stage.landscape().is_none() {
        ui.menu_button(format!("{}  Shading", icon::PALETTE), |ui| shading_items(ui, state, commands));
    }
    ui.menu_button(format!("{}  Look from", icon::CUBE), |ui| direction_items(ui, state, commands));
    if state.stage.landscape().is_none() {
        ui.menu_button(format!("{}  Up axis of the file", icon::ARROW_UP), |ui| {
            tick(ui, view.up_axis == UpAxis::Z, "Z is up", C::View(ViewCommand::SetUpAxis(UpAxis::Z)), commands);
            tick(ui, view.up_axis == UpAxis::Y, "Y is up", C::View(ViewCommand::SetUpAxis(UpAxis::Y)), commands);
        });
    }
    ui.menu_button(format!("{}  Samples a pixel", icon::GRID_NINE), |ui| {
        for (samples, name) in [(None, "As the adapter can"), (Some(1), "1"), (Some(4), "4")] {
            tick(ui, state.settings.samples == samples, name, C::View(ViewCommand::SetSamples(samples)), commands);
        }
    });
    ui.separator();
    tick(ui, state.settings.browse, "Browse: keys show each entry", C::Library(LibraryCommand::ToggleBrowse), commands);
    tick(ui, state.settings.show_log, "Log", C::Window(WindowCommand::ToggleLog), commands);
    tick(ui, state.settings.dark, "Dark theme", C::Window(WindowCommand::ToggleTheme), commands);
    if ui.button(format!("{}  Reset the layout", icon::LAYOUT)).clicked() {
        commands.push(C::Window(WindowCommand::ResetLayout));
        ui.close();
    }
}

fn playback_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    use Command as C;
    ui.set_min_width(200.0);
    // What is a choice of several stands in a menu of its own below.
    let is_choice = |action: &&Action| matches!(action.command, C::Model(ModelCommand::SetBlend(_)));
    for action in ACTIONS.iter().filter(|action| action.group == "Playback" && !is_choice(action)) {
        item(ui, action, commands);
    }
    ui.separator();
    let player = &state.stage.playback.player;
    let looping = match state.stage.time_of() {
        Some(TimeOf::Clip) => state.stage.curves.alone().loop_mode(),
        _ => player.loop_mode(),
    };
    ui.menu_button(format!("{}  Loop", icon::REPEAT), |ui| {
        let modes =
            [LoopMode::Loop, LoopMode::PingPong, LoopMode::Once, LoopMode::OnceReset, LoopMode::OnceForthAndBack];
        for mode in modes {
            tick(ui, looping == mode, loop_sign(mode).1, C::Transport(TransportCommand::SetLoop(mode)), commands);
        }
    });
    ui.menu_button(format!("{}  Blend between clips", icon::INTERSECT), |ui| {
        for secs in BLENDS {
            let name = if secs > 0.0 { format!("{secs} s") } else { "Off".to_owned() };
            let on = state.settings.blend_secs == secs;
            tick(ui, on, &name, C::Model(ModelCommand::SetBlend(secs)), commands);
        }
    });
    ui.menu_button(format!("{}  Rate of clips that do not say", icon::GAUGE), |ui| {
        for rate_hz in [None, Some(30.0), Some(60.0)] {
            let on = player.assumed_rate_hz() == rate_hz;
            let name = rate_hz.map_or("As their format mostly has it".to_owned(), |r| format!("{r} frames a second"));
            tick(ui, on, &name, C::Model(ModelCommand::SetAssumedRate(rate_hz)), commands);
        }
    });
    let options = player.options;
    let smooth = PoseOptions { smooth_rotation: !options.smooth_rotation, ..options };
    tick(
        ui,
        options.smooth_rotation,
        "Turn the shorter way between frames",
        C::Model(ModelCommand::SetPoseOptions(smooth)),
        commands,
    );
    let exact = PoseOptions { game_exact: !options.game_exact, ..options };
    tick(ui, options.game_exact, "Round as the game did", C::Model(ModelCommand::SetPoseOptions(exact)), commands);
    ui.separator();
    ui.menu_button(format!("{}  Positions of the bones", icon::ARROWS_OUT_CARDINAL), |ui| {
        let at = state.stage.playback.options.translation;
        for (translation, name) in [
            (Translation::Auto, "As the file says"),
            (Translation::Clip, "From the clip"),
            (Translation::Mesh, "From the mesh"),
        ] {
            tick(ui, at == translation, name, C::Model(ModelCommand::SetTranslation(translation)), commands);
        }
    });
    let additive = state.stage.playback.options.additive;
    tick(ui, additive, "Add to the bind pose", C::Model(ModelCommand::SetAdditive(!additive)), commands);
    ui.menu_button(format!("{}  First bone of the mesh", icon::ARROWS_CLOCKWISE), |ui| {
        let at = state.load_options().root_conjugate;
        for (rule, name) in [
            (RootConjugate::Auto, "As known writers store it"),
            (RootConjugate::On, "Turned over"),
            (RootConjugate::Off, "As stored"),
        ] {
            tick(ui, at == rule, name, C::Model(ModelCommand::SetRootConjugate(rule)), commands);
        }
    });
    let swap = state.load_options().swap_red_blue;
    tick(ui, swap, "Vertex colours: swap red and blue", C::Model(ModelCommand::SetSwapRedBlue(!swap)), commands);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_of_the_file_menu_is_in_the_table_of_actions() {
        for command in OPENING.iter().chain(FILE_MENU.into_iter().flatten()) {
            assert!(Action::of(command).is_some(), "{command:?}");
        }
    }
}
