// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/doctor_table.h"

#include <string>

#include "core/figures/cells.h"
#include "core/figures/columns.h"

namespace wb {
namespace {

Tone toneOf(DoctorLine::State state) {
  return state == DoctorLine::State::good      ? Tone::good
         : state == DoctorLine::State::missing ? Tone::warning
                                               : Tone::bad;
}

std::vector<ColumnOf<DoctorLine>> columns() {
  return {
      {{.key = "state", .title = "State", .kind = ColumnKind::verdict},
       [](const DoctorLine& line) { return textCell(std::string(name(line.state)), toneOf(line.state)); }},
      {{.key = "what", .title = "What", .kind = ColumnKind::name},
       [](const DoctorLine& line) { return textCell(line.what); }},
      {{.key = "found", .title = "Found", .kind = ColumnKind::prose},
       [](const DoctorLine& line) { return textCell(line.found, Tone::neutral, line.found); }},
      {{.key = "hint", .title = "What to do", .kind = ColumnKind::prose},
       [](const DoctorLine& line) { return textCell(line.hint, Tone::neutral, line.hint); }}};
}

}  // namespace

Table doctorTable(const std::vector<DoctorLine>& lines) {
  TableOf<DoctorLine> table("doctor", "This machine", columns());
  for (std::size_t i = 0; i < lines.size(); ++i) table.add(std::to_string(i), lines[i]);
  return std::move(table).take("Nothing was found.");
}

}  // namespace wb
