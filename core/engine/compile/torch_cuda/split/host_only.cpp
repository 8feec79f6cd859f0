// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/host_only.h"

#include <algorithm>
#include <array>

#include "core/engine/compile/torch_cuda/split/declared_name.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

template <std::size_t n>
bool isOneOf(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 22> plain{"Tensor",
                                                 "TensorOptions",
                                                 "TensorList",
                                                 "IntArrayRef",
                                                 "OptionalIntArrayRef",
                                                 "IValue",
                                                 "pybind11",
                                                 "py",
                                                 "cudaStream_t",
                                                 "cudaEvent_t",
                                                 "CUDAStream",
                                                 "TensorIterator",
                                                 "TensorIteratorBase",
                                                 "ITensorListRef",
                                                 "cublasHandle_t",
                                                 "cudaDeviceProp",
                                                 "PYBIND11_MODULE",
                                                 "TORCH_LIBRARY",
                                                 "getCurrentCUDAStream",
                                                 "Generator",
                                                 "AT_DISPATCH_FLOATING_TYPES",
                                                 "OptionalTensorRef"};
/// These names count after at::, c10:: or torch:: only, since users have templates over Scalar.
constexpr std::array<std::string_view, 10> ofTorch{"Scalar", "ArrayRef", "ScalarType", "optional", "Device",
                                                   "nn",     "autograd", "indexing",   "cuda",     "native"};
constexpr std::array<std::string_view, 24> ofStandard{
    "vector",        "string", "string_view", "map",           "unordered_map", "set",
    "unordered_set", "mutex",  "lock_guard",  "unique_lock",   "shared_ptr",    "unique_ptr",
    "function",      "cout",   "cerr",        "ostringstream", "stringstream",  "runtime_error",
    "optional",      "tuple",  "variant",     "thread",        "chrono",        "atomic"};

/// Whether there are parentheses after a name and no initializer: `void launch(const at::Tensor& x);`,
/// `FOO(x);`.
bool isCall(Lexemes lexemes, const Item& item) {
  return item.last - item.first >= 2 && lexemes[item.first].kind == Kind::word &&
         lexemes[item.first + 1].is("(");
}

bool isNamespaceOfTorch(Lexemes lexemes, std::size_t begin, std::size_t end) {
  for (auto i = begin; i + 2 < end; ++i)
    if ((lexemes[i].is("at") || lexemes[i].is("torch") || lexemes[i].is("c10")) && lexemes[i + 1].is("::"))
      return true;
  return false;
}

bool kept(Lexemes lexemes, const Item& item, std::size_t head, const HostOnlyNames& hostOnly) {
  if (hostOnly.mentionedIn(lexemes, item.first, item.last + 1)) return false;
  const auto& q = item.qualifiers;
  const auto& first = lexemes[head];
  if (q.global || q.device || q.constant) return true;
  if (startsWith(lexemes, head, {"using", "namespace"}) || first.is("namespace"))
    return !isNamespaceOfTorch(lexemes, head, item.last + 1);
  if (first.is("using") || first.is("typedef") || first.is("static_assert") || first.is("struct") ||
      first.is("class") || first.is("enum") || first.is("union") || first.is("friend"))
    return true;
  if (q.isConstexpr) return true;
  if (isCall(lexemes, item)) return false;
  // Other variables are the host's: device code could not read them anyway.
  return q.isConst;
}

}  // namespace

bool HostOnlyNames::mentionedIn(Lexemes lexemes, std::size_t begin, std::size_t end) const {
  for (auto i = begin; i < end && i < lexemes.size(); ++i) {
    const auto& l = lexemes[i];
    if (l.kind != Kind::word) continue;
    if (i > begin && isMember(lexemes, i)) continue;
    if (isOneOf(l.text, plain) || own_.contains(l.text)) return true;
    if (i < 2 || !lexemes[i - 1].is("::")) continue;
    const auto& space = lexemes[i - 2];
    // cuda::std::tuple is for both.
    const bool cudas = i >= 4 && lexemes[i - 3].is("::") && lexemes[i - 4].is("cuda");
    if (space.is("std") && !cudas && isOneOf(l.text, ofStandard)) return true;
    if ((space.is("at") || space.is("c10") || space.is("torch")) && isOneOf(l.text, ofTorch) &&
        !(l.is("cuda") && i + 2 < end && lexemes[i + 1].is("::") && lexemes[i + 2].is("compat")))
      return true;
  }
  return false;
}

bool deviceKeeps(Lexemes lexemes, const Item& item, HostOnlyNames& hostOnly) {
  const auto head = afterTemplateHeads(lexemes, item.first);
  if (head > item.last || kept(lexemes, item, head, hostOnly)) return true;
  // A function's name may have another overload for the device.
  const bool type = lexemes[head].is("using") || lexemes[head].is("typedef");
  if (type && !startsWith(lexemes, head, {"using", "namespace"}))
    if (const auto name = declaredName(lexemes, item); !name.empty()) hostOnly.add(name);
  return false;
}

}  // namespace wb
