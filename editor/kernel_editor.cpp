// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/kernel_editor.h"

#include <Qsci/qscidocument.h>
#include <Qsci/qscilexer.h>

#include <QAccessible>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

#include "editor/band_layer.h"
#include "editor/commands.h"
#include "editor/diagnostics_layer.h"
#include "editor/editor_colors.h"
#include "editor/editor_palette.h"
#include "editor/highlights.h"
#include "editor/language/completion.h"
#include "editor/language/lexers.h"
#include "editor/scintilla.h"
#include "editor/typing.h"

namespace wb {
namespace {

constexpr int announcedChanges =
    QsciScintillaBase::SC_MOD_BEFOREINSERT | QsciScintillaBase::SC_MOD_BEFOREDELETE;

void setUpText(QsciScintilla& editor) {
  editor.setUtf8(true);
  editor.setEolMode(QsciScintilla::EolUnix);
  editor.setFrameShape(QFrame::NoFrame);
  editor.setTabWidth(4);
  editor.setIndentationsUseTabs(false);
  editor.setIndentationWidth(4);
  editor.setAutoIndent(true);
  editor.setBackspaceUnindents(true);
  editor.setTabIndents(true);
  editor.setIndentationGuides(true);
  editor.setWhitespaceVisibility(QsciScintilla::WsInvisible);
  editor.setBraceMatching(QsciScintilla::SloppyBraceMatch);
  editor.setWrapMode(QsciScintilla::WrapNone);
  editor.setScrollWidth(1);
  editor.setScrollWidthTracking(true);
  editor.setExtraAscent(2);
  editor.setExtraDescent(2);
  send(editor, QsciScintillaBase::SCI_SETMULTIPLESELECTION, 1);
  send(editor, QsciScintillaBase::SCI_SETADDITIONALSELECTIONTYPING, 1);
  send(editor, QsciScintillaBase::SCI_SETMULTIPASTE, QsciScintillaBase::SC_MULTIPASTE_EACH);
  send(editor, QsciScintillaBase::SCI_SETRECTANGULARSELECTIONMODIFIER, QsciScintillaBase::SCMOD_ALT);
  send(editor, QsciScintillaBase::SCI_SETVIRTUALSPACEOPTIONS, QsciScintillaBase::SCVS_RECTANGULARSELECTION);
  send(editor, QsciScintillaBase::SCI_SETYCARETPOLICY,
       QsciScintillaBase::CARET_SLOP | QsciScintillaBase::CARET_EVEN, 3);
}

void setUpCaret(QsciScintilla& editor) {
  editor.setCaretWidth(2);
  editor.setCaretLineVisible(true);
}

void setUpMargins(QsciScintilla& editor) {
  editor.setMargins(marginCount);
  editor.setMarginType(symbolMargin, QsciScintilla::SymbolMargin);
  editor.setMarginMarkerMask(symbolMargin, (1 << errorMarker) | (1 << warningMarker) | (1 << noteMarker));
  editor.setMarginSensitivity(symbolMargin, false);
  editor.setMarginType(numberMargin, QsciScintilla::NumberMargin);
  editor.setMarginMarkerMask(numberMargin, 0);
  editor.setFolding(QsciScintilla::PlainFoldStyle, foldMargin);
  for (const int margin : {int{edgeMargin}, int{gapMargin}}) {
    editor.setMarginType(margin, QsciScintilla::SymbolMarginColor);
    editor.setMarginMarkerMask(margin, 0);
  }
  editor.markerDefine(QsciScintilla::Background, pointedMarker);
  editor.setMarginWidth(edgeMargin, 6);
  editor.setMarginWidth(gapMargin, 6);
}

void setUpCompletion(QsciScintilla& editor) {
  editor.setAutoCompletionSource(QsciScintilla::AcsAPIs);
  editor.setAutoCompletionThreshold(3);
  editor.setAutoCompletionCaseSensitivity(true);
  editor.setAutoCompletionReplaceWord(false);
  editor.setAutoCompletionUseSingle(QsciScintilla::AcusNever);
  editor.setCallTipsStyle(QsciScintilla::CallTipsNoContext);
  editor.setCallTipsVisible(0);
}

/// Lets go of what a screen reader would ask of the editor, when there is none. Any change of the text makes
/// it anew, and at each painting it counts the characters before the caret: 6 ms in a text of 20 000 lines.
void forgetAccessible(QsciScintilla& editor) {
  if (QAccessible::isActive()) return;
  if (QAccessibleInterface* made = QAccessible::queryAccessibleInterface(&editor))
    QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(made));
}

}  // namespace

class KernelEditor::Impl {
 public:
  explicit Impl(KernelEditor& editor)
      : editor_(editor),
        diagnostics_(new DiagnosticsLayer(editor)),
        heat_(new HeatLayer(editor)),
        bands_(new BandLayer(editor)) {}

