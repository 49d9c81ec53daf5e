//! Gives the program for Windows its icon, its version and its manifest. For other systems there is nothing to do.

use std::env;

/// `detached`: Windows opens no console for the program, which prints into the one that it is called from. So a double click opens a
/// window alone. Systems before Windows 11 24H2 ignore this. `longPathAware`: paths may be longer than 260 characters.
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
        // `cargo check` works without a resource compiler, so this is a warning only.
        if let Err(error) = resource.compile_for("bonebox") {
            println!(
                "cargo::warning=the program has no icon and no version, since there is no resource compiler: {error}"
            );
        }
    }
}
