//! The flags of script classes (formats/unreal.md §10).

/// Of properties.
pub mod property {
    pub const EDIT: u32 = 1;
    pub const CONST: u32 = 2;
    pub const INPUT: u32 = 4;
    pub const EXPORT: u32 = 8;
    pub const OPTIONAL_PARM: u32 = 0x10;
    pub const NET: u32 = 0x20;
    pub const PARM: u32 = 0x80;
    pub const OUT_PARM: u32 = 0x100;
    pub const SKIP_PARM: u32 = 0x200;
    pub const RETURN_PARM: u32 = 0x400;
    pub const COERCE_PARM: u32 = 0x800;
    pub const NATIVE: u32 = 0x1000;
    pub const TRANSIENT: u32 = 0x2000;
    pub const CONFIG: u32 = 0x4000;
    pub const LOCALIZED: u32 = 0x8000;
    pub const TRAVEL: u32 = 0x1_0000;
    pub const EDIT_CONST: u32 = 0x2_0000;
    pub const GLOBAL_CONFIG: u32 = 0x4_0000;

    pub const NAMES: &[(u64, &str)] = &[
        (1, "Edit"),
        (2, "Const"),
        (4, "Input"),
        (8, "Export"),
        (0x10, "OptionalParm"),
        (0x20, "Net"),
        (0x80, "Parm"),
        (0x100, "OutParm"),
        (0x200, "SkipParm"),
        (0x400, "ReturnParm"),
        (0x800, "CoerceParm"),
        (0x1000, "Native"),
        (0x2000, "Transient"),
        (0x4000, "Config"),
        (0x8000, "Localized"),
        (0x1_0000, "Travel"),
        (0x2_0000, "EditConst"),
        (0x4_0000, "GlobalConfig"),
        (0x40_0000, "NeedCtorLink"),
    ];
}

/// Of functions.
pub mod function {
    pub const FINAL: u32 = 1;
    pub const ITERATOR: u32 = 4;
    pub const LATENT: u32 = 8;
    pub const PRE_OPERATOR: u32 = 0x10;
    pub const SINGULAR: u32 = 0x20;
    pub const NET: u32 = 0x40;
    pub const SIMULATED: u32 = 0x100;
    pub const EXEC: u32 = 0x200;
    pub const NATIVE: u32 = 0x400;
    pub const EVENT: u32 = 0x800;
    pub const OPERATOR: u32 = 0x1000;
    pub const STATIC: u32 = 0x2000;

    pub const NAMES: &[(u64, &str)] = &[
        (1, "Final"),
        (2, "Defined"),
        (4, "Iterator"),
        (8, "Latent"),
        (0x10, "PreOperator"),
        (0x20, "Singular"),
        (0x40, "Net"),
        (0x80, "NetReliable"),
        (0x100, "Simulated"),
        (0x200, "Exec"),
        (0x400, "Native"),
        (0x800, "Event"),
        (0x1000, "Operator"),
        (0x2000, "Static"),
        (0x4000, "NoExport"),
        (0x8000, "Const"),
        (0x1_0000, "Invariant"),
    ];
}

/// Of states.
pub mod state {
    pub const EDITABLE: u32 = 1;
    pub const AUTO: u32 = 2;
    pub const SIMULATED: u32 = 4;

    pub const NAMES: &[(u64, &str)] = &[(1, "Editable"), (2, "Auto"), (4, "Simulated")];
}

/// Of classes.
pub mod class {
    pub const ABSTRACT: u32 = 1;
    pub const CONFIG: u32 = 4;
    pub const TRANSIENT: u32 = 8;
    pub const SAFE_REPLACE: u32 = 0x40;
    pub const NO_EXPORT: u32 = 0x100;
    pub const NO_USER_CREATE: u32 = 0x200;
    pub const PER_OBJECT_CONFIG: u32 = 0x400;
    pub const NATIVE_REPLICATION: u32 = 0x800;

    pub const NAMES: &[(u64, &str)] = &[
        (1, "Abstract"),
        (2, "Compiled"),
        (4, "Config"),
        (8, "Transient"),
        (0x10, "Parsed"),
        (0x20, "Localized"),
        (0x40, "SafeReplace"),
        (0x80, "RuntimeStatic"),
        (0x100, "NoExport"),
        (0x200, "NoUserCreate"),
        (0x400, "PerObjectConfig"),
        (0x800, "NativeReplication"),
    ];
}
