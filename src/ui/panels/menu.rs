//! The bar at the top: name, menus and the way to every command.

use crate::{
    formats::RootConjugate,
    scene::{LoopMode, PoseOptions, Translation},
    ui::{
        command::{Action, Command, TerrainCommand, actions, keys_of},
        panels::{transport::loop_sign, viewport_terrain_menus},
        state::{State, TimeOf, UpAxis},
        theme,
    },
};
use egui::{RichText, Ui};
use egui_phosphor::regular as icon;

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
                commands.push(Command::TogglePalette);
            }
        });
    });
}

fn item(ui: &mut Ui, action: &Action, commands: &mut Vec<Command>) {
    let keys = action.keys.first().map(|k| ui.ctx().format_shortcut(k)).unwrap_or_default();
    let button = egui::Button::new(format!("{}  {}", action.icon, action.name)).shortcut_text(keys);
    if ui.add(button).clicked() {
        commands.push(action.command.clone());
        ui.close();
    }
}

fn listed(ui: &mut Ui, group: &str, commands: &mut Vec<Command>) {
    ui.set_min_width(200.0);
    for action in actions().iter().filter(|a| a.group == group) {
        item(ui, action, commands);
    }
}

/// An item with a tick.
fn tick(ui: &mut Ui, on: bool, name: &str, command: Command, commands: &mut Vec<Command>) {
    let keys = keys_of(ui.ctx(), &command).unwrap_or_default();
    let sign = if on { icon::CHECK } else { "    " };
    let response = ui.add(egui::Button::new(format!("{sign}  {name}")).shortcut_text(keys));
    response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, on, name));
    if response.clicked() {
        commands.push(command);
        ui.close();
    }
}

fn file_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_min_width(220.0);
    let all = actions();
    let by_name = |name: &str| all.iter().find(|a| a.command == wanted(name));
    for name in ["files", "folder"] {
        if let Some(action) = by_name(name) {
            item(ui, action, commands);
        }
    }
    ui.menu_button(format!("{}  Open recent", icon::CLOCK_COUNTER_CLOCKWISE), |ui| {
        ui.set_min_width(200.0);
        if state.settings.recents.is_empty() {
            ui.weak("No file was opened yet");
        }
        for path in &state.settings.recents {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                commands.push(Command::Open(vec![path.clone()]));
                ui.close();
            }
        }
        if !state.settings.recents.is_empty() {
            ui.separator();
            if ui.button(format!("{}  Forget them", icon::ERASER)).clicked() {
                commands.push(Command::ClearRecents);
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
                commands.push(Command::RemoveSearchFolder(folder.clone()));
            }
        }
        ui.separator();
        if ui.button(format!("{}  Add a folder…", icon::PLUS)).clicked() {
            commands.push(Command::SearchFolderDialog);
            ui.close();
        }
    });
    for (name, line) in [
        ("samples", true),
        ("export", false),
        ("export all", true),
        ("screenshot", true),
        ("close", true),
        ("quit", false),
    ] {
        if let Some(action) = by_name(name) {
            item(ui, action, commands);
        }
        if line {
            ui.separator();
        }
    }
}

fn wanted(name: &str) -> Command {
    match name {
        "files" => Command::OpenFilesDialog,
        "folder" => Command::OpenFolderDialog,
        "samples" => Command::OpenSamples,
        "export" => Command::ExportShown,
        "export all" => Command::ExportAllDialog(None),
        "screenshot" => Command::Screenshot(false),
        "close" => Command::CloseAll,
        _ => Command::Quit,
    }
}

fn edit_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    listed(ui, "Edit", commands);
    ui.separator();
    let autoplay = state.settings.autoplay;
    tick(ui, autoplay, "Play the first clip that fits", Command::SetAutoplay(!autoplay), commands);
    let reopen = state.settings.reopen_session;
    tick(ui, reopen, "Reopen the last session", Command::SetReopenSession(!reopen), commands);
    ui.menu_button(format!("{}  Size of the interface", icon::TEXT_AA), |ui| {
        for percent in [80, 90, 100, 110, 125, 150, 175, 200] {
            let scale = percent as f32 / 100.0;
            let on = (state.settings.ui_scale - scale).abs() < 0.01;
            tick(ui, on, &format!("{percent} %"), Command::SetUiScale(scale), commands);
        }
    });
}

