// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_result.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/StorageImpl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <utility>

#include "core/base/quantity.h"
#include "core/engine/guest/arguments/shared_arguments.h"
#include "core/engine/guest/orders.h"
#include "core/engine/guest/values.h"
#include "core/engine/sides/memory/page_entries.h"

namespace wb {
namespace {

constexpr std::int64_t slack = std::int64_t{1} << 28, unplanned = std::int64_t{1} << 32;

class ResultReader {
 public:
  ResultReader(const ResultPlaces& places, Guest& guest, std::vector<OwnMemory>* own, ResultPieces* pieces)
      : places_(places), guest_(guest), own_(own), pieces_(pieces) {}

  /// Copies what was planned, after pieces of all of it were taken.
  void copy() {
    if (failure_) return;
    if (pieces_ != nullptr) {
      for (const Copy& each : copies_)
        if (!each.onDevice) pieces_->take(guest_, each.address, each.to.data(), each.to.size());
      // To read them all would have the system give what is not there.
      for (const Copy& each : copies_)
        if (!each.onDevice) guest_.noteResult(hasItsPages(each.address, each.to.size(), guest_.pid()));
    }
    for (const Copy& each : copies_) {
      const Result<void> read = each.onDevice
                                    ? guest_.read(each.segment, each.address, each.to.data(), each.to.size())
                                    : guest_.read(each.address, each.to);
      if (!read) fail(read.error().text);
    }
  }

  at::Tensor tensor(ByteReader& from) {
    const auto address = from.get<std::uint64_t>();
    const TensorShape shape = readShape(from);
    DeviceSegment segment;
    if (shape.onDevice) segment = readSegment(from);
    if (from.bad() || failure_) return {};
    at::Tensor made = placed(address, shape, segment);
    if (!made.defined()) return made;
    if (shape.conjugate) made._set_conj(true);
    if (shape.negative) made._set_neg(true);
    if (shape.wrapped) made.unsafeGetTensorImpl()->set_wrapped_number(true);
    return made;
  }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  at::Tensor placed(std::uint64_t address, const TensorShape& shape, const DeviceSegment& segment) {
    if (shape.onDevice && places_.device.is_cpu()) return fail("the kernel's result is on a GPU");
    const auto options =
        at::TensorOptions().dtype(shape.type).device(shape.onDevice ? places_.device : at::Device(at::kCPU));
    const std::int64_t bytes = extentBytes(shape);
    if (bytes == 0) return at::empty_strided(shape.sizes, shape.strides, options);
    for (const ResultPlaces::Memory& each : places_.memory) {
      const std::uint64_t offset = address - each.guestAddress;
      if (each.memory->isOnDevice() == shape.onDevice && address >= each.guestAddress &&
          offset < each.memory->size()) {
        const std::byte* const first = each.memory->data() + offset;
        if (pieces_ != nullptr && !shape.onDevice &&
            offset + static_cast<std::uint64_t>(bytes) <= each.memory->size())
          pieces_->take(guest_, address, first, static_cast<std::size_t>(bytes));
        return inArgument(first, shape, bytes);
      }
    }
    taken_ += bytes;
    const auto item = static_cast<std::int64_t>(c10::elementSize(shape.type));
    if (own_ != nullptr) {
      own_->push_back(
          {address, static_cast<std::uint64_t>(bytes), c10::multiply_integers(shape.sizes) * item == bytes});
      if (shape.onDevice) own_->back().segment = segment;
    }
    if (taken_ > places_.mostBytes)
      return fail(fmt::format("the kernel's results are larger than {}",
                              formatBytes(static_cast<double>(places_.mostBytes))));
    at::Tensor flat = at::empty({bytes / static_cast<std::int64_t>(c10::elementSize(shape.type))}, options);
    const std::span<std::byte> to(static_cast<std::byte*>(flat.mutable_data_ptr()),
                                  static_cast<std::size_t>(bytes));
    copies_.push_back({address, to, shape.onDevice, segment});
    return flat.as_strided(shape.sizes, shape.strides);
  }

  /// A view of the argument that this byte belongs to.
  at::Tensor inArgument(const std::byte* first, const TensorShape& shape, std::int64_t bytes) {
    for (const at::Tensor& argument : tensorsOf(places_.arguments)) {
      const c10::Storage storage = argument.storage();
      const auto* begin = static_cast<const std::byte*>(storage.data());
      const auto size = static_cast<std::int64_t>(storage.nbytes());
      if (first < begin || first - begin + bytes > size) continue;
      const auto item = static_cast<std::int64_t>(c10::elementSize(shape.type));
      if ((first - begin) % item != 0) continue;
      at::Tensor view = at::empty({0}, at::TensorOptions().dtype(shape.type).device(argument.device()));
      view.set_(storage, (first - begin) / item, shape.sizes, shape.strides);
      return view;
    }
    return fail("the kernel's result reaches beyond the argument that it lies in");
  }

  at::Tensor fail(std::string text) {
    if (!failure_) failure_ = Error{Stage::check, std::move(text)};
    return {};
  }

  const ResultPlaces& places_;
  Guest& guest_;
  std::vector<OwnMemory>* own_;
  ResultPieces* pieces_;
  struct Copy {
    std::uint64_t address = 0;
    std::span<std::byte> to;
    bool onDevice = false;
    DeviceSegment segment;
  };
  std::vector<Copy> copies_;
  std::int64_t taken_ = 0;
  std::optional<Error> failure_;
};

}  // namespace

void ResultPieces::take(Guest& guest, std::uint64_t address, const std::byte* copy, std::size_t bytes) {
  std::mt19937_64 random(std::random_device{}());
  const std::size_t size = std::min(sizeof(Piece::was), bytes), first = pieces_.size();
  std::vector<Guest::Place> places;
  pieces_.reserve(first + count);
  for (int i = 0; i < count; ++i) {
    const std::size_t at = random() % (bytes - size + 1);
    Piece& piece = pieces_.emplace_back(Piece{0, copy + at, size});
    places.push_back({address + at, {reinterpret_cast<std::byte*>(&piece.was), size}});
  }
  const auto start = std::chrono::steady_clock::now();
  // Where something cannot be read the copy says so.
  pieces_.resize(first + guest.readEach(places));
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool ResultPieces::differ() const {
  return std::any_of(pieces_.begin(), pieces_.end(),
                     [](const Piece& each) { return std::memcmp(&each.was, each.copy, each.bytes) != 0; });
}

std::int64_t mostBytes(const OutputPlan& plan) {
  if (plan.examples.empty()) return unplanned;
  std::int64_t planned = 0;
  for (const at::Tensor& example : plan.examples)
    if (example.defined()) planned += static_cast<std::int64_t>(example.nbytes());
  return 2 * planned + slack;
}

Result<Stack> readResults(ByteReader& from, const ResultPlaces& places, Guest& guest,
                          std::vector<OwnMemory>* own, ResultPieces* pieces) {
  ResultReader reader(places, guest, own, pieces);
  Stack results;
  const std::size_t count = from.count(1);
  for (std::size_t i = 0; i < count && !from.bad(); ++i)
    results.push_back(readValue(from, nullptr, [&](ByteReader& each) { return reader.tensor(each); }));
  reader.copy();
  if (reader.failure()) return *reader.failure();
  if (from.bad()) return Error{Stage::check, "the kernel's process says what cannot be of its result"};
  return results;
}

}  // namespace wb
