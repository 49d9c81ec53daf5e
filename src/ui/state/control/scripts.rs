//! Searching all scripts in the background.

use crate::{
    library::{OpenFile, ScriptQuery},
    ui::{
        place::FileId,
        state::{
            ScriptSearch,
            core::Core,
            lookups::{Lookups, MAX_MATCHES},
            message::{Message, ScriptsFound},
            stage::{Stage, StageContent},
        },
    },
};
use std::sync::Arc;

impl Lookups {
    pub(crate) fn show_script_search(&mut self, core: &mut Core, stage: &mut Stage) {
        if !core.has_classes() {
            return;
        }
        stage.stop_loading();
        if !matches!(stage.content, StageContent::Scripts) {
            stage.take_stage(core, StageContent::Scripts);
        }
        stage.bring_up_stage(core);
        self.scripts.focus = core.works.fresh_id();
        // Files that were opened since are searched too.
        if !self.scripts.query.is_empty() && self.scripts.files.1 != core.files_with_scripts().len() {
            self.search_scripts(core, self.scripts.query.clone());
        }
    }

    pub(crate) fn search_scripts(&mut self, core: &mut Core, query: ScriptQuery) {
        if let Some(work) = self.scripts.work.take() {
            // Dropping it cancels it.
            core.works.forget(work);
        }
        let turn = core.works.fresh_id();
        let focus = self.scripts.focus;
        self.scripts = ScriptSearch { query: query.clone(), turn, focus, ..ScriptSearch::default() };
        if query.is_empty() {
            return;
        }
        let files = core.files_with_scripts();
        self.scripts.files = (0, files.len());
        let sender = core.works.sender();
        let work = core.works.run(format!("Searching all scripts for “{}”", query.words), move |cx| {
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
        self.scripts.work = Some(work);
    }

    pub(crate) fn scripts_found(&mut self, found: ScriptsFound) {
        if self.scripts.turn != found.turn || self.scripts.cancelled {
            return;
        }
        self.scripts.classes += found.classes;
        self.scripts.files.0 += 1;
        self.scripts.found.extend(found.found.into_iter().map(|line| (found.file, line)));
        if found.is_last {
            self.scripts.work = None;
        }
    }
}

impl Core {
    fn files_with_scripts(&self) -> Vec<(FileId, Arc<OpenFile>)> {
        let with_classes = self.library.files.iter().filter(|opened| opened.has_classes);
        with_classes.map(|opened| (opened.id, opened.file.clone())).collect()
    }
}
