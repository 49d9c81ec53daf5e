//! `--shading` of `render`.

use super::{
    Failure,
    output::{counted, say},
};
use crate::{gpu::Shading, library::suggestion, scene::Model};
use clap::ValueEnum;

/// Values of `--shading`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ShadingSwitch {
    #[default]
    Lit,
    Unlit,
    Normals,
    Uv,
    Materials,
    /// Influence of the bone given with --bone on each point
    Weights,
    /// Kinds of skin lists that write each point: SK1 blue, SK2 yellow, SK2 and SKAcc orange, only SKAcc red, none grey
    Lists,
    /// Levels only: zones
    Zones,
    /// Levels only: baked light without textures
    Light,
}

impl ShadingSwitch {
    /// Returns the shading of a model, and the index of the bone whose weights are shown.
    pub fn of_model(self, bone: Option<&str>, model: &Model) -> Result<(Shading, Option<u32>), Failure> {
        let bone = bone.map(|wanted| joint_of(model, wanted)).transpose()?;
        let shading = match self {
            Self::Weights if bone.is_none() => {
                return Err(Failure::Usage("--shading weights needs a bone: specify it with --bone".to_owned()));
            }
            Self::Zones => {
                return Err(Failure::Usage("--shading zones works only with levels: a model has no zones".to_owned()));
            }
            Self::Light => {
                return Err(Failure::Usage(
                    "--shading light works only with levels: a model has no baked light".to_owned(),
                ));
            }
            Self::Lists if model.list_counts().is_none() => {
                say("note: the model has no skin lists: rendering as with --shading lit");
                Shading::Lit
            }
            other => other.shading(),
        };
        Ok((shading, bone))
    }

    /// Returns the shading of a level.
    pub fn of_level(self, bone: Option<&str>) -> Result<Shading, Failure> {
        if bone.is_some() || matches!(self, Self::Weights | Self::Lists) {
            let message = "a level has no bones: omit --bone, --shading weights and --shading lists";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(self.shading())
    }

    fn shading(self) -> Shading {
        match self {
            Self::Lit => Shading::Lit,
            Self::Unlit => Shading::Unlit,
            Self::Normals => Shading::Normals,
            Self::Uv => Shading::Uv,
            Self::Materials => Shading::MaterialId,
            Self::Weights => Shading::Weights,
            Self::Lists => Shading::ListKinds,
            Self::Zones => Shading::Zones,
            Self::Light => Shading::Light,
        }
    }
}

/// Finds a bone by name, ignoring case, or by `#N`.
fn joint_of(model: &Model, wanted: &str) -> Result<u32, Failure> {
    let joints = model.skeleton.as_ref().map_or(&[][..], |skeleton| skeleton.joints());
    let named = (0..).zip(joints).find(|(_, joint)| joint.name.eq_ignore_ascii_case(wanted));
    let numbered = || wanted.strip_prefix('#')?.parse().ok().filter(|n| (*n as usize) < joints.len());
    let found = named.map(|(index, _)| index).or_else(numbered);
    found.ok_or_else(|| {
        let near = suggestion(wanted, joints.iter().map(|joint| joint.name.as_str()));
        Failure::of_file(
            &model.name,
            format!("no bone “{wanted}” (the model has {}){near}", counted(joints.len(), "bone")),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Joint, Skeleton};

    fn model() -> Model {
        let joint = |name: &str| Joint { name: name.into(), ..Joint::default() };
        let skeleton = Skeleton::new(vec![joint("Hips"), joint("Head")], vec![]);
        Model { skeleton: Some(skeleton), ..Model::empty("figure") }
    }

    #[test]
    fn bones_are_named_or_numbered() {
        let of = |bone| ShadingSwitch::Weights.of_model(Some(bone), &model()).ok();
        assert_eq!(of("head"), Some((Shading::Weights, Some(1))));
        assert_eq!(of("#0"), Some((Shading::Weights, Some(0))));
        assert_eq!((of("#2"), of("Tail"), of("")), (None, None, None));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let model = model();
        assert!(matches!(ShadingSwitch::Weights.of_model(None, &model), Err(Failure::Usage(_))));
        assert!(matches!(ShadingSwitch::Zones.of_model(None, &model), Err(Failure::Usage(_))));
        assert!(matches!(ShadingSwitch::Lists.of_level(None), Err(Failure::Usage(_))));
        assert!(matches!(ShadingSwitch::Lit.of_level(Some("Hips")), Err(Failure::Usage(_))));
        assert!(matches!(ShadingSwitch::Light.of_model(None, &model), Err(Failure::Usage(_))));
        assert_eq!(ShadingSwitch::Zones.of_level(None).ok(), Some(Shading::Zones));
        assert_eq!(ShadingSwitch::Light.of_level(None).ok(), Some(Shading::Light));
        assert_eq!(ShadingSwitch::Lists.of_model(None, &model).ok(), Some((Shading::Lit, None)));
    }
}
