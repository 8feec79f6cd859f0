// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clangd/clangd.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QToolTip>
#include <QUrl>
#include <algorithm>

#include "core/model/languages.h"
#include "editor/kernel_editor.h"
#include "editor/scintilla.h"
#include "ui/clangd/text_edits.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/style/background.h"

namespace wb {
namespace {

// A pause in typing after which the server gets the text.
constexpr int pauseMilliseconds = 250;

/// The id of the language that clangd is to read; nothing for Python and for what is no source.
std::optional<QString> languageOf(const Document& document) {
  static const QStringList suffixes{QStringLiteral("cpp"), QStringLiteral("cc"),  QStringLiteral("cxx"),
                                    QStringLiteral("cu"),  QStringLiteral("cuh"), QStringLiteral("h"),
                                    QStringLiteral("hpp")};
  if (!suffixes.contains(QFileInfo(document.title()).suffix())) return std::nullopt;
  const Language* language = detectLanguage(document.title().toStdString(), document.bytes());
  return language ? QString::fromUtf8(language->id.data(), qsizetype(language->id.size())) : QString();
}

Diagnostic diagnosticOf(const QJsonObject& object, const std::string& file) {
  Diagnostic diagnostic;
  const int severity = object[QStringLiteral("severity")].toInt(1);
  diagnostic.severity = severity == 1 ? Severity::error : severity == 2 ? Severity::warning : Severity::note;
  diagnostic.message = object[QStringLiteral("message")].toString().toStdString();
  const QJsonObject start = object[QStringLiteral("range")].toObject()[QStringLiteral("start")].toObject();
  diagnostic.place = {file, start[QStringLiteral("line")].toInt() + 1,
                      start[QStringLiteral("character")].toInt() + 1};
  diagnostic.tool = "clangd";
  return diagnostic;
}

}  // namespace

Clangd::Clangd(EditorArea& area, Files& files, QStringList command, PythonOf pythonOf, QObject* parent)
    : QObject(parent),
      area_(area),
      files_(files),
      command_(std::move(command)),
      pythonOf_(std::move(pythonOf)) {
  delay_.setSingleShot(true);
  delay_.setInterval(pauseMilliseconds);
  connect(&delay_, &QTimer::timeout, this, &Clangd::sendChanges);
  connect(&area_, &EditorArea::documentsChanged, this, &Clangd::follow);
  connect(&area_, &EditorArea::currentDocumentChanged, this, &Clangd::follow);
  connect(&area_, &EditorArea::documentChanged, this, [this](Document* document) {
    changed_.insert(document->id());
    delay_.start();
  });
  follow();
}

Clangd::~Clangd() = default;

// Begins with the first kernel that clangd can read, and tells the server what was opened, closed and
// renamed.
void Clangd::follow() {
  if (!begun_) {
    const std::vector<Document*> all = area_.documents();
    const auto first =
        std::find_if(all.begin(), all.end(), [](const Document* each) { return languageOf(*each); });
    if (first == all.end()) return;
    begun_ = true;
    (void)placesOf(pythonOf_(**first));  // the server begins when they are known
    return;
  }
  if (server_ && server_->isReady()) openAll();
}

void Clangd::pythonsChanged() {
  if (server_ && server_->isReady()) openAll();
}

void Clangd::begin() {
  server_ = std::make_unique<LanguageServer>(command_);
  connect(server_.get(), &LanguageServer::ready, this, [this] {
    open_.clear();
    openAll();
  });
  connect(server_.get(), &LanguageServer::notified, this,
          [this](const QString& method, const QJsonObject& params) {
            if (method == QLatin1String("textDocument/publishDiagnostics")) showDiagnostics(params);
          });
  connect(server_.get(), &LanguageServer::gaveUp, this, [this] {
    emit told(tr("clangd ended and is not started again. Errors are shown when the kernel is compiled."));
  });
  server_->start();
}

void Clangd::openAll() {
  for (Document* document : area_.documents()) openOne(*document);
  for (auto each = open_.begin(); each != open_.end();) {
    if (each->document && area_.withId(each.key())) {
      ++each;
      continue;
    }
    server_->notify(QStringLiteral("textDocument/didClose"),
                    {{QStringLiteral("textDocument"), QJsonObject{{QStringLiteral("uri"), each->uri}}}});
    each = open_.erase(each);
  }
}

// Looks for the headers that a document's interpreter has; a document waits until they are known.
const HeaderPlaces* Clangd::placesOf(const std::string& python) {
  const auto there = places_.find(python);
  if (there != places_.end()) return there->second ? &*there->second : nullptr;
  places_.emplace(python, std::nullopt);
  inBackground(
      this, [python] { return findHeaders(python); },
      [this, python](const HeaderPlaces& found) {
        places_[python] = found;
        if (!server_)
          begin();
        else if (server_->isReady())
          openAll();
      });
  return nullptr;
}

void Clangd::openOne(Document& document) {
  const std::optional<QString> language = languageOf(document);
  if (!language) return;
  const std::string python = pythonOf_(document);
  const HeaderPlaces* places = placesOf(python);
  if (!places) return;
  for (KernelEditor* editor : document.editors()) listen(*editor, document);
  // A text without a file gets a place in our own folder, so that it has a command too.
  const QString path = document.path().isEmpty()
                           ? QString::fromStdString((places->ours / document.id().toStdString()).string()) +
                                 QLatin1Char('/') + document.title()
                           : document.path();
  const QString uri = QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded);
  const auto there = open_.constFind(document.id());
  if (there != open_.constEnd()) {
    if (there->uri == uri && there->language == *language && there->python == python) return;
    server_->notify(QStringLiteral("textDocument/didClose"),
                    {{QStringLiteral("textDocument"), QJsonObject{{QStringLiteral("uri"), there->uri}}}});
  }
  const QString text = document.text();
  open_[document.id()] = {&document, uri, *language, python, 1, qHash(text)};
  const QJsonObject command{{QStringLiteral("workingDirectory"), QFileInfo(path).absolutePath()},
                            {QStringLiteral("compilationCommand"),
                             QJsonArray::fromStringList(compileCommand(path, *language, *places))}};
  server_->notify(QStringLiteral("workspace/didChangeConfiguration"),
                  {{QStringLiteral("settings"), QJsonObject{{QStringLiteral("compilationDatabaseChanges"),
                                                             QJsonObject{{path, command}}}}}});
  server_->notify(
      QStringLiteral("textDocument/didOpen"),
      {{QStringLiteral("textDocument"), QJsonObject{{QStringLiteral("uri"), uri},
                                                    {QStringLiteral("languageId"), QStringLiteral("cpp")},
                                                    {QStringLiteral("version"), 1},
                                                    {QStringLiteral("text"), text}}}});
}

