// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/editor_area.h"

#include <QApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QSplitter>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

#include "editor/kernel_editor.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_tabs.h"

namespace wb {

EditorArea::EditorArea(QWidget* parent)
    : QWidget(parent), splitter_(new QSplitter), groups_{new EditorTabs, new EditorTabs} {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(splitter_);
  splitter_->setChildrenCollapsible(false);
  splitter_->setObjectName(QStringLiteral("editorSplitter"));
  groups_[1]->setAccessibleName(tr("Kernels on the right"));
  groups_[1]->hide();
  for (int side = 0; side < 2; ++side) {
    EditorTabs& tabs = group(side);
    splitter_->addWidget(&tabs);
    splitter_->setStretchFactor(side, 1);
    connect(&tabs, &EditorTabs::closeRequested, this, &EditorArea::closeRequested);
    connect(&tabs, &EditorTabs::documentChanged, this, &EditorArea::documentChanged);
    connect(&tabs, &EditorTabs::documentsChanged, this, &EditorArea::documentsChanged);
    connect(&tabs, &EditorTabs::viewCloseRequested, this, &EditorArea::removePage);
    connect(&tabs, &EditorTabs::cursorMoved, this, [this](Document* document) {
      if (document == current()) emit cursorMoved();
    });
    connect(&tabs, &EditorTabs::currentDocumentChanged, this, [this, side] {
      if (side == active_ && !tidying_) emit currentDocumentChanged();
    });
  }
  showActive();
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    if (const int side = sideOf(now); side >= 0 && !tidying_) activate(side);
  });
}

int EditorArea::sideOf(const QWidget* widget) const {
  for (int side = 0; side < 2; ++side)
    if (widget && (widget == &group(side) || group(side).isAncestorOf(widget))) return side;
  return -1;
}

void EditorArea::activate(int side) {
  if (std::exchange(active_, side) == side) return;
  showActive();
  emit currentDocumentChanged();
}

// The current tab of the other side has no line in the accent's colour.
void EditorArea::showActive() {
  for (int side = 0; side < 2; ++side) group(side).setActive(side == active_);
}

void EditorArea::add(Document* document) {
  activeGroup().add(document);
}

void EditorArea::remove(Document* document) {
  const bool hadFocus = sideOf(QApplication::focusWidget()) >= 0;
  tidying_ = true;
  for (EditorTabs* tabs : groups_) tabs->remove(document);
  tidyGroups();
  if (hadFocus) activeGroup().focusCurrent();
}

void EditorArea::removePage(QWidget* page) {
  tidying_ = true;
  for (EditorTabs* tabs : groups_) tabs->removePage(page);
  tidyGroups();
  activeGroup().focusCurrent();
}

Document* EditorArea::current() const {
  return activeGroup().current();
}

void EditorArea::setCurrent(Document* document) {
  if (activeGroup().show(document)) return;
  if (group(1 - active_).show(document)) activate(1 - active_);
}

std::vector<Document*> EditorArea::documents() const {
  std::vector<Document*> all = group(0).documents();
  for (Document* document : group(1).documents()) all.push_back(document);
  return all;
}

Document* EditorArea::withPath(const QString& path) const {
  if (path.isEmpty()) return nullptr;
  const QFileInfo wanted(path);
  for (Document* document : documents())
    if (!document->path().isEmpty() && QFileInfo(document->path()) == wanted) return document;
  return nullptr;
}

Document* EditorArea::withId(const QString& id) const {
  for (Document* document : documents())
    if (document->id() == id) return document;
  return nullptr;
}

void EditorArea::step(int by) {
  activeGroup().step(by);
}

void EditorArea::setTheme(const Theme& theme) {
  for (EditorTabs* tabs : groups_) tabs->setTheme(theme);
}

void EditorArea::setZoom(int pixels) {
  const int before = std::exchange(zoom_, std::clamp(pixels, 8, 32));
  for (EditorTabs* tabs : groups_) tabs->setZoom(zoom_);
  if (zoom_ != before) emit zoomChanged(zoom_);
}

