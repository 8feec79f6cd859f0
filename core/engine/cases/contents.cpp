// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/contents.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

#include "core/engine/cases/inputs.h"
#include "core/engine/cases/value_looks.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

constexpr std::int64_t smallBytes = 8 << 20;  // a second draw of more than this costs too much
/// A late change counts with so many bits: as many calls of a sample on one set have different inputs.
constexpr int countedBits = 4;
/// A tensor has at most so many parts that change one by one, none smaller than so many elements.
constexpr std::int64_t mostSlots = 32, smallestSlot = 1 << 16;
/// On a GPU each part is a launch.
constexpr std::int64_t smallestDeviceSlot = 1 << 22;
/// So many single numbers change in a tensor on the host of which only a part is written anew. On a GPU,
/// where each costs a launch and more is written in any case, it is rows of numbers, and fewer, as of long
/// rows that belong together.
constexpr std::uint64_t spots = 32, fewSpots = 4;
/// Of these the first are larger than all other numbers, or smaller, as a maximum of parts would not notice
/// others. They are so where numbers are drawn from all, and not from 0 to 1. Most are of one sign, as in a
/// sum they would do away with each other; one in so many is of the other sign, as a maximum notices large
/// ones alone, and a minimum small ones.
constexpr std::uint64_t farSpots = 24, oneOfOtherSign = 6;
/// Drawn tensors on the host of so many elements have such numbers in any case: what is a sum of blocks at
/// other places, and of other signs, could be known from a few of them.
constexpr std::int64_t fewestWithSpots = 8193;

ValueOrigin originOf(const KernelContext& kernel, const Case& definition) {
  if (definition.values == "own" || definition.values.starts_with("stored:"))
    return kernel.op.hasTag(at::Tag::pointwise) ? ValueOrigin::pointwise : ValueOrigin::own;
  if (!definition.values.empty()) return ValueOrigin::special;
  return kernel.job.checking.likeBackendBench ? ValueOrigin::uniform : ValueOrigin::normal;
}

/// A number that stands for a tensor is given as a number, and stays what it was when the call was prepared.
bool hasMemory(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.unsafeGetTensorImpl()->is_wrapped_number() &&
         tensor.layout() == at::kStrided && !tensor.is_meta() && tensor.numel() > 0;
}

/// Calls `use` with every tensor that has memory of its own to change, and its argument's position.
template <class Use>
void forEachTensor(const Stack& arguments, const Use& use) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const c10::IValue& value = arguments[i];
    if (value.isTensor() && hasMemory(value.toTensor())) use(i, value.toTensor());
    if (value.isTensorList())
      for (const at::Tensor& tensor : value.toTensorVector())
        if (hasMemory(tensor)) use(i, tensor);
    if (value.isOptionalTensorList())
      for (const auto& tensor : value.toOptionalTensorVector())
        if (tensor && hasMemory(*tensor)) use(i, *tensor);
  }
}

}  // namespace