// Listens to each view once.
void Clangd::listen(KernelEditor& editor, Document& document) {
  if (hovered_.contains(&editor)) return;
  hovered_.insert(&editor);
  connect(&editor, &QObject::destroyed, this, [this, gone = &editor] { hovered_.remove(gone); });
  connect(&editor, &KernelEditor::wordHovered, this,
          [this, &editor, guard = QPointer<Document>(&document)](int line, int column, const QPoint& global) {
            if (guard) hover(editor, *guard, line, column, global);
          });
}

void Clangd::sendChanges() {
  delay_.stop();
  for (const QString& id : std::exchange(changed_, {})) {
    Document* document = area_.withId(id);
    const auto open = open_.find(id);
    if (!document || open == open_.end() || !server_ || !server_->isReady()) continue;
    openOne(*document);  // its language may be another one now
    const QString text = document->text();
    Open& there = open_[id];
    // Of a text that it knows already the server says nothing again.
    if (const size_t sent = qHash(text); std::exchange(there.sent, sent) == sent) continue;
    server_->notify(
        QStringLiteral("textDocument/didChange"),
        {{QStringLiteral("textDocument"),
          QJsonObject{{QStringLiteral("uri"), there.uri}, {QStringLiteral("version"), ++there.version}}},
         {QStringLiteral("contentChanges"), QJsonArray{QJsonObject{{QStringLiteral("text"), text}}}}});
  }
}

Document* Clangd::withUri(const QString& uri) const {
  // The server may write the same place with other characters escaped.
  const QString path = QUrl(uri).toLocalFile();
  for (const Open& each : open_)
    if (QUrl(each.uri).toLocalFile() == path) return each.document;
  return nullptr;
}

void Clangd::showDiagnostics(const QJsonObject& params) {
  const QString uri = params[QStringLiteral("uri")].toString();
  Document* document = withUri(uri);
  if (!document) return;
  const Open& open = open_[document->id()];
  // What is said of an earlier text has its places in that text.
  const int version = params[QStringLiteral("version")].toInt(open.version);
  if (version != open.version || changed_.contains(document->id())) return;
  const std::string file = (document->path().isEmpty() ? document->title() : document->path()).toStdString();
  std::vector<Diagnostic> diagnostics;
  for (const QJsonValue& each : params[QStringLiteral("diagnostics")].toArray())
    diagnostics.push_back(diagnosticOf(each.toObject(), file));
  document->editor().setDiagnostics(diagnostics);
}