  void setLanguage(const QString& name) {
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

  void applyColors() {
    if (lexer_ != nullptr) colorLexer(*lexer_, palette_, font());
    colorEditor(editor_, palette_, font());
    diagnostics_->setPalette(palette_);
    heat_->setPalette(palette_);
    bands_->setPalette(palette_);
    sizeMargins();
    updateHighlights(editor_);
  }

  /// Makes room for the document's line numbers, three digits at least, at the present zoom.
  void sizeMargins() {
    const int digits = std::max(3, static_cast<int>(QString::number(editor_.lines()).size()));
    editor_.setMarginWidth(numberMargin, QLatin1Char(' ') + QString(digits, QLatin1Char('8')));
    // Marks fill their margin, so its width is their size.
    const int side = std::max(8, static_cast<int>(send(editor_, SCI_TEXTHEIGHT, 0)) * 6 / 10);
    editor_.setMarginWidth(symbolMargin, side);
    editor_.setMarginWidth(foldMargin, side);
  }

  /// What belongs to the text: of a second view, the other editor's.
  [[nodiscard]] Impl& owner() { return other_ != nullptr ? *other_->impl_ : *this; }

  /// Follows the options, and the text where it shows an indentation of its own.
  void applyOptions() {
    editor_.setWrapMode(options_.wrap ? QsciScintilla::WrapWord : QsciScintilla::WrapNone);
    editor_.setWrapIndentMode(QsciScintilla::WrapIndentIndented);
    editor_.setTabWidth(std::clamp(options_.tabWidth, 1, 16));
    const Indent indent = indentOf(editor_.text()).value_or(options_.indent);
    editor_.setIndentationsUseTabs(indent.tabs);
    editor_.setIndentationWidth(indent.tabs ? 0 : std::clamp(indent.width, 1, 16));
    editor_.setAutoCompletionThreshold(options_.completion ? 3 : -1);
    if (completion_ != nullptr) completion_->setOperators(options_.operators);
  }

  [[nodiscard]] QFont font() const {
    return editorFont(pixels_ * 72.0 / editor_.logicalDpiY(), options_.family);
  }

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

KernelEditor::KernelEditor(QWidget* parent) : QsciScintilla(parent), impl_(std::make_unique<Impl>(*this)) {
  setAccessibleName(tr("Kernel source"));
  setUpText(*this);
  setUpCaret(*this);
  setUpMargins(*this);
  setUpCompletion(*this);
  setUpHighlights(*this);
  bindKeys(*this);
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

void KernelEditor::pointAt(int line) {
  markerDeleteAll(pointedMarker);
  if (line < 1 || line > lines()) return;
  markerAdd(line - 1, pointedMarker);
  send(*this, SCI_ENSUREVISIBLE, line - 1);
  const long first = send(*this, SCI_GETFIRSTVISIBLELINE), shown = send(*this, SCI_LINESONSCREEN);
  const long row = send(*this, SCI_VISIBLEFROMDOCLINE, line - 1);
  if (row < first || row >= first + shown)
    send(*this, SCI_SETFIRSTVISIBLELINE, std::max(0L, row - shown / 2));
}

int KernelEditor::pointedLine() const {
  return static_cast<int>(send(*this, SCI_MARKERNEXT, 0, 1L << pointedMarker)) + 1;
}

void KernelEditor::goTo(int line, int column) {
  const long row = std::clamp(line - 1, 0, std::max(0, lines() - 1));
  long position = std::min(lineStart(*this, row) + std::max(column - 1, 0), lineEnd(*this, row));
  // The place must not be in the middle of a character.
  if (position > lineStart(*this, row))
    position = send(*this, SCI_POSITIONAFTER, send(*this, SCI_POSITIONBEFORE, position));
  send(*this, SCI_ENSUREVISIBLE, row);
  send(*this, SCI_GOTOPOS, position);
  const long shown = send(*this, SCI_LINESONSCREEN);
  send(*this, SCI_SETFIRSTVISIBLELINE, std::max(0L, send(*this, SCI_VISIBLEFROMDOCLINE, row) - shown / 2));
}

int KernelEditor::currentLine() const {
  return static_cast<int>(lineOf(*this, caret(*this))) + 1;
}

int KernelEditor::currentColumn() const {
  const long position = caret(*this);
  return static_cast<int>(
             send(*this, SCI_COUNTCHARACTERS, lineStart(*this, lineOf(*this, position)), position)) +
         1;
}

QString KernelEditor::callsAt(const QPoint& place) const {
  const long position = send(*this, SCI_POSITIONFROMPOINTCLOSE, place.x(), place.y());
  if (position < 0 || impl_->completion_ == nullptr) return {};
  const auto wordAt = [this](long at) {
    const long from = send(*this, SCI_WORDSTARTPOSITION, at, 1), to = send(*this, SCI_WORDENDPOSITION, at, 1);
    return std::pair(from, text(static_cast<int>(from), static_cast<int>(to)));
  };
  const auto [from, name] = wordAt(position);
  long before = from;
  while (before > 0 && (charAt(*this, before - 1) == ':' || charAt(*this, before - 1) == '.')) --before;
  const QString qualifier = before < from ? wordAt(before).second : QString();
  return name.isEmpty() ? QString() : impl_->completion_->callsOf(qualifier, name).join(QLatin1Char('\n'));
}

bool KernelEditor::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Paint) forgetAccessible(*this);
  if (event->type() != QEvent::ToolTip) return QsciScintilla::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString calls = callsAt(help->pos());
  if (!calls.isEmpty()) {
    QToolTip::showText(help->globalPos(),
                       QStringLiteral("<pre>") + calls.toHtmlEscaped() + QStringLiteral("</pre>"),
                       viewport());
    return true;
  }
  QToolTip::hideText();
  const long position = send(*this, SCI_POSITIONFROMPOINTCLOSE, help->x(), help->y());
  if (position >= 0) {
    const long line = lineOf(*this, position);
    emit wordHovered(static_cast<int>(line) + 1, static_cast<int>(position - lineStart(*this, line)) + 1,
                     help->globalPos());
  }
  return true;
}

void KernelEditor::keyPressEvent(QKeyEvent* event) {
  const auto is = [event](Qt::KeyboardModifiers modifiers, int key) {
    return (event->modifiers() & ~Qt::KeypadModifier) == modifiers && event->key() == key;
  };
  if (event->matches(QKeySequence::Undo)) return undo();
  if (event->matches(QKeySequence::Redo) || is(Qt::ControlModifier, Qt::Key_Y)) return redo();
  if (is(Qt::ControlModifier, Qt::Key_Slash)) return toggleComment();
  if (is(Qt::ControlModifier, Qt::Key_D)) return selectNextOccurrence();
  if (is(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_D)) return duplicateLines();
  if (is(Qt::AltModifier, Qt::Key_Up)) return moveLinesUp();
  if (is(Qt::AltModifier, Qt::Key_Down)) return moveLinesDown();
  if (is(Qt::ControlModifier, Qt::Key_Space)) return autoCompleteFromAPIs();
  bool isTyped = false;
  changeByKey([&] { isTyped = typeSmartly(*this, *event); });
  if (isTyped) return;
  // Alt with a letter is a menu's or nobody's; AltGr, which types, comes without Alt or with Ctrl beside it.
  const bool altAlone = (event->modifiers() & (Qt::AltModifier | Qt::ControlModifier)) == Qt::AltModifier;
  if (altAlone && !event->text().isEmpty() && event->text().front().isPrint()) return event->ignore();
  changeByKey([&] { QsciScintilla::keyPressEvent(event); });
}

void KernelEditor::changeByKey(const std::function<void()>& change) {
  KernelEditor& owner = impl_->owner().editor_;
  const int linesBefore = owner.lines();
  bool isChanged = false;
  const auto listening = connect(&owner, &QsciScintillaBase::SCN_MODIFIED, &owner,
                                 [&isChanged](int, int kind, const char*, int, int, int, int, int, int, int) {
                                   isChanged = isChanged || (kind & announcedChanges) != 0;
                                 });
  {
    // What is announced comes without its text, of which nothing is counted.
    const MutedNotifications muted(owner, SC_MOD_CHANGEFOLD | announcedChanges);
    change();
  }
  disconnect(listening);
  if (!isChanged) return;
  emit owner.textChanged();
  if (owner.lines() != linesBefore) emit owner.linesChanged();
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

void KernelEditor::wheelEvent(QWheelEvent* event) {
  if ((event->modifiers() & Qt::ControlModifier) == 0) return QsciScintilla::wheelEvent(event);
  event->ignore();  // the size of letters is one for all editors, so whoever holds them sets it
}

// Files that are dropped go to the window, which opens them. Text that is dropped goes to the editor.
void KernelEditor::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) return event->ignore();
  QsciScintilla::dragEnterEvent(event);
}

void KernelEditor::dragMoveEvent(QDragMoveEvent* event) {
  if (event->mimeData()->hasUrls()) return event->ignore();
  QsciScintilla::dragMoveEvent(event);
}

void KernelEditor::dropEvent(QDropEvent* event) {
  if (event->mimeData()->hasUrls()) return event->ignore();
  QsciScintilla::dropEvent(event);
}

// QScintilla takes colours from the application's palette when that changes; the theme's colours stay here.
void KernelEditor::changeEvent(QEvent* event) {
  QsciScintilla::changeEvent(event);
  if (impl_ != nullptr && (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange))
    impl_->applyColors();
}

}  // namespace wb
