// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/idle_preparation.h"

#include <utility>

#include "ui/run/run_controller.h"

namespace wb {

IdlePreparation::IdlePreparation(const RunController& controller, Prepare prepare, QObject* parent)
    : QObject(parent), controller_(controller), prepare_(std::move(prepare)) {
  if (!prepare_) return;
  connect(&controller_, &RunController::statusChanged, this, &IdlePreparation::consider);
  connect(&controller_, &RunController::runningChanged, this, &IdlePreparation::consider);
  consider();
}

void IdlePreparation::consider() {
  if (underWay_) {
    if (controller_.running() && !controller_.wantsTorchHeaders()) thread_.request_stop();
    return;
  }
  // What is prepared is for workers of this machine.
  const bool idle = !controller_.place().devices.empty() && !controller_.running() &&
                    controller_.status().state == WorkerStatus::State::ready;
  if (idle && prepared_ != controller_.python()) begin();
}

void IdlePreparation::begin() {
  underWay_ = true;
  thread_ = std::jthread([this, python = controller_.python(), prepare = prepare_](std::stop_token stop) {
    // The first kernel that needs it will report what went wrong.
    (void)prepare(python, stop);
    QMetaObject::invokeMethod(
        this, [this, python, stopped = stop.stop_requested()] { end(python, stopped); },
        Qt::QueuedConnection);
  });
}

void IdlePreparation::end(const std::string& python, bool stopped) {
  underWay_ = false;
  if (!stopped) prepared_ = python;
  consider();
}

}  // namespace wb
