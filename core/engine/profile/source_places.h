// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/model/profile.h"

namespace wb {

/// The places in the source that a disassembler names ahead of instructions, innermost first where code was
/// inlined. They hold until it names others.
class SourcePlaces {
 public:
  /// `own` are the names under which the kernel's own file was compiled.
  explicit SourcePlaces(std::vector<std::string> own) : own_(std::move(own)) {}

  void clear() { places_.clear(); }
  void add(Place place) {
    if (std::exchange(used_, false)) places_.clear();
    places_.push_back(std::move(place));
  }
  /// Gives an instruction its place: the innermost one in the kernel's own file, else the innermost one.
  void locate(Instruction& instruction) {
    used_ = true;
    const Place* best = places_.empty() ? nullptr : &places_.front();
    for (const Place& at : places_)
      if (isOwn(at)) {
        best = &at;
        break;
      }
    if (best == nullptr) return;
    instruction.line = best->line;
    if (!isOwn(*best)) instruction.file = best->file;
  }

 private:
  [[nodiscard]] bool isOwn(const Place& at) const {
    const std::string name = std::filesystem::path(at.file).filename();
    for (const std::string& own : own_)
      if (!own.empty() && name == own) return true;
    return false;
  }

  std::vector<std::string> own_;
  std::vector<Place> places_;
  /// An instruction came after the last place: the next one starts a new group.
  bool used_ = false;
};

}  // namespace wb
