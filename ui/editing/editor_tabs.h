// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>
#include <vector>

namespace wb {

class Document;
struct Theme;

/// The open documents as tabs. A dot marks one that is not saved; a middle click closes it.
class EditorTabs : public QTabWidget {
  Q_OBJECT
 public:
  explicit EditorTabs(QWidget* parent = nullptr);

  /// Takes a document and shows it.
  void add(Document* document);
  /// Removes a document from the tabs and deletes it later.
  void remove(Document* document);
  [[nodiscard]] Document* current() const;
  [[nodiscard]] std::vector<Document*> documents() const;
  [[nodiscard]] Document* withPath(const QString& path) const;
  [[nodiscard]] Document* withId(const QString& id) const;
  /// Goes to the next tab; the first follows the last.
  void step(int by);
  void setTheme(const Theme& theme);
  void setZoom(int pixels);
  [[nodiscard]] int zoom() const { return zoom_; }

 signals:
  void closeRequested(wb::Document* document);
  void currentDocumentChanged();
  /// The text of a document has changed.
  void documentChanged(wb::Document* document);
  /// A document was added, removed, moved, renamed or saved.
  void documentsChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void relabel(Document* document);
  void addCloseButton(int tab, Document* document);

  const Theme* theme_;
  int zoom_ = 13;
};

}  // namespace wb
