// SPDX-License-Identifier: Apache-2.0
#include "core/run/ahead/compile_farm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/model/languages.h"
#include "core/model/stages.h"

namespace wb {

namespace {

constexpr int lossesToLeave = 2;

/// Which compilers a language needs.
struct Compilers {
  std::string_view language;
  bool host, cuda;
};
constexpr std::array<Compilers, 3> builtAhead{
    {{"torch_cpp", true, false}, {"torch_cuda", true, true}, {"raw_cuda", false, true}}};

const Compilers* needsOf(std::string_view language) {
  const auto found = std::ranges::find(builtAhead, language, &Compilers::language);
  return found == builtAhead.end() ? nullptr : &*found;
}

std::string differs(std::string_view what, const std::string& own, const std::string& there) {
  return own == there ? "" : fmt::format("its {} is {}, and {} there", what, own, there);
}

std::string whyNoHostCode(const BuildFacts& builder, const BuildFacts& target) {
  if (builder.compiler.empty()) return "it has no C++ compiler";
  if (target.compiler.empty()) return "without a C++ compiler there it cannot be told what fits";
  for (const auto& [what, member] : {std::pair{"processor", &BuildFacts::machine},
                                     {"C++ compiler", &BuildFacts::compiler},
                                     {"torch", &BuildFacts::torch}})
    if (auto why = differs(what, builder.*member, target.*member); !why.empty()) return why;
  for (const auto& [what, member] :
       {std::pair{"C library", &BuildFacts::cLibrary}, {"C++ library", &BuildFacts::cppLibrary}})
    if (isNewerLibrary(builder.*member, target.*member))
      return fmt::format("its {} is newer ({}, and {} there)", what, builder.*member, target.*member);
  return {};
}

std::string whyNoCuda(const BuildFacts& builder, const BuildFacts& target) {
  if (builder.cudaCompiler.empty()) return "it has no NVRTC";
  return differs("NVRTC", builder.cudaCompiler, target.cudaCompiler);
}

/// Whether what is built for one fits the other.
bool isSameKind(BuildFacts one, const BuildFacts& other) {
  one.host = other.host;
  return one == other;
}

bool isIn(const std::vector<std::uint32_t>& kernels, std::uint32_t kernel) {
  return std::ranges::find(kernels, kernel) != kernels.end();
}

}  // namespace

bool isBuiltAhead(const std::string& language) {
  return needsOf(language) != nullptr;
}

std::string whyNotFor(const BuildFacts& builder, const BuildFacts& target, const std::string& language,
                      bool measures) {
  const Compilers* const needs = needsOf(language);
  if (needs == nullptr) return "kernels of this language are compiled while they are loaded";
  if (measures && builder.host == target.host)
    return "it is the same machine, and would disturb what is timed there";
  if (auto why = needs->host ? whyNoHostCode(builder, target) : ""; !why.empty()) return why;
  return needs->cuda ? whyNoCuda(builder, target) : "";
}

CompileFarm::CompileFarm(const Job& job, const Report& report, std::vector<bool> compiles,
                         std::size_t mostBytes)
    : report_(report),
      compiles_(std::move(compiles)),
      facts_(compiles_.size()),
      kindOf_(compiles_.size()),
      tasks_(compiles_.size()),
      losses_(compiles_.size()),
      mostBytes_(mostBytes) {
  for (const KernelSource& kernel : job.kernels) {
    const Language* const language = languageOf(kernel);
    const std::string id(language == nullptr ? "" : language->id);
    languages_.push_back(isBuiltAhead(id) ? id : "");
  }
  for (const StageWork& stage : wholeOf(job, 0).stages)
    measures_ = measures_ || stageRow(stage.stage).measures;
  hasWork_ = std::ranges::find(compiles_, true) != compiles_.end() && !job.stages.has(Stage::sanitize) &&
             std::ranges::any_of(languages_, [](const std::string& each) { return !each.empty(); });
}

std::vector<CompileFarm::Decision> CompileFarm::know(std::size_t place, const BuildFacts& facts) {
  std::vector<Decision> made;
  if (!hasWork_ || facts_[place]) return made;
  facts_[place] = facts;
  if (compiles_[place]) {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) made.push_back(decide(place, kind));
    return made;
  }
  for (std::size_t kind = 0; kind < kinds_.size() && !kindOf_[place]; ++kind)
    if (isSameKind(facts, *facts_[kinds_[kind]])) kindOf_[place] = kind;
  if (kindOf_[place]) return made;
  kindOf_[place] = kinds_.size();
  kinds_.push_back(place);
  for (std::size_t builder = 0; builder < compiles_.size(); ++builder)
    if (compiles_[builder] && facts_[builder]) made.push_back(decide(builder, *kindOf_[place]));
  return made;
}

/// Any of the machines on which something is timed may be the builder's own.
bool CompileFarm::isBesideWhatIsTimed(std::size_t builder) const {
  if (!measures_) return false;
  for (std::size_t place = 0; place < facts_.size(); ++place)
    if (!compiles_[place] && facts_[place] && facts_[place]->host == facts_[builder]->host) return true;
  return false;
}