QJsonObject Clangd::placeAtCaret(const Document& document) const {
  KernelEditor& editor = document.editor();
  const long position = caret(editor), line = lineOf(editor, position);
  return {
      {QStringLiteral("textDocument"), QJsonObject{{QStringLiteral("uri"), open_.value(document.id()).uri}}},
      {QStringLiteral("position"),
       QJsonObject{{QStringLiteral("line"), int(line)},
                   {QStringLiteral("character"), int(position - lineStart(editor, line))}}}};
}

QString Clangd::nameAtCaret() const {
  const Document* document = area_.current();
  if (!document) return {};
  int line = 0, column = 0;
  document->editor().getCursorPosition(&line, &column);
  return document->editor().wordAtLineIndex(line, column);
}

void Clangd::goToDefinition() {
  const Document* document = area_.current();
  if (!document || !server_ || !open_.contains(document->id()))
    return emit told(tr("clangd does not know this text yet."));
  sendChanges();
  server_->request(
      QStringLiteral("textDocument/definition"), placeAtCaret(*document), [this](const QJsonValue& result) {
        const QJsonObject first = result.isArray() ? result.toArray().first().toObject() : result.toObject();
        const QString uri = first[QStringLiteral("uri")].toString();
        if (uri.isEmpty()) return emit told(tr("Nothing is known of where this is defined."));
        const QJsonObject start =
            first[QStringLiteral("range")].toObject()[QStringLiteral("start")].toObject();
        const int line = start[QStringLiteral("line")].toInt() + 1;
        const int column = start[QStringLiteral("character")].toInt() + 1;
        if (Document* open = withUri(uri)) {
          area_.setCurrent(open);
          open->editor().goTo(line, column);
          open->setFocus();
          return;
        }
        files_.open(QUrl(uri).toLocalFile(), line, column);
      });
}

void Clangd::hover(KernelEditor& editor, Document& document, int line, int column, const QPoint& global) {
  if (!server_ || !open_.contains(document.id())) return;
  sendChanges();
  const QJsonObject place{{QStringLiteral("line"), line - 1}, {QStringLiteral("character"), column - 1}};
  server_->request(
      QStringLiteral("textDocument/hover"),
      {{QStringLiteral("textDocument"), QJsonObject{{QStringLiteral("uri"), open_[document.id()].uri}}},
       {QStringLiteral("position"), place}},
      [guard = QPointer<KernelEditor>(&editor), global](const QJsonValue& result) {
        const QJsonValue contents = result.toObject()[QStringLiteral("contents")];
        const QString text = contents.toObject()[QStringLiteral("value")].toString().trimmed();
        if (!guard || text.isEmpty()) return;
        QToolTip::showText(
            global, QStringLiteral("<pre>") + text.left(2000).toHtmlEscaped() + QStringLiteral("</pre>"),
            guard->viewport());
      });
}

void Clangd::rename(const QString& name) {
  const Document* document = area_.current();
  if (!document || !server_ || !open_.contains(document->id()))
    return emit told(tr("clangd does not know this text yet."));
  sendChanges();
  QJsonObject params = placeAtCaret(*document);
  params[QStringLiteral("newName")] = name;
  server_->request(QStringLiteral("textDocument/rename"), params, [this](const QJsonValue& result) {
    if (!result.isObject()) return emit told(tr("This cannot have another name."));
    apply(result.toObject());
  });
}

// The texts that are open are changed in one step each; other files are opened first, so that the user sees
// and saves what has changed.
void Clangd::apply(const QJsonObject& edit) {
  const QJsonObject changes = edit[QStringLiteral("changes")].toObject();
  for (auto each = changes.begin(); each != changes.end(); ++each) {
    const std::vector<TextEdit> edits = textEdits(each.value().toArray());
    if (Document* document = withUri(each.key())) {
      applyEdits(document->editor(), edits);
      continue;
    }
    const QString path = QUrl(each.key()).toLocalFile();
    files_.open(path, 0, 0, [this, path, edits](bool ok) {
      if (Document* document = area_.withPath(path); ok && document) applyEdits(document->editor(), edits);
    });
  }
}

}  // namespace wb
