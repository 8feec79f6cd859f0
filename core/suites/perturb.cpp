// SPDX-License-Identifier: Apache-2.0
#include "core/suites/perturb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "core/model/operators/dtype.h"
#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

using Shape = std::vector<std::int64_t>;
using SizeMap = std::map<std::int64_t, std::int64_t>;

/// How many bytes the tensors of a call may take: of an element-wise operator, and of any other, whose time
/// may well grow faster than its input.
constexpr std::int64_t largestBytes = std::int64_t{64} << 20, largestBytesElse = std::int64_t{8} << 20;

std::int64_t elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, [](std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::int64_t{1} << 60 : product;
  });
}

/// How many elements the tensors' broadcast shape has, which an element-wise result has too. Where sizes do
/// not fit each other the larger one is taken.
std::int64_t broadcastElements(const EditableCall& call) {
  Shape shape;
  for (const TensorLiteral& tensor : call.tensors) {
    for (std::size_t i = 1; i <= tensor.shape.size(); ++i) {
      if (i > shape.size()) shape.insert(shape.begin(), 1);
      std::int64_t& size = shape[shape.size() - i];
      size = std::max(size, tensor.shape[tensor.shape.size() - i]);
    }
  }
  return std::min(elements(shape), std::int64_t{1} << 40);
}

bool hasEmptyTensor(const EditableCall& call) {
  return std::any_of(call.tensors.begin(), call.tensors.end(),
                     [](const TensorLiteral& tensor) { return elements(tensor.shape) == 0; });
}

std::int64_t bytes(const EditableCall& call) {
  std::int64_t sum = 0;
  for (const TensorLiteral& tensor : call.tensors)
    sum += std::min(elements(tensor.shape), std::int64_t{1} << 40) *
           static_cast<std::int64_t>(findDType(tensor.dtype)->bytes);
  return sum;
}

std::size_t largestRank(const EditableCall& call) {
  std::size_t rank = 0;
  for (const TensorLiteral& tensor : call.tensors) rank = std::max(rank, tensor.shape.size());
  return rank;
}

/// Whether a list of integers repeats the last sizes of a tensor, as native_layer_norm's normalized_shape
/// does.
bool namesSizes(const Shape& list, const EditableCall& call) {
  return std::any_of(call.tensors.begin(), call.tensors.end(), [&](const TensorLiteral& tensor) {
    return list.size() <= tensor.shape.size() &&
           std::equal(list.rbegin(), list.rend(), tensor.shape.rbegin());
  });
}

/// Whether the call has a list that holds neither dimensions nor a tensor's own sizes, such as view's. Its
/// sizes follow from others in a way that only the operator knows.
bool hasOpaqueSizes(const EditableCall& call) {
  const auto rank = static_cast<std::int64_t>(largestRank(call));
  return std::any_of(call.integerLists.begin(), call.integerLists.end(), [&](const Shape& list) {
    return !namesSizes(list, call) &&
           std::any_of(list.begin(), list.end(), [&](std::int64_t value) { return value >= rank; });
  });
}

/// Whether the call has an integer that cannot be a dimension. It may be an index or a length, so that sizes
/// must not shrink below it.
bool mayOnlyGrow(const EditableCall& call) {
  const auto rank = static_cast<std::int64_t>(largestRank(call));
  return std::any_of(call.integers.begin(), call.integers.end(),
                     [&](std::int64_t value) { return value >= rank || value < -rank; });
}

/// The sizes above 1 in the order in which they are first seen.
Shape distinctSizes(const EditableCall& call) {
  Shape sizes;
  for (const TensorLiteral& tensor : call.tensors)
    for (const std::int64_t size : tensor.shape)
      if (size > 1 && std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  return sizes;
}

EditableCall remapped(const EditableCall& call, const SizeMap& map) {
  EditableCall changed = call;
  const auto apply = [&](Shape& shape) {
    for (std::int64_t& size : shape)
      if (const auto found = map.find(size); found != map.end()) size = found->second;
  };
  for (std::size_t i = 0; i < call.integerLists.size(); ++i)
    if (namesSizes(call.integerLists[i], call)) apply(changed.integerLists[i]);
  for (TensorLiteral& tensor : changed.tensors) {
    apply(tensor.shape);
    tensor.strided = false;
    tensor.stride.clear();
  }
  return changed;
}

SizeMap oddSizes(const Shape& sizes, bool growing) {
  constexpr std::array<std::int64_t, 8> pool{17, 33, 7, 65, 5, 129, 3, 9};
  SizeMap map;
  std::set<std::int64_t> taken;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::int64_t size = growing || i >= pool.size() ? (sizes[i] + 1) | 1 : pool[i];
    while (!taken.insert(size).second) size += 2;
    map[sizes[i]] = size;
  }
  return map;
}

