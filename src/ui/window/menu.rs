//! The bar at the top: name, menus and the way to every command.

use crate::{
    formats::RootConjugate,
    scene::{LoopMode, PoseOptions, SineTable, Translation},
    ui::{
        command::{
            ACTIONS, Action, Command, ExportCommand, LibraryCommand, Listening, ModelCommand, StageCommand,
            TerrainCommand, TransportCommand, ViewCommand, WindowCommand, keys_of,
        },
        saved_view::ViewToggle,
        settings::BLENDS,
        stage::{
            landscape::menus as landscape_menus,
            view_menus::{
                action_item, direction_items, item_of, lasting_item, option_item, shading_items, view_action,
            },
        },
        state::{State, UpAxis},
        theme,
        transport::timeline_rows::loop_sign,
        widgets::{
            menu_item::{submenu, tick},
            menu_keys::{self, BarMenu},
            numbers::grouped,
        },
    },
};
use egui::{Id, Key, RichText, Stroke, TextFormat, Ui, WidgetText, containers::menu::MenuButton, text::LayoutJob};
use egui_phosphor::regular as icon;

/// The first items of the file menu.
static OPENING: [Command; 2] =
    [Command::Library(LibraryCommand::OpenFilesDialog), Command::Library(LibraryCommand::OpenFolderDialog)];
/// The others below the recent files and the folders, in groups.
static FILE_MENU: [&[Command]; 5] = [
    &[Command::Library(LibraryCommand::OpenSamples), Command::Library(LibraryCommand::ReadAgain(None))],
    &[Command::Export(ExportCommand::PrepareShown), Command::Export(ExportCommand::AllDialog(None))],
    &[
        Command::Export(ExportCommand::PreparePicture),
        Command::Window(WindowCommand::Screenshot(false)),
        Command::Window(WindowCommand::Screenshot(true)),
        Command::Window(WindowCommand::CopyPicture),
        Command::Library(LibraryCommand::SaveViewDialog),
    ],
    &[Command::Library(LibraryCommand::CloseAll)],
    &[Command::Window(WindowCommand::Quit)],
];

pub fn show(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    egui::MenuBar::new().ui(ui, |ui| {
        ui.label(RichText::new(icon::BONE).size(18.0).color(p.accent));
        ui.label(RichText::new("Bonebox").size(15.0).color(p.strong));
        ui.add_space(8.0);
        menus(ui, state, commands);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let hint = RichText::new(format!("{}  Search commands", icon::MAGNIFYING_GLASS)).color(p.weak);
            let palette = Command::Window(WindowCommand::TogglePalette);
            let keys = RichText::new(keys_of(ui.ctx(), &palette).unwrap_or_default()).small().color(p.weak);
            let button = egui::Button::new(hint).right_text(keys).fill(p.field).min_size(egui::vec2(240.0, 24.0));
            let response = ui.add(button);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Search commands"));
            if response.clicked() {
                commands.push(palette);
            }
        });
    });
}

const MENUS: [&str; 6] = ["File", "Edit", "View", "Playback", "Go", "Help"];

/// The menus. Alt and a letter opens one; the letter is underlined while Alt is held.
fn menus(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let ctx = ui.ctx().clone();
    let was_open = Id::new("a menu of the bar is open");
    menu_keys::begin(&ctx, ctx.data(|data| data.get_temp(was_open)).unwrap_or(false));
    let is_alt = ui.input(|input| input.modifiers.alt);
    let mut shown = Vec::new();
    let mut is_open = false;
    for (name, letter) in MENUS.into_iter().zip(letters(state)) {
        let button = MenuButton::new(if is_alt { underlined(ui, name, letter) } else { RichText::new(name).into() });
        let (button, popup) = match name {
            "File" => button.ui(ui, |ui| file_menu(ui, state, commands)),
            "Edit" => button.ui(ui, |ui| edit_menu(ui, state, commands)),
            "View" => button.ui(ui, |ui| view_menu(ui, state, commands)),
            "Playback" => button.ui(ui, |ui| playback_menu(ui, state, commands)),
            other => button.ui(ui, |ui| listed(ui, state, other, commands)),
        };
        is_open |= popup.is_some();
        shown.push(BarMenu { button, letter });
    }
    ctx.data_mut(|data| data.insert_temp(was_open, is_open));
    menu_keys::end(&ctx, &shown, state.listening() == Listening::ToAll);
}

