// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/kernel_editor.h"

#include <Qsci/qscidocument.h>

#include <algorithm>
#include <utility>

#include "editor/band_layer.h"
#include "editor/diagnostics_layer.h"
#include "editor/highlights.h"
#include "editor/input/caret_rest.h"
#include "editor/input/commands.h"
#include "editor/kernel_editor_impl.h"
#include "editor/language/completion.h"
#include "editor/language/lexers.h"
#include "editor/scintilla.h"
#include "editor/set_up.h"

namespace wb {

KernelEditor::Impl::Impl(KernelEditor& editor)
    : editor_(editor),
      diagnostics_(new DiagnosticsLayer(editor)),
      heat_(new HeatLayer(editor)),
      bands_(new BandLayer(editor)) {}

void KernelEditor::Impl::setLanguage(const QString& name) {
  if (name == language_ && editor_.lexer() != nullptr) return;
  language_ = name;
  std::unique_ptr<QsciLexer> next = makeLexer(name);
  completion_ = nullptr;
  if (next != nullptr) {
    completion_ = new Completion(next.get(), languageNames(name));  // the lexer owns it
    completion_->setOperators(options_.operators);
    colorLexer(*next, palette_, font());
  }
  editor_.setLexer(next.get());
  lexer_ = std::move(next);
  applyColors();
}

void KernelEditor::Impl::applyColors() {
  if (lexer_ != nullptr) colorLexer(*lexer_, palette_, font());
  colorEditor(editor_, palette_, font());
  diagnostics_->setPalette(palette_);
  heat_->setPalette(palette_);
  bands_->setPalette(palette_);
  sizeMargins();
  updateHighlights(editor_);
}

void KernelEditor::Impl::sizeMargins() {
  const int digits = std::max(3, static_cast<int>(QString::number(editor_.lines()).size()));
  editor_.setMarginWidth(numberMargin, QLatin1Char(' ') + QString(digits, QLatin1Char('8')));
  // Marks fill their margin, so its width is their size.
  const int side = std::max(8, static_cast<int>(send(editor_, SCI_TEXTHEIGHT, 0)) * 6 / 10);
  editor_.setMarginWidth(symbolMargin, side);
  editor_.setMarginWidth(foldMargin, side);
}

void KernelEditor::Impl::applyOptions() {
  editor_.setWrapMode(options_.wrap ? QsciScintilla::WrapWord : QsciScintilla::WrapNone);
  editor_.setWrapIndentMode(QsciScintilla::WrapIndentIndented);
  editor_.setTabWidth(std::clamp(options_.tabWidth, 1, 16));
  const Indent indent = indentOf(editor_.text()).value_or(options_.indent);
  editor_.setIndentationsUseTabs(indent.tabs);
  editor_.setIndentationWidth(indent.tabs ? 0 : std::clamp(indent.width, 1, 16));
  editor_.setAutoCompletionThreshold(options_.completion ? 3 : -1);
  if (completion_ != nullptr) completion_->setOperators(options_.operators);
}

QFont KernelEditor::Impl::font() const {
  return editorFont(pixels_ * 72.0 / editor_.logicalDpiY(), options_.family);
}

KernelEditor::KernelEditor(QWidget* parent) : QsciScintilla(parent), impl_(std::make_unique<Impl>(*this)) {
  setAccessibleName(tr("Kernel source"));
  setUp(*this);
  setUpHighlights(*this);
  bindKeys(*this);
  new CaretRest(*this);
  impl_->applyColors();
  connect(this, &QsciScintilla::linesChanged, this, [this] { impl_->sizeMargins(); });
  connect(this, &QsciScintillaBase::SCN_ZOOM, this, [this] {
    impl_->sizeMargins();
    impl_->heat_->refresh();
  });
  connect(this, &QsciScintillaBase::SCN_UPDATEUI, this, [this](int) { updateHighlights(*this); });
}

// The lexer is destroyed before the editor that uses it. A second view lets go of the text before, since a
// text loses its colours with its lexer.
KernelEditor::~KernelEditor() {
  if (impl_->other_ != nullptr) setDocument(QsciDocument());
  setLexer(nullptr);
}

void KernelEditor::showTextOf(KernelEditor& other) {
  impl_->other_ = &other;
  impl_->pixels_ = other.impl_->pixels_;
  impl_->palette_ = other.impl_->palette_;
  // The colours are set on an empty text, so that the shared one keeps its own.
  setLanguage(other.impl_->language_);
  setDocument(other.document());
  impl_->ends_ = other.impl_->ends_;
  // What changes in the text is said once, by the editor whose text it is.
  send(*this, SCI_SETMODEVENTMASK, SC_MOD_CHANGEFOLD);
  connect(&other, &QsciScintilla::textChanged, this, &QsciScintilla::textChanged);
  connect(&other, &QsciScintilla::linesChanged, this, &QsciScintilla::linesChanged);
  setEolMode(other.eolMode());
  setOptions(other.impl_->options_);
  impl_->sizeMargins();
  goTo(other.currentLine(), other.currentColumn());
}

void KernelEditor::setLanguage(const QString& lexer) {
  impl_->setLanguage(lexer);
}

void KernelEditor::setPalette(const EditorPalette& palette) {
  impl_->palette_ = palette;
  impl_->applyColors();
}

void KernelEditor::setFontPixelSize(int pixels) {
  if (pixels == impl_->pixels_ || pixels < 4) return;
  impl_->pixels_ = pixels;
  impl_->applyColors();
}

void KernelEditor::setText(const QString& text) {
  QsciScintilla::setText(text);
  impl_->ends_ = lineEndsOf(text);
  setEolMode(impl_->ends_.mode);
  impl_->applyOptions();
}

void KernelEditor::setOptions(const EditorOptions& options) {
  const bool isOtherFont = std::exchange(impl_->options_, options).family != options.family;
  impl_->applyOptions();
  if (isOtherFont) impl_->applyColors();
}

LineEnds KernelEditor::lineEnds() const {
  return {eolMode(), impl_->ends_.mixed};
}

void KernelEditor::convertLineEnds(EolMode mode) {
  if (isReadOnly()) return;
  setEolMode(mode);
  impl_->owner().ends_ = impl_->ends_ = {mode, false};
  changeQuietly([this, mode] { convertEols(mode); });
}

void KernelEditor::setFileName(const QString& file) {
  impl_->diagnostics_->setFileName(file);
  impl_->heat_->setFileName(file);
}
void KernelEditor::setDiagnostics(const std::vector<Diagnostic>& diagnostics) {
  impl_->owner().diagnostics_->set(diagnostics);
}
void KernelEditor::clearDiagnostics() {
  impl_->owner().diagnostics_->clear();
}
int KernelEditor::diagnosticCount() const {
  return impl_->owner().diagnostics_->count();
}

void KernelEditor::setHeat(const std::vector<HotLine>& lines) {
  impl_->owner().heat_->set(lines);
}
void KernelEditor::setHeatVisible(bool visible) {
  impl_->owner().heat_->setVisible(visible);
}
BandLayer& KernelEditor::bands() const {
  return *impl_->owner().bands_;
}
const HeatLayer& KernelEditor::heat() const {
  return *impl_->owner().heat_;
}

std::string_view KernelEditor::bytes() const {
  return bytesOf(*this);
}

void KernelEditor::changeQuietly(const std::function<void()>& change) {
  KernelEditor& owner = impl_->owner().editor_;
  {
    const MutedNotifications muted(owner);
    change();
  }
  emit owner.textChanged();
  emit owner.linesChanged();
}

}  // namespace wb
