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
  /// `path` may be empty; then `title` ("untitled-1.cpp") names it and says its language.
  Document(QString path, QString title, const QString& text, QWidget* parent = nullptr);

  [[nodiscard]] QString id() const { return id_; }  ///< unique among all that ever were: the journal's key
  [[nodiscard]] QString path() const { return path_; }
  [[nodiscard]] QString title() const { return title_; }
  [[nodiscard]] QString text() const;
  [[nodiscard]] bool isModified() const;
  [[nodiscard]] QString languageTitle() const;  ///< "torch C++", or "text" when none takes it
  [[nodiscard]] KernelEditor& editor() const { return *editor_; }

  void setSaved(const QString& path);     ///< the text as it is now is what `path` holds
  void replaceText(const QString& text);  ///< from disk: not modified afterwards
  void markModified();
  void setId(const QString& id) { id_ = id; }  ///< of a journal entry that it was restored from
  void setTheme(const Theme& theme);
  void setZoom(int pixels);

 signals:
  void changed();       ///< text
  void stateChanged();  ///< title, path, modified or language
  void cursorMoved();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void chooseLanguage();

  bool unsaved_ = false;  ///< restored, or typed while it was written: QScintilla cannot be told
  QString id_, path_, title_, languageTitle_, lexer_;
  QTimer languageDelay_;
  KernelEditor* editor_;
};

}  // namespace wb
