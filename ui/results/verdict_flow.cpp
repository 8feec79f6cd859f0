// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/verdict_flow.h"

#include "core/base/text.h"
#include "core/figures/verdict/verdict_line.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/run_controller.h"
#include "ui/window/window_parts.h"

namespace wb {

VerdictFlow::VerdictFlow(const WindowParts& parts, RunController& controller, QObject* parent)
    : QObject(parent), parts_(parts), controller_(controller) {
  pause_.setSingleShot(true);
  pause_.setInterval(250);
  connect(&pause_, &QTimer::timeout, this, &VerdictFlow::update);
  connect(parts_.tabs, &EditorArea::documentChanged, &pause_, qOverload<>(&QTimer::start));
  connect(parts_.tabs, &EditorArea::currentDocumentChanged, this, &VerdictFlow::update);
  connect(parts_.tabs, &EditorArea::documentsChanged, this, &VerdictFlow::update);
  connect(&controller_, &RunController::runningChanged, this, &VerdictFlow::update);
  connect(&controller_, &RunController::finished, this, &VerdictFlow::update);
}

void VerdictFlow::update() {
  if (!parts_.results) return;
  SinceThen since;
  since.nextIsUnderWay = controller_.running();
  const Document* open = parts_.tabs->current();
  if (const auto figures = parts_.results->figures();
      figures && open && figures->report->kernels.size() == 1) {
    const KernelSource& source = figures->report->kernels[0]->source;
    const QString name = open->path().isEmpty() ? open->title() : open->path();
    if (!isSameFile(source.path, name.toStdString()))
      since.otherKernel = open->title().toStdString();
    else
      since.sourceChanged = open->bytes() != source.text;
  }
  parts_.results->setSinceThen(since);
}

}  // namespace wb
