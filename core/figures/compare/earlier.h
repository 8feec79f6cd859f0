// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/figures/case_key.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

struct FigureInfo;

/// A run against which others are held, with its name for people: "relu.cpp, 14:02".
struct Earlier {
  std::string name;
  std::shared_ptr<const Report> report;
};

/// A name of a case that is the same in every run of the same suite: of equal ones each is told by its place
/// among them. `seen` belongs to one report, whose cases are asked for in order.
[[nodiscard]] std::string caseIdentity(const Case& definition, std::unordered_map<std::string, int>& seen);

/// The case of another run that is the same call as this one; nothing where there is none.
[[nodiscard]] OneCase sameCase(const Report& report, CaseKey key, const Report& other);

/// A figure together with what it was in earlier runs. Behind each column that has earlier values (see
/// Column::hasEarlier) stands one for each run in which any of them is known: "−34 % from 22.5 µs", sorted by
/// how much it has changed. Rows belong together that are about the same case, and rows of lines whose line
/// is the same in both sources. Charts mark in their own way where earlier runs stood.
[[nodiscard]] Figure figureBeside(const FigureInfo& info, const Report& report, OneCase only,
                                  std::span<const Earlier> earlier);

}  // namespace wb
