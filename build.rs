//! Gives the program for Windows its icon, its version and its manifest, and the program for Linux its allocator settings.

use std::env;
#[cfg(feature = "allocator")]
use std::{fs, path::Path};

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

/// Settings of jemalloc: freed memory returns to the system within a second instead of ten, and threads cache only small blocks.
/// jemalloc reads them from a variable of the program. The variable is C, because the package forbids unsafe code.
#[cfg(feature = "allocator")]
const ALLOCATOR_SETTINGS: &str = "const char *malloc_conf = \"dirty_decay_ms:1000,lg_tcache_max:12\";\n";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={ICON}");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    #[cfg(feature = "allocator")]
    if target("OS") == "linux" && target("ENV") == "gnu" {
        set_allocator();
    }
    if target("OS") == "windows" {
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

/// Links [`ALLOCATOR_SETTINGS`] with the programs of the package, not with its library.
#[cfg(feature = "allocator")]
fn set_allocator() {
    let source = Path::new(&env::var_os("OUT_DIR").expect("set by Cargo")).join("allocator_settings.c");
    fs::write(&source, ALLOCATOR_SETTINGS).expect("the output folder can be written");
    for object in cc::Build::new().cargo_metadata(false).file(source).compile_intermediates() {
        println!("cargo::rustc-link-arg-bins={}", object.display());
        println!("cargo::rustc-link-arg-benches={}", object.display());
    }
}
