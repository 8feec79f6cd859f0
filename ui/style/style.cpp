// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/style.h"

#include <QPainter>
#include <QPair>
#include <algorithm>

#include "ui/style/theme.h"

namespace wb {

Style::Style() : QProxyStyle(QStringLiteral("Fusion")) {}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
    case PM_TabBarIconSize:
      return 16;
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent:
      return 4;
    case PM_DockWidgetFrameWidth:
      return 0;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* returned) const {
  if (hint == SH_EtchDisabledText) return 0;
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons || hint == SH_ComboBox_Popup ||
      hint == SH_UnderlineShortcut)
    return 0;
  return QProxyStyle::styleHint(hint, option, widget, returned);
}

// The sheet draws the focus as a coloured frame, so the style draws no dotted one. A rule for every widget
// ("* { outline: 0 }") would say the same, and would make the sheet twice as slow.
void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  if (element != PE_FrameFocusRect) QProxyStyle::drawPrimitive(element, option, painter, widget);
}

// A style sheet paints the words of boxes and buttons by this, and would cut what is too long in the middle
// of a letter.
void Style::drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette,
                         bool isEnabled, const QString& text, QPalette::ColorRole role) const {
  const bool isPlain = !(flags & Qt::TextWordWrap) && !text.contains(QLatin1Char('&')) &&
                       !text.contains(QLatin1Char('\n')) && !text.contains(QLatin1Char('\t'));
  // The room of a box with a picture goes as far as its clip, and not as far as it says.
  QRect room = rect;
  if (painter->hasClipping()) room.setRight(std::min(room.right(), int(painter->clipBoundingRect().right())));
  const QString shown =
      isPlain ? painter->fontMetrics().elidedText(text, Qt::ElideRight, room.width()) : text;
  QProxyStyle::drawItemText(painter, rect, flags, palette, isEnabled, shown, role);
}

