// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/targets/device_flow.h"

#include <utility>
#include <vector>

#include "core/targets/target_file.h"
#include "ui/style/background.h"
#include "ui/targets/device_box.h"

namespace wb {
namespace {

// What is wrong with the file is said where targets are changed.
std::vector<RunTarget> knownTargets() {
  const Result<std::vector<RunTarget>> found = readTargets(targetFile());
  return found ? *found : std::vector<RunTarget>{};
}

}  // namespace

DeviceFlow::DeviceFlow(DeviceBox& box, Glance glance, QObject* parent)
    : QObject(parent), box_(box), glance_(std::move(glance)) {
  connect(&box_, &DeviceBox::opened, this, &DeviceFlow::readTargetsAgain);
  connect(&box_, &DeviceBox::opened, this, &DeviceFlow::look);
}

DeviceFlow::~DeviceFlow() {
  stop_.request_stop();
}

void DeviceFlow::findOut() {
  inBackground(
      this, [] { return std::pair(knownTargets(), devices()); },
      [this](const std::pair<std::vector<RunTarget>, std::vector<Device>>& there) {
        box_.setPlaces(there.second, there.first);
        emit found();
      });
}

void DeviceFlow::readTargetsAgain() {
  inBackground(
      this, [] { return knownTargets(); },
      [this](const std::vector<RunTarget>& found) { box_.setTargets(found); });
}

void DeviceFlow::look() {
  const auto now = std::chrono::steady_clock::now();
  for (const RunTarget& target : box_.targets()) {
    const auto before = looked_.find(target.name);
    if (before != looked_.end() && now - before->second < fresh) continue;
    looked_[target.name] = now;
    inBackground(
        this, [target, glance = glance_, stop = stop_.get_token()] { return glance(target, stop); },
        [this, name = target.name](const TargetGlance& seen) { box_.setGlance(name, seen); },
        networkThreads());
  }
}

}  // namespace wb