void EditorArea::wheelEvent(QWheelEvent* event) {
  if ((event->modifiers() & Qt::ControlModifier) == 0) return QWidget::wheelEvent(event);
  const int turned = event->angleDelta().y();
  if (turned != 0) setZoom(zoom_ + (turned > 0 ? 1 : -1));
  event->accept();
}

void EditorArea::setOptions(EditorOptions options) {
  options.operators = options_.operators;
  options_ = std::move(options);
  for (EditorTabs* tabs : groups_) tabs->setOptions(options_);
}

void EditorArea::setOperators(std::shared_ptr<const KnownNames> operators) {
  options_.operators = std::move(operators);
  for (EditorTabs* tabs : groups_) tabs->setOptions(options_);
}

bool EditorArea::isSplit() const {
  return group(1).count() > 0;
}

void EditorArea::split() {
  Document* document = current();
  if (!document) return;
  EditorTabs& other = group(1 - active_);
  const bool wasSplit = isSplit();
  if (!other.show(document)) other.addView(document);
  other.show();
  if (!wasSplit) shareWidth();
  activate(1 - active_);
  other.focusCurrent();
}

void EditorArea::unsplit() {
  tidying_ = true;
  Document* document = current();
  const int line = document ? document->editor().currentLine() : 1;
  group(1).giveAllTo(group(0));
  tidyGroups();
  if (!document) return;
  group(0).show(document);
  if (document->editor().currentLine() != line) document->editor().goTo(line, 1);
  group(0).focusCurrent();
}

void EditorArea::moveToOtherSide() {
  EditorTabs& from = activeGroup();
  EditorTabs& to = group(1 - active_);
  // The only tab on the left has no other side to go to: the left would be empty.
  if (from.count() == 0 || (active_ == 0 && from.count() == 1)) return;
  const bool wasSplit = isSplit();
  tidying_ = true;
  from.giveCurrentTo(to);
  to.show();
  active_ = 1 - active_;
  tidyGroups();
  if (!wasSplit && isSplit()) shareWidth();
  activeGroup().focusCurrent();
}

void EditorArea::goToOtherSide() {
  if (!isSplit()) return split();
  activate(1 - active_);
  activeGroup().focusCurrent();
}

void EditorArea::closeCurrent() {
  activeGroup().closeCurrent();
}

// Ends a change of tabs, in which nothing was said of the current document. A side without tabs goes away;
// what is on the right comes to the left when that is the empty one.
void EditorArea::tidyGroups() {
  if (group(0).count() == 0 && group(1).count() > 0) group(1).giveAllTo(group(0));
  groups_[1]->setVisible(isSplit());
  if (!isSplit()) active_ = 0;
  tidying_ = false;
  showActive();
  emit currentDocumentChanged();
}

void EditorArea::shareWidth() {
  const int width = splitter_->width();
  QList<int> sizes{width / 2, width / 2};
  if (sideView_) sizes = isSideViewShown() ? QList<int>{width / 3, width / 3, width / 3} : sizes << 0;
  splitter_->setSizes(sizes);
}

void EditorArea::setSideView(QWidget* view) {
  sideView_ = view;
  view->hide();
  splitter_->addWidget(view);
  splitter_->setStretchFactor(2, 1);
}

void EditorArea::showSideView(bool show) {
  if (!sideView_ || show == isSideViewShown()) return;
  sideView_->setVisible(show);
  if (show && splitter_->sizes().at(2) < 100) {
    const int width = splitter_->width();
    splitter_->setSizes(isSplit() ? QList<int>{width / 3, width / 3, width / 3}
                                  : QList<int>{width / 2, 0, width / 2});
  }
}

bool EditorArea::isSideViewShown() const {
  return sideView_ && !sideView_->isHidden();
}

}  // namespace wb