namespace {

const char* const sheet = R"(
QMainWindow, QDialog { background: @window; }
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QMenuBar { background: @window; padding: 2px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @raised; border: 1px solid @strongBorder; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 10px; border-radius: 4px; }
QMenu::item:selected { background: @selected; }
QMenu::item:disabled { color: @muted; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: @border; margin: 4px 6px; }
QToolBar { background: @window; border: 0; border-bottom: 1px solid @border; padding: 6px 8px; spacing: 6px; }
QToolBar::separator { width: 1px; background: @border; margin: 4px 4px; }
QToolButton { padding: 5px 9px; border: 1px solid transparent; border-radius: 6px; background: transparent; }
QToolButton:hover { background: @hover; }
QToolButton:pressed, QToolButton:checked { background: @selected; }
QToolButton:focus { border-color: @accent; }
QToolButton:disabled { color: @muted; }
QToolButton::menu-indicator { image: none; }
#fold { padding: 4px 8px 4px 0; color: @secondary; }
#fold:hover { color: @text; }
#fold:checked { background: transparent; }
#runButton { background: @accent; color: @onAccent; font-weight: 600; padding: 6px 14px 6px 11px; }
#runButton:hover { background: @accentHover; }
#runButton:pressed { background: @accentPressed; }
#runButton:focus { border-color: @text; }
#runButton:disabled { background: @hover; color: @muted; }
#runButton[running="true"] { background: @badSoft; color: @bad; border-color: @bad; }
QPushButton { background: @raised; border: 1px solid @strongBorder; border-radius: 6px; padding: 6px 14px; min-width: 56px; }
QPushButton:hover { background: @hover; }
QPushButton:focus { border-color: @accent; }
QPushButton:default { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; }
QPushButton:default:hover { background: @accentHover; }
QPushButton:default:disabled { background: @hover; color: @muted; border-color: @border; }
QPushButton:disabled { color: @muted; border-color: @border; }
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox { background: @field; border: 1px solid @border; border-radius: 6px; padding: 5px 8px; selection-background-color: @selected; selection-color: @text; }
QLineEdit:hover, QComboBox:hover { border-color: @strongBorder; }
QLineEdit:focus, QComboBox:focus, QComboBox:on { border-color: @accent; }
QLineEdit[invalid="true"] { border-color: @bad; color: @bad; }
QComboBox QLineEdit { border: 0; padding: 0; background: transparent; }
QComboBox::drop-down { width: 22px; border: 0; }
QComboBox::down-arrow { image: url(:/icons/arrow-down-@scheme.svg); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @strongBorder; padding: 4px; selection-background-color: @selected; selection-color: @text; }
QDockWidget { titlebar-close-icon: none; }
#dockTitle { background: @window; border-bottom: 1px solid @border; }
#dockTitle QLabel { color: @secondary; font-weight: 500; }
#dockTitle QToolButton { padding: 3px; }
#detailsHead { background: @window; border-top: 1px solid @border; border-bottom: 1px solid @border; }
#detailsHead QToolButton { padding: 3px 8px; }
#dockBody, #page { background: @window; }
QTabWidget { background: @window; }
QTabWidget::pane { border: 0; border-top: 1px solid @border; }
QTabWidget::tab-bar { left: 0; }
QTabBar { background: @window; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @secondary; padding: 7px 13px; border: 0; border-bottom: 2px solid transparent; }
QTabBar[tight="true"]::tab { padding: 7px 7px; }
QTabBar::tab:hover { color: @text; background: @hover; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:selected:focus { background: @hover; }
#editorTabs QTabBar::tab { padding: 8px 8px 8px 13px; border-right: 1px solid @border; }
#editorTabs QTabBar::tab:selected { background: @surface; border-bottom-color: @surface; border-top: 2px solid @accent; padding-top: 6px; }
#editorTabs QTabBar::tab:selected:focus { background: @hover; }
#editorTabs QTabBar[inactive="true"]::tab:selected { border-top-color: @border; }
#tabClose { padding: 2px; border-radius: 4px; }
QTableView { background: @surface; alternate-background-color: @surface; border: 0; gridline-color: @border; selection-background-color: @selected; selection-color: @text; }
QHeaderView { background: @window; border: 0; }
QHeaderView::section { background: @window; color: @secondary; font-weight: 500; padding: 6px 8px; border: 0; border-bottom: 1px solid @border; border-right: 1px solid @border; }
QHeaderView::section:hover { color: @text; background: @hover; }
QHeaderView::up-arrow { image: url(:/icons/arrow-up-@scheme.svg); width: 9px; height: 9px; subcontrol-position: center right; right: 6px; }
QHeaderView::down-arrow { image: url(:/icons/arrow-down-@scheme.svg); width: 9px; height: 9px; subcontrol-position: center right; right: 6px; }
QListView, QTreeView { background: @surface; border: 1px solid @border; border-radius: 6px; padding: 4px; show-decoration-selected: 1; }
QListView::item { padding: 6px 8px; border-radius: 5px; }
QListView:focus, QTreeView:focus, QTextBrowser:focus, QPlainTextEdit:focus { border: 1px solid @accent; }
QListView::item:hover { background: @hover; }
QListView::item:selected { background: @selected; color: @text; }
QPlainTextEdit, QTextBrowser { background: @surface; border: 1px solid transparent; selection-background-color: @selected; selection-color: @text; }
#card, #chartCard { background: @raised; border: 1px solid @border; border-radius: 8px; }
#cardTitle { color: @secondary; }
#cardValue { font-size: 20px; font-weight: 600; }
#cardValue[tone="good"] { color: @good; }
#cardValue[tone="bad"] { color: @bad; }
#cardValue[tone="warning"] { color: @warning; }
#cardValue[tone="muted"] { color: @muted; }
#cardValue[isSmall="true"] { font-size: 16px; }
#cardDetail { color: @secondary; }
#splitFirst { border-top-right-radius: 0; border-bottom-right-radius: 0; padding-right: 3px; }
#splitLast { border-top-left-radius: 0; border-bottom-left-radius: 0; padding: 5px 5px; }
#outlined { border-color: @border; background: @field; }
#outlined:hover { border-color: @strongBorder; background: @hover; }
#outlined:focus { border-color: @accent; }
#segments QToolButton { border-color: @border; background: @field; color: @secondary; padding: 5px 11px; }
#segments QToolButton:hover { color: @text; }
#segments QToolButton:checked { background: @accentSoft; color: @accent; border-color: @accent; }
#segments QToolButton:focus { border-color: @accent; }
#firstSegment { border-top-right-radius: 0; border-bottom-right-radius: 0; }
#lastSegment { border-top-left-radius: 0; border-bottom-left-radius: 0; }
#chip { padding: 3px 9px; border: 1px solid @border; border-radius: 11px; color: @secondary; }
#chip:hover { color: @text; background: @hover; }
#chip:checked { background: @accentSoft; color: @accent; border-color: @accent; }
#chip:focus { border-color: @text; }
#chip:disabled { color: @muted; border-color: transparent; }
#advice { background: transparent; border: 0; }
#link { color: @accent; padding: 1px 6px; border-radius: 4px; }
#chart { background: transparent; border: 0; }
#chartTitle, #heading { font-weight: 600; }
#title { font-size: 20px; font-weight: 600; }
#hint { color: @secondary; }
#hint[tone="bad"] { color: @bad; }
#hint[tone="warning"] { color: @warning; }
#muted { color: @muted; }
#banner { background: @warningSoft; border: 1px solid @strongBorder; border-radius: 8px; }
#banner[tone="bad"] { background: @badSoft; }
#banner[tone="good"] { background: @goodSoft; }
#banner[tone="neutral"] { background: @accentSoft; }
#findBar { background: @window; border-top: 1px solid @border; }
#findBar QToolButton:checked { background: @accentSoft; color: @accent; border-color: @accent; }
#popup { background: @raised; border: 1px solid @strongBorder; border-radius: 8px; }
QRadioButton, QCheckBox { spacing: 8px; padding: 2px 0; }
QRadioButton::indicator, QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @muted; background: @field; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator { border-radius: 4px; }
QRadioButton::indicator:hover, QCheckBox::indicator:hover, QRadioButton::indicator:focus, QCheckBox::indicator:focus { border-color: @accent; }
QRadioButton::indicator:checked { border: 5px solid @accent; width: 6px; height: 6px; background: @onAccent; }
QCheckBox::indicator:checked { border-color: @accent; background: @accent; image: url(:/icons/check-@scheme.svg); }
QRadioButton::indicator:checked:focus, QCheckBox::indicator:checked:focus { border-color: @text; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 18px; border: 0; background: transparent; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/arrow-up-@scheme.svg); width: 8px; height: 8px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/arrow-down-@scheme.svg); width: 8px; height: 8px; }
QSpinBox:focus, QDoubleSpinBox:focus { border-color: @accent; }
QRadioButton:focus, QCheckBox:focus { color: @text; }
#palette { background: @raised; border: 1px solid @strongBorder; border-radius: 10px; }
#palette QListView { background: transparent; border: 0; }
QStatusBar { background: @window; border-top: 1px solid @border; color: @secondary; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: @secondary; padding: 0 6px; }
QProgressBar { background: @border; border: 0; border-radius: 2px; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QToolTip { background: @raised; color: @text; border: 1px solid @strongBorder; padding: 5px 7px; }
QScrollBar { background: transparent; border: 0; margin: 0; }
QScrollBar:vertical { width: 11px; } QScrollBar:horizontal { height: 11px; }
QScrollBar::handle { background: @strongBorder; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; } QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: 0; }
QSplitter::handle { background: transparent; }
#folderPanel QTreeView { border: 0; border-radius: 0; background: @window; }
#folderPanel QTreeView::item { padding: 4px 2px; }
QSplitter#editorSplitter::handle:horizontal { background: @strongBorder; width: 1px; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: 0; }
)";

}  // namespace

