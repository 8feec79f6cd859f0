// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/heat_layer.h"

#include <Qsci/qscilexer.h>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "editor/diagnostics_layer.h"
#include "editor/editor_colors.h"
#include "editor/scintilla.h"

namespace wb {
namespace {

using Base = QsciScintillaBase;

constexpr int heatSteps =
    6;  // backgrounds from cool to hot, which are the styles heatStyle, heatStyle + 1, …
constexpr double leastShare = 1e-3;  // a line with a smaller share says nothing
constexpr int widestWords = 7;       // "0.719 %": all boxes of a margin are as wide
constexpr double mostLost = 0.5;     // when more samples than this are lost, the rest would mislead

QColor mixed(const QColor& a, const QColor& b, double share) {
  return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * share),
                          float(a.greenF() + (b.greenF() - a.greenF()) * share),
                          float(a.blueF() + (b.blueF() - a.blueF()) * share));
}

QString wordsOf(const HotLine& hot) {
  return QString::fromStdString(hot.text.empty() ? formatPercent(hot.share) : hot.text);
}

}  // namespace

HeatLayer::HeatLayer(QsciScintilla& editor)
    : QObject(&editor), editor_(editor), palette_(defaultEditorPalette()) {
  editor_.markerDefine(QsciScintilla::Invisible,
                       heatMarker);  // markerAdd ignores markers that are not defined
  editor_.setMarginType(heatMargin, QsciScintilla::TextMarginRightJustified);
  editor_.setMarginMarkerMask(heatMargin, 0);
  editor_.setMarginWidth(heatMargin, 0);
  connect(&editor_, &QsciScintilla::textChanged, this, [this] {
    if (checkPending_ || shown_.empty()) return;
    checkPending_ = true;
    QMetaObject::invokeMethod(
        this, [this] { dropEdited(); }, Qt::QueuedConnection);
  });
  editor_.viewport()->installEventFilter(this);
}

void HeatLayer::setPalette(const EditorPalette& palette) {
  palette_ = palette;
  refresh();
}

void HeatLayer::set(const std::vector<HotLine>& lines) {
  clear();
  for (const HotLine& hot : lines) {
    const QString file = QString::fromStdString(hot.file);
    if (!file.isEmpty() && !file_.isEmpty() && !isSameFile(file.toStdString(), file_.toStdString())) continue;
    if (hot.line < 1 || hot.line > editor_.lines() || hot.share < leastShare || at(hot.line)) continue;
    shown_.push_back({hot, editor_.markerAdd(hot.line - 1, heatMarker), lineText(hot.line - 1)});
    hottest_ = std::max(hottest_, hot.share);
    whole_ += hot.share;
  }
  refresh();
}

void HeatLayer::clear() {
  for (const Shown& shown : shown_) editor_.markerDeleteHandle(shown.marker);
  shown_.clear();
  hottest_ = whole_ = 0;
  editor_.clearMarginText();
  sizeMargin();
}

void HeatLayer::setVisible(bool visible) {
  visible_ = visible;
  sizeMargin();
}

void HeatLayer::sizeMargin() {
  if (visible_ && !shown_.empty())
    editor_.setMarginWidth(heatMargin, QStringLiteral(" 88.88% "));
  else
    editor_.setMarginWidth(heatMargin, 0);
}

void HeatLayer::refresh() {
  editor_.setMarginBackgroundColor(heatMargin, palette_.background);
  if (shown_.empty()) return;
  QFont font = editor_.lexer() != nullptr ? editor_.lexer()->defaultFont() : editor_.font();
  font.setPointSizeF(font.pointSizeF() * 0.86);
  for (const Shown& shown : shown_) {
    const int line = editor_.markerLine(shown.marker);
    if (line < 0) continue;
    // The eye compares areas, so the root makes the lukewarm lines visible.
    const double warmth = std::sqrt(shown.hot.share / std::max(hottest_, leastShare));
    const int step = std::clamp(int(std::ceil(warmth * heatSteps)), 1, heatSteps);
    const QsciStyle style(heatStyle + step - 1, QStringLiteral("Heat"), palette_.text,
                          mixed(palette_.background, palette_.heat, 0.08 + 0.52 * step / heatSteps), font);
    editor_.setMarginText(line, QStringLiteral(" %1 ").arg(wordsOf(shown.hot), widestWords), style);
  }
  sizeMargin();
}

void HeatLayer::dropEdited() {
  checkPending_ = false;
  double left = 0;
  bool some = false;
  const auto edited = [&](const Shown& shown) {
    const int line = editor_.markerLine(shown.marker);
    if (line >= 0 && lineText(line) == shown.lineText) {
      left += shown.hot.share;
      return false;
    }
    some = true;
    if (line >= 0) editor_.clearMarginText(line);
    editor_.markerDeleteHandle(shown.marker);
    return true;
  };
  shown_.erase(std::remove_if(shown_.begin(), shown_.end(), edited), shown_.end());
  if (some && left < whole_ * (1 - mostLost)) clear();
}

QString HeatLayer::lineText(int line) const {
  return editor_.text(line).trimmed();
}

const HeatLayer::Shown* HeatLayer::at(int line) const {
  for (const Shown& shown : shown_)
    if (editor_.markerLine(shown.marker) == line - 1) return &shown;
  return nullptr;
}

QString HeatLayer::textOfLine(int line) const {
  const Shown* shown = at(line);
  return shown ? wordsOf(shown->hot) : QString();
}

QString HeatLayer::tipOfLine(int line) const {
  const Shown* shown = at(line);
  if (!shown) return {};
  if (!shown->hot.text.empty()) return QString::fromStdString(shown->hot.detail);
  QString text = tr("%1 of the samples").arg(textOfLine(line));
  if (!shown->hot.detail.empty()) text += QLatin1Char('\n') + QString::fromStdString(shown->hot.detail);
  return text;
}

bool HeatLayer::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip || shown_.empty() || !visible_)
    return QObject::eventFilter(watched, event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int left = editor_.marginWidth(edgeMargin), right = left + editor_.marginWidth(heatMargin);
  if (help->x() < left || help->x() >= right) return QObject::eventFilter(watched, event);
  const long line = lineOf(editor_, send(editor_, Base::SCI_POSITIONFROMPOINT, help->x(), help->y()));
  const QString tip = tipOfLine(int(line) + 1);
  if (tip.isEmpty()) return QObject::eventFilter(watched, event);
  const QStringList lines = tip.toHtmlEscaped().split(QLatin1Char('\n'));
  QToolTip::showText(help->globalPos(), QStringLiteral("<qt>%1</qt>").arg(lines.join(QStringLiteral("<br>"))),
                     editor_.viewport());
  return true;
}

}  // namespace wb
