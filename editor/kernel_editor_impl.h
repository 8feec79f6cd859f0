// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qscilexer.h>

#include <QFont>
#include <memory>

#include "editor/editor_colors.h"
#include "editor/editor_palette.h"
#include "editor/kernel_editor.h"

namespace wb {

class Completion;
class DiagnosticsLayer;

/// What a kernel editor has beside its text, for the files that its functions are in.
class KernelEditor::Impl {
 public:
  explicit Impl(KernelEditor& editor);

  void setLanguage(const QString& name);
  void applyColors();
  /// Makes room for the document's line numbers, three digits at least, at the present zoom.
  void sizeMargins();
  /// Follows the options, and the text where it shows an indentation of its own.
  void applyOptions();
  /// What belongs to the text: of a second view, the other editor's.
  [[nodiscard]] Impl& owner() { return other_ != nullptr ? *other_->impl_ : *this; }
  [[nodiscard]] QFont font() const;

  KernelEditor& editor_;
  /// These are children of the editor.
  DiagnosticsLayer* diagnostics_;
  HeatLayer* heat_;
  BandLayer* bands_;
  EditorPalette palette_ = defaultEditorPalette();
  QString language_;
  int pixels_ = 13;
  std::unique_ptr<QsciLexer> lexer_;
  Completion* completion_ = nullptr;
  EditorOptions options_;
  LineEnds ends_;
  /// The editor whose text this one shows too; nullptr for an editor with a text of its own.
  KernelEditor* other_ = nullptr;
};

}  // namespace wb
