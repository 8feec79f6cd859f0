// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/assembly_flow.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "editor/band_layer.h"
#include "editor/kernel_editor.h"
#include "editor/line_places.h"
#include "ui/assembly/assembly_view.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/profile/profile_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/profile_button.h"
#include "ui/run/run_bar.h"
#include "ui/run/run_flow.h"
#include "ui/settings/settings.h"
#include "ui/window/actions.h"
#include "ui/window/window_parts.h"

namespace wb {

AssemblyFlow::AssemblyFlow(const WindowParts& parts, RunFlow& run, CompareFlow& compare, QObject* parent)
    : QObject(parent), parts_(parts), run_(run), compare_(compare), view_(new AssemblyView) {
  parts_.tabs->setSideView(view_);
  connect(view_, &AssemblyView::formChanged, this, &AssemblyFlow::paintBands);
  connect(view_, &AssemblyView::architectureWanted, this, &AssemblyFlow::wantArchitecture);
  connect(&view_->pane(), &CodePane::chosen, this, &AssemblyFlow::point);
  connect(&view_->pane(), &CodePane::activated, this, [this](int line) {
    Document* own = document();
    if (!own) return;
    const int now = own->editor().bands().lineNow(line);
    parts_.tabs->setCurrent(own);
    own->editor().goTo(now > 0 ? now : line, 1);
    own->editor().setFocus();
  });
  connect(&view_->pane(), &CodePane::scrolled, this, &AssemblyFlow::followPane);
  connect(parts_.tabs, &EditorArea::currentDocumentChanged, this, [this] {
    watchEditor();
    followCaret();
  });
  connect(parts_.tabs, &EditorArea::cursorMoved, this, &AssemblyFlow::followCaret);
  connect(parts_.tabs, &EditorArea::zoomChanged, this, &AssemblyFlow::takeFont);
  connect(parts_.settings, &Settings::changed, this, [this](const QString& key) {
    if (key == QLatin1String("editor/font")) takeFont();
  });
}

void AssemblyFlow::takeFont() {
  view_->setCodeFont(parts_.settings->text("editor/font"), parts_.tabs->zoom());
}

AssemblyChoices AssemblyFlow::choices() const {
  AssemblyChoices made = view_->choices();
  made.isShown = parts_.tabs->isSideViewShown();
  return made;
}

void AssemblyFlow::restore(const AssemblyChoices& choices, bool withResults) {
  view_->restore(choices);
  isRestoring_ = withResults;
  if (!choices.isShown) return;
  // The docks have their widths from the last window, so no room is made.
  parts_.tabs->showSideView(true);
  parts_.actions->find(QStringLiteral("view.assembly"))->setChecked(true);
  takeFont();
}

void AssemblyFlow::connectViews() {
  connect(&parts_.results->profile(), &ProfileView::shownChanged, this, &AssemblyFlow::takeListing);
}

void AssemblyFlow::takeListing() {
  const auto shown = parts_.results->profile().shown();
  if (!shown || !shown->code || shown->code.get() == view_->listing()) return;
  if (const Document* own = parts_.tabs->withId(run_.runDocumentId()))
    adopt(*own);
  else
    adoptSource(*shown->code);
  takePinned();
  view_->setListing(shown->code);
  takeFont();
  if (std::exchange(isRestoring_, false)) {
    shownFor_ = view_->listing()->startedAt;
    return;
  }
  // Without a GPU the code is what a profile is for. It is shown once a run, and may be closed again.
  if (!view_->form() || view_->listing()->device != "cpu" || shownFor_ == view_->listing()->startedAt) return;
  shownFor_ = view_->listing()->startedAt;
  show(true);
}

// After a restart no run of this window tells whose code it is, but the text does.
void AssemblyFlow::adoptSource(const CodeListing& listing) {
  for (const Document* each : parts_.tabs->documents()) {
    const QString name = each->path().isEmpty() ? each->title() : each->path();
    if (isSameFile(listing.path, name.toStdString()) && each->bytes() == listing.source) return adopt(*each);
  }
}

void AssemblyFlow::adopt(const Document& document) {
  if (document_ != document.id()) clearBands();
  document_ = document.id();
  watchEditor();
}

void AssemblyFlow::takePinned() {
  const Baseline* baseline = compare_.baseline();
  if (!baseline || !baseline->report) return view_->setPinned(nullptr);
  view_->setPinned(std::make_shared<const CodeListing>(codeListing(*baseline->report, {})));
}

Document* AssemblyFlow::document() const {
  return parts_.tabs->withId(document_);
}

KernelEditor* AssemblyFlow::editor() const {
  Document* own = document();
  return own && parts_.tabs->current() == own ? &own->editor() : nullptr;
}

void AssemblyFlow::watchEditor() {
  KernelEditor* now = editor();
  if (now == watched_) return;
  if (watched_) disconnect(watched_->verticalScrollBar(), nullptr, this, nullptr);
  watched_ = now;
  if (now) connect(now->verticalScrollBar(), &QScrollBar::valueChanged, this, &AssemblyFlow::followEditor);
}

void AssemblyFlow::show(bool shown) {
  if (shown && !parts_.tabs->isSideViewShown()) makeRoom();
  parts_.tabs->showSideView(shown);
  parts_.actions->find(QStringLiteral("view.assembly"))->setChecked(shown);
  takeFont();
  if (shown)
    paintBands();
  else
    clearBands();
  if (!shown && editor()) editor()->setFocus();
}

// Two columns of code want more room than one has; the results beside them give what they can.
void AssemblyFlow::makeRoom() {
  constexpr int wanted = 900, least = 360;
  auto* window = qobject_cast<QMainWindow*>(parts_.tabs->window());
  auto* results = window ? window->findChild<QDockWidget*>(QStringLiteral("results")) : nullptr;
  const int lacking = wanted - parts_.tabs->width();
  if (results && results->isVisible() && !results->isFloating() && lacking > 0)
    window->resizeDocks({results}, {std::max(least, results->width() - lacking)}, Qt::Horizontal);
}

void AssemblyFlow::clearBands() {
  Document* own = document();
  if (!own) return;
  own->editor().bands().set({});
  const auto shown = parts_.results ? parts_.results->profile().shown() : nullptr;
  own->editor().setHeat(shown ? shown->heat : std::vector<HotLine>());
}

void AssemblyFlow::paintBands() {
  Document* own = document();
  if (!own || !parts_.tabs->isSideViewShown()) return;
  own->editor().bands().set(view_->pane().bands());
  std::vector<HotLine> lines;
  for (const auto& [line, mark] : view_->marksOfLines())
    lines.push_back({view_->listing()->path, line, mark.share, mark.detail, mark.text});
  own->editor().setHeat(lines);
  followCaret();
}

void AssemblyFlow::followCaret() {
  KernelEditor* own = editor();
  if (!own || !parts_.tabs->isSideViewShown() || view_->pane().hasFocus()) return;
  const QScopedValueRollback guard(following_, true);
  view_->pane().markLine(own->bands().lineCompiled(own->currentLine()), true);
}

void AssemblyFlow::point(int line) {
  KernelEditor* own = editor();
  if (!own) return;  // choosing a row must not change what the user reads
  const QScopedValueRollback guard(following_, true);
  own->pointAt(line > 0 ? own->bands().lineNow(line) : 0);
}

// Both sides keep the line that stands a third down at one height.
void AssemblyFlow::followEditor() {
  KernelEditor* own = editor();
  if (following_ || !own || !parts_.tabs->isSideViewShown() || !view_->scrollsTogether()) return;
  const int third = own->viewport()->height() / 3, middle = lineAt(*own, third);
  const int reach = std::max(1, lineAt(*own, own->viewport()->height()) - lineAt(*own, 0));
  for (int away = 0; away < reach; ++away)
    for (const int line : {middle + away, middle - away})
      if (const int compiled = own->bands().lineCompiled(line); compiled > 0) {
        const QScopedValueRollback guard(following_, true);
        const QPoint there = own->viewport()->mapToGlobal(QPoint(0, topOfLine(*own, line)));
        return view_->pane().bringLineTo(compiled, view_->pane().viewport()->mapFromGlobal(there).y());
      }
}

void AssemblyFlow::followPane() {
  KernelEditor* own = editor();
  if (following_ || !own || !parts_.tabs->isSideViewShown() || !view_->scrollsTogether()) return;
  CodePane& pane = view_->pane();
  int top = 0;
  const int line = own->bands().lineNow(pane.lineNear(pane.viewport()->height() / 3, &top));
  if (line <= 0) return;
  const QScopedValueRollback guard(following_, true);
  const QPoint there = pane.viewport()->mapToGlobal(QPoint(0, top));
  bringLineTo(*own, line, own->viewport()->mapFromGlobal(there).y());
}

void AssemblyFlow::goToHot(int by) {
  show(true);
  view_->goToHot(by);
}

void AssemblyFlow::wantArchitecture(const QString& architecture) {
  Document* own = document();
  if (!own) return;
  parts_.tabs->setCurrent(own);
  run_.listFor(architecture.toStdString());
}

}  // namespace wb
