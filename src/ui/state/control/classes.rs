//! Showing the classes of the open files.

use crate::{
    library::{ClassTree, OpenFile},
    ui::{
        place::FileId,
        state::{Classes, State, message::Message, stage::StageContent},
    },
};
use std::sync::Arc;

impl State {
    /// Whether an open file declares classes.
    pub fn has_classes(&self) -> bool {
        self.library.files.iter().any(|opened| opened.has_classes)
    }

    /// Shows the classes of all open files, those of this one in view.
    pub(in crate::ui::state) fn show_classes(&mut self, file: FileId) {
        if self.file(file).is_some() && self.has_classes() {
            self.stage.stop_loading();
            self.take_stage(StageContent::Classes(file));
            self.bring_up_stage();
        }
    }

    /// The same for the selected file, else for the first that declares classes.
    pub(in crate::ui::state) fn show_classes_of_selected(&mut self) {
        let selected = self.selection.map(|place| place.file);
        let with_classes = self.library.files.iter().filter(|opened| opened.has_classes).map(|opened| opened.id);
        let found = with_classes.clone().find(|id| Some(*id) == selected).or_else(|| with_classes.into_iter().next());
        if let Some(file) = found {
            self.show_classes(file);
        }
    }

    /// Reads the classes anew where a stage shows them and the files are others than before.
    pub(in crate::ui::state) fn follow_classes(&mut self) {
        let revision = self.library.revision();
        let is_shown = self.stages().any(|stage| matches!(stage.content, StageContent::Classes(_)));
        let is_known = self.classes.as_ref().is_some_and(|classes| classes.revision == revision);
        if !is_shown || is_known || self.classes_wanted == Some(revision) {
            return;
        }
        self.classes_wanted = Some(revision);
        let files: Vec<Arc<OpenFile>> = self.library.files.iter().map(|opened| opened.file.clone()).collect();
        let ids: Arc<[FileId]> = self.library.files.iter().map(|opened| opened.id).collect();
        let sender = self.outbox.clone();
        self.run_in_background("Reading the classes", move |cx| {
            if let Some(tree) = ClassTree::of(&files, cx.cancel()) {
                let _ = sender.send(Message::ClassesRead(Classes { revision, tree: Arc::new(tree), files: ids }));
            }
        });
    }

    pub(in crate::ui::state) fn classes_read(&mut self, classes: Classes) {
        if self.classes_wanted == Some(classes.revision) {
            self.classes_wanted = None;
            self.classes = Some(classes);
        }
    }
}