CompileFarm::Decision CompileFarm::decide(std::size_t builder, std::size_t kind) const {
  Decision decision{builder, kinds_[kind], {}, {}};
  for (const Compilers& needs : builtAhead) {
    const std::string language(needs.language);
    if (std::ranges::find(languages_, language) == languages_.end()) continue;
    BuildFacts target = *facts_[kinds_[kind]];
    if (isBesideWhatIsTimed(builder)) target.host = facts_[builder]->host;
    if (std::string why = whyNotFor(*facts_[builder], target, language, measures_); !why.empty())
      decision.refused.emplace_back(language, std::move(why));
    else
      decision.languages.push_back(language);
  }
  return decision;
}

bool CompileFarm::mayCompile(std::size_t place, std::uint32_t kernel, std::size_t kind) const {
  return compiles_[place] && facts_[place] && losses_[place] < lossesToLeave && !languages_[kernel].empty() &&
         !isBesideWhatIsTimed(place) &&
         whyNotFor(*facts_[place], *facts_[kinds_[kind]], languages_[kernel], measures_).empty();
}

/// Some place may compile it, or may turn out to.
bool CompileFarm::mayBeCompiled(std::uint32_t kernel, std::size_t kind) const {
  for (std::size_t place = 0; place < compiles_.size(); ++place)
    if (mayCompile(place, kernel, kind) ||
        (compiles_[place] && !facts_[place] && losses_[place] < lossesToLeave))
      return true;
  return false;
}

bool CompileFarm::isOpen(std::uint32_t kernel, std::size_t kind) const {
  const auto order = orders_.find({kernel, kind});
  return !report_.kernels[kernel]->compiled && !report_.kernels[kernel]->failure &&
         (order == orders_.end() || order->second.state == State::open);
}

bool CompileFarm::mayUse(std::size_t place, const std::vector<std::uint32_t>& waiting) const {
  if (!hasWork_ || losses_[place] >= lossesToLeave) return false;
  // What it can do is not known before it has started.
  if (!facts_[place] || kinds_.empty())
    return std::ranges::any_of(waiting, [&](std::uint32_t each) { return !languages_[each].empty(); });
  return std::ranges::any_of(waiting, [&](std::uint32_t kernel) {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
      if (mayCompile(place, kernel, kind) && isOpen(kernel, kind)) return true;
    return false;
  });
}

std::optional<CompileFarm::Task> CompileFarm::next(std::size_t place,
                                                   const std::vector<std::uint32_t>& waiting) {
  if (tasks_[place]) return std::nullopt;
  for (const std::uint32_t kernel : waiting)
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (!mayCompile(place, kernel, kind) || !isOpen(kernel, kind)) continue;
      orders_[{kernel, kind}] = {State::underWay, {place, {}}};
      tasks_[place] = Key{kernel, kind};
      return Task{kernel, facts_[kinds_[kind]]->architecture};
    }
  return std::nullopt;
}

bool CompileFarm::isAnyAtWork() const {
  return std::ranges::any_of(tasks_, [](const auto& task) { return task.has_value(); });
}

bool CompileFarm::isSuperfluous(std::size_t place, const std::vector<std::uint32_t>& waiting) const {
  return tasks_[place] && !isIn(waiting, tasks_[place]->first);
}

bool CompileFarm::take(std::size_t place, BuiltFile file) {
  const std::size_t size = file.content.size() + file.about.size();
  if (bytes_ + size > mostBytes_) return false;
  bytes_ += size;
  orders_[*tasks_[place]].built.files.push_back(std::make_shared<const BuiltFile>(std::move(file)));
  return true;
}

void CompileFarm::end(std::size_t place) {
  Order& order = orders_[*tasks_[place]];
  order.state = order.built.files.empty() ? State::own : State::built;
  tasks_[place].reset();
}

void CompileFarm::giveBack(std::size_t place) {
  for (const auto& file : orders_[*tasks_[place]].built.files)
    bytes_ -= file->content.size() + file->about.size();
  orders_.erase(*tasks_[place]);
  tasks_[place].reset();
}

bool CompileFarm::lose(std::size_t place) {
  if (tasks_[place]) {
    orders_[*tasks_[place]] = {State::own, {}};
    tasks_[place].reset();
  }
  return ++losses_[place] == lossesToLeave;
}

void CompileFarm::leave(std::size_t place) {
  losses_[place] = lossesToLeave;
}

CompileFarm::State CompileFarm::state(std::size_t place, std::uint32_t kernel) const {
  if (!hasWork_ || languages_[kernel].empty()) return State::own;
  if (!kindOf_[place]) return State::open;
  const auto order = orders_.find({kernel, *kindOf_[place]});
  const State state = order == orders_.end() ? State::open : order->second.state;
  if (state != State::open) return state;
  return mayBeCompiled(kernel, *kindOf_[place]) ? State::open : State::own;
}

const CompileFarm::Built* CompileFarm::built(std::size_t place, std::uint32_t kernel) const {
  if (!kindOf_[place]) return nullptr;
  const auto order = orders_.find({kernel, *kindOf_[place]});
  return order == orders_.end() || order->second.state != State::built ? nullptr : &order->second.built;
}

}  // namespace wb
