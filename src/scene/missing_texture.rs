use super::MaterialIndex;

/// A texture that a material names and that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTexture {
    /// Material that names the texture.
    pub material: MaterialIndex,
    /// Its path in its package, or its name.
    pub object: String,
    /// The package that it lies in; `None` for a picture of its own.
    pub package: Option<String>,
    /// `; did you mean “skin”?` with the nearest names of pictures, or empty.
    pub near: String,
}

impl MissingTexture {
    /// What is not there and what to do; `material` is the name of its material.
    pub fn sentence(&self, material: &str) -> String {
        let Self { object, package, near, .. } = self;
        match package {
            Some(package) => format!(
                "the texture {object} of the material “{material}” is missing. Open the package {package} or \
                 add its folder as a search folder"
            ),
            None => format!(
                "the texture {object} of the material “{material}” is missing. Put an image with this name next to the file, or \
                 add its folder as a search folder{near}"
            ),
        }
    }

    /// The same about several materials, after `9 materials`.
    pub fn predicate_of_several(&self) -> String {
        match &self.package {
            Some(package) => {
                format!("have missing textures (open the package {package} or add its folder as a search folder)")
            }
            None => "have missing textures (put images with these names next to the file, or add their folder as a \
                 search folder)"
                .to_owned(),
        }
    }
}
