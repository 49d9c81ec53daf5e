//! Gives the program for Windows its icon, its version and its manifest. For other systems there is nothing to do.

use std::env;

/// A console of its own is for those who ask for one (Windows 11 24H2 and later; others ignore it): a double click opens a window and
/// no console beside it, while the verbs print into the console that they are called from. Paths may be long.
const MANIFEST: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
  <application xmlns="urn:schemas-microsoft-com:asm.v3">
    <windowsSettings>
      <consoleAllocationPolicy xmlns="http://schemas.microsoft.com/SMI/2024/WindowsSettings">detached</consoleAllocationPolicy>
      <longPathAware xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">true</longPathAware>
    </windowsSettings>
  </application>
</assembly>
"#;

const ICON: &str = "assets/desktop/icons/bonebox.ico";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={ICON}");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows") {
        let mut resource = winresource::WindowsResource::new();
        resource.set("ProductName", "Bonebox").set("FileDescription", "Bonebox");
        resource.set("OriginalFilename", "bonebox.exe").set("LegalCopyright", "MIT OR Apache-2.0");
        resource.set_icon(ICON).set_manifest(MANIFEST);
        // What is checked, and not given to others, does without.
        if let Err(error) = resource.compile_for("bonebox") {
            println!(
                "cargo::warning=the program has no icon and no version, since there is no resource compiler: {error}"
            );
        }
    }
}
