// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text_shape.h"

#include <QStringView>
#include <array>

namespace wb {

LineEnds lineEndsOf(const QString& text) {
  std::array<qsizetype, 3> count{};  // by QsciScintilla::EolMode: CRLF, CR, LF
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] == QLatin1Char('\n')) {
      ++count[QsciScintilla::EolUnix];
    } else if (text[i] == QLatin1Char('\r')) {
      const bool pair = i + 1 < text.size() && text[i + 1] == QLatin1Char('\n');
      if (pair) ++i;
      ++count[pair ? QsciScintilla::EolWindows : QsciScintilla::EolMac];
    }
  }
  LineEnds ends;
  for (const auto mode : {QsciScintilla::EolWindows, QsciScintilla::EolMac})
    if (count[mode] > count[ends.mode]) ends.mode = mode;
  ends.mixed = count[ends.mode] < count[0] + count[1] + count[2];
  return ends;
}

QString lineEndName(QsciScintilla::EolMode mode) {
  switch (mode) {
    case QsciScintilla::EolWindows:
      return QStringLiteral("CRLF");
    case QsciScintilla::EolMac:
      return QStringLiteral("CR");
    case QsciScintilla::EolUnix:
      break;
  }
  return QStringLiteral("LF");
}

QByteArray lineEndBytes(QsciScintilla::EolMode mode) {
  switch (mode) {
    case QsciScintilla::EolWindows:
      return "\r\n";
    case QsciScintilla::EolMac:
      return "\r";
    case QsciScintilla::EolUnix:
      break;
  }
  return "\n";
}

std::optional<Indent> indentOf(const QString& text) {
  constexpr int linesRead = 1000, widest = 8;
  int tabbed = 0, spaced = 0, before = 0;
  std::array<int, widest + 1> steps{};
  qsizetype at = 0;
  for (int line = 0; line < linesRead && at < text.size(); ++line) {
    qsizetype end = text.indexOf(QLatin1Char('\n'), at);
    if (end < 0) end = text.size();
    const QStringView whole = QStringView(text).mid(at, end - at);
    at = end + 1;
    qsizetype indent = 0;
    while (indent < whole.size() && whole[indent] == QLatin1Char(' ')) ++indent;
    if (indent < whole.size() && whole[indent] == QLatin1Char('\t')) ++tabbed;
    if (indent == whole.size() || whole[indent].isSpace()) continue;
    if (indent > 0) ++spaced;
    // What lies deeper than the line before shows the step; the second line of an argument list does too
    // seldom to matter.
    const int step = static_cast<int>(indent) - std::exchange(before, static_cast<int>(indent));
    if (step > 1 && step <= widest) ++steps[static_cast<std::size_t>(step)];
  }
  if (tabbed > spaced) return Indent{true, 4};
  int width = 0;
  for (const int each : {2, 4, 8, 3})
    if (steps[static_cast<std::size_t>(each)] > (width == 0 ? 0 : steps[static_cast<std::size_t>(width)]))
      width = each;
  if (width == 0) return std::nullopt;
  return Indent{false, width};
}

}  // namespace wb