/// The letter of each menu: the first of its name that is not another menu's, and that no action has with Alt.
fn letters(state: &State) -> [Option<Key>; MENUS.len()] {
    let mut taken: Vec<Key> = Vec::new();
    let with_alt = ACTIONS.iter().flat_map(|action| state.core.settings.keys.of(action));
    taken.extend(with_alt.filter(|keys| keys.modifiers.alt).map(|keys| keys.logical_key));
    MENUS.map(|name| {
        let keys = name.chars().filter_map(|letter| Key::from_name(&letter.to_ascii_uppercase().to_string()));
        let free = keys.into_iter().find(|key| !taken.contains(key));
        taken.extend(free);
        free
    })
}

/// A name with the letter underlined that opens its menu.
fn underlined(ui: &Ui, name: &str, letter: Option<Key>) -> WidgetText {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let color = ui.visuals().text_color();
    let mut job = LayoutJob::default();
    let mut letter = letter.and_then(|key| key.name().chars().next());
    for c in name.chars() {
        let is_it = letter.take_if(|letter| letter.eq_ignore_ascii_case(&c)).is_some();
        let underline = if is_it { Stroke::new(1.0, color) } else { Stroke::NONE };
        job.append(&c.to_string(), 0.0, TextFormat { underline, ..TextFormat::simple(font.clone(), color) });
    }
    job.into()
}

fn listed(ui: &mut Ui, state: &State, group: &str, commands: &mut Vec<Command>) {
    ui.set_min_width(200.0);
    for action in ACTIONS.iter().filter(|a| a.group == group) {
        action_item(ui, state, action, commands);
    }
}

fn file_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_min_width(220.0);
    for command in &OPENING {
        item_of(ui, state, command, commands);
    }
    submenu(ui, icon::CLOCK_COUNTER_CLOCKWISE, "Open recent", |ui| {
        ui.set_min_width(200.0);
        if state.core.settings.recents.is_empty() {
            ui.weak("No recent files");
        }
        for path in &state.core.settings.recents {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                commands.push(Command::Library(LibraryCommand::Open(vec![path.clone()])));
                ui.close();
            }
        }
        if !state.core.settings.recents.is_empty() {
            ui.separator();
            if ui.button(format!("{}  Clear recent files", icon::ERASER)).clicked() {
                commands.push(Command::Library(LibraryCommand::ClearRecents));
            }
        }
    });
    submenu(ui, icon::FOLDER_PLUS, "Search folders", |ui| {
        ui.set_min_width(240.0);
        if state.core.settings.folders.is_empty() {
            ui.weak("Bonebox looks for referenced files next to the open file.\nAdd a game's folder to search it too.");
        }
        for folder in &state.core.settings.folders {
            let button = egui::Button::new(folder.display().to_string()).right_text(icon::X);
            if ui.add(button).on_hover_text("Remove folder").clicked() {
                commands.push(Command::Library(LibraryCommand::RemoveSearchFolder(folder.clone())));
            }
        }
        ui.separator();
        if ui.button(format!("{}  Add search folder…", icon::PLUS)).clicked() {
            commands.push(Command::Library(LibraryCommand::SearchFolderDialog));
            ui.close();
        }
    });
    submenu(ui, icon::STAR, "Favourites", |ui| {
        ui.set_min_width(200.0);
        if state.core.settings.favourites.is_empty() {
            ui.weak("No favourites. Right-click a file, folder or entry to add it.");
        }
        for favourite in &state.core.settings.favourites {
            if ui.button(favourite.name()).on_hover_text(favourite.way()).clicked() {
                commands.push(Command::Library(LibraryCommand::OpenFavourite(favourite.clone())));
                ui.close();
            }
        }
        if state.core.selection.is_some() {
            ui.separator();
            item_of(ui, state, &Command::Library(LibraryCommand::ToggleFavouriteOfSelected), commands);
        }
    });
    for (index, group) in FILE_MENU.iter().enumerate() {
        if index > 0 {
            ui.separator();
        }
        for command in *group {
            item_of(ui, state, command, commands);
        }
    }
}

