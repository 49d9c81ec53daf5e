//! The window's look: three levels of neutral surface, one accent, a 4-point grid, three sizes of text, one weight of icons.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Vec2};

/// Small print, text and headings, in points.
pub const SMALL: f32 = 11.0;
pub const BODY: f32 = 13.0;
pub const LARGE: f32 = 18.0;
/// The grid that everything sits on, in points.
pub const GRID: f32 = 4.0;
/// Height of rows in trees and tables.
pub const ROW: f32 = 22.0;

/// The colours of a theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Behind everything: bars, gaps.
    pub base: Color32,
    /// Panels.
    pub panel: Color32,
    /// What lies on a panel: cards, buttons, menus.
    pub card: Color32,
    /// What is written into: fields, the scrub bar.
    pub field: Color32,
    pub line: Color32,
    pub text: Color32,
    pub weak: Color32,
    pub strong: Color32,
    /// Selection, playhead, primary action; nothing else.
    pub accent: Color32,
    /// The accent as a background.
    pub accent_soft: Color32,
    pub on_accent: Color32,
    pub hover: Color32,
    pub zebra: Color32,
    pub warning: Color32,
    pub error: Color32,
    pub good: Color32,
}

const DARK: Palette = Palette {
    base: Color32::from_rgb(0x13, 0x13, 0x15),
    panel: Color32::from_rgb(0x1b, 0x1b, 0x1e),
    card: Color32::from_rgb(0x27, 0x27, 0x2b),
    field: Color32::from_rgb(0x10, 0x10, 0x12),
    line: Color32::from_rgb(0x2e, 0x2e, 0x33),
    text: Color32::from_rgb(0xd6, 0xd3, 0xcc),
    weak: Color32::from_rgb(0x93, 0x90, 0x8a),
    strong: Color32::from_rgb(0xf4, 0xf1, 0xea),
    accent: Color32::from_rgb(0xf0, 0xa8, 0x48),
    accent_soft: Color32::from_rgb(0x4a, 0x36, 0x1c),
    on_accent: Color32::from_rgb(0x1f, 0x15, 0x06),
    hover: Color32::from_rgb(0x33, 0x33, 0x38),
    zebra: Color32::from_rgb(0x1f, 0x1f, 0x22),
    warning: Color32::from_rgb(0xe3, 0xc0, 0x5a),
    error: Color32::from_rgb(0xf0, 0x77, 0x6d),
    good: Color32::from_rgb(0x7f, 0xc0, 0x8a),
};

const LIGHT: Palette = Palette {
    base: Color32::from_rgb(0xe2, 0xe0, 0xdb),
    panel: Color32::from_rgb(0xf3, 0xf1, 0xed),
    card: Color32::from_rgb(0xff, 0xfe, 0xfb),
    field: Color32::from_rgb(0xe6, 0xe3, 0xdd),
    line: Color32::from_rgb(0xd0, 0xcc, 0xc4),
    text: Color32::from_rgb(0x2d, 0x2b, 0x28),
    weak: Color32::from_rgb(0x6b, 0x67, 0x60),
    strong: Color32::from_rgb(0x12, 0x11, 0x10),
    accent: Color32::from_rgb(0xb3, 0x5f, 0x06),
    accent_soft: Color32::from_rgb(0xf6, 0xdf, 0xbd),
    on_accent: Color32::from_rgb(0xff, 0xfc, 0xf7),
    hover: Color32::from_rgb(0xe4, 0xe0, 0xd8),
    zebra: Color32::from_rgb(0xec, 0xe9, 0xe4),
    warning: Color32::from_rgb(0x8a, 0x64, 0x00),
    error: Color32::from_rgb(0xb4, 0x2b, 0x22),
    good: Color32::from_rgb(0x2d, 0x7a, 0x3e),
};

impl Palette {
    pub const fn of(dark: bool) -> Self {
        if dark { DARK } else { LIGHT }
    }
}

/// The colours of the theme that `ui` is drawn in.
pub fn palette(ui: &egui::Ui) -> Palette {
    Palette::of(ui.visuals().dark_mode)
}

