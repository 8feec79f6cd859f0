// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

#include <string_view>

namespace wb {

/// Sends one Scintilla message. It gives the arguments their types in one place, since SendScintilla has many
/// overloads.
inline long send(const QsciScintillaBase& editor, unsigned int message, long wParam = 0, long lParam = 0) {
  return editor.SendScintilla(message, static_cast<unsigned long>(wParam), lParam);
}

inline long lineStart(const QsciScintillaBase& editor, long line) {
  return send(editor, QsciScintillaBase::SCI_POSITIONFROMLINE, line);
}
inline long lineEnd(const QsciScintillaBase& editor, long line) {
  return send(editor, QsciScintillaBase::SCI_GETLINEENDPOSITION, line);
}
inline long lineOf(const QsciScintillaBase& editor, long position) {
  return send(editor, QsciScintillaBase::SCI_LINEFROMPOSITION, position);
}
inline char charAt(const QsciScintillaBase& editor, long position) {
  return static_cast<char>(send(editor, QsciScintillaBase::SCI_GETCHARAT, position));
}
inline long caret(const QsciScintillaBase& editor) {
  return send(editor, QsciScintillaBase::SCI_GETCURRENTPOS);
}
inline long documentLength(const QsciScintillaBase& editor) {
  return send(editor, QsciScintillaBase::SCI_GETLENGTH);
}

/// Everything done while it lives is one undo step.
class UndoStep {
 public:
  explicit UndoStep(QsciScintillaBase& editor) : editor_(editor) {
    send(editor_, QsciScintillaBase::SCI_BEGINUNDOACTION);
  }
  ~UndoStep() { send(editor_, QsciScintillaBase::SCI_ENDUNDOACTION); }
  UndoStep(const UndoStep&) = delete;
  UndoStep& operator=(const UndoStep&) = delete;

 private:
  QsciScintillaBase& editor_;
};

/// Switches SCN_MODIFIED off while it lives, but for what is in `left`. QScintilla's accessibility counts the
/// document's characters at every insertion and deletion that is notified, which takes 10 ms in a text of 2
/// MB and 20 s for a thousand edits of it. Whoever mutes must emit textChanged and linesChanged.
class MutedNotifications {
 public:
  explicit MutedNotifications(QsciScintillaBase& editor, long left = 0)
      : editor_(editor), mask_(send(editor, QsciScintillaBase::SCI_GETMODEVENTMASK)) {
    send(editor_, QsciScintillaBase::SCI_SETMODEVENTMASK, left);
  }
  ~MutedNotifications() { send(editor_, QsciScintillaBase::SCI_SETMODEVENTMASK, mask_); }
  MutedNotifications(const MutedNotifications&) = delete;
  MutedNotifications& operator=(const MutedNotifications&) = delete;

 private:
  QsciScintillaBase& editor_;
  long mask_;
};

/// The whole text in UTF-8 as it lies in the editor. It holds until the next change.
inline std::string_view bytesOf(const QsciScintillaBase& editor) {
  const auto* there =
      static_cast<const char*>(editor.SendScintillaPtrResult(QsciScintillaBase::SCI_GETCHARACTERPOINTER));
  return {there, static_cast<std::size_t>(documentLength(editor))};
}

/// The margins from left to right; below them the marker numbers, indicators and styles that the editor's
/// parts share.
enum Margin { edgeMargin = 0, heatMargin, symbolMargin, numberMargin, foldMargin, gapMargin, marginCount };
enum Marker {
  firstBandMarker = 8,  // eight from here on
  pointedMarker = 18,
  heatMarker = 19,
  errorMarker = 20,
  warningMarker = 21,
  noteMarker = 22
};
enum Indicator {
  errorIndicator = 8,
  warningIndicator = 9,
  noteIndicator = 10,
  callIndicator = 11,
  occurrenceIndicator = 12,
  matchIndicator = 13
};
// The lexers leave these numbers free; heat has six styles from its own on.
enum ExtraStyle { errorStyle = 40, warningStyle = 41, noteStyle = 42, heatStyle = 50 };

}  // namespace wb