fn edit_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let autoplay = Command::Window(WindowCommand::ToggleAutoplay);
    for action in ACTIONS.iter().filter(|action| action.group == "Edit" && action.command != autoplay) {
        action_item(ui, state, action, commands);
    }
    ui.separator();
    item_of(ui, state, &autoplay, commands);
    let reopen = state.core.settings.reopen_session;
    tick(ui, reopen, "Reopen last session", Command::Window(WindowCommand::SetReopenSession(!reopen)), commands);
    item_of(ui, state, &Command::Window(WindowCommand::ToggleWatchFiles), commands);
    submenu(ui, icon::TEXT_AA, "Interface scale", |ui| {
        for percent in [80, 90, 100, 110, 125, 150, 175, 200] {
            let scale = Command::Window(WindowCommand::SetUiScale(percent as f32 / 100.0));
            option_item(ui, state, &format!("{percent} %"), scale, commands);
        }
    });
}

fn view_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    use Command as C;
    ui.set_min_width(220.0);
    if let Some(shown) = state.stages.front.landscape() {
        item_of(ui, state, &C::Terrain(TerrainCommand::ToggleMap), commands);
        let stays =
            || egui::containers::menu::MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
        let part = |sign: &str, name: &str| {
            egui::containers::menu::SubMenuButton::new(format!("{sign}  {name}")).config(stays())
        };
        let ground = part(icon::MOUNTAINS, "Ground");
        menu_keys::submenu(ui, ground, "Ground", |ui| landscape_menus::ground(ui, shown, state, commands));
        let objects = part(icon::TREE, "Objects");
        menu_keys::submenu(ui, objects, "Objects", |ui| landscape_menus::objects(ui, shown, state, commands));
        ui.separator();
    }
    use ViewToggle as T;
    let options: &[T] = match state.stages.front.landscape() {
        Some(_) => &[T::Wireframe, T::Grid],
        None => &[
            T::Textures,
            T::Wireframe,
            T::Skeleton,
            T::BoneNames,
            T::Shadow,
            T::Sockets,
            T::Bounds,
            T::VertexColors,
            T::Grid,
            T::Culling,
            T::Nearest,
            T::Hidden,
        ],
    };
    // GX materials define these themselves.
    let is_fixed = |option: T| state.stages.front.draws_gx() && matches!(option, T::VertexColors | T::Culling);
    for option in options.iter().copied().filter(|option| !is_fixed(*option)) {
        if let Some(action) = view_action(state, option) {
            lasting_item(ui, state, action, commands);
        }
    }
    let own = Command::Model(ModelCommand::OwnTextures);
    if state.stages.front.model().is_some_and(|shown| !shown.textures.is_empty())
        && let Some(action) = Action::of(&own)
    {
        action_item(ui, state, action, commands);
    }
    ui.separator();
    if state.stages.front.model().is_some() {
        submenu(ui, icon::STACK_PLUS, "Scene", |ui| listed(ui, state, "Scene", commands));
    }
    for action in ACTIONS.iter().filter(|action| matches!(action.command, Command::Parts(_))) {
        action_item(ui, state, action, commands);
    }
    ui.separator();
    if state.stages.front.landscape().is_none() {
        submenu(ui, icon::PALETTE, "Shading", |ui| shading_items(ui, state, commands));
    }
    submenu(ui, icon::CUBE, "Viewpoint", |ui| direction_items(ui, state, commands));
    if state.stages.front.landscape().is_none() {
        submenu(ui, icon::ARROW_UP, "File up axis", |ui| {
            for (axis, name) in [(UpAxis::Z, "Z up"), (UpAxis::Y, "Y up")] {
                option_item(ui, state, name, C::View(ViewCommand::SetUpAxis(axis)), commands);
            }
        });
    }
    submenu(ui, icon::GRID_NINE, "Anti-aliasing", |ui| {
        for (samples, name) in [(None, "Automatic"), (Some(1), "Off"), (Some(4), "4 ×")] {
            option_item(ui, state, name, C::View(ViewCommand::SetSamples(samples)), commands);
        }
    });
    ui.separator();
    let link = C::Stage(StageCommand::ToggleLink);
    if state.is_possible(&link) {
        item_of(ui, state, &link, commands);
    }
    for command in [
        C::Library(LibraryCommand::ToggleBrowse),
        C::Window(WindowCommand::ToggleLog),
        C::Window(WindowCommand::ToggleTheme),
        C::Window(WindowCommand::ResetLayout),
    ] {
        item_of(ui, state, &command, commands);
    }
}

