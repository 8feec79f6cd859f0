// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>

namespace wb {

class KernelEditor;
struct Theme;

/// One open file, or a text that has no file yet, with its editor.
class Document : public QWidget {
  Q_OBJECT
 public:
  /// `path` may be empty; then `title` ("untitled-1.cpp") names the document and tells its language.
  Document(QString path, QString title, const QString& text, QWidget* parent = nullptr);

  /// The journal's key, which is unique among all documents that ever were.
  [[nodiscard]] QString id() const { return id_; }
  [[nodiscard]] QString path() const { return path_; }
  [[nodiscard]] QString title() const { return title_; }
  [[nodiscard]] QString text() const;
  [[nodiscard]] bool isModified() const;
  /// The title of the language, "torch C++", or "text" when no language takes it.
  [[nodiscard]] QString languageTitle() const;
  [[nodiscard]] KernelEditor& editor() const { return *editor_; }

  /// Says that `path` holds the present text.
  void setSaved(const QString& path);
  /// Shows a text from disk; the document is not modified afterwards.
  void replaceText(const QString& text);
  void markModified();
  /// Gives it the id of the journal entry from which it was restored.
  void setId(const QString& id) { id_ = id; }
  void setTheme(const Theme& theme);
  void setZoom(int pixels);

 signals:
  /// The text has changed.
  void changed();
  /// The title, the path, the language, or whether it is modified has changed.
  void stateChanged();
  void cursorMoved();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void chooseLanguage();

  /// The text was restored, or typed while it was being written; QScintilla cannot be told so.
  bool unsaved_ = false;
  QString id_, path_, title_, languageTitle_, lexer_;
  QTimer languageDelay_;
  KernelEditor* editor_;
};

}  // namespace wb
