/// From this share of what it drives on, a clip is played without asking.
const PLAYS: f32 = 0.5;

/// From this share of joints on, nearly all are the same.
const NEARLY_ALL: f32 = 0.9;

/// How well a clip fits a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fit {
    /// Joints of the model that the clip drives.
    pub matched: usize,
    /// Number of joints that the clip names or drives.
    pub clip_joints: usize,
    /// Number of joints that the model has.
    pub model_joints: usize,
    /// Morphs of the model that the clip drives.
    pub matched_morphs: usize,
    /// For a clip of vertex frames: its mesh, how many frames it must have, and how many the model's mesh of that name has.
    pub frames: Option<(String, u32, u32)>,
    /// The clip's root drives the model's root though their names differ: `(clip, model)`.
    pub renamed_root: Option<(String, String)>,
    /// Joints or materials of the clip without a partner, by name (the first few).
    pub unmatched: Vec<String>,
    /// For a clip that speaks of joints or meshes by place, or of materials.
    pub parts: Option<PartsFit>,
}

/// How many of a model's parts a clip finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartsFit {
    /// Kind of the parts that are counted.
    pub what: Parts,
    /// Number of parts with a partner.
    pub matched: usize,
    /// That the clip drives.
    pub clip: usize,
    /// That the model has.
    pub model: usize,
}

/// What a clip finds its way by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// By place.
    Joints,
    /// By name.
    Materials,
    /// By place.
    Shapes,
    /// Materials that take the places of the model's.
    MaterialSet,
    /// Textures that take the place of all of the model's.
    TextureSet,
    /// Of vertices, which another file names.
    Clusters,
    /// Of vertices, by colour.
    VertexColors,
    /// By number: tracks that find joints, and how many joints those are.
    Tracks {
        /// Number of joints in the model that have one of the tracks.
        joints: usize,
    },
}

impl Fit {
    /// Whether there is anything to play.
    pub fn any(&self) -> bool {
        self.matched > 0 || self.parts.is_some_and(|p| p.matched > 0) || self.matched_morphs > 0 || self.has_frames()
    }

    /// Whether enough finds a partner for the clip to be played without asking; of materials one will do.
    pub fn plays(&self) -> bool {
        let materials = self.parts.is_some_and(|p| p.what == Parts::Materials && p.matched > 0);
        self.share() >= PLAYS || self.matched_morphs > 0 || materials
    }

    /// Whether so much of it fits that it can be of this model's skeleton: nearly all of the clip's bones, or nearly as many.
    pub fn is_of_this_skeleton(&self) -> bool {
        match self.parts {
            Some(PartsFit { what: Parts::Joints, .. }) => self.share() >= NEARLY_ALL,
            Some(PartsFit { what: Parts::Tracks { joints }, model, .. }) => {
                self.share() >= NEARLY_ALL && joints.saturating_mul(2) >= model
            }
            Some(_) => true,
            None => self.clip_joints == 0 || self.share() >= NEARLY_ALL,
        }
    }

    /// Whether the model has the frames that a clip of vertex frames plays.
    pub fn has_frames(&self) -> bool {
        self.frames.as_ref().is_some_and(|(_, needed, there)| needed <= there)
    }

    /// Whether everything in the clip finds a partner, and everything in the model that the clip could drive is driven.
    pub fn is_complete(&self) -> bool {
        match &self.parts {
            Some(parts) => parts.share() >= 1.0,
            None => self.matched == self.clip_joints && self.matched == self.model_joints,
        }
    }

    /// Whether clip and model have nearly the same joints, by name.
    pub fn is_same_skeleton(&self) -> bool {
        let is_nearly_all = |of: usize| self.matched as f32 >= of as f32 * NEARLY_ALL;
        self.clip_joints == 0 || is_nearly_all(self.clip_joints) && is_nearly_all(self.model_joints)
    }

    /// Between 0 and 1: which share of the clip finds a partner. Where joints or meshes are counted through, another number of
    /// them than the clip's lowers it both ways.
    pub fn share(&self) -> f32 {
        if let Some(parts) = &self.parts {
            parts.share()
        } else if self.has_frames() {
            1.0
        } else if self.clip_joints == 0 {
            0.0
        } else {
            self.matched as f32 / self.clip_joints as f32
        }
    }
}

