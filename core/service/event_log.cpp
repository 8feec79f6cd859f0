// SPDX-License-Identifier: Apache-2.0
#include "core/service/event_log.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/model/json/json_fields.h"

namespace wb {
namespace {

/// Adds up what a value holds outside itself, by the fields that its JSON form has.
class HeapBytes {
 public:
  template <class T>
  void operator()(std::string_view, const T& member) {
    add(member);
  }
  [[nodiscard]] std::size_t sum() const { return sum_; }

  void add(const std::string& text) { sum_ += text.capacity() > ownRoom ? text.capacity() : 0; }
  template <class T>
  void add(const std::vector<T>& items) {
    sum_ += items.capacity() * sizeof(T);
    if constexpr (!std::is_arithmetic_v<T> && !std::is_enum_v<T>)
      for (const T& item : items) add(item);
  }
  template <class T>
  void add(const std::optional<T>& item) {
    if (item) add(*item);
  }
  template <class... T>
  void add(const std::variant<T...>& item) {
    std::visit([this](const auto& value) { this->add(value); }, item);
  }
  template <class T, std::size_t count>
  void add(const std::array<T, count>& items) {
    for (const T& item : items) add(item);
  }
  template <class T>
  void add(const Shared<T>& item) {
    sum_ += sizeof(T);
    add(*item);
  }
  template <class T>
  void add(const T& item) {
    if constexpr (std::is_class_v<T>) fields(*this, item);
  }

 private:
  static constexpr std::size_t ownRoom = 15;
  std::size_t sum_ = 0;
};

}  // namespace

std::size_t bytesOf(const Event& event) {
  HeapBytes heap;
  heap.add(event);
  return sizeof(Event) + heap.sum();
}

void EventLog::push(Event event) {
  const std::size_t bytes = bytesOf(event);
  events_.push_back({std::make_shared<const Event>(std::move(event)), bytes});
  bytes_ += bytes;
  while (events_.size() > 1 && (bytes_ > most_ || events_.size() > mostEvents)) {
    bytes_ -= events_.front().bytes;
    events_.pop_front();
    ++first_;
  }
}

EventPage EventLog::from(std::uint64_t number) const {
  EventPage page;
  page.first = std::max(number, first_);
  page.next = std::max(page.first, next());
  for (std::uint64_t at = page.first; at < next(); ++at) page.events.push_back(events_[at - first_].event);
  return page;
}

}  // namespace wb
