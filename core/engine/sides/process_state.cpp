// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process_state.h"

#include <ATen/PythonTorchFunctionTLS.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <utility>

#include "core/engine/sides/process_settings.h"

namespace wb {

namespace {

constexpr std::size_t wordBits = 8 * sizeof(unsigned long);

/// The processors of this thread as the system call takes them: one bit each, in more words than any machine
/// needs.
std::vector<unsigned long> processorsNow() {
  std::vector<unsigned long> bits(CPU_SETSIZE / wordBits);
  if (::sched_getaffinity(0, bits.size() * sizeof bits[0], reinterpret_cast<cpu_set_t*>(bits.data())) != 0)
    bits.clear();
  return bits;
}

void runOn(const std::vector<unsigned long>& bits) {
  if (!bits.empty())
    ::sched_setaffinity(0, bits.size() * sizeof bits[0], reinterpret_cast<const cpu_set_t*>(bits.data()));
}

void put(const ProcessSetting& setting, std::int64_t value) {
  try {
    setting.set(value);
  } catch (
      ...) {  // torch refuses some combinations; what stays different is noticed and reported the next time
  }
}

std::int64_t modesOn() {
  return at::impl::PythonTorchFunctionTLS::stack_len() + c10::impl::TorchDispatchModeTLS::stack_len();
}

}  // namespace

/// Python's modes; a default device is one of them.
struct ProcessState::Modes {
  at::impl::PythonTorchFunctionTLS functions = at::impl::PythonTorchFunctionTLS::get_state();
  c10::impl::TorchDispatchModeTLS dispatch = c10::impl::TorchDispatchModeTLS::get_state();
};

ProcessState::ProcessState() : processors_(processorsNow()) {
  const auto settings = processSettings();
  values_.reserve(settings.size());
  for (const ProcessSetting& setting : settings) values_.push_back(setting.get());
  if (modesOn() != 0) modes_ = std::make_shared<const Modes>();
}

ProcessState::~ProcessState() = default;
ProcessState::ProcessState(const ProcessState&) = default;
ProcessState& ProcessState::operator=(const ProcessState&) = default;

bool ProcessState::same(const ProcessState& now) const {
  return values_ == now.values_ && processors_ == now.processors_ && modes_ == nullptr &&
         now.modes_ == nullptr;
}

void ProcessState::putBack(const ProcessState& now) const {
  if (same(now)) return;
  const auto settings = processSettings();
  // Python's modes come first: they bring dispatch keys, which are among the settings.
  if (modes_ != nullptr || now.modes_ != nullptr) {
    const Modes none = modes_ != nullptr ? *modes_ : Modes{{}, {}};
    at::impl::PythonTorchFunctionTLS::set_state(none.functions);
    c10::impl::TorchDispatchModeTLS::set_state(none.dispatch);
  }
  bool pool = processors_ != now.processors_;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    // Setting one value may change another.
    if (settings[i].get() == values_[i]) continue;
    put(settings[i], values_[i]);
    pool = pool || settings[i].ofPool;
  }
  if (processors_ != now.processors_) runOn(processors_);
  if (!pool) return;
  // Threads of the pool may have been started, or given the settings, while the state was another one.
  ProcessState wanted = *this;
  inEveryThread(
      [](void* data) {
        const auto& state = *static_cast<const ProcessState*>(data);
        const auto all = processSettings();
        for (std::size_t i = 0; i < all.size(); ++i)
          if (all[i].ofPool && i > 0 && all[i].get() != state.values_[i]) put(all[i], state.values_[i]);
        if (processorsNow() != state.processors_) runOn(state.processors_);
      },
      &wanted);
}

std::vector<std::string> ProcessState::differences(const ProcessState& now) const {
  std::vector<std::string> words;
  const auto settings = processSettings();
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const ProcessSetting& setting = settings[i];
    if (values_[i] == now.values_[i]) continue;
    if (setting.isSame != nullptr && setting.isSame(values_[i], now.values_[i])) continue;
    std::string text = setting.words;
    if (setting.text != nullptr)
      text += fmt::format(" ({}, was {})", setting.text(now.values_[i]), setting.text(values_[i]));
    if (std::find(words.begin(), words.end(), text) == words.end()) words.push_back(std::move(text));
  }
  if (processors_ != now.processors_) words.emplace_back("the processors it runs on");
  if ((modes_ != nullptr) != (now.modes_ != nullptr))
    words.emplace_back("a mode of torch (such as a default device)");
  return words;
}

SideStates::SideStates() : candidate_(start_) {
  // Torch's threads are started now, so that they have the present state and nothing that user code sets
  // later.
  inEveryThread([](void*) {}, nullptr);
}

void SideStates::enter(bool candidate) {
  if (candidate) {
    if (depth_++ > 0) return;
    threads_.before();
    makeSure();  // this also makes the work ahead of a sample the same for both sides
    if (!candidate_.same(start_)) candidate_.putBack(start_);
    return;
  }
  if (depth_ == 0) {
    threads_.referenceBegins();
    return makeSure();
  }
  if (--depth_ > 0) return;
  leave();
  threads_.after();
}

void SideStates::makeSure() {
  const ProcessState now;
  if (now.same(start_)) return;
  for (std::string& words : start_.differences(now)) changed_.insert(std::move(words));
  start_.putBack(now);
}

void SideStates::leave() {
  candidate_ = ProcessState();
  if (candidate_.same(start_)) return;
  for (std::string& words : start_.differences(candidate_)) changed_.insert(std::move(words));
  start_.putBack(candidate_);
}

void SideStates::forget() {
  candidate_ = start_;
  changed_.clear();
  threads_.forget();
}

namespace {

class ApartCall final : public PreparedCall {
 public:
  ApartCall(std::unique_ptr<PreparedCall> call, SideStates& states)
      : call_(std::move(call)), states_(states) {}
  Result<void> run() override {
    if (states_.entered()) return call_->run();  // while a clock runs, nothing else may take time
    const SideStates::Candidate side(states_);
    return call_->run();
  }
  Result<Stack> outputs() override {
    const SideStates::Candidate side(states_);
    return call_->outputs();
  }
  void poisonOutputs() override { call_->poisonOutputs(); }
  [[nodiscard]] std::string notComparable() const override { return call_->notComparable(); }

 private:
  std::unique_ptr<PreparedCall> call_;
  SideStates& states_;
};

class ApartCandidate final : public Candidate {
 public:
  ApartCandidate(std::unique_ptr<Candidate> candidate, SideStates& states)
      : candidate_(std::move(candidate)), states_(states) {}
  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan& outputs) override {
    const SideStates::Candidate side(states_);
    WB_TRY(std::unique_ptr<PreparedCall> prepared, candidate_->prepare(call, outputs));
    return std::unique_ptr<PreparedCall>(std::make_unique<ApartCall>(std::move(prepared), states_));
  }
  [[nodiscard]] bool mentionsStream() const override { return candidate_->mentionsStream(); }
  void isForked() override { candidate_->isForked(); }

 private:
  std::unique_ptr<Candidate> candidate_;
  SideStates& states_;
};

}  // namespace

std::unique_ptr<Candidate> keptApart(std::unique_ptr<Candidate> candidate, SideStates& states) {
  return std::make_unique<ApartCandidate>(std::move(candidate), states);
}

}  // namespace wb