impl PartsFit {
    fn share(&self) -> f32 {
        let of = match self.what {
            Parts::Joints | Parts::Shapes => self.clip.max(self.model),
            Parts::Materials | Parts::TextureSet | Parts::Tracks { .. } => self.clip,
            // More than the model needs do no harm.
            Parts::MaterialSet => self.model,
            Parts::Clusters | Parts::VertexColors => 0,
        };
        if of == 0 { 0.0 } else { self.matched as f32 / of as f32 }
    }

    /// `unmatched`: the first of the clip's names without a partner.
    fn fmt(&self, unmatched: Option<&str>, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { what, matched, clip, model } = *self;
        match what {
            Parts::Joints if model == 0 => write!(f, "the model has no joints; the clip has {clip}"),
            Parts::Joints if clip > model => {
                write!(f, "{matched} of {clip} joints match; the others are not in the model")
            }
            Parts::Joints if clip < model => {
                write!(f, "{matched} of {model} joints match; the others keep their bind pose")
            }
            Parts::Joints => write!(f, "{matched} of {model} joints match"),
            Parts::Shapes if clip > model => {
                write!(f, "{matched} of {clip} shapes match; the others are not in the model")
            }
            Parts::Shapes if clip < model => write!(f, "{matched} of {model} shapes match; the others stay visible"),
            Parts::Shapes => write!(f, "{matched} of {model} shapes match"),
            Parts::Materials => {
                write!(f, "{matched} of {clip} materials match")?;
                unmatched.map_or(Ok(()), |name| write!(f, "; the model has no “{name}”"))
            }
            Parts::MaterialSet if matched < model => {
                write!(f, "replaces {matched} of {model} materials; the others are unchanged")
            }
            Parts::MaterialSet => write!(f, "replaces {matched} of {model} materials"),
            Parts::TextureSet => write!(f, "replaces the model's {model} textures with {clip} textures"),
            Parts::Clusters => {
                write!(f, "the clip sets the weights of {clip} vertex clusters, which are defined in another file")
            }
            Parts::VertexColors => {
                write!(
                    f,
                    "the clip animates the colours of {clip} vertex groups; these colours are listed, but not shown"
                )
            }
            Parts::Tracks { .. } if model == 0 => {
                write!(f, "the model has no bones; the clip has {clip} bone tracks")
            }
            Parts::Tracks { .. } if clip == 0 => write!(f, "the clip has no tracks"),
            Parts::Tracks { .. } if matched == 0 => {
                write!(f, "none of the clip's {clip} tracks match the model's {model} bones: different skeletons")
            }
            Parts::Tracks { joints } => {
                write!(f, "{matched} of {clip} tracks move {joints} of {model} bones")
            }
        }
    }
}

impl std::fmt::Display for Fit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(parts) = &self.parts {
            return parts.fmt(self.unmatched.first().map(String::as_str), f);
        }
        if let Some((mesh, needed, there)) = &self.frames {
            return match *there {
                0 if !mesh.is_empty() => write!(f, "the clip is for the mesh “{mesh}” only"),
                0 => write!(f, "the model has no vertex frames; the clip needs {needed} frames"),
                there if *needed > there => {
                    write!(f, "the clip needs {needed} vertex frames, but the mesh has {there}: different meshes")
                }
                _ => write!(f, "the mesh has all {needed} vertex frames of the clip"),
            };
        }
        if self.model_joints == 0 {
            return write!(f, "the model has no bones; the clip has {}", self.clip_joints);
        }
        if !self.any() {
            write!(
                f,
                "none of the clip's {} bones match the model's {}: different skeletons",
                self.clip_joints, self.model_joints
            )?;
            if let Some(name) = self.unmatched.first() {
                write!(f, " (first bone of the clip: “{name}”)")?;
            }
            return Ok(());
        }
        write!(f, "{} of {} bones match", self.matched, self.clip_joints)?;
        if self.model_joints != self.clip_joints {
            write!(f, " (the model has {})", self.model_joints)?;
        }
        if let Some((clip, model)) = &self.renamed_root {
            write!(f, "; the clip's root “{clip}” moves “{model}”")?;
        }
        Ok(())
    }
}