fn playback_menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    use Command as C;
    ui.set_min_width(200.0);
    // What is a choice of several stands in a menu of its own below.
    let is_choice = |action: &&Action| matches!(action.command, C::Model(ModelCommand::SetBlend(_)));
    for action in ACTIONS.iter().filter(|action| action.group == "Playback" && !is_choice(action)) {
        action_item(ui, state, action, commands);
    }
    ui.separator();
    let settings = state.stages.front.play_settings();
    submenu(ui, icon::REPEAT, "Loop", |ui| {
        let modes =
            [LoopMode::Loop, LoopMode::PingPong, LoopMode::Once, LoopMode::OnceReset, LoopMode::OnceForthAndBack];
        for mode in modes {
            option_item(ui, state, loop_sign(mode).1, C::Transport(TransportCommand::SetLoop(mode)), commands);
        }
    });
    submenu(ui, icon::INTERSECT, "Blend between clips", |ui| {
        for secs in BLENDS {
            let name = if secs > 0.0 { format!("{secs} s") } else { "Off".to_owned() };
            option_item(ui, state, &name, C::Model(ModelCommand::SetBlend(secs)), commands);
        }
    });
    submenu(ui, icon::GAUGE, "Default frame rate", |ui| {
        for rate_hz in [None, Some(30.0), Some(60.0)] {
            let name = rate_hz.map_or("Format default".to_owned(), |r| format!("{r} fps"));
            option_item(ui, state, &name, C::Model(ModelCommand::SetAssumedRate(rate_hz)), commands);
        }
    });
    let options = settings.pose;
    if state.stages.front.model().is_some_and(|shown| shown.bind_bounds.is_some()) {
        let bind = PoseOptions { bind_pose: !options.bind_pose, ..options };
        let name = "Bind pose while no clip plays";
        tick(ui, options.bind_pose, name, C::Model(ModelCommand::SetPoseOptions(bind)), commands);
    }
    let smooth = PoseOptions { smooth_rotation: !options.smooth_rotation, ..options };
    tick(
        ui,
        options.smooth_rotation,
        "Shortest rotation between frames",
        C::Model(ModelCommand::SetPoseOptions(smooth)),
        commands,
    );
    let exact = PoseOptions { game_exact: !options.game_exact, ..options };
    tick(ui, options.game_exact, "Game-accurate rounding", C::Model(ModelCommand::SetPoseOptions(exact)), commands);
    submenu(ui, icon::WAVE_SINE, "Game-accurate sine table", |ui| {
        let exact = |sines: Option<SineTable>| PoseOptions {
            game_exact: options.game_exact || sines.is_some(),
            sines,
            ..options
        };
        let mut choice = |on, name: &str, sines: Option<SineTable>| {
            tick(ui, on, name, C::Model(ModelCommand::SetPoseOptions(exact(sines))), commands);
        };
        let now = options.sines.filter(|_| options.game_exact);
        choice(now.is_none(), "None", None);
        for table in SineTable::ALL {
            let name = format!("{} entries ({})", grouped(usize::from(table.entries())), table.games());
            choice(now == Some(table), &name, Some(table));
        }
    });
    ui.separator();
    submenu(ui, icon::ARROWS_OUT_CARDINAL, "Translation mode", |ui| {
        for (translation, name) in [
            (Translation::Auto, "Automatic"),
            (Translation::Clip, "From the clip"),
            (Translation::Mesh, "From the mesh"),
        ] {
            option_item(ui, state, name, C::Model(ModelCommand::SetTranslation(translation)), commands);
        }
    });
    let additive = settings.binding.additive;
    tick(ui, additive, "Additive to bind pose", C::Model(ModelCommand::SetAdditive(!additive)), commands);
    submenu(ui, icon::ARROWS_CLOCKWISE, "Root bone rotation", |ui| {
        for (rule, name) in
            [(RootConjugate::Auto, "Automatic"), (RootConjugate::On, "Inverted"), (RootConjugate::Off, "As stored")]
        {
            option_item(ui, state, name, C::Model(ModelCommand::SetRootConjugate(rule)), commands);
        }
    });
    let swap = state.core.load_options().swap_red_blue;
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
