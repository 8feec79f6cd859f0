// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <vector>

#include "editor/text_shape.h"

class QSplitter;

namespace wb {

class Document;
class EditorTabs;
struct Theme;

/// Where sources are edited: one group of tabs, or two beside each other, and at their right a view that goes
/// with the source, such as its assembly. One of the groups is the active one: it had the focus last, and its
/// document is the current one.
class EditorArea : public QWidget {
  Q_OBJECT
 public:
  explicit EditorArea(QWidget* parent = nullptr);

  /// Takes a document into the active group and shows it.
  void add(Document* document);
  /// Removes a document, and a second view of it, and deletes both later.
  void remove(Document* document);
  [[nodiscard]] Document* current() const;
  /// Shows a document: in the active group if it is there, else in the other one, which becomes active.
  void setCurrent(Document* document);
  /// The open documents from left to right, each once.
  [[nodiscard]] std::vector<Document*> documents() const;
  [[nodiscard]] int count() const { return int(documents().size()); }
  [[nodiscard]] Document* withPath(const QString& path) const;
  [[nodiscard]] Document* withId(const QString& id) const;
  /// Goes to the next tab of the active group; the first follows the last.
  void step(int by);
  void setTheme(const Theme& theme);
  void setZoom(int pixels);
  /// The operators that the editors know stay.
  void setOptions(EditorOptions options);
  void setOperators(std::shared_ptr<const KnownNames> operators);
  [[nodiscard]] int zoom() const { return zoom_; }

  [[nodiscard]] bool isSplit() const;
  /// Shows the current document on the other side too, which is made if there is none.
  void split();
  /// Brings the tabs of both sides together.
  void unsplit();
  /// Moves the current tab to the other side.
  void moveToOtherSide();
  void goToOtherSide();
  /// Closes the current tab: a second view at once, a document after its question.
  void closeCurrent();
  /// The tabs on the left (0) and on the right (1); the right ones are hidden while nothing is split.
  [[nodiscard]] EditorTabs& group(int side) const { return *groups_[std::size_t(side)]; }
  [[nodiscard]] EditorTabs& activeGroup() const { return group(active_); }

  /// Takes the one view that stands at the right of the editors, hidden at first.
  void setSideView(QWidget* view);
  /// Shows or hides the side view. It gets the editors' half when it is shown for the first time.
  void showSideView(bool show);
  [[nodiscard]] bool isSideViewShown() const;

 signals:
  void closeRequested(wb::Document* document);
  /// Another document, or another view of the same one, is the current one.
  void currentDocumentChanged();
  /// The text of a document has changed.
  void documentChanged(wb::Document* document);
  /// The caret moved in the current document.
  void cursorMoved();
  /// A document was added, removed, moved, renamed or saved.
  void documentsChanged();
  void zoomChanged(int pixels);

 protected:
  /// Ctrl and the wheel change the size of letters, in all editors.
  void wheelEvent(QWheelEvent* event) override;

 private:
  void activate(int side);
  void showActive();
  void removePage(QWidget* page);
  void tidyGroups();
  void shareWidth();
  [[nodiscard]] int sideOf(const QWidget* widget) const;

  QSplitter* splitter_;
  std::array<EditorTabs*, 2> groups_;
  QWidget* sideView_ = nullptr;
  EditorOptions options_;
  int active_ = 0, zoom_ = 13;
  /// Tabs are being moved or removed: where the focus goes meanwhile means nothing.
  bool tidying_ = false;
};

}  // namespace wb
