// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/editor_tabs.h"

#include <QDir>
#include <QMouseEvent>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>

#include "ui/editing/document.h"
#include "ui/style/icon.h"
#include "ui/style/theme.h"

namespace wb {

EditorTabs::EditorTabs(QWidget* parent) : QTabWidget(parent), theme_(&themeOf(palette())) {
  setObjectName(QStringLiteral("editorTabs"));
  setAccessibleName(tr("Kernels"));
  setDocumentMode(true);
  setMovable(true);
  setElideMode(Qt::ElideMiddle);
  tabBar()->setAccessibleName(tr("Open kernels"));
  tabBar()->setExpanding(false);
  tabBar()->installEventFilter(this);
  connect(this, &QTabWidget::currentChanged, this, &EditorTabs::currentDocumentChanged);
  connect(tabBar(), &QTabBar::tabMoved, this, &EditorTabs::documentsChanged);
}

Document* EditorTabs::documentOf(QWidget* page) {
  if (auto* view = qobject_cast<SecondView*>(page)) return &view->document();
  return qobject_cast<Document*>(page);
}

void EditorTabs::add(Document* document) {
  document->setTheme(*theme_);
  document->setZoom(zoom_);
  document->setOptions(options_);
  take(document);
  document->setFocus();
  emit documentsChanged();
}

void EditorTabs::addView(Document* document) {
  take(new SecondView(*document));
}

// The connections of a page go with it when it moves to the other group.
void EditorTabs::take(QWidget* page) {
  Document* document = documentOf(page);
  const int tab = addTab(page, document->title());
  addCloseButton(tab, page);
  relabel(page);
  connect(document, &Document::stateChanged, this, [this, page, document] {
    relabel(page);
    if (page != document) return;
    emit documentsChanged();
    if (document == current()) emit currentDocumentChanged();
  });
  if (page == document) {
    connect(document, &Document::changed, this, [this, document] { emit documentChanged(document); });
    connect(document, &Document::cursorMoved, this, [this, document] { emit cursorMoved(document); });
  }
  setCurrentIndex(tab);
}

void EditorTabs::release(QWidget* page) {
  disconnect(documentOf(page), nullptr, this, nullptr);
  removeTab(indexOf(page));
}

void EditorTabs::addCloseButton(int tab, QWidget* page) {
  auto* close = new QToolButton;
  close->setObjectName(QStringLiteral("tabClose"));
  close->setAutoRaise(true);
  close->setIconSize({12, 12});
  close->setFocusPolicy(Qt::NoFocus);
  close->setAccessibleName(tr("Close"));
  connect(close, &QToolButton::clicked, this, [this, page] { this->close(page); });
  tabBar()->setTabButton(tab, QTabBar::RightSide, close);
}

void EditorTabs::close(QWidget* page) {
  if (auto* document = qobject_cast<Document*>(page)) {
    emit closeRequested(document);
    return;
  }
  emit viewCloseRequested(page);
}

void EditorTabs::removePage(QWidget* page) {
  if (indexOf(page) < 0) return;
  release(page);
  page->deleteLater();
}

void EditorTabs::relabel(QWidget* page) {
  const int tab = indexOf(page);
  if (tab < 0) return;
  const Document* document = documentOf(page);
  const bool isGone = document->onDisk() == OnDisk::gone;
  setTabText(tab, isGone ? tr("%1 (deleted)").arg(document->title()) : document->title());
  setTabIcon(tab,
             icon(document->title().endsWith(QLatin1String(".py"))   ? QStringLiteral("filetype-py")
                  : document->title().endsWith(QLatin1String(".cu")) ? QStringLiteral("gpu-card")
                                                                     : QStringLiteral("file-earmark-code"),
                  IconTone::good));
  setTabToolTip(tab, isGone ? tr("%1 is not on disk any more; saving writes it again").arg(document->title())
                     : document->path().isEmpty() ? tr("%1, not saved yet").arg(document->title())
                                                  : QDir::toNativeSeparators(document->path()));
  // A second view is closed without a question, so it has no dot that warns of one.
  const bool unsaved = document == page && document->isModified();
  auto* close = qobject_cast<QToolButton*>(tabBar()->tabButton(tab, QTabBar::RightSide));
  close->setIcon(unsaved ? icon(QStringLiteral("circle-fill"), IconTone::accent)
                         : icon(QStringLiteral("x-lg"), IconTone::secondary));
  close->setIconSize(unsaved ? QSize(8, 8) : QSize(10, 10));
  close->setToolTip(document != page ? tr("Close this view  (Ctrl+W)")
                    : unsaved        ? tr("Close (not saved)  (Ctrl+W)")
                                     : tr("Close  (Ctrl+W)"));
}

void EditorTabs::remove(Document* document) {
  for (int tab = count() - 1; tab >= 0; --tab) {
    QWidget* page = widget(tab);
    if (documentOf(page) != document) continue;
    removePage(page);
    if (page == document) emit documentsChanged();
  }
}

Document* EditorTabs::current() const {
  return documentOf(currentWidget());
}

bool EditorTabs::show(Document* document) {
  for (int tab = 0; tab < count(); ++tab) {
    if (documentOf(widget(tab)) != document) continue;
    setCurrentIndex(tab);
    document->preferViewIn(*widget(tab));
    return true;
  }
  return false;
}

std::vector<Document*> EditorTabs::documents() const {
  std::vector<Document*> all;
  for (int i = 0; i < count(); ++i)
    if (auto* document = qobject_cast<Document*>(widget(i))) all.push_back(document);
  return all;
}

void EditorTabs::focusCurrent() {
  if (QWidget* page = currentWidget()) page->setFocus();
}

void EditorTabs::closeCurrent() {
  if (QWidget* page = currentWidget()) close(page);
}

void EditorTabs::step(int by) {
  if (count() > 1) setCurrentIndex((currentIndex() + by + count()) % count());
}

void EditorTabs::giveCurrentTo(EditorTabs& other) {
  QWidget* page = currentWidget();
  if (!page) return;
  Document* document = documentOf(page);
  release(page);
  // The other group may have the document already, as itself or as a second view.
  for (int tab = 0; tab < other.count(); ++tab) {
    QWidget* theirs = other.widget(tab);
    if (documentOf(theirs) != document) continue;
    QWidget* view = theirs == document ? page : theirs;
    if (view == theirs) other.release(view);
    view->deleteLater();
    if (view == page) {
      other.setCurrentWidget(theirs);
      return;
    }
    break;
  }
  other.take(page);
  emit documentsChanged();
}

void EditorTabs::giveAllTo(EditorTabs& other) {
  while (count() > 0) {
    setCurrentIndex(0);
    giveCurrentTo(other);
  }
}

void EditorTabs::setActive(bool active) {
  tabBar()->setProperty("inactive", !active);
  tabBar()->style()->unpolish(tabBar());
  tabBar()->style()->polish(tabBar());
}

void EditorTabs::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (Document* document : documents()) document->setTheme(theme);
}

void EditorTabs::setZoom(int pixels) {
  zoom_ = pixels;
  for (Document* document : documents()) document->setZoom(zoom_);
}

void EditorTabs::setOptions(const EditorOptions& options) {
  options_ = options;
  for (Document* document : documents()) document->setOptions(options);
}

bool EditorTabs::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tabBar() && event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const int tab = tabBar()->tabAt(mouse->pos());
    if (mouse->button() == Qt::MiddleButton && tab >= 0) {
      close(widget(tab));
      return true;
    }
  }
  return QTabWidget::eventFilter(watched, event);
}

}  // namespace wb
