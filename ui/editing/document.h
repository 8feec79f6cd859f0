// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <string_view>
#include <vector>

#include "ui/editing/text_file.h"

namespace wb {

class KernelEditor;
class SecondView;
struct EditorOptions;
struct Theme;

class Document;

/// Shows another place of a document's text. It goes when the document goes.
class SecondView : public QWidget {
  Q_OBJECT
 public:
  /// Takes the place of an earlier second view of the document.
  explicit SecondView(Document& document);
  [[nodiscard]] Document& document() const { return document_; }
  [[nodiscard]] KernelEditor& editor() const { return *editor_; }

 private:
  Document& document_;
  KernelEditor* editor_;
};

/// A file as it was last read or written, changed by another program while it was changed here, or not there
/// any more.
enum class OnDisk { same, changed, gone };

/// One open file, or a text that has no file yet, with its editor.
class Document : public QWidget {
  Q_OBJECT
 public:
  /// `path` may be empty; then `title` ("untitled-1.cpp") names the document and tells its language.
  Document(QString path, QString title, const QString& text, QWidget* parent = nullptr);
  ~Document() override;

  /// The journal's key, which is unique among all documents that ever were.
  [[nodiscard]] QString id() const { return id_; }
  [[nodiscard]] QString path() const { return path_; }
  [[nodiscard]] QString title() const { return title_; }
  [[nodiscard]] QString text() const;
  /// The text in UTF-8, without a copy of it. It holds until the next change.
  [[nodiscard]] std::string_view bytes() const;
  [[nodiscard]] bool isModified() const;
  /// The title of the language, "torch C++", or "text" when no language takes it.
  [[nodiscard]] QString languageTitle() const;
  /// The editor of the document itself, or that of its second view if the user was there last.
  [[nodiscard]] KernelEditor& editor() const;
  /// The document's own editor, and that of its second view if it has one.
  [[nodiscard]] std::vector<KernelEditor*> editors() const;
  /// Makes editor() the one that is in a tab's page.
  void preferViewIn(const QWidget& page);

  /// How its file is written.
  [[nodiscard]] Encoding encoding() const { return encoding_; }
  void setEncoding(Encoding encoding);
  /// What is unusual about the file, such as "CRLF", "mixed line ends" or "UTF-16 LE"; mostly empty.
  [[nodiscard]] QStringList oddities() const;

  /// Says that `path` holds the present text.
  void setSaved(const QString& path);
  /// Shows a text from disk; the document is not modified afterwards.
  void replaceText(const QString& text);
  void markModified();
  /// The name of the Python environment in which it runs; "" is the one for all tabs.
  [[nodiscard]] QString environment() const { return environment_; }
  void setEnvironment(const QString& name);
  /// How the file stands to what was last read or written.
  [[nodiscard]] OnDisk onDisk() const { return onDisk_; }
  void setOnDisk(OnDisk state);
  /// Gives it the id of the journal entry from which it was restored.
  void setId(const QString& id) { id_ = id; }
  void setTheme(const Theme& theme);
  void setZoom(int pixels);
  void setOptions(const EditorOptions& options);

 signals:
  /// The text has changed.
  void changed();
  /// The title, the path, the language, or whether it is modified has changed.
  void stateChanged();
  void cursorMoved();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  friend class SecondView;
  void connectEditor(KernelEditor& editor);
  void chooseLanguage();

  /// The text was restored, or typed while it was being written; QScintilla cannot be told so.
  bool unsaved_ = false;
  Encoding encoding_ = Encoding::utf8;
  OnDisk onDisk_ = OnDisk::same;
  QString environment_;
  QString id_, path_, title_, languageTitle_, lexer_;
  QTimer languageDelay_;
  KernelEditor* editor_;
  QPointer<SecondView> second_;
  bool secondPreferred_ = false;
};

}  // namespace wb
