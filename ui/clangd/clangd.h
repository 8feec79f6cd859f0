// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "ui/clangd/compile_flags.h"
#include "ui/clangd/language_server.h"

namespace wb {

class Document;
class EditorArea;
class Files;
class KernelEditor;

/// What clangd says of the open kernels in C++ and CUDA: errors while the user types, where a name is
/// defined, what it is, and new names for it. It begins with the first such kernel; without it the editor
/// works as before.
class Clangd : public QObject {
  Q_OBJECT
 public:
  /// The Python program whose torch a document is compiled against; "" is the one that is found
  /// automatically.
  using PythonOf = std::function<std::string(const Document&)>;
  Clangd(EditorArea& area, Files& files, QStringList command, PythonOf pythonOf, QObject* parent = nullptr);
  ~Clangd() override;

  /// Other programs may belong to the documents now.
  void pythonsChanged();

  /// Goes to where the name at the caret is defined.
  void goToDefinition();
  /// Gives the name at the caret another one wherever it is used.
  void rename(const QString& name);
  /// The name at the caret; empty where there is none.
  [[nodiscard]] QString nameAtCaret() const;
  /// The server, once it was started; nullptr before.
  [[nodiscard]] LanguageServer* server() const { return server_.get(); }

 signals:
  /// Something did not work, or is not there, in words for the user.
  void told(const QString& what);

 private:
  struct Open {
    QPointer<Document> document;
    QString uri, language;
    std::string python;
    int version = 0;
    /// The hash of the text that the server has.
    size_t sent = 0;
  };
  void follow();
  void begin();
  [[nodiscard]] const HeaderPlaces* placesOf(const std::string& python);
  void openAll();
  void openOne(Document& document);
  void listen(KernelEditor& editor, Document& document);
  void sendChanges();
  void showDiagnostics(const QJsonObject& params);
  void hover(KernelEditor& editor, Document& document, int line, int column, const QPoint& global);
  void apply(const QJsonObject& edit);
  [[nodiscard]] QJsonObject placeAtCaret(const Document& document) const;
  [[nodiscard]] Document* withUri(const QString& uri) const;

  EditorArea& area_;
  Files& files_;
  QStringList command_;
  std::unique_ptr<LanguageServer> server_;
  PythonOf pythonOf_;
  /// Where the headers of each Python program are; nothing while they are looked for.
  std::map<std::string, std::optional<HeaderPlaces>> places_;
  QHash<QString, Open> open_;
  QSet<QString> changed_;
  QSet<KernelEditor*> hovered_;
  QTimer delay_;
  bool begun_ = false;
};

}  // namespace wb