Result<Contents> Contents::make(const KernelContext& kernel, const Case& definition, const Literal& call,
                                std::uint64_t seed, const DeviceValues* device) {
  Contents contents;
  contents.device_ = device;
  contents.bytes_ = tensorBytes(call);
  contents.varies_ = definition.values.empty() || (definition.values == "own" && kernel.ownInputsVary);
  const bool twice = contents.varies_ && contents.bytes_ <= smallBytes;
  for (std::uint64_t draw = 0; draw < (twice ? 2 : 1); ++draw) {
    WB_TRY(Stack made, makeInputs(kernel, definition, call, mixSeeds(seed, draw)));
    contents.drawn_.push_back(std::move(made));
  }
  const ValueOrigin origin = originOf(kernel, definition);
  // An argument that says in which order another one's values are: they may not change places.
  const bool staysInOrder = argumentNamed(kernel.op, contents.drawn_.front(), "sorter").has_value();
  forEachTensor(contents.drawn_.front(), [&](std::size_t argument, const at::Tensor& tensor) {
    Part part;
    part.argument = argument;
    part.name = kernel.op.schema().arguments().at(argument).name();
    part.origin = origin == ValueOrigin::own && !staysInOrder ? originOfOwn(tensor) : origin;
    if (tensor.is_cpu() || device != nullptr) part.change = changeOf(tensor, part.name, part.origin);
    contents.parts_.push_back(std::move(part));
  });
  for (const Stack& drawn : contents.drawn_) {
    const std::vector<at::Tensor> memory = contents.memoryOf(drawn);
    for (std::size_t i = 0; i < memory.size() && i < contents.parts_.size(); ++i)
      contents.parts_[i].base.push_back(memory[i]);
  }
  for (Part& part : contents.parts_) {
    part.elements = part.base.front().numel();
    // Values of the two draws may be different in number only where somebody's own code draws them.
    if (part.base.back().numel() != part.elements) part.base.resize(1);
  }
  if (definition.values == "own" && kernel.ownInputsVary) contents.leaveWholeNumbers();
  for (Part& part : contents.parts_) {
    const std::int64_t smallest = part.base.front().is_cpu() ? smallestSlot : smallestDeviceSlot;
    const std::int64_t slots =
        part.moves() ? std::clamp<std::int64_t>(part.elements / smallest, 1, mostSlots) : 1;
    const std::int64_t slot = (part.elements + slots - 1) / slots;
    const std::int64_t aligned = alignmentOf(part.change);
    part.slot = (slot + aligned - 1) / aligned * aligned;
    part.slots = static_cast<std::size_t>((part.elements + part.slot - 1) / part.slot);
  }
  return contents;
}

std::vector<at::Tensor> Contents::memoryOf(const Stack& arguments) const {
  std::vector<at::Tensor> memory;
  forEachTensor(arguments,
                [&](std::size_t, const at::Tensor& tensor) { memory.push_back(flatMemory(tensor)); });
  return memory;
}

InputCopy Contents::blank() const {
  InputCopy made;
  made.arguments = cloneArguments(drawn_.front());
  made.memory = memoryOf(made.arguments);
  for (const Part& part : parts_) made.seeds.emplace_back(part.slots + 1);
  return made;
}

InputCopy Contents::copy(std::uint64_t seed) const {
  InputCopy made = blank();
  renew(made, seed, mixSeeds(seed, 0), std::numeric_limits<std::int64_t>::max());
  return made;
}

void Contents::write(std::size_t number, std::size_t slot, std::uint64_t seed, const at::Tensor& into) const {
  const Part& part = parts_[number];
  const std::int64_t from = static_cast<std::int64_t>(slot) * part.slot;
  writeChanged(into, part.base[seed % part.base.size()], part.change, seed, from,
               std::min(part.elements, from + part.slot), device_);
}

void Contents::writeSpots(std::size_t number, const std::vector<std::uint64_t>& seeds, Spots how,
                          const at::Tensor& into, std::optional<std::size_t> only) const {
  const Part& part = parts_[number];
  const std::uint64_t all = seeds.back();
  if (all == 0) return;
  const auto bytes = static_cast<std::size_t>(into.element_size());
  const std::int64_t aligned = alignmentOf(part.change);
  const auto write = [&](std::uint64_t seed, std::int64_t from) {
    writeChanged(into, part.base[seed % part.base.size()], part.change, seed, from,
                 std::min(part.elements, from + aligned), device_);
  };
  // What belongs together changes as a row, on the host, too.
  const bool isSingle = into.is_cpu() && part.change.way == ValueChange::Way::move;
  const bool areNegative = (mixSeeds(all, spots) & 1) != 0;
  const std::uint64_t count = into.is_cpu() && aligned <= valuesAligned ? spots : fewSpots;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto place =
        static_cast<std::int64_t>(mixSeeds(all, i) % static_cast<std::uint64_t>(part.elements));
    const auto slot = static_cast<std::size_t>(place / part.slot);
    if (only && *only != slot) continue;
    // Numbers are written in rows. On the host only this one is to change.
    const std::int64_t from = place / aligned * aligned;
    if (!isSingle) {
      write(how == Spots::changed ? all : seeds[slot], from);
      continue;
    }
    std::array<std::byte, 8> spot{};
    auto* const there =
        static_cast<std::byte*>(into.mutable_data_ptr()) + static_cast<std::size_t>(place) * bytes;
    if (how == Spots::changed) {
      write(all, from);
      std::memcpy(spot.data(), there, bytes);
      if (i < farSpots && part.origin == ValueOrigin::normal)
        putFarOut(spot.data(), into.scalar_type(), areNegative != (i % oneOfOtherSign == 0));
    }
    write(seeds[slot], from);
    if (how == Spots::changed) std::memcpy(there, spot.data(), bytes);
  }
}

