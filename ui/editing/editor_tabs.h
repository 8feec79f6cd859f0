// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>
#include <vector>

#include "editor/text_shape.h"

namespace wb {

class Document;
class SecondView;
struct Theme;

/// One group of tabs. Each tab is a document, or a second view of one that has its own tab elsewhere. A dot
/// marks one that is not saved; a middle click closes it.
class EditorTabs : public QTabWidget {
  Q_OBJECT
 public:
  explicit EditorTabs(QWidget* parent = nullptr);

  /// Takes a document and shows it.
  void add(Document* document);
  /// Makes a second view of a document and shows it; one that there is elsewhere comes here.
  void addView(Document* document);
  /// Removes a document, or the second view of it, and deletes what was removed later.
  void remove(Document* document);
  /// Removes a page if it is here, and deletes it later.
  void removePage(QWidget* page);
  /// The document that is shown, be it itself or a second view of it.
  [[nodiscard]] Document* current() const;
  /// Shows the tab of a document, or of its second view; false when neither is here.
  bool show(Document* document);
  using QTabWidget::show;
  /// The documents that have their own tab here.
  [[nodiscard]] std::vector<Document*> documents() const;
  void focusCurrent();
  void closeCurrent();
  /// Goes to the next tab; the first follows the last.
  void step(int by);
  void giveCurrentTo(EditorTabs& other);
  /// Gives all tabs to another group. Of two views of one document one is left.
  void giveAllTo(EditorTabs& other);
  /// Says whether the keys go to this group.
  void setActive(bool active);
  void setTheme(const Theme& theme);
  void setZoom(int pixels);
  void setOptions(const EditorOptions& options);

 signals:
  void closeRequested(wb::Document* document);
  /// A second view is to be removed with removePage, which takes no question.
  void viewCloseRequested(QWidget* page);
  void currentDocumentChanged();
  void cursorMoved(wb::Document* document);
  /// The text of a document has changed.
  void documentChanged(wb::Document* document);
  /// A document was added, removed, moved, renamed or saved.
  void documentsChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take(QWidget* page);
  void release(QWidget* page);
  void relabel(QWidget* page);
  void addCloseButton(int tab, QWidget* page);
  void close(QWidget* page);
  [[nodiscard]] static Document* documentOf(QWidget* page);

  const Theme* theme_;
  int zoom_ = 13;
  EditorOptions options_;
};

}  // namespace wb
