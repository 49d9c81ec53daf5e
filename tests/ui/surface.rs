//! The inspector on a material of the GameCube's chip: formulas, colours, textures and sentences, through their accessible text.

use crate::kit::{
    self,
    app::{click, panel},
    open::open,
};
use bonebox::{
    formats::Document,
    scene::gx::MaterialState,
    ui::{
        command::{Command, LibraryCommand, StageCommand},
        inspector::{panel as inspector, panel::InspectorView},
        section::OpenSections,
        state::{FileId, Place},
        widgets::{
            subject::{EntryFields, Subject},
            surface::card::{SurfaceCard, TextureMap},
        },
    },
};
use egui_kittest::{Harness, kittest::Queryable as _};

struct Window {
    document: Box<dyn Document>,
    fields: EntryFields,
    inspector: InspectorView,
    change: fn(&mut MaterialState),
    commands: Vec<Command>,
}

impl Window {
    fn frame(&mut self, ui: &mut egui::Ui) {
        let entry = self.document.outline().find("MAT3/mat_body").unwrap().id;
        let texture = self.document.outline().find("TEX1/rgb5a3").unwrap().id;
        let place = Place { file: FileId(1), entry };
        let surface = self.document.ask(entry, |can, entry| can.facts?.surface(entry)).unwrap();
        let material = surface.material.tev().unwrap();
        let mut state = MaterialState::of(material);
        (self.change)(&mut state);
        let maps = vec![TextureMap {
            slot: 0,
            name: "rgb5a3".to_owned(),
            facts: "8 × 8".to_owned(),
            place: Some(Place { entry: texture, ..place }),
            thumbnail: None,
            wanted: true,
            animated: false,
        }];
        let subject = Subject {
            place,
            file_name: "arm.bmt",
            document: self.document.as_ref(),
            file: None,
            diagnostics: &[],
            revision: 1,
            is_reread: false,
            selected_bytes: None,
            byte_search: None,
            pose: None,
            surface: Some(SurfaceCard { material, state, maps }),
            slot: None,
            skin: None,
            statistics: None,
            dependencies: None,
            hierarchy: None,
            uses: None,
        };
        let open = OpenSections::default();
        inspector::show(ui, Some(&subject), &open, &mut self.fields, &mut self.inspector, &mut self.commands);
    }
}

fn window(change: fn(&mut MaterialState)) -> Harness<'static, Window> {
    let bytes = std::fs::read(kit::data().join("j3d/arm.bmt")).unwrap();
    let window = Window {
        document: open("arm.bmt", bytes).document,
        fields: EntryFields::default(),
        inspector: InspectorView::default(),
        change,
        commands: Vec::new(),
    };
    panel([340.0, 1400.0], true, |ui, w: &mut Window| w.frame(ui), window)
}

#[test]
fn a_material_is_formulas_and_sentences() {
    let harness = window(|_| ());
    harness.get_by_label_contains("Combiner: 1 stage");
    harness.get_by_label("PREV.rgb = clamp(TEX0.rgb × RAS0.rgb)");
    harness.get_by_label("PREV.a = clamp(TEX0.a × RAS0.a)");
    harness.get_by_label("TEX0 × texture matrix 0");
    harness.get_by_label("material colour, unlit");
    harness.get_by_label("every pixel is drawn");
    harness.get_by_label("replaces the destination");
    harness.get_by_label("both sides are drawn");
    assert!(harness.query_by_label_contains("animated").is_none());
    let wanted =
        harness.state().commands.iter().any(|c| matches!(c, Command::Library(LibraryCommand::WantThumbnails(_))));
    assert!(wanted, "the texture's picture is asked for");
}

#[test]
fn what_an_animation_drives_is_said_with_its_value() {
    let harness = window(|state| {
        state.material_colors[0] = [12.0, 34.0, 56.0, 78.0];
        state.texture_srt[0] = Some([1.0, 0.0, 0.25, 0.0, 1.0, 0.5]);
    });
    harness.get_by_label("12   34   56   78");
    harness.get_by_label("animated: 1.000 0.000 0.250 / 0.000 1.000 0.500");
}

#[test]
fn a_texture_leads_to_its_entry() {
    let mut harness = window(|_| ());
    click(&mut harness, "rgb5a3");
    let texture = harness.state().document.outline().find("TEX1/rgb5a3").unwrap().id;
    let shown = Command::Stage(StageCommand::Show(Place { file: FileId(1), entry: texture }));
    assert!(harness.state().commands.contains(&shown));
}
