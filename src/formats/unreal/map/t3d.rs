//! Brushes, actors and levels as the text that the editor imports (T3D).

use super::{
    brush::{Allowance, Poly, polys_of_model, whole_polys},
    level::read_level,
    model::whole_model,
};
use crate::formats::unreal::{
    definitions::Definitions,
    header::read_header,
    kind::Kind,
    object::{Fault, ObjectReader},
    package::{Found, Package},
    t3d,
    tables::{ObjectRef, Pointee},
};
use std::{collections::HashSet, fmt::Write as _, sync::Arc};

/// Whether objects of this kind can be written as T3D: brushes and what they are made of, levels, and actors, which are the
/// plain objects with a state frame.
pub fn is_t3d(kind: Kind, has_stack: bool) -> bool {
    matches!(kind, Kind::Polys | Kind::Model | Kind::Level) || kind == Kind::Plain && has_stack
}

/// An object as text. What cannot be read of a level's actors is left out.
///
/// # Errors
/// When the object itself cannot be read.
pub fn text(package: &Arc<Package>, export: usize, kind: Kind) -> Result<String, Fault> {
    let mut out = String::new();
    match kind {
        Kind::Polys => {
            let polys = whole_polys(&Found { package: package.clone(), export })?;
            poly_list(&mut out, package, &polys, "");
        }
        Kind::Model => {
            let model = whole_model(package, export, &mut |_| {})?;
            let polys = polys_of_model(package, &model, &mut |_| {}).unwrap_or_default();
            brush(&mut out, package, name(package, export), &polys, "");
        }
        Kind::Level => {
            let mut reader = ObjectReader::of_export(package, export);
            let header = read_header(&mut reader, export)?;
            let level = read_level(&mut reader, &header.properties)?;
            line(&mut out, "", "Begin Map");
            let mut written = HashSet::new();
            let mut allowance = Allowance::of(package);
            for reference in level.actors {
                if let Pointee::Export(number) = reference.pointee()
                    && written.insert(number)
                {
                    let mut one = String::new();
                    if actor(&mut one, package, number, &mut allowance).is_ok() {
                        out.push_str(&one);
                    }
                }
            }
            line(&mut out, "", "End Map");
        }
        _ => {
            line(&mut out, "", "Begin Map");
            actor(&mut out, package, export, &mut Allowance::of(package))?;
            line(&mut out, "", "End Map");
        }
    }
    Ok(out)
}

/// Lines end as the editor's do.
fn line(out: &mut String, indent: &str, text: &str) {
    let _ = write!(out, "{indent}{text}\r\n");
}

fn name(package: &Package, export: usize) -> &str {
    package.object_name(ObjectRef::export(export)).unwrap_or("None")
}

fn actor(out: &mut String, package: &Arc<Package>, export: usize, allowance: &mut Allowance) -> Result<(), Fault> {
    let mut reader = ObjectReader::of_export(package, export);
    let properties = read_header(&mut reader, export)?.properties;
    let class = package.export(export).map_or(ObjectRef::NONE, |e| e.class);
    let definitions = Definitions::new(package, class);
    let class_name = package.class_name(ObjectRef::export(export));
    line(out, "", &format!("Begin Actor Class={class_name} Name={}", name(package, export)));
    for property in &properties.properties {
        // The polygons come right before the property that refers to them.
        if property.name.eq_ignore_ascii_case("Brush")
            && !allowance.is_spent()
            && let Some(shape) = properties.object("Brush").and_then(|object| package.resolve(object))
            && let Ok(model) = whole_model(&shape.package, shape.export, &mut |_| {})
            && allowance.take(&shape.package, shape.export, &model)
        {
            let polys = polys_of_model(&shape.package, &model, &mut |_| {}).unwrap_or_default();
            brush(out, &shape.package, name(&shape.package, shape.export), &polys, "    ");
        }
        if let Some(text) = t3d::property(package, &definitions, property) {
            line(out, "    ", &text);
        }
    }
    line(out, "    ", &format!("Name={}", name(package, export)));
    line(out, "", "End Actor");
    Ok(())
}

fn brush(out: &mut String, package: &Package, name: &str, polys: &[Poly], indent: &str) {
    line(out, indent, &format!("Begin Brush Name={name}"));
    poly_list(out, package, polys, &format!("{indent}   "));
    line(out, indent, "End Brush");
}

fn poly_list(out: &mut String, package: &Package, polys: &[Poly], indent: &str) {
    line(out, indent, "Begin PolyList");
    let (inner, innermost) = (format!("{indent}   "), format!("{indent}      "));
    for poly in polys {
        let mut head = "Begin Polygon".to_owned();
        if !poly.item.eq_ignore_ascii_case("None") {
            let _ = write!(head, " Item={}", poly.item);
        }
        if let Some(texture) = package.object_name(poly.texture) {
            let _ = write!(head, " Texture={texture}");
        }
        if poly.flags != 0 {
            let _ = write!(head, " Flags={}", poly.flags);
        }
        if poly.link >= 0 {
            let _ = write!(head, " Link={}", poly.link);
        }
        line(out, &inner, &head);
        let vectors = [
            ("Origin  ", poly.base),
            ("Normal  ", poly.normal),
            ("TextureU", poly.texture_u),
            ("TextureV", poly.texture_v),
        ];
        for (label, vector) in vectors {
            line(out, &innermost, &format!("{label} {}", t3d::polygon_vector(vector)));
        }
        let [pan_u, pan_v] = poly.pan;
        if pan_u != 0 || pan_v != 0 {
            line(out, &innermost, &format!("Pan      U={pan_u} V={pan_v}"));
        }
        for vertex in &poly.vertices {
            line(out, &innermost, &format!("Vertex   {}", t3d::polygon_vector(*vertex)));
        }
        line(out, &inner, "End Polygon");
    }
    line(out, indent, "End PolyList");
}
