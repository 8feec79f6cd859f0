// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>
#include <vector>

namespace wb {

class Document;
struct Theme;

/// The open documents as tabs: a dot where something is not saved, middle click closes.
class EditorTabs : public QTabWidget {
  Q_OBJECT
 public:
  explicit EditorTabs(QWidget* parent = nullptr);

  void add(Document* document);     ///< takes it, and shows it
  void remove(Document* document);  ///< from the tabs, and deletes it later
  [[nodiscard]] Document* current() const;
  [[nodiscard]] std::vector<Document*> documents() const;
  [[nodiscard]] Document* withPath(const QString& path) const;
  [[nodiscard]] Document* withId(const QString& id) const;
  void step(int by);  ///< to the next tab, around the end
  void setTheme(const Theme& theme);
  void setZoom(int pixels);
  [[nodiscard]] int zoom() const { return zoom_; }

 signals:
  void closeRequested(wb::Document* document);
  void currentDocumentChanged();
  void documentChanged(wb::Document* document);  ///< its text
  void documentsChanged();                       ///< added, removed, moved, renamed or saved

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void relabel(Document* document);
  void addCloseButton(int tab, Document* document);

  const Theme* theme_;
  int zoom_ = 13;
};

}  // namespace wb