/// The call with all sizes multiplied by the largest power of two that fits.
EditableCall enlarged(const EditableCall& call, const Shape& sizes, std::int64_t limit) {
  EditableCall best = call;
  for (std::int64_t factor = 2; factor <= (std::int64_t{1} << 24); factor *= 2) {
    SizeMap map;
    for (const std::int64_t size : sizes) map[size] = size * factor;
    EditableCall larger = remapped(call, map);
    const auto itemBytes = static_cast<std::int64_t>(findDType(larger.tensors[0].dtype)->bytes);
    if (std::max(bytes(larger), broadcastElements(larger) * itemBytes) > limit) break;
    best = std::move(larger);
  }
  return best;
}

/// The sizes from which a sweep starts: powers of two that make about a thousand elements together.
SizeMap firstOfSweep(const Shape& sizes, bool growing) {
  const auto bits = std::max<std::size_t>(1, 10 / sizes.size());
  SizeMap map;
  for (const std::int64_t size : sizes) {
    std::int64_t start = std::int64_t{1} << bits;
    while (growing && start < size) start *= 2;
    map[size] = start;
  }
  return map;
}

/// Whether every element of the result needs one element of each tensor, as far as the known-good calls tell.
bool isElementwise(const EditableCall& call, const OperatorTraits& traits) {
  if (traits.broadcasts) return true;
  return traits.anyRank && call.integers.empty() && call.integerLists.empty() &&
         std::all_of(call.tensors.begin(), call.tensors.end(),
                     [&](const TensorLiteral& tensor) { return tensor.shape == call.tensors[0].shape; });
}

bool sameShapes(const EditableCall& call) {
  return call.tensors.size() >= 2 && call.tensors[0].shape == call.tensors[1].shape;
}

void addBroadcasts(std::vector<Variant>& variants, const EditableCall& call, const SizeMap& odd) {
  const EditableCall plain = remapped(call, odd);
  EditableCall one = plain, other = plain;
  one.tensors[1].shape.front() = 1;
  variants.push_back({"broadcast", std::move(one)});
  if (plain.tensors[0].shape.size() > 1) {
    other.tensors[0].shape.back() = 1;
    other.tensors[1].shape.erase(other.tensors[1].shape.begin());
    variants.push_back({"broadcast", std::move(other)});
  }
}

bool isFloating(const TensorLiteral& tensor) {
  const std::string_view name = findDType(tensor.dtype)->torchName;
  return name.find("float") != std::string_view::npos || name.starts_with("complex");
}

// ---- Layouts: the strides for a shape, empty where the shape lacks the dimensions for it.

Shape transposed(const Shape& shape) {
  if (shape.size() < 2 || shape.back() < 2 || shape[shape.size() - 2] < 2) return {};
  Shape swapped = shape;
  std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
  Shape strides = contiguousStrides(swapped);
  std::swap(strides[strides.size() - 1], strides[strides.size() - 2]);
  return strides;
}

Shape sliced(const Shape& shape) {
  if (shape.empty() || shape.back() < 2) return {};
  Shape wider = shape;
  wider.back() *= 2;
  Shape strides = contiguousStrides(wider);
  strides.back() = 2;
  return strides;
}

Shape padded(const Shape& shape) {
  if (shape.size() < 2) return {};
  Shape wider = shape;
  wider.back() += 3;
  return contiguousStrides(wider);
}

Shape expanded(const Shape& shape) {
  if (shape.empty() || shape.front() < 2) return {};
  Shape strides = contiguousStrides(shape);
  strides.front() = 0;
  return strides;
}

Shape channelsLast(const Shape& shape) {
  if ((shape.size() != 4 && shape.size() != 5) || shape[1] < 2) return {};
  Shape moved = shape;  // N, C, … → N, …, C
  std::rotate(moved.begin() + 1, moved.begin() + 2, moved.end());
  Shape strides = contiguousStrides(moved);
  std::rotate(strides.begin() + 1, strides.end() - 1, strides.end());
  return strides;
}

}  // namespace

std::size_t variety(const EditableCall& call) {
  return distinctSizes(call).size();
}

