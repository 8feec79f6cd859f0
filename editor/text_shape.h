// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

#include <QString>
#include <memory>
#include <optional>

#include "editor/language/known_names.h"

namespace wb {

/// How the lines of a text end: as most of them do, and whether some end otherwise.
struct LineEnds {
  QsciScintilla::EolMode mode = QsciScintilla::EolUnix;
  bool mixed = false;
  bool operator==(const LineEnds&) const = default;
};
[[nodiscard]] LineEnds lineEndsOf(const QString& text);
/// "LF", "CRLF" or "CR".
[[nodiscard]] QString lineEndName(QsciScintilla::EolMode mode);
/// The characters of one line end.
[[nodiscard]] QByteArray lineEndBytes(QsciScintilla::EolMode mode);

struct Indent {
  bool tabs = false;
  /// Columns of one step.
  int width = 4;
  bool operator==(const Indent&) const = default;
};
/// The indentation that a text uses; nothing where its first thousand lines do not tell.
[[nodiscard]] std::optional<Indent> indentOf(const QString& text);

/// What the user has chosen for all editors.
struct EditorOptions {
  /// The family of the letters; "" is our own.
  QString family;
  /// Long lines go on in the next row.
  bool wrap = false;
  /// Columns of a tab character.
  int tabWidth = 4;
  /// For texts that do not show their own.
  Indent indent;
  /// Names are offered while the user types.
  bool completion = true;
  /// ATen's operators; null while they are not known.
  std::shared_ptr<const KnownNames> operators;
  bool operator==(const EditorOptions&) const = default;
};

}  // namespace wb