void Contents::renew(InputCopy& copy, std::uint64_t shared, std::uint64_t own, std::int64_t mostBytes,
                     const ChangedSince& changed) const {
  std::int64_t left = mostBytes;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.change.way == ValueChange::Way::keep) continue;
    const std::uint64_t table = mixSeeds(shared, i), place = mixSeeds(own, i);
    const std::int64_t each = std::max<std::int64_t>(1, part.bytes() / static_cast<std::int64_t>(part.slots));
    // Where even one part costs more than there is room for, it has its turn the more seldom.
    const auto drawn = static_cast<std::int64_t>(place % static_cast<std::uint64_t>(each));
    const bool isWritten = std::find(changed.arguments.begin(), changed.arguments.end(), part.argument) !=
                           changed.arguments.end();
    const bool isChanged = isWritten || (changed.late.address != nullptr && changed.late.tensor == i);
    const bool isSkipped = left < each && drawn > left && !isChanged;
    if (isSkipped && mostBytes == 0) continue;
    const bool hasSpots = part.moves();
    std::vector<std::uint64_t>& seeds = copy.seeds[i];
    const bool isDrawn = part.origin == ValueOrigin::normal || part.origin == ValueOrigin::uniform;
    const bool isNeverWhole =
        isDrawn && copy.memory[i].is_cpu() && part.elements >= fewestWithSpots && mostBytes > 0;
    if (hasSpots) writeSpots(i, seeds, Spots::asBefore, copy.memory[i]);
    seeds.back() = 0;
    const auto slots = isWritten ? part.slots
                                 : static_cast<std::size_t>(std::clamp<std::int64_t>(
                                       left / each, 1, static_cast<std::int64_t>(part.slots)));
    for (std::size_t k = 0; k < slots && !isSkipped; ++k) {
      const std::size_t slot = (place + k) % part.slots;
      seeds[slot] = joinedSeed(table, place + k);
      write(i, slot, seeds[slot], copy.memory[i]);
    }
    if (hasSpots && mostBytes > 0 && (isSkipped || slots < part.slots || isNeverWhole)) {
      seeds.back() = std::max<std::uint64_t>(1, joinedSeed(table, place + part.slots));
      writeSpots(i, seeds, Spots::changed, copy.memory[i]);
    }
    if (isSkipped) continue;
    left -= std::min(left, each * static_cast<std::int64_t>(slots));
  }
}

void Contents::repeat(const std::vector<std::vector<std::uint64_t>>& seeds, InputCopy& into) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (std::size_t slot = 0; slot < parts_[i].slots; ++slot) write(i, slot, seeds[i][slot], into.memory[i]);
    writeSpots(i, seeds[i], Spots::changed, into.memory[i]);
  }
  into.seeds = seeds;
}

bool Contents::same(std::size_t number, std::size_t slot, const at::Tensor& a, const at::Tensor& b) const {
  const Part& part = parts_[number];
  const std::int64_t from = static_cast<std::int64_t>(slot) * part.slot;
  const at::Tensor first = a.narrow(0, from, std::min(part.slot, part.elements - from)),
                   second = b.narrow(0, from, first.numel());
  if (!first.is_cpu()) return first.view(at::kByte).equal(second.view(at::kByte));
  return std::memcmp(first.const_data_ptr(), second.const_data_ptr(), first.nbytes()) == 0;
}

std::string Contents::damaged(const InputCopy& copy, InputCopy& scratch, const LateChange* late,
                              const std::vector<std::size_t>& allowed, std::uint64_t seed,
                              std::int64_t mostBytes) const {
  std::int64_t left = mostBytes;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const std::size_t i = (seed + k) % parts_.size();
    const Part& part = parts_[i];
    if (std::find(allowed.begin(), allowed.end(), part.argument) != allowed.end()) continue;
    for (std::size_t j = 0; j < part.slots && left > 0; ++j) {
      const std::size_t slot = (seed + j) % part.slots;
      left -= part.bytes() / static_cast<std::int64_t>(part.slots);
      const bool kept = part.change.way == ValueChange::Way::keep;
      if (!kept) write(i, slot, copy.seeds[i][slot], scratch.memory[i]);
      if (!kept) writeSpots(i, copy.seeds[i], Spots::changed, scratch.memory[i], slot);
      if (late != nullptr && late->tensor == i) apply(*late, scratch);
      if (!same(i, slot, copy.memory[i], kept ? part.base.front() : scratch.memory[i])) return part.name;
    }
  }
  return {};
}