OperatorTraits traitsOf(const std::string& schemaName, const std::vector<EditableCall>& calls) {
  OperatorTraits traits;
  const std::string name = baseName(schemaName);
  traits.inPlace =
      (name.ends_with('_') && !name.ends_with("__")) || schemaName.find("out") != std::string::npos;
  std::set<std::size_t> ranks;
  for (const EditableCall& call : calls) {
    if (call.tensors.empty()) continue;
    const Shape& a = call.tensors[0].shape;
    ranks.insert(a.size());
    if (call.tensors.size() < 2) continue;
    const Shape& b = call.tensors[1].shape;
    // A product of two matrices looks like a broadcast, because of its inner size.
    if (a.size() > 1 && b.size() > 1 && a.back() == b[b.size() - 2]) continue;
    bool fits = true, stretches = false;
    for (std::size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
      const std::int64_t x = a[a.size() - i], y = b[b.size() - i];
      fits = fits && (x == y || x == 1 || y == 1);
      stretches = stretches || (x != y && (x == 1 || y == 1));
    }
    traits.broadcasts = traits.broadcasts || (fits && stretches);
  }
  traits.anyRank = ranks.size() > 1 && *ranks.begin() < 2;
  return traits;
}

std::vector<Variant> shapeVariants(const EditableCall& call, const OperatorTraits& traits) {
  const Shape sizes = distinctSizes(call);
  if (sizes.empty() || hasEmptyTensor(call) || call.tensors[0].shape.empty() || hasOpaqueSizes(call))
    return {};
  const std::int64_t limit = isElementwise(call, traits) ? largestBytes : largestBytesElse;
  const bool growing = mayOnlyGrow(call);
  const SizeMap odd = oddSizes(sizes, growing);
  std::vector<Variant> variants{{"odd", remapped(call, odd)}};
  if (!growing) {
    const Shape& first = call.tensors[0].shape;
    std::set<std::int64_t> ends;
    for (const std::int64_t end : {first.front(), first.back()}) {
      if (end < 2 || !ends.insert(end).second) continue;
      SizeMap none = odd, single = odd;
      none[end] = 0;
      single[end] = 1;
      variants.push_back({"empty", remapped(call, none)});
      variants.push_back({"size one", remapped(call, single)});
    }
    SizeMap ones;
    for (const std::int64_t size : sizes) ones[size] = 1;
    variants.push_back({"size one", remapped(call, ones)});
  }
  if (traits.broadcasts && sameShapes(call) && !traits.inPlace) addBroadcasts(variants, call, odd);
  variants.push_back({"large", enlarged(call, sizes, limit)});
  std::erase_if(variants, [&](const Variant& variant) { return bytes(variant.call) > limit; });
  return variants;
}

std::vector<Variant> sweepVariants(const EditableCall& call, const OperatorTraits& traits) {
  const Shape sizes = distinctSizes(call);
  if (sizes.empty() || hasEmptyTensor(call) || call.tensors[0].shape.empty() || hasOpaqueSizes(call))
    return {};
  const std::int64_t limit = 4 * (isElementwise(call, traits) ? largestBytes : largestBytesElse);
  constexpr std::int64_t least = 4096;
  SizeMap map = firstOfSweep(sizes, mayOnlyGrow(call));
  std::vector<Variant> variants;
  for (std::size_t step = 0; step < 64; ++step) {
    EditableCall sized = remapped(call, map);
    const auto itemBytes = static_cast<std::int64_t>(findDType(sized.tensors[0].dtype)->bytes);
    const std::int64_t taken = std::max(bytes(sized), broadcastElements(sized) * itemBytes);
    if (taken > limit) break;
    if (taken >= least) variants.push_back({"sweep", std::move(sized)});
    map[sizes[sizes.size() - 1 - step % sizes.size()]] *= 2;
  }
  return variants;
}

std::vector<EditableCall> neighbours(const EditableCall& call, std::uint64_t seed) {
  const Shape sizes = distinctSizes(call);
  if (sizes.empty() || hasEmptyTensor(call) || call.tensors[0].shape.empty() || hasOpaqueSizes(call))
    return {};
  const bool growing = mayOnlyGrow(call);
  std::mt19937_64 random(seed);
  const auto near = [&](std::int64_t size) {
    const auto step = static_cast<std::int64_t>(1 + random() % 3);
    return growing || size <= step + 1 || random() % 2 == 0 ? size + step : size - step;
  };
  const auto moved = [&](const auto& nextOf) {
    SizeMap to;
    std::set<std::int64_t> taken{1};
    for (const std::int64_t size : sizes) {
      std::int64_t next = std::max<std::int64_t>(nextOf(size), 2);
      while (next == size || !taken.insert(next).second) ++next;
      to[size] = next;
    }
    return to;
  };
  SizeMap all = moved(near);
  const SizeMap first{{sizes.front(), all[sizes.front()]}};
  std::vector<EditableCall> calls{remapped(call, all)};
  // Who is right below a bound is wrong above it, and the other way round.
  if (!growing)
    calls.push_back(remapped(call, moved([&](std::int64_t size) { return 2 * size - all[size]; })));
  if (sizes.size() > 1) calls.push_back(remapped(call, first));
  const std::int64_t last = call.tensors[0].shape.back();
  if (!growing && last > 1) {
    all[last] = 1;
    calls.push_back(remapped(call, all));
  }
  // Far between the sizes of a suite, which are few.
  constexpr std::int64_t fewest = 32;
  constexpr std::array<double, 3> octaves{0.5, 1.75, 3};
  if (!growing && *std::max_element(sizes.begin(), sizes.end()) >= fewest)
    for (std::size_t i = 0; i + 1 < octaves.size(); ++i)
      calls.push_back(remapped(call, moved([&](std::int64_t size) {
                                 std::uniform_real_distribution<double> down(octaves[i], octaves[i + 1]);
                                 const double smaller = static_cast<double>(size) * std::exp2(-down(random));
                                 return size < fewest ? size : static_cast<std::int64_t>(smaller);
                               })));
  std::erase_if(calls, [](const EditableCall& each) { return bytes(each) > largestBytes; });
  return calls;
}

