// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/diagnostics_layer.h"

#include <Qsci/qscilexer.h>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>
#include <Qsci/qscistyledtext.h>

#include <QHelpEvent>
#include <QStringList>
#include <QToolTip>
#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "editor/editor_colors.h"
#include "editor/scintilla.h"

namespace wb {
namespace {

using Base = QsciScintillaBase;

// More diagnostics would bury the source; where a compiler gives this many, they have one cause.
constexpr std::size_t mostShown = 500;
constexpr qsizetype mostLines = 6, mostCharacters = 240;

int markerFor(Severity severity) {
  return severity == Severity::error     ? errorMarker
         : severity == Severity::warning ? warningMarker
                                         : noteMarker;
}

int indicatorFor(Severity severity) {
  return severity == Severity::error     ? errorIndicator
         : severity == Severity::warning ? warningIndicator
                                         : noteIndicator;
}

QString sentence(const Diagnostic& d) {
  const std::string_view word = name(d.severity);
  QString text = QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())) + QStringLiteral(": ") +
                 QString::fromStdString(d.message).trimmed();
  if (!d.code.empty()) text += QStringLiteral("  [") + QString::fromStdString(d.code) + QLatin1Char(']');
  return text;
}

/// A text cut to a few lines of bearable length: template errors run to pages, and the problems list has them
/// whole.
QString shortened(const QString& text) {
  QStringList lines = text.split(QLatin1Char('\n'));
  if (lines.size() > mostLines) {
    lines.resize(mostLines);
    lines.last() = QStringLiteral("…");
  }
  for (QString& line : lines) {
    if (line.size() > mostCharacters) line = line.left(mostCharacters - 1) + QStringLiteral("…");
    line = QStringLiteral(" ") + line + QStringLiteral(" ");
  }
  return lines.join(QLatin1Char('\n'));
}

QsciStyle annotationStyle(Severity severity, const EditorPalette& p, const QFont& font) {
  switch (severity) {
    case Severity::error:
      return QsciStyle(errorStyle, QStringLiteral("Error"), p.error, p.errorBackground, font);
    case Severity::warning:
      return QsciStyle(warningStyle, QStringLiteral("Warning"), p.warning, p.warningBackground, font);
    case Severity::note:
      break;
  }
  return QsciStyle(noteStyle, QStringLiteral("Note"), p.note, p.noteBackground, font);
}

}  // namespace

DiagnosticsLayer::DiagnosticsLayer(QsciScintilla& editor)
    : QObject(&editor), editor_(editor), palette_(defaultEditorPalette()) {
  editor_.setAnnotationDisplay(QsciScintilla::AnnotationIndented);
  editor_.markerDefine(QsciScintilla::Circle, errorMarker);
  editor_.markerDefine(QsciScintilla::RightTriangle, warningMarker);
  editor_.markerDefine(QsciScintilla::Circle, noteMarker);
  for (const int indicator : {int{errorIndicator}, int{warningIndicator}, int{noteIndicator}}) {
    editor_.indicatorDefine(QsciScintilla::SquiggleIndicator, indicator);
    editor_.setIndicatorDrawUnder(true, indicator);
  }
  connect(&editor_, &QsciScintilla::textChanged, this, [this] {
    if (checkPending_ || shown_.empty()) return;
    checkPending_ = true;
    QMetaObject::invokeMethod(
        this, [this] { dropEdited(); }, Qt::QueuedConnection);
  });
  editor_.viewport()->installEventFilter(this);
}

void DiagnosticsLayer::setPalette(const EditorPalette& palette) {
  palette_ = palette;
  const std::pair<int, QColor> markers[] = {
      {errorMarker, palette.error}, {warningMarker, palette.warning}, {noteMarker, palette.note}};
  for (const auto& [marker, color] : markers) {
    editor_.setMarkerForegroundColor(color, marker);
    editor_.setMarkerBackgroundColor(color, marker);
  }
  editor_.setMarkerBackgroundColor(palette.background, noteMarker);  // it is drawn as a ring
  editor_.setIndicatorForegroundColor(palette.error, errorIndicator);
  editor_.setIndicatorForegroundColor(palette.warning, warningIndicator);
  editor_.setIndicatorForegroundColor(palette.note, noteIndicator);
  // A second view of the text draws what this one sets, with styles of its own.
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
    annotationStyle(severity, palette_, font()).apply(&editor_);
  refresh();
}

QFont DiagnosticsLayer::font() const {
  return editor_.lexer() != nullptr ? editor_.lexer()->defaultFont() : editor_.font();
}

void DiagnosticsLayer::set(const std::vector<Diagnostic>& diagnostics) {
  clear();
  for (const Diagnostic& diagnostic : diagnostics) {
    if (shown_.size() >= mostShown) break;
    add(diagnostic);
  }
  annotate();
}

void DiagnosticsLayer::clear() {
  for (const Shown& shown : shown_) editor_.markerDeleteHandle(shown.marker);
  shown_.clear();
  editor_.clearAnnotations();
  for (const int indicator : {int{errorIndicator}, int{warningIndicator}, int{noteIndicator}}) {
    send(editor_, Base::SCI_SETINDICATORCURRENT, indicator);
    send(editor_, Base::SCI_INDICATORCLEARRANGE, 0, documentLength(editor_));
  }
}

