// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/model/report.h"

namespace wb {

/// The losses of workers that a test is about. Any other fails it, whatever else came out: a worker that is
/// lost and replaced leaves no other trace in a report whose cases all pass.
enum class Losses { none, ofKernels, any };

/// What every run of a worker in a test ends with.
inline void expectLosses(const Report& report, Losses subject) {
  for (const WorkerLost& lost : report.losses) {
    const bool expected =
        subject == Losses::any || (subject == Losses::ofKernels && lost.blame != Blame::warpbench);
    EXPECT_TRUE(expected) << describe(lost) << "; blamed on: " << name(lost.blame)
                          << "; it last printed: " << lost.lastWords;
  }
}

}  // namespace wb
