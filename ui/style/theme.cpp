// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/theme.h"

namespace wb {

const Theme& darkTheme() {
  static const Theme theme = [] {
    Theme t;
    t.dark = true;
    t.window = "#17191e", t.surface = "#14161a", t.raised = "#1f2229", t.field = "#1b1e24";
    t.border = "#2a2e37", t.strongBorder = "#3b414d", t.hover = "#272b34", t.selected = "#24334b";
    t.text = "#e6e8ec", t.secondary = "#a5acb8", t.muted = "#959dab";
    t.accent = "#5a9cff", t.accentHover = "#74acff", t.accentPressed = "#4489f0", t.onAccent = "#0b1220";
    t.accentSoft = "#1c2b45";
    t.good = "#46c46b", t.bad = "#f67f7a", t.warning = "#e0a53a";
    t.goodSoft = "#16301f", t.badSoft = "#3a1f21", t.warningSoft = "#35290f";
    t.barGood = "#4c94ff", t.barBad = "#f4706b", t.barNeutral = "#7b8390", t.grid = "#282c35";
    return t;
  }();
  return theme;
}

const Theme& lightTheme() {
  static const Theme theme = [] {
    Theme t;
    t.dark = false;
    t.window = "#f3f4f7", t.surface = "#ffffff", t.raised = "#ffffff", t.field = "#ffffff";
    t.border = "#dde0e6", t.strongBorder = "#c3c8d2", t.hover = "#e8ebf0", t.selected = "#dbe8fd";
    t.text = "#1b1f26", t.secondary = "#535b69", t.muted = "#5f6775";
    t.accent = "#1a5fcb", t.accentHover = "#2269d8", t.accentPressed = "#154fab", t.onAccent = "#ffffff";
    t.accentSoft = "#e4eefd";
    t.good = "#0f6c32", t.bad = "#b82925", t.warning = "#7e5307";
    t.goodSoft = "#dff3e5", t.badSoft = "#fde7e6", t.warningSoft = "#fbf0d6";
    t.barGood = "#1f6feb", t.barBad = "#d94f4a", t.barNeutral = "#9aa2af", t.grid = "#e6e9ee";
    return t;
  }();
  return theme;
}

const Theme& themeOf(const QPalette& palette) {
  // The theme is told by a role that no style sheet changes: a transparent background changes the widget's
  // Window colour.
  return palette.color(QPalette::Link) == lightTheme().accent ? lightTheme() : darkTheme();
}

QPalette paletteOf(const Theme& t) {
  QPalette p;
  p.setColor(QPalette::Window, t.window);
  p.setColor(QPalette::WindowText, t.text);
  p.setColor(QPalette::Base, t.surface);
  p.setColor(QPalette::AlternateBase, t.raised);
  p.setColor(QPalette::Text, t.text);
  p.setColor(QPalette::PlaceholderText, t.muted);
  p.setColor(QPalette::Button, t.raised);
  p.setColor(QPalette::ButtonText, t.text);
  p.setColor(QPalette::BrightText, t.bad);
  p.setColor(QPalette::ToolTipBase, t.raised);
  p.setColor(QPalette::ToolTipText, t.text);
  p.setColor(QPalette::Highlight, t.selected);
  p.setColor(QPalette::HighlightedText, t.text);
  p.setColor(QPalette::Link, t.accent);
  p.setColor(QPalette::LinkVisited, t.accent);
  p.setColor(QPalette::Light, t.window);
  p.setColor(QPalette::Midlight, t.border);
  p.setColor(QPalette::Mid, t.border);
  p.setColor(QPalette::Dark, t.strongBorder);
  p.setColor(QPalette::Shadow, t.dark ? QColor(Qt::black) : t.strongBorder);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, t.muted);
  return p;
}

EditorPalette editorPaletteOf(const Theme& t) {
  EditorPalette e;
  e.dark = t.dark;
  e.background = t.surface, e.text = t.dark ? "#d6dae2" : "#1f2430";
  e.lineNumber = t.dark ? "#808997" : "#68717f";
  e.currentLine = t.dark ? "#1b1f26" : "#f4f6fa";
  e.selection = t.dark ? "#263a5e" : "#d6e6fd", e.selectionText = e.text;
  e.caret = t.accent, e.fold = t.muted, e.indentGuide = t.dark ? "#2a2e37" : "#e2e5ea";
  e.braceMatch = t.dark ? "#33507f" : "#bcd6fb";
  e.keyword = t.dark ? "#cb9aec" : "#8b2fc9", e.builtin = t.dark ? "#56c7d8" : "#0a6678";
  e.type = t.dark ? "#7cc4ff" : "#1556b0", e.string = t.dark ? "#9ccc7a" : "#276c2a";
  e.number = t.dark ? "#e8a15b" : "#974708", e.comment = t.dark ? "#9da6b4" : "#5d6674";
  e.preprocessor = t.dark ? "#f18bac" : "#b02a66", e.op = t.dark ? "#b4bbc7" : "#454c59";
  e.function = t.dark ? "#8bb0ff" : "#1f5fbf";
  e.error = t.bad, e.errorBackground = t.badSoft;
  e.warning = t.warning, e.warningBackground = t.warningSoft;
  e.note = t.accent, e.noteBackground = t.accentSoft;
  e.heat = t.dark ? "#e5722b" : "#f08c3a", e.pointed = t.dark ? "#22355a" : "#dcebff";
  return e;
}

QColor toneColor(const Theme& theme, Tone tone) {
  switch (tone) {
    case Tone::good:
      return theme.good;
    case Tone::bad:
      return theme.bad;
    case Tone::warning:
      return theme.warning;
    case Tone::muted:
      return theme.muted;
    case Tone::neutral:
      break;
  }
  return theme.text;
}

QColor toneBackground(const Theme& theme, Tone tone) {
  switch (tone) {
    case Tone::good:
      return theme.goodSoft;
    case Tone::bad:
      return theme.badSoft;
    case Tone::warning:
      return theme.warningSoft;
    case Tone::muted:
    case Tone::neutral:
      break;
  }
  return theme.hover;
}

}  // namespace wb
