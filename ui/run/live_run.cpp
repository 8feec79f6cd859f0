// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/live_run.h"

#include <QAction>

#include "core/model/languages.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_flow.h"
#include "ui/settings/settings.h"
#include "ui/window/actions.h"
#include "ui/window/window_parts.h"

namespace wb {
namespace {

/// Long enough not to come between two words, short enough to be noticed as an answer to them.
constexpr int pauseMilliseconds = 900;

}  // namespace

LiveRun::LiveRun(const WindowParts& parts, RunController& controller, RunFlow& flow, QObject* parent)
    : QObject(parent), parts_(parts), controller_(controller), flow_(flow) {
  pause_.setSingleShot(true);
  pause_.setInterval(pauseMilliseconds);
  connect(&pause_, &QTimer::timeout, this, &LiveRun::paused);
  connect(parts_.tabs, &EditorArea::documentChanged, this, &LiveRun::typed);
  connect(parts_.files, &Files::saved, this, &LiveRun::saved);
  connect(&controller_, &RunController::runningChanged, this, [this](bool running) {
    if (!running) isChecking_ = false;
  });
  // What is chosen is a setting; the commands show it and change it.
  for (const auto& [id, isOn] : {std::pair{"run.onSave", parts_.settings->runsOnSave()},
                                 std::pair{"run.whileTyping", parts_.settings->checksWhileTyping()}}) {
    QAction* action = parts_.actions->find(QString::fromLatin1(id));
    action->setCheckable(true);
    action->setChecked(isOn);
  }
  connect(parts_.actions->find(QStringLiteral("run.onSave")), &QAction::toggled, this,
          [this](bool on) { parts_.settings->setRunsOnSave(on); });
  connect(parts_.actions->find(QStringLiteral("run.whileTyping")), &QAction::toggled, this, [this](bool on) {
    parts_.settings->setChecksWhileTyping(on);
    if (!on) pause_.stop();
  });
}

void LiveRun::typed(Document* document) {
  if (!parts_.settings->checksWhileTyping() || document != parts_.tabs->current()) return;
  if (isChecking_) controller_.cancel();
  pause_.start();
}

void LiveRun::paused() {
  // A run that was begun by hand is not disturbed; one of ours that is still ending is waited for.
  if (controller_.running()) {
    if (isChecking_) pause_.start();
    return;
  }
  const Document* document = parts_.tabs->current();
  if (!document) return;
  KernelSource source;
  source.path = (document->path().isEmpty() ? document->title() : document->path()).toStdString();
  source.text = document->bytes();
  if (languageOf(source) == nullptr) return;  // what is no kernel is no reason for a message
  isChecking_ = flow_.check();
}

void LiveRun::saved(Document* document) {
  if (!parts_.settings->runsOnSave() || document != parts_.tabs->current()) return;
  pause_.stop();
  if (!controller_.running()) flow_.start();
}

}  // namespace wb
