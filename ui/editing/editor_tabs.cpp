// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/editor_tabs.h"

#include <QDir>
#include <QFileInfo>
#include <QMouseEvent>
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

void EditorTabs::add(Document* document) {
  document->setTheme(*theme_);
  document->setZoom(zoom_);
  const int tab = addTab(document, document->title());
  addCloseButton(tab, document);
  relabel(document);
  connect(document, &Document::stateChanged, this, [this, document] {
    relabel(document);
    emit documentsChanged();
    if (document == current()) emit currentDocumentChanged();
  });
  connect(document, &Document::changed, this, [this, document] { emit documentChanged(document); });
  setCurrentIndex(tab);
  document->setFocus();
  emit documentsChanged();
}

void EditorTabs::addCloseButton(int tab, Document* document) {
  auto* close = new QToolButton;
  close->setObjectName(QStringLiteral("tabClose"));
  close->setAutoRaise(true);
  close->setIconSize({12, 12});
  close->setFocusPolicy(Qt::NoFocus);
  close->setAccessibleName(tr("Close"));
  connect(close, &QToolButton::clicked, this, [this, document] { emit closeRequested(document); });
  tabBar()->setTabButton(tab, QTabBar::RightSide, close);
}

void EditorTabs::relabel(Document* document) {
  const int tab = indexOf(document);
  if (tab < 0) return;
  setTabText(tab, document->title());
  setTabIcon(tab,
             icon(document->title().endsWith(QLatin1String(".py"))   ? QStringLiteral("filetype-py")
                  : document->title().endsWith(QLatin1String(".cu")) ? QStringLiteral("gpu-card")
                                                                     : QStringLiteral("file-earmark-code"),
                  IconTone::good));
  setTabToolTip(tab, document->path().isEmpty() ? tr("%1, not saved yet").arg(document->title())
                                                : QDir::toNativeSeparators(document->path()));
  auto* close = qobject_cast<QToolButton*>(tabBar()->tabButton(tab, QTabBar::RightSide));
  close->setIcon(document->isModified() ? icon(QStringLiteral("circle-fill"), IconTone::accent)
                                        : icon(QStringLiteral("x-lg"), IconTone::secondary));
  close->setIconSize(document->isModified() ? QSize(8, 8) : QSize(10, 10));
  close->setToolTip(document->isModified() ? tr("Close (not saved)  (Ctrl+W)") : tr("Close  (Ctrl+W)"));
  document->setProperty("unsaved", document->isModified());
}

void EditorTabs::remove(Document* document) {
  const int tab = indexOf(document);
  if (tab < 0) return;
  removeTab(tab);
  document->deleteLater();
  emit documentsChanged();
}

Document* EditorTabs::current() const {
  return qobject_cast<Document*>(currentWidget());
}

std::vector<Document*> EditorTabs::documents() const {
  std::vector<Document*> all;
  for (int i = 0; i < count(); ++i)
    if (auto* document = qobject_cast<Document*>(widget(i))) all.push_back(document);
  return all;
}

Document* EditorTabs::withPath(const QString& path) const {
  if (path.isEmpty()) return nullptr;
  const QFileInfo wanted(path);
  for (Document* document : documents())
    if (!document->path().isEmpty() && QFileInfo(document->path()) == wanted) return document;
  return nullptr;
}

Document* EditorTabs::withId(const QString& id) const {
  for (Document* document : documents())
    if (document->id() == id) return document;
  return nullptr;
}

void EditorTabs::step(int by) {
  if (count() > 1) setCurrentIndex((currentIndex() + by + count()) % count());
}

void EditorTabs::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (Document* document : documents()) document->setTheme(theme);
}

void EditorTabs::setZoom(int pixels) {
  zoom_ = std::clamp(pixels, 8, 32);
  for (Document* document : documents()) document->setZoom(zoom_);
}

bool EditorTabs::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tabBar() && event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const int tab = tabBar()->tabAt(mouse->pos());
    if (mouse->button() == Qt::MiddleButton && tab >= 0) {
      if (auto* document = qobject_cast<Document*>(widget(tab))) emit closeRequested(document);
      return true;
    }
  }
  return QTabWidget::eventFilter(watched, event);
}

}  // namespace wb