fn view_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    use Command as C;
    ui.set_min_width(220.0);
    let view = &state.stage.view;
    if let Some(shown) = state.stage.landscape() {
        tick(ui, state.is_map(), "Map from above", C::Terrain(TerrainCommand::ToggleMap), commands);
        let stays =
            || egui::containers::menu::MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
        let part = |sign: &str, name: &str| {
            egui::containers::menu::SubMenuButton::new(format!("{sign}  {name}")).config(stays())
        };
        part(icon::MOUNTAINS, "Ground").ui(ui, |ui| viewport_terrain_menus::ground(ui, shown, state, commands));
        part(icon::TREE, "Objects").ui(ui, |ui| viewport_terrain_menus::objects(ui, shown, state, commands));
        ui.separator();
    }
    let (wireframe, grid) = match state.stage.landscape() {
        Some(_) => (view.terrain.wireframe, view.terrain.grid),
        None => (view.wireframe, view.grid),
    };
    for (on, name, command) in [
        (view.textures, "Textures", C::ToggleTextures),
        (wireframe, "Wireframe", C::ToggleWireframe),
        (view.skeleton, "Bones", C::ToggleSkeleton),
        (view.bone_names, "Bone names", C::ToggleBoneNames),
        (view.vertex_colors, "Vertex colours", C::ToggleVertexColors),
        (grid, "Grid", C::ToggleGrid),
        (view.backface_culling, "Hide back faces", C::ToggleCulling),
        (view.nearest_filter, "Unfiltered textures", C::ToggleNearest),
        (view.show_hidden, "Hidden surfaces", C::ToggleHidden),
    ] {
        // A landscape has none of the others.
        if state.stage.landscape().is_some() && !matches!(command, C::ToggleWireframe | C::ToggleGrid) {
            continue;
        }
        // Materials of the GameCube's chip say these themselves.
        if state.draws_gx() && matches!(command, C::ToggleVertexColors | C::ToggleCulling) {
            continue;
        }
        tick(ui, on, name, command, commands);
    }
    if !state.stage.textures.is_empty()
        && let Some(action) = actions().iter().find(|action| action.command == C::OwnTextures)
    {
        item(ui, action, commands);
    }
    ui.separator();
    if state.stage.landscape().is_none() {
        ui.menu_button(format!("{}  Shading", icon::PALETTE), |ui| shading_items(ui, state, commands));
    }
    ui.menu_button(format!("{}  Look from", icon::CUBE), |ui| direction_items(ui, state, commands));
    if state.stage.landscape().is_none() {
        ui.menu_button(format!("{}  Up axis of the file", icon::ARROW_UP), |ui| {
            tick(ui, view.up_axis == UpAxis::Z, "Z is up", C::SetUpAxis(UpAxis::Z), commands);
            tick(ui, view.up_axis == UpAxis::Y, "Y is up", C::SetUpAxis(UpAxis::Y), commands);
        });
    }
    ui.menu_button(format!("{}  Samples a pixel", icon::GRID_NINE), |ui| {
        for (samples, name) in [(None, "As the adapter can"), (Some(1), "1"), (Some(4), "4")] {
            tick(ui, state.settings.samples == samples, name, C::SetSamples(samples), commands);
        }
    });
    ui.separator();
    tick(ui, state.settings.show_log, "Log", C::ToggleLog, commands);
    tick(ui, state.settings.dark, "Dark theme", C::ToggleTheme, commands);
    if ui.button(format!("{}  Reset the layout", icon::LAYOUT)).clicked() {
        commands.push(C::ResetLayout);
        ui.close();
    }
}