/// Fonts: once for each egui context.
pub fn install_fonts(ctx: &egui::Context) {
    let mut fonts = egui::FontDefinitions::default();
    egui_phosphor::add_to_fonts(&mut fonts, egui_phosphor::Variant::Regular);
    // Icons in fixed-width text too, and arrows in other text.
    for (family, more) in [(FontFamily::Monospace, "phosphor"), (FontFamily::Proportional, "Hack")] {
        fonts.families.entry(family).or_default().push(more.into());
    }
    ctx.set_fonts(fonts);
}

/// Colours, spacing and text sizes, in both themes.
pub fn apply(ctx: &egui::Context, dark: bool, scale: f32) {
    for (theme, dark) in [(egui::Theme::Dark, true), (egui::Theme::Light, false)] {
        ctx.style_mut_of(theme, |style| restyle(style, &Palette::of(dark), dark));
    }
    ctx.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
    if (ctx.zoom_factor() - scale).abs() > 1e-3 {
        ctx.set_zoom_factor(scale);
    }
}

fn restyle(style: &mut egui::Style, p: &Palette, dark: bool) {
    style.text_styles = [
        (TextStyle::Small, FontId::new(SMALL, FontFamily::Proportional)),
        (TextStyle::Body, FontId::new(BODY, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(BODY, FontFamily::Proportional)),
        (TextStyle::Heading, FontId::new(LARGE, FontFamily::Proportional)),
        (TextStyle::Monospace, FontId::new(12.5, FontFamily::Monospace)),
    ]
    .into();
    style.animation_time = 0.1;
    let s = &mut style.spacing;
    s.item_spacing = Vec2::new(8.0, 4.0);
    s.button_padding = Vec2::new(8.0, 3.0);
    s.interact_size = Vec2::new(28.0, 24.0);
    s.menu_margin = Margin::same(4);
    s.window_margin = Margin::same(12);
    s.indent = 16.0;
    s.icon_width = 16.0;
    s.icon_spacing = 6.0;
    s.combo_width = 80.0;
    s.slider_width = 100.0;
    s.scroll = egui::style::ScrollStyle::solid();
    s.scroll.bar_width = 8.0;
    s.scroll.floating = true;
    s.scroll.floating_allocated_width = 8.0;

    let mut v = if dark { egui::Visuals::dark() } else { egui::Visuals::light() };
    let radius = CornerRadius::same(4);
    v.override_text_color = None;
    v.weak_text_color = Some(p.weak);
    v.panel_fill = p.panel;
    v.window_fill = p.card;
    v.window_stroke = Stroke::new(1.0, p.line);
    v.window_corner_radius = CornerRadius::same(8);
    v.menu_corner_radius = CornerRadius::same(6);
    v.window_shadow =
        Shadow { offset: [0, 8], blur: 24, spread: 0, color: Color32::from_black_alpha(if dark { 120 } else { 50 }) };
    v.popup_shadow =
        Shadow { offset: [0, 4], blur: 12, spread: 0, color: Color32::from_black_alpha(if dark { 110 } else { 40 }) };
    v.faint_bg_color = p.zebra;
    v.extreme_bg_color = p.field;
    v.text_edit_bg_color = Some(p.field);
    v.code_bg_color = p.field;
    v.hyperlink_color = p.accent;
    v.warn_fg_color = p.warning;
    v.error_fg_color = p.error;
    v.selection.bg_fill = p.accent_soft;
    v.selection.stroke = Stroke::new(1.0, p.strong);
    v.slider_trailing_fill = true;
    v.handle_shape = egui::style::HandleShape::Circle;
    v.striped = true;
    v.indent_has_left_vline = false;
    v.text_cursor.stroke = Stroke::new(1.5, p.accent);

    let w = &mut v.widgets;
    let look = |state: &mut egui::style::WidgetVisuals, fill: Color32, line: Color32, text: Color32| {
        state.bg_fill = fill;
        state.weak_bg_fill = fill;
        state.bg_stroke = Stroke::new(1.0, line);
        state.fg_stroke = Stroke::new(1.0, text);
        state.corner_radius = radius;
        state.expansion = 0.0;
    };
    look(&mut w.noninteractive, p.panel, p.line, p.text);
    look(&mut w.inactive, p.card, Color32::TRANSPARENT, p.text);
    look(&mut w.hovered, p.hover, Color32::TRANSPARENT, p.strong);
    look(&mut w.active, p.hover, p.accent, p.strong);
    look(&mut w.open, p.hover, Color32::TRANSPARENT, p.strong);
    style.visuals = v;
}

/// The dock's look.
pub fn dock_style(ui: &egui::Ui) -> egui_dock::Style {
    let p = palette(ui);
    let mut style = egui_dock::Style::from_egui(ui.style());
    style.main_surface_border_stroke = Stroke::NONE;
    style.separator.width = 4.0;
    style.separator.extra_interact_width = 4.0;
    style.separator.color_idle = p.base;
    style.separator.color_hovered = p.hover;
    style.separator.color_dragged = p.accent;
    style.tab_bar.bg_fill = p.base;
    style.tab_bar.height = 28.0;
    style.tab_bar.hline_color = p.panel;
    style.tab_bar.corner_radius = CornerRadius::ZERO;
    style.tab.spacing = 2.0;
    style.tab.tab_body.inner_margin = Margin::ZERO;
    style.tab.tab_body.stroke = Stroke::NONE;
    style.tab.tab_body.corner_radius = CornerRadius::ZERO;
    style.tab.tab_body.bg_fill = p.panel;
    style.tab.hline_below_active_tab_name = false;
    let top = CornerRadius { nw: 6, ne: 6, sw: 0, se: 0 };
    for (tab, fill, text) in [
        (&mut style.tab.active, p.panel, p.text),
        (&mut style.tab.focused, p.panel, p.strong),
        (&mut style.tab.inactive, p.base, p.weak),
        (&mut style.tab.hovered, p.card, p.strong),
        (&mut style.tab.active_with_kb_focus, p.panel, p.strong),
        (&mut style.tab.focused_with_kb_focus, p.panel, p.strong),
        (&mut style.tab.inactive_with_kb_focus, p.base, p.strong),
    ] {
        tab.bg_fill = fill;
        tab.text_color = text;
        tab.outline_color = Color32::TRANSPARENT;
        tab.corner_radius = top;
    }
    style.overlay.selection_color = p.accent.gamma_multiply(0.35);
    style.overlay.button_color = p.weak;
    style
}

/// A square button with an icon only; `label` is its name for screen readers and its hint.
pub fn icon_button(ui: &mut egui::Ui, icon: &str, label: &str) -> egui::Response {
    icon_toggle(ui, icon, label, false)
}

/// An icon button that can be on.
pub fn icon_toggle(ui: &mut egui::Ui, icon: &str, label: &str, on: bool) -> egui::Response {
    let p = palette(ui);
    let text = egui::RichText::new(icon).size(16.0).color(if on { p.accent } else { p.text });
    let button =
        egui::Button::new(text).fill(if on { p.accent_soft } else { Color32::TRANSPARENT }).min_size(Vec2::splat(28.0));
    let response = ui.add(button);
    let enabled = ui.is_enabled();
    response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Button, enabled, on, label));
    response.on_hover_text(label)
}

/// Figures of one width: for numbers that change or stand in columns.
pub fn figures(text: impl Into<String>) -> egui::RichText {
    egui::RichText::new(text).font(FontId::new(12.5, FontFamily::Monospace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_and_other_signs_have_glyphs() {
        let ctx = egui::Context::default();
        install_fonts(&ctx);
        ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        // `has_glyph` is false too for what is in the font of the replacement character: the fixed-width one has all of these.
        let font = FontId::proportional(BODY);
        let missing: String =
            "←→↑↓“”…·×°²−–—›µ".chars().filter(|c| !ctx.fonts_mut(|fonts| fonts.has_glyph(&font, *c))).collect();
        assert_eq!(missing, "");
    }
}