int DiagnosticsLayer::count() const {
  return static_cast<int>(shown_.size());
}

void DiagnosticsLayer::refresh() {
  if (!shown_.empty()) annotate();
}

void DiagnosticsLayer::add(const Diagnostic& diagnostic) {
  const QString file = QString::fromStdString(diagnostic.place.file);
  if (!file.isEmpty() && !file_.isEmpty() && !isSameFile(file.toStdString(), file_.toStdString())) return;
  if (diagnostic.place.line < 1 || diagnostic.place.line > editor_.lines()) return;
  const int line = diagnostic.place.line - 1;
  shown_.push_back({diagnostic, editor_.markerAdd(line, markerFor(diagnostic.severity)), lineText(line)});
  squiggle(diagnostic, line);
}

void DiagnosticsLayer::squiggle(const Diagnostic& diagnostic, int line) {
  const long end = lineEnd(editor_, line);
  long from = send(editor_, Base::SCI_GETLINEINDENTPOSITION, line);
  long to = end;
  if (diagnostic.place.column > 0) {
    from = std::min(lineStart(editor_, line) + diagnostic.place.column - 1, end);
    to = std::min(send(editor_, Base::SCI_WORDENDPOSITION, from, 1), end);
    // A place between words is marked by the one character there, or by the last one when the compiler points
    // behind the line.
    if (to <= from) to = std::min(send(editor_, Base::SCI_POSITIONAFTER, from), end);
    if (to <= from) from = std::max(lineStart(editor_, line), send(editor_, Base::SCI_POSITIONBEFORE, end));
  }
  if (to <= from) return;
  send(editor_, Base::SCI_SETINDICATORCURRENT, indicatorFor(diagnostic.severity));
  send(editor_, Base::SCI_INDICATORFILLRANGE, from, to - from);
}

void DiagnosticsLayer::annotate() {
  std::map<int, QList<QsciStyledText>> lines;
  for (const Shown& shown : shown_) {
    QList<QsciStyledText>& texts = lines[lineOfMarker(shown.marker)];
    const QString text =
        (texts.isEmpty() ? QString() : QStringLiteral("\n")) + shortened(sentence(shown.diagnostic));
    // A text that is given a style and not its number copies the style, and never frees the copy.
    const QsciStyle style = annotationStyle(shown.diagnostic.severity, palette_, font());
    style.apply(&editor_);
    texts << QsciStyledText(text, style.style());
  }
  for (const auto& [line, texts] : lines) {
    if (line >= 0) editor_.annotate(line, texts);
  }
}

void DiagnosticsLayer::dropEdited() {
  checkPending_ = false;
  const auto edited = [this](const Shown& shown) {
    const int line = lineOfMarker(shown.marker);
    if (line >= 0 && lineText(line) == shown.lineText) return false;
    editor_.markerDeleteHandle(shown.marker);
    if (line >= 0) {
      editor_.clearAnnotations(line);
      send(editor_, Base::SCI_SETINDICATORCURRENT, indicatorFor(shown.diagnostic.severity));
      send(editor_, Base::SCI_INDICATORCLEARRANGE, lineStart(editor_, line),
           lineEnd(editor_, line) - lineStart(editor_, line));
    }
    return true;
  };
  const auto removed = std::remove_if(shown_.begin(), shown_.end(), edited);
  if (removed == shown_.end()) return;
  shown_.erase(removed, shown_.end());
  annotate();
}

int DiagnosticsLayer::lineOfMarker(int handle) const {
  return editor_.markerLine(handle);
}

QString DiagnosticsLayer::lineText(int line) const {
  QString text = editor_.text(line);
  while (text.endsWith(QLatin1Char('\n')) || text.endsWith(QLatin1Char('\r'))) text.chop(1);
  return text;
}

QString DiagnosticsLayer::textOfLine(int line) const {
  QStringList texts;
  for (const Shown& shown : shown_) {
    if (lineOfMarker(shown.marker) == line) texts << sentence(shown.diagnostic);
  }
  return texts.join(QLatin1Char('\n'));
}

bool DiagnosticsLayer::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip || shown_.empty()) return QObject::eventFilter(watched, event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const long position = send(editor_, Base::SCI_POSITIONFROMPOINT, help->x(), help->y());
  const long line = lineOf(editor_, position);
  int margins = 0;
  for (int margin = 0; margin <= gapMargin; ++margin) margins += editor_.marginWidth(margin);
  bool over = help->x() < margins;
  for (const int indicator : {int{errorIndicator}, int{warningIndicator}, int{noteIndicator}}) {
    over = over || send(editor_, Base::SCI_INDICATORVALUEAT, indicator, position) != 0;
  }
  const QString text = over ? textOfLine(static_cast<int>(line)) : QString();
  if (text.isEmpty()) return QObject::eventFilter(watched, event);
  QToolTip::showText(help->globalPos(),
                     QStringLiteral("<pre>") + text.toHtmlEscaped() + QStringLiteral("</pre>"),
                     editor_.viewport());
  return true;
}

}  // namespace wb