/// The ways surfaces are coloured.
pub fn shading_items(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    use crate::ui::state::Shading;
    ui.set_min_width(180.0);
    // Levels have zones, models have bones and skins.
    let has = |shading: &Shading| match shading {
        Shading::Weights | Shading::ListKinds => state.stage.level().is_none(),
        Shading::Zones => state.stage.level().is_some(),
        _ => true,
    };
    for shading in Shading::ALL.into_iter().filter(has) {
        let (name, _) = shading_name(shading);
        let on = state.stage.view.shading == shading;
        let keys = keys_of(ui.ctx(), &Command::ToggleShading(shading)).unwrap_or_default();
        let sign = if on { icon::CHECK } else { "    " };
        let response = ui.add(egui::Button::new(format!("{sign}  {name}")).shortcut_text(keys));
        response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, on, name));
        if response.clicked() {
            commands.push(Command::SetShading(shading));
            ui.close();
        }
    }
}

/// Name and icon of a shading.
pub fn shading_name(shading: crate::ui::state::Shading) -> (&'static str, &'static str) {
    use crate::ui::state::Shading;
    match shading {
        Shading::Lit => ("Lit", icon::LIGHTBULB),
        Shading::Unlit => ("Without light", icon::SUN),
        Shading::Normals => ("Normals", icon::ARROWS_OUT),
        Shading::Uv => ("Texture coordinates", icon::CHECKERBOARD),
        Shading::MaterialId => ("Materials by colour", icon::PALETTE),
        Shading::Weights => ("Weights of the bone", icon::THERMOMETER),
        Shading::ListKinds => ("Skin lists", icon::STACK),
        Shading::Zones => ("Zones of the level", icon::MAP_TRIFOLD),
    }
}

/// The directions to look from.
pub fn direction_items(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_min_width(160.0);
    for action in actions()
        .iter()
        .filter(|a| matches!(a.command, Command::LookFrom(_) | Command::FrameModel | Command::ResetView))
    {
        item(ui, action, commands);
    }
    ui.separator();
    tick(ui, state.stage.view.camera.orthographic, "Orthographic", Command::ToggleOrtho, commands);
}

fn playback_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    use Command as C;
    listed(ui, "Playback", commands);
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
            tick(ui, looping == mode, loop_sign(mode).1, C::SetLoop(mode), commands);
        }
    });
    ui.menu_button(format!("{}  Rate of clips that do not say", icon::GAUGE), |ui| {
        for rate_hz in [None, Some(30.0), Some(60.0)] {
            let on = player.assumed_rate_hz() == rate_hz;
            let name = rate_hz.map_or("As their format mostly has it".to_owned(), |r| format!("{r} frames a second"));
            tick(ui, on, &name, C::SetAssumedRate(rate_hz), commands);
        }
    });
    let options = player.options;
    let smooth = PoseOptions { smooth_rotation: !options.smooth_rotation, ..options };
    tick(ui, options.smooth_rotation, "Turn the shorter way between frames", C::SetPoseOptions(smooth), commands);
    let exact = PoseOptions { game_exact: !options.game_exact, ..options };
    tick(ui, options.game_exact, "Round as the game did", C::SetPoseOptions(exact), commands);
    ui.separator();
    ui.menu_button(format!("{}  Positions of the bones", icon::ARROWS_OUT_CARDINAL), |ui| {
        let at = state.stage.playback.options.translation;
        for (translation, name) in [
            (Translation::Auto, "As the file says"),
            (Translation::Clip, "From the clip"),
            (Translation::Mesh, "From the mesh"),
        ] {
            tick(ui, at == translation, name, C::SetTranslation(translation), commands);
        }
    });
    let additive = state.stage.playback.options.additive;
    tick(ui, additive, "Add to the bind pose", C::SetAdditive(!additive), commands);
    ui.menu_button(format!("{}  First bone of the mesh", icon::ARROWS_CLOCKWISE), |ui| {
        let at = state.load_options().root_conjugate;
        for (rule, name) in [
            (RootConjugate::Auto, "As known writers store it"),
            (RootConjugate::On, "Turned over"),
            (RootConjugate::Off, "As stored"),
        ] {
            tick(ui, at == rule, name, C::SetRootConjugate(rule), commands);
        }
    });
    let swap = state.load_options().swap_red_blue;
    tick(ui, swap, "Vertex colours: swap red and blue", C::SetSwapRedBlue(!swap), commands);
}