void Contents::apply(const LateChange& late, InputCopy& copy) const {
  if (late.address == nullptr) return;
  LateChange there = late;
  there.address = static_cast<char*>(copy.memory[late.tensor].mutable_data_ptr()) + late.element * late.bytes;
  there.begin();
  for (int i = 0; i < late.times; ++i) there.apply();
}

LateChange Contents::lateChange(const InputCopy& copy, std::uint64_t seed) const {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const std::size_t i = (seed + k) % parts_.size();
    const Part& part = parts_[i];
    if (part.change.single == 0 || part.slots > 1 || !copy.memory[i].is_cpu()) continue;
    LateChange change;
    change.tensor = i;
    change.element = static_cast<std::int64_t>(mixSeeds(seed, 1) % static_cast<std::uint64_t>(part.elements));
    change.bytes = static_cast<int>(copy.memory[i].element_size());
    // The highest of the bits, so that each number on the way is another one for every tolerance.
    for (int bit = 0; bit < countedBits && (part.change.single & ~change.mask) != 0; ++bit)
      change.mask |= std::uint64_t{1} << (63 - __builtin_clzll(part.change.single & ~change.mask));
    auto* const number = static_cast<std::byte*>(copy.memory[i].mutable_data_ptr()) +
                         change.element * static_cast<std::int64_t>(change.bytes);
    change.address = number;
    const std::uint64_t farBits =
        part.origin == ValueOrigin::normal ? bitsFarOut(copy.memory[i].scalar_type()) : 0;
    if (farBits != 0) {
      std::array<std::byte, sizeof(std::uint64_t)> start{};
      std::memcpy(start.data(), number, static_cast<std::size_t>(change.bytes));
      putFarOut(start.data(), copy.memory[i].scalar_type(), (seed & 1) != 0);
      change.mask = farBits;
      change.start = std::bit_cast<std::uint64_t>(start);
      change.begin();
    }
    return change;
  }
  return {};
}

bool Contents::areOnlyScaled() const {
  return std::none_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.moves(); });
}

bool Contents::holdSameNumbers() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
    const bool isMoved = part.change.way == ValueChange::Way::move;
    return !isMoved || (part.origin == ValueOrigin::drawn && part.change.single == 0 &&
                        part.base.front().is_floating_point());
  });
}

bool Contents::staysInPart() const {
  return std::any_of(parts_.begin(), parts_.end(), [this](const Part& part) {
    if (part.change.way != ValueChange::Way::keep || part.elements == 1) return false;
    return drawn_.size() < 2 ? !varies_ : part.base.size() > 1 && part.base.front().equal(part.base.back());
  });
}

bool Contents::change() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.change.way != ValueChange::Way::keep; });
}

void Contents::onlyScale() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    if (part.origin != ValueOrigin::drawn) continue;
    part.origin = ValueOrigin::own;
    part.change = changeOf(part.base.front(), part.name, part.origin);
    part.slots = 1;
    part.slot = (part.elements + valuesAligned - 1) / valuesAligned * valuesAligned;
  }
}

void Contents::leaveWholeNumbers() {
  std::vector<Part*> whole;
  bool isOther = false;
  for (Part& part : parts_) {
    if (part.change.way == ValueChange::Way::scale && areWhole(part.base.front()))
      whole.push_back(&part);
    else
      isOther = isOther || part.change.way != ValueChange::Way::keep;
  }
  for (Part* const part : whole) {
    if (!isOther && part->base.front().equal(part->base.back())) continue;
    part->change.way = ValueChange::Way::redraw;
    // Another tensor may say what these are.
    if (isOther) part->base.resize(1);
  }
}

void Contents::keepContents() {
  for (Part& part : parts_) part.change = {};
}

}  // namespace wb
