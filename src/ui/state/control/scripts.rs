//! Searching all scripts in the background, and going to what was found.

use crate::{
    library::{OpenFile, ScriptMatch, ScriptQuery},
    ui::{
        command::ScriptsCommand,
        place::{FileId, Place},
        state::{
            ScriptSearch, State,
            core::Core,
            message::{Message, ScriptsFound},
            scripts::MAX_MATCHES,
            stage::StageContent,
        },
    },
};
use std::sync::Arc;

impl State {
    pub(crate) fn apply_scripts(&mut self, command: ScriptsCommand) {
        use ScriptsCommand as C;
        match command {
            C::Show => self.show_script_search(),
            C::Search(query) => self.search_scripts(query),
            C::Cancel => {
                if let Some(work) = self.lookups.scripts.work.take() {
                    self.lookups.scripts.cancelled = true;
                    self.cancel(work);
                }
            }
            C::GoTo(index) => {
                let Some((file, found)) = self.lookups.scripts.found.get(index).cloned() else { return };
                self.lookups.scripts.current = Some(index);
                let ScriptMatch { entry, part, line, found, .. } = found;
                self.stages.front.show_text_at(
                    &mut self.core,
                    Place { file, entry },
                    Some((part, line, (found.start, found.end))),
                    None,
                );
            }
        }
    }

    pub(crate) fn show_script_search(&mut self) {
        if !self.core.has_classes() {
            return;
        }
        self.stages.front.stop_loading();
        if !matches!(self.stages.front.content, StageContent::Scripts) {
            self.stages.front.take_stage(&mut self.core, StageContent::Scripts);
        }
        self.stages.front.bring_up_stage(&mut self.core);
        self.lookups.scripts.focus = self.core.works.fresh_id();
        // Files that were opened since are searched too.
        if !self.lookups.scripts.query.is_empty()
            && self.lookups.scripts.files.1 != self.core.files_with_scripts().len()
        {
            self.search_scripts(self.lookups.scripts.query.clone());
        }
    }

    fn search_scripts(&mut self, query: ScriptQuery) {
        if let Some(work) = self.lookups.scripts.work.take() {
            // Dropping it cancels it.
            self.core.works.forget(work);
        }
        let turn = self.core.works.fresh_id();
        let focus = self.lookups.scripts.focus;
        self.lookups.scripts = ScriptSearch { query: query.clone(), turn, focus, ..ScriptSearch::default() };
        if query.is_empty() {
            return;
        }
        let files = self.core.files_with_scripts();
        self.lookups.scripts.files = (0, files.len());
        let sender = self.core.works.sender();
        let work = self.core.works.run(format!("Searching all scripts for “{}”", query.words), move |cx| {
            let mut count = 0;
            for (index, (id, file)) in files.iter().enumerate() {
                cx.progress(index as u64, files.len() as u64, &file.name);
                let (found, classes) = query.search(file, MAX_MATCHES - count, cx.cancel());
                count += found.len();
                if cx.cancelled() {
                    return;
                }
                let is_last = index + 1 == files.len() || count >= MAX_MATCHES;
                let _ = sender.send(Message::ScriptsFound(ScriptsFound { turn, file: *id, found, classes, is_last }));
                if is_last {
                    return;
                }
            }
        });
        self.lookups.scripts.work = Some(work);
    }

    pub(crate) fn scripts_found(&mut self, found: ScriptsFound) {
        if self.lookups.scripts.turn != found.turn || self.lookups.scripts.cancelled {
            return;
        }
        self.lookups.scripts.classes += found.classes;
        self.lookups.scripts.files.0 += 1;
        self.lookups.scripts.found.extend(found.found.into_iter().map(|line| (found.file, line)));
        if found.is_last {
            self.lookups.scripts.work = None;
        }
    }
}

impl Core {
    fn files_with_scripts(&self) -> Vec<(FileId, Arc<OpenFile>)> {
        let with_classes = self.library.files.iter().filter(|opened| opened.has_classes);
        with_classes.map(|opened| (opened.id, opened.file.clone())).collect()
    }
}
