// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/document.h"

#include <QAction>
#include <QFileInfo>
#include <QKeyEvent>
#include <QUuid>
#include <QVBoxLayout>

#include "core/model/languages.h"
#include "editor/kernel_editor.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

// Scintilla claims every key that it binds, Escape among them, before a shortcut of the window gets it.
bool isWindowShortcut(const QWidget& widget, const QKeyEvent& key) {
  const QKeySequence pressed(key.keyCombination());
  for (const QAction* action : widget.window()->actions())
    if (action->isEnabled() && action->shortcuts().contains(pressed)) return true;
  return false;
}

}  // namespace

Document::Document(QString path, QString title, const QString& text, QWidget* parent)
    : QWidget(parent),
      id_(QUuid::createUuid().toString(QUuid::WithoutBraces)),
      path_(std::move(path)),
      title_(std::move(title)),
      editor_(new KernelEditor) {
  if (!path_.isEmpty()) title_ = QFileInfo(path_).fileName();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(editor_);
  setFocusProxy(editor_);
  connectEditor(*editor_);
  editor_->setText(text);
  editor_->setModified(false);
  editor_->SendScintilla(QsciScintilla::SCI_EMPTYUNDOBUFFER);
  chooseLanguage();
  connect(editor_, &QsciScintilla::textChanged, this, &Document::changed);
  // What the user types can change the language too: a decorator makes Python into Triton.
  languageDelay_.setSingleShot(true);
  languageDelay_.setInterval(400);
  connect(&languageDelay_, &QTimer::timeout, this, [this] {
    const QString before = languageTitle_;
    chooseLanguage();
    if (languageTitle_ != before) emit stateChanged();
  });
  connect(editor_, &QsciScintilla::textChanged, &languageDelay_, qOverload<>(&QTimer::start));
  connect(editor_, &QsciScintilla::modificationChanged, this, &Document::stateChanged);
}

Document::~Document() {
  delete second_;
}

void Document::connectEditor(KernelEditor& editor) {
  editor.setFrameShape(QFrame::NoFrame);
  editor.setAccessibleName(tr("Kernel %1").arg(title_));
  editor.installEventFilter(this);
  connect(&editor, &QsciScintilla::cursorPositionChanged, this, &Document::cursorMoved);
}

KernelEditor& Document::editor() const {
  return second_ && secondPreferred_ ? second_->editor() : *editor_;
}

std::vector<KernelEditor*> Document::editors() const {
  std::vector<KernelEditor*> all{editor_};
  if (second_) all.push_back(&second_->editor());
  return all;
}

void Document::preferViewIn(const QWidget& page) {
  secondPreferred_ = &page != this;
}

SecondView::SecondView(Document& document) : document_(document), editor_(new KernelEditor) {
  delete document.second_;
  document.second_ = this;
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(editor_);
  setFocusProxy(editor_);
  document.connectEditor(*editor_);
  editor_->showTextOf(*document.editor_);
}

QString Document::text() const {
  return editor_->text();
}
std::string_view Document::bytes() const {
  return editor_->bytes();
}
bool Document::isModified() const {
  return unsaved_ || editor_->isModified();
}
QString Document::languageTitle() const {
  return languageTitle_;
}

void Document::chooseLanguage() {
  languageDelay_.stop();
  editor_->setFileName(path_.isEmpty() ? title_ : path_);
  const Language* language = detectLanguage(title_.toStdString(), bytes());
  languageTitle_ = language ? QString::fromUtf8(language->title.data(), qsizetype(language->title.size()))
                            : tr("no kernel language");
  const QString suffix = QFileInfo(title_).suffix();
  const QString fallback = suffix == QLatin1String("py") ? QStringLiteral("python")
                           : suffix == QLatin1String("cu") || suffix == QLatin1String("cuh")
                               ? QStringLiteral("cuda")
                               : QStringLiteral("cpp");
  const QString lexer =
      language ? QString::fromUtf8(language->lexer.data(), qsizetype(language->lexer.size())) : fallback;
  if (std::exchange(lexer_, lexer) != lexer)
    for (KernelEditor* each : editors()) each->setLanguage(lexer);
}

void Document::setSaved(const QString& path) {
  path_ = path;
  title_ = QFileInfo(path).fileName();
  unsaved_ = false;
  for (KernelEditor* each : editors()) each->setAccessibleName(tr("Kernel %1").arg(title_));
  editor_->setModified(false);
  chooseLanguage();
  emit stateChanged();
}

void Document::replaceText(const QString& text) {
  const int line = editor().currentLine(), column = editor().currentColumn();
  unsaved_ = false;
  editor_->setText(text);
  editor_->setModified(false);
  editor().goTo(std::min(line, editor_->lines()), column);
  emit stateChanged();
}

void Document::setEnvironment(const QString& name) {
  if (std::exchange(environment_, name) != name) emit stateChanged();
}

void Document::setOnDisk(OnDisk state) {
  if (std::exchange(onDisk_, state) != state) emit stateChanged();
}

void Document::markModified() {
  unsaved_ = true;
  emit stateChanged();
}

void Document::setTheme(const Theme& theme) {
  for (KernelEditor* each : editors()) each->setPalette(editorPaletteOf(theme));
}
void Document::setZoom(int pixels) {
  for (KernelEditor* each : editors()) each->setFontPixelSize(pixels);
}

void Document::setOptions(const EditorOptions& options) {
  for (KernelEditor* each : editors()) each->setOptions(options);
}

void Document::setEncoding(Encoding encoding) {
  if (std::exchange(encoding_, encoding) != encoding) emit stateChanged();
}

QStringList Document::oddities() const {
  QStringList all;
  const LineEnds ends = editor_->lineEnds();
  if (ends.mixed)
    all << tr("mixed line ends");
  else if (ends.mode != QsciScintilla::EolUnix)
    all << lineEndName(ends.mode);
  if (encoding_ != Encoding::utf8) all << encodingName(encoding_);
  return all;
}

bool Document::eventFilter(QObject* watched, QEvent* event) {
  auto* editor = qobject_cast<KernelEditor*>(watched);
  if (editor && event->type() == QEvent::FocusIn) secondPreferred_ = editor != editor_;
  if (editor && event->type() == QEvent::ShortcutOverride && !editor->isListActive()) {
    if (isWindowShortcut(*this, *static_cast<QKeyEvent*>(event))) {
      event->ignore();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace wb
