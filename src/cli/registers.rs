//! Colours of registers on the command line.

use super::Failure;
use crate::{
    library::suggestion,
    scene::{Model, RegisterColor, with_registers},
};
use std::sync::Arc;

#[derive(Clone, Debug, Default, clap::Args)]
pub struct RegisterArgs {
    /// Set a colour register of GX materials (J3D), as games do at run time: C0 to C2 or K0 to K3, of all materials or of MATERIAL. Default
    /// alpha: FF. May be repeated. Animated registers keep their animation
    #[arg(long = "register", value_name = "[MATERIAL:]NAME=RRGGBB[AA]")]
    pub colors: Vec<RegisterColor>,
}

impl RegisterArgs {
    /// Returns the error for `--register` without a model.
    pub fn no_model() -> Failure {
        Failure::Usage("--register works only with models".to_owned())
    }

    /// Checks that the model has the specified materials, and that they have colour registers.
    ///
    /// # Errors
    /// Returns an error if no material of the model uses a colour.
    pub fn check(&self, file: &str, model: &Model) -> Result<(), Failure> {
        let has_none = |color: &&RegisterColor| !model.materials.iter().any(|material| color.is_for(material));
        let Some(color) = self.colors.iter().find(has_none) else { return Ok(()) };
        let known: Vec<&str> =
            model.materials.iter().filter(|material| material.tev().is_some()).map(|m| m.name.as_str()).collect();
        let text = match &color.material {
            Some(name) if !known.is_empty() => {
                let near = suggestion(name, known.iter().copied());
                let near = if near.is_empty() { format!("; its GX materials: {}", known.join(", ")) } else { near };
                format!("--register: the model has no GX material “{name}”{near}")
            }
            _ => "--register: the model has no GX materials (J3D) and therefore no colour registers".to_owned(),
        };
        Err(Failure::of_file(file, text))
    }

    /// Returns the model with these register colours.
    pub fn set_in(&self, model: Arc<Model>) -> Arc<Model> {
        with_registers(model, &self.colors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Material, MaterialKind};

    #[test]
    fn colors_without_a_material_are_refused() {
        let args = |text: &str| RegisterArgs { colors: vec![text.parse().unwrap()] };
        let mut model = Model::empty("model");
        let error = |text: &str, model: &Model| args(text).check("a.bmd", model).unwrap_err().to_string();
        let nothing = "no colour registers";
        assert!(error("C0=000000", &model).contains(nothing) && error("x:C0=000000", &model).contains(nothing));
        model.materials.push(Material { name: "body_mat".into(), kind: MaterialKind::Tev(Box::default()) });
        assert!(args("C0=000000").check("a.bmd", &model).is_ok());
        assert!(args("body_mat:K1=000000").check("a.bmd", &model).is_ok());
        assert!(error("bodymat:C0=000000", &model).contains("did you mean “body_mat”?"));
        assert!(error("x:C0=000000", &model).ends_with("“x”; its GX materials: body_mat"));
    }
}