std::optional<EditableCall> shrunk(const EditableCall& call, std::int64_t mostBytes) {
  // What is small may be a kernel's size or a number of channels, which others depend on. A size must not
  // shrink below an integer, which may be an index or a length.
  std::int64_t large = 32;
  for (const std::int64_t value : call.integers) large = std::max(large, 2 * (std::abs(value) + 1));
  if (hasEmptyTensor(call) || hasOpaqueSizes(call)) return std::nullopt;
  SizeMap map;
  EditableCall smaller = call;
  for (const std::int64_t size : distinctSizes(call)) map[size] = size;
  while (bytes(smaller) > mostBytes) {
    std::set<std::int64_t> taken;
    for (const auto& [size, now] : map)
      if (now < large) taken.insert(now);
    bool shrinks = false;
    for (auto& [size, now] : map) {
      if (now < large) continue;
      shrinks = true;
      now /= 2;
      while (!taken.insert(now).second) ++now;
    }
    if (!shrinks) return std::nullopt;
    smaller = remapped(call, map);
  }
  return smaller;
}

std::optional<EditableCall> withoutDimensions(const EditableCall& call) {
  if (call.tensors.empty() || call.tensors[0].shape.empty()) return std::nullopt;
  EditableCall changed = call;
  for (TensorLiteral& tensor : changed.tensors) {
    if (tensor.shape != call.tensors[0].shape) return std::nullopt;
    tensor = {.shape = {}, .dtype = tensor.dtype, .strided = false, .stride = {}};
  }
  return changed;
}

std::vector<Variant> layoutVariants(const EditableCall& call, const OperatorTraits& traits) {
  if (hasEmptyTensor(call)) return {};
  struct Layout {
    const char* kind;
    std::function<Shape(const Shape&)> strides;
  };
  std::vector<Layout> layouts{{"transposed", transposed},
                              {"sliced", sliced},
                              {"padded rows", padded},
                              {"channels last", channelsLast}};
  if (!traits.inPlace) layouts.push_back({"expanded", expanded});
  std::vector<Variant> variants;
  for (const Layout& layout : layouts) {
    EditableCall all = call;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < all.tensors.size(); ++i) {
      TensorLiteral& tensor = all.tensors[i];
      Shape strides = layout.strides(tensor.shape);
      if (strides.empty()) continue;
      tensor.strided = true;
      tensor.stride = std::move(strides);
      if (++changed > 1 || i > 0) continue;
      EditableCall one = call;
      one.tensors[0] = tensor;
      variants.push_back({layout.kind, std::move(one)});
    }
    if (changed == 0) continue;
    if (changed == 1 && !variants.empty() && variants.back().kind == layout.kind)
      continue;  // the call has one tensor, which is the first
    variants.push_back({layout.kind, std::move(all)});
  }
  return variants;
}

bool setFloatingType(EditableCall& call, const std::string& dtype) {
  std::set<std::string> types;
  for (const TensorLiteral& tensor : call.tensors)
    if (isFloating(tensor)) types.insert(std::string(findDType(tensor.dtype)->abbreviation));
  if (types.size() != 1 || types.begin()->starts_with('c')) return false;
  for (TensorLiteral& tensor : call.tensors)
    if (isFloating(tensor)) tensor.dtype = dtype;
  return true;
}

bool takesAnyValues(const EditableCall& call) {
  const bool floating = std::any_of(call.tensors.begin(), call.tensors.end(), isFloating);
  const bool integers =
      std::any_of(call.tensors.begin(), call.tensors.end(), [](const TensorLiteral& tensor) {
        return !isFloating(tensor) && findDType(tensor.dtype)->torchName != "bool";
      });
  return !(floating && integers);
}

}  // namespace wb