QString styleSheetOf(const Theme& t) {
  // Longer names come first, since "@accent" is a prefix of "@accentSoft".
  const QPair<const char*, QColor> tokens[] = {{"@accentPressed", t.accentPressed},
                                               {"@accentHover", t.accentHover},
                                               {"@accentSoft", t.accentSoft},
                                               {"@accent", t.accent},
                                               {"@onAccent", t.onAccent},
                                               {"@strongBorder", t.strongBorder},
                                               {"@border", t.border},
                                               {"@window", t.window},
                                               {"@surface", t.surface},
                                               {"@raised", t.raised},
                                               {"@field", t.field},
                                               {"@hover", t.hover},
                                               {"@selected", t.selected},
                                               {"@text", t.text},
                                               {"@secondary", t.secondary},
                                               {"@muted", t.muted},
                                               {"@goodSoft", t.goodSoft},
                                               {"@badSoft", t.badSoft},
                                               {"@warningSoft", t.warningSoft},
                                               {"@good", t.good},
                                               {"@bad", t.bad},
                                               {"@warning", t.warning}};
  QString out = QString::fromLatin1(sheet);
  out.replace(QLatin1String("@scheme"), t.dark ? QLatin1String("dark") : QLatin1String("light"));
  for (const auto& [token, color] : tokens) out.replace(QLatin1String(token), color.name());
  return out;
}

}  // namespace wb
