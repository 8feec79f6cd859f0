// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/profile_flow.h"

#include <QAction>

#include "core/base/text.h"
#include "editor/diagnostics_layer.h"
#include "editor/kernel_editor.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/profile/profile_view.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/profile_button.h"
#include "ui/run/run_bar.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_flow.h"
#include "ui/settings/settings.h"
#include "ui/window/actions.h"
#include "ui/window/banner.h"
#include "ui/window/window_parts.h"

namespace wb {

ProfileFlow::ProfileFlow(const WindowParts& parts, RunController& controller, RunFlow& flow, QObject* parent)
    : QObject(parent), parts_(parts), controller_(controller), flow_(flow) {
  connect(parts_.bar, &RunBar::deviceChanged, this, &ProfileFlow::updateCommands);
  connect(&controller_, &RunController::runningChanged, this, &ProfileFlow::updateCommands);
  connect(&controller_, &RunController::statusChanged, this, [this] {
    if (parts_.results) parts_.results->profile().setTarget(controller_.status().target);
    tellRefused();
  });
  connect(parts_.tabs, &EditorArea::currentDocumentChanged, this, [this] {
    if (Document* current = parts_.tabs->current()) {
      current->editor().setHeatVisible(parts_.settings->number("view/heat", 1) != 0);
      connect(current, &Document::cursorMoved, this, &ProfileFlow::followCaret, Qt::UniqueConnection);
    }
    followCaret();
  });
  updateCommands();
}

// Tells this once at the start; the Profile page says it again.
void ProfileFlow::tellRefused() {
  const QString refused = QString::fromStdString(controller_.status().target.counters);
  if (refused.isEmpty() || refused == parts_.settings->text("profile/refusedTold")) return;
  parts_.settings->setText("profile/refusedTold", refused);
  QString words = refused + QLatin1Char('.');
  words[0] = words[0].toUpper();
  parts_.banner->tell(Tone::neutral, tr("Profiles will have no counters: this device keeps them"), words);
}

void ProfileFlow::connectViews() {
  ProfileView& view = parts_.results->profile();
  connect(&view, &ProfileView::shownChanged, this, &ProfileFlow::showMargin);
  connect(&view, &ProfileView::pointed, this, &ProfileFlow::point);
  connect(&view, &ProfileView::activated, &flow_, &RunFlow::goTo);
  view.setTarget(controller_.status().target);
}

Document* ProfileFlow::document() const {
  return parts_.tabs->withId(document_);
}

bool ProfileFlow::isOwn(const Place& place) const {
  const Document* own = document();
  if (!own) return false;
  const QString name = own->path().isEmpty() ? own->title() : own->path();
  return place.file.empty() || isSameFile(place.file, name.toStdString());
}

void ProfileFlow::showMargin() {
  const auto shown = parts_.results->profile().shown();
  if (!shown || shown == inMargin_) return;
  if (Document* before = document(); before && document_ != flow_.runDocumentId())
    before->editor().setHeat({});
  document_ = flow_.runDocumentId();
  const bool same = inMargin_ && inMargin_->heat == shown->heat;
  inMargin_ = shown;
  if (Document* now = document(); now && !same) now->editor().setHeat(shown->heat);
}

void ProfileFlow::followCaret() {
  if (!parts_.results) return;
  const Document* current = parts_.tabs->current();
  const bool own = current && current == document();
  if (own && current->editor().hasFocus()) current->editor().pointAt(0);  // the user is elsewhere now
}

void ProfileFlow::point(const Place& place) {
  Document* own = document();
  if (!own || !isOwn(place)) return;
  if (parts_.tabs->current() != own) return;  // selecting a row must not change what the user reads
  own->editor().pointAt(place.line);
}

void ProfileFlow::showHeat(bool show) {
  parts_.settings->setNumber("view/heat", show ? 1 : 0);
  for (Document* each : parts_.tabs->documents()) each->editor().setHeatVisible(show);
}

void ProfileFlow::updateCommands() {
  const bool gpu = parts_.bar->hasGpu(), running = controller_.running();
  parts_.bar->profiling().setGpu(gpu);
  parts_.actions->find(QStringLiteral("run.profile"))->setEnabled(!running);
  for (const SanitizerTool& tool : sanitizerChoices()) {
    QAction* action = parts_.actions->find(QStringLiteral("run.sanitize.") + QLatin1String(tool.id));
    action->setEnabled(gpu && !running);
    action->setToolTip(gpu ? tr("compute-sanitizer --tool %1: %2").arg(QLatin1String(tool.id), tr(tool.finds))
                           : tr("compute-sanitizer needs a GPU: choose one under Device"));
  }
}

}  // namespace wb
