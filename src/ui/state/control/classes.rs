//! Showing the classes of the open files.

use crate::{
    library::{ClassTree, OpenFile},
    ui::{
        place::FileId,
        state::{
            Classes, State,
            core::Core,
            lookups::Lookups,
            message::Message,
            stage::{Stage, StageContent},
        },
    },
};
use std::sync::Arc;

impl State {
    /// Reads the classes anew where a stage shows them and the files are others than before.
    pub(crate) fn follow_classes(&mut self) {
        let revision = self.core.library.revision();
        let is_shown = self.stages.iter().any(|stage| matches!(stage.content, StageContent::Classes(_)));
        let is_known = self.lookups.classes.as_ref().is_some_and(|classes| classes.revision == revision);
        if !is_shown || is_known || self.lookups.classes_wanted == Some(revision) {
            return;
        }
        self.lookups.classes_wanted = Some(revision);
        let files: Vec<Arc<OpenFile>> = self.core.library.files.iter().map(|opened| opened.file.clone()).collect();
        let ids: Arc<[FileId]> = self.core.library.files.iter().map(|opened| opened.id).collect();
        let sender = self.core.works.sender();
        self.core.works.run("Reading the classes", move |cx| {
            if let Some(tree) = ClassTree::of(&files, cx.cancel()) {
                let _ = sender.send(Message::ClassesRead(Classes { revision, tree: Arc::new(tree), files: ids }));
            }
        });
    }
}

impl Lookups {
    pub(crate) fn classes_read(&mut self, classes: Classes) {
        if self.classes_wanted == Some(classes.revision) {
            self.classes_wanted = None;
            self.classes = Some(classes);
        }
    }
}

impl Stage {
    /// Shows the classes of all open files, those of this one in view.
    pub(crate) fn show_classes(&mut self, core: &mut Core, file: FileId) {
        if core.file(file).is_some() && core.has_classes() {
            self.stop_loading();
            self.take_stage(core, StageContent::Classes(file));
            self.bring_up_stage(core);
        }
    }

    /// The same for the selected file, else for the first that declares classes.
    pub(crate) fn show_classes_of_selected(&mut self, core: &mut Core) {
        let selected = core.selection.map(|place| place.file);
        let with_classes = core.library.files.iter().filter(|opened| opened.has_classes).map(|opened| opened.id);
        let found = with_classes.clone().find(|id| Some(*id) == selected).or_else(|| with_classes.into_iter().next());
        if let Some(file) = found {
            self.show_classes(core, file);
        }
    }
}

impl Core {
    /// Whether an open file declares classes.
    pub fn has_classes(&self) -> bool {
        self.library.files.iter().any(|opened| opened.has_classes)
    }
}
