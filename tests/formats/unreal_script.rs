//! The script classes of the corpus against what an independent decoder read: flags, natives, enums, constants, imports, texts.

use crate::kit::{
    open::Opened,
    sha1::sha1,
    unreal::{entry_of, package, packages, quiet_asset},
};
use bonebox::{
    formats::{Asset, Children, EntryId, Field, Value},
    scene::{Language, Text},
};
use std::sync::Arc;

fn field<'a>(fields: &'a [Field], name: &str, of: &str) -> &'a Field {
    fields.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("{of} has no {name}"))
}

fn number(fields: &[Field], name: &str, of: &str) -> u64 {
    match field(fields, name, of).value {
        Value::UInt(value) | Value::Flags { value, .. } => value,
        ref other => panic!("{of}: {name} is {other:?}"),
    }
}

/// The names in a table of names.
fn names(fields: &[Field], name: &str) -> Vec<String> {
    let Some(Field { children: Children::Table(table), .. }) = fields.iter().find(|f| f.name == name) else {
        return Vec::new();
    };
    let text = |row: Field| match row.value {
        Value::Text(text) => text,
        other => panic!("{other:?}"),
    };
    (0..table.len()).map(|index| text(table.row(index).unwrap())).collect()
}

fn text_of(file: &Opened, entry: EntryId) -> Arc<Text> {
    match quiet_asset(file, entry) {
        Asset::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn flags_natives_enums_and_constants_are_as_an_independent_decoder_reads_them() {
    let (mut classes, mut functions, mut states, mut enums, mut constants) = (0, 0, 0, 0, 0);
    for (file, expected) in packages() {
        for wanted in expected["exports"].as_array().unwrap() {
            let of = format!("{}: {}", file.name, wanted["path"].as_str().unwrap());
            let class = wanted["class"].as_str().unwrap();
            if !matches!(class, "Class" | "Function" | "State" | "Enum" | "Const") {
                continue;
            }
            let fields = file.document.fields(entry_of(wanted)).unwrap().fields;
            let same = |name: &str, key: &str| {
                assert_eq!(number(&fields, name, &of), wanted[key].as_u64().unwrap(), "{of}: {name}");
            };
            match class {
                "Class" => {
                    classes += 1;
                    same("StateFlags", "state_flags");
                    same("ClassFlags", "class_flags");
                    assert_eq!(serde_json::json!(names(&fields, "PackageImports")), wanted["package_imports"], "{of}");
                    if let Some(within) = wanted["within"].as_str() {
                        let Value::Reference(found) = &field(&fields, "ClassWithin", &of).value else { panic!("{of}") };
                        assert_eq!(found.path, within, "{of}");
                        let Value::Text(config) = &field(&fields, "ClassConfigName", &of).value else { panic!("{of}") };
                        assert_eq!(config, wanted["config"].as_str().unwrap(), "{of}");
                    }
                }
                "Function" => {
                    functions += 1;
                    same("NativeIndex", "native");
                    same("OperatorPrecedence", "precedence");
                    same("FunctionFlags", "function_flags");
                }
                "State" => {
                    states += 1;
                    same("StateFlags", "state_flags");
                }
                "Enum" => {
                    enums += 1;
                    assert_eq!(serde_json::json!(names(&fields, "Names")), wanted["names"], "{of}");
                }
                _ => {
                    constants += 1;
                    let Value::Text(value) = &field(&fields, "Value", &of).value else { panic!("{of}") };
                    assert_eq!(value, wanted["value"].as_str().unwrap(), "{of}");
                }
            }
        }
    }
    let counts = (classes, functions, states, enums, constants);
    assert!(counts == (0, 0, 0, 0, 0) || counts == (28, 160, 14, 3, 5), "{counts:?}");
}

#[test]
fn texts_are_whole_to_the_character() {
    let mut texts = 0;
    for (file, expected) in packages() {
        for wanted in expected["exports"].as_array().unwrap() {
            let Some(hash) = wanted.get("text") else { continue };
            let of = format!("{}: {}", file.name, wanted["path"].as_str().unwrap());
            let fields = file.document.fields(entry_of(wanted)).unwrap().fields;
            let Value::Text(text) = &field(&fields, "Text", &of).value else { panic!("{of}") };
            assert_eq!(text.chars().count() as u64, hash[0].as_u64().unwrap(), "{of}");
            assert_eq!(sha1(text.as_bytes()), hash[1].as_str().unwrap(), "{of}");
            let shown = text_of(&file, entry_of(wanted));
            assert_eq!(shown.parts[0].language, Language::UnrealScript, "{of}");
            assert!(!shown.parts[0].text.contains('\r'), "{of}");
            texts += 1;
        }
    }
    assert!(texts == 0 || texts == 28, "{texts}");
}

#[test]
fn every_script_object_shows_as_text_without_a_word_of_damage() {
    let mut shown = 0;
    for (file, _) in packages() {
        for entry in file.document.outline().entries() {
            let class = &*entry.class;
            let is_script =
                matches!(class, "Class" | "Function" | "State" | "Struct" | "Enum" | "Const" | "TextBuffer")
                    || class.ends_with("Property");
            if !is_script || entry.size == 0 {
                continue;
            }
            let text = text_of(&file, entry.id);
            for part in text.parts.iter().filter(|part| part.title != "Source" && part.title != "Text") {
                for word in ["at offset", "native_0x", " ? ", "cannot be read"] {
                    assert!(!part.text.contains(word), "{}: {}: {word}: {}", file.name, entry.path(), part.text);
                }
            }
            shown += 1;
        }
    }
    assert!(shown == 0 || shown == 692, "{shown}");
}

#[test]
fn a_class_stands_beside_its_disassembly_and_its_defaults() {
    let Some((file, _)) = package("TestUC1.u") else { return };
    let of = |path: &str| text_of(&file, file.entry(path));

    let labels = of("Labels");
    let titles: Vec<&str> = labels.parts.iter().map(|p| p.title.as_str()).collect();
    assert_eq!(titles, ["Source", "Disassembly", "Default properties"]);
    let code = &labels.parts[1].text;
    let wanted = "\
function TestForLoop()
  0000  Let              i = 0
L_0007:
  0007  JumpIfNot        L_0021  i < 255
  0013  Assert           false  // line 192
  0017  NativeFunction   ++i
  001E  Jump             L_0007
L_0021:
  0021  Return
";
    assert!(code.contains(wanted), "{code}");
    // In the order of the source.
    assert!(code.find("TestSwitchNesting").unwrap() < code.find("TestDoUntilLoop").unwrap(), "{code}");

    let defaults = of("DefaultProperties");
    let block = &defaults.parts.iter().find(|p| p.title == "Default properties").unwrap().text;
    for line in [
        "    Float=0.012345679\n",
        "    String=\"String_\\\"\"\n",
        "    Object=class'DefaultProperties'\n",
        "    IntFixedArray(1)=2\n",
        "    Rotator=(Pitch=180,Yaw=90,Roll=45)\n",
        "    Enum=EEnum2\n",
        "    Struct=(Byte=1,Int=1,Float=1.0,NameProperty=",
    ] {
        assert!(block.contains(line), "{line:?} in {block}");
    }
    let declared = &of("ExprTokens.Backslash_PreStr").parts[0].text;
    assert_eq!(declared.lines().next(), Some("static final preoperator bool \\ ( string v ) { return true; }"));
    let code = &of("ExprTokens.Backslash_PreStr").parts[1].text;
    assert_eq!(code.lines().next(), Some("static final preoperator bool \\(string V)"));
    assert_eq!(of("DefaultProperties.EEnum").parts[0].text, "enum EEnum\n{\n    EEnum1,\n    EEnum2,\n    EEnum3\n};");
    assert_eq!(of("DefaultProperties.ByteFixedArray").parts[0].text, "var byte ByteFixedArray[2];");
    assert_eq!(of("DefaultProperties.ByteArray").parts[0].text, "var array<byte> ByteArray;");
}
