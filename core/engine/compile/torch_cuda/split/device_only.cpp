// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/device_only.h"

#include <algorithm>

#include "core/engine/compile/text/brackets.h"
#include "core/engine/compile/torch_cuda/split/declared_name.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

/// The names of a namespace that may stand alone after a using-directive, as far as declarations have them.
struct SpaceNames {
  std::string_view space;
  std::initializer_list<std::string_view> names;
};
const SpaceNames known[] = {
    {"cooperative_groups",
     {"thread_block", "thread_block_tile", "thread_group", "grid_group", "cluster_group", "coalesced_group",
      "multi_grid_group", "this_thread_block", "this_grid", "this_cluster", "tiled_partition"}},
    {"nvcuda", {"wmma"}},
    {"wmma",
     {"fragment", "matrix_a", "matrix_b", "accumulator", "row_major", "col_major", "mem_row_major",
      "mem_col_major", "layout_t"}},
    {"cuda",
     {"aligned_size_t", "annotated_ptr", "barrier", "binary_semaphore", "counting_semaphore", "latch",
      "make_pipeline", "pipeline", "pipeline_role", "pipeline_shared_state", "thread_scope",
      "thread_scope_block", "thread_scope_device", "thread_scope_system", "thread_scope_thread"}},
    {"cub",
     {"BlockAdjacentDifference",
      "BlockDiscontinuity",
      "BlockExchange",
      "BlockHistogram",
      "BlockLoad",
      "BlockRadixSort",
      "BlockReduce",
      "BlockScan",
      "BlockShuffle",
      "BlockStore",
      "WarpExchange",
      "WarpLoad",
      "WarpMergeSort",
      "WarpReduce",
      "WarpScan",
      "WarpStore",
      "DeviceReduce",
      "DeviceScan",
      "DeviceRadixSort",
      "DeviceSelect",
      "DeviceSegmentedReduce",
      "DeviceSegmentedSort",
      "DeviceHistogram"}}};

/// More names of libcu++, which mean something else where they stand alone.
const std::initializer_list<std::string_view> moreOfCuda{"access_property",
                                                         "associate_access_property",
                                                         "atomic",
                                                         "atomic_flag",
                                                         "atomic_ref",
                                                         "device",
                                                         "atomic_thread_fence",
                                                         "experimental",
                                                         "memcpy_async",
                                                         "memory_order",
                                                         "maximum",
                                                         "fast_mod_div",
                                                         "minimum",
                                                         "memory_order_relaxed",
                                                         "ptx",
                                                         "std"};

bool isAmong(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const SpaceNames* namesOf(std::string_view space) {
  const auto* const found =
      std::find_if(std::begin(known), std::end(known), [&](const auto& each) { return each.space == space; });
  return found == std::end(known) ? nullptr : found;
}

bool isOfTorch(const Lexeme& l) {
  return l.is("at") || l.is("c10") || l.is("torch");
}

class Finder {
 public:
  Finder(Lexemes lexemes, DeviceOnlyNames& names) : lexemes_(lexemes), names_(names) {}

  void declarations(const std::vector<Item>& items) {
    for (const auto& item : items) switch (item.kind) {
        case Item::Kind::scope:
          declarations(item.children);
          break;
        case Item::Kind::function:
          function(item);
          break;
        case Item::Kind::type:
          if (!type(item)) drop(item);
          break;
        case Item::Kind::declaration:
          if (!mentions(item.first, item.last)) break;
          drop(item);
          names_.addDeclared(lexemes_, item);
          break;
      }
  }

  DeviceOnlyItems found() {
    std::sort(found_.dropped.begin(), found_.dropped.end());
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool mentions(std::size_t first, std::size_t last) const {
    return names_.mentionedIn(lexemes_, first, last + 1);
  }
  void drop(const Item& item) { found_.dropped.emplace_back(item.first, item.last); }
  void refuse(std::string why) {
    if (found_.unfit.empty()) found_.unfit = std::move(why);
  }
  [[nodiscard]] bool hasDirective(const Item& item) const {
    return std::any_of(lexemes_.begin() + static_cast<std::ptrdiff_t>(item.bodyOpen),
                       lexemes_.begin() + static_cast<std::ptrdiff_t>(item.bodyClose),
                       [](const Lexeme& l) { return l.kind == Kind::directive; });
  }

  /// Whether a function of the device's is dropped. A body in which a condition stands may name the device's
  /// for the device alone.
  [[nodiscard]] bool dropsFunction(const Item& item) const {
    if (mentions(item.first, item.bodyOpen)) return true;
    const auto& q = item.qualifiers;
    return (q.host || q.isConstexpr || !q.device) && !hasDirective(item) &&
           mentions(item.bodyOpen, item.bodyClose);
  }

  void function(const Item& item) {
    const auto& q = item.qualifiers;
    if (q.global) {
      if (mentions(item.first, item.bodyOpen))
        refuse("a kernel's parameters are of types of the device alone");
    } else if (q.device || q.isConstexpr) {
      if (!dropsFunction(item)) return;
      drop(item);
      // Code of the host may call it, too.
      const auto& name = lexemes_[item.name];
      if ((q.host || q.isConstexpr) && name.kind == Kind::word) names_.add(name.spelling());
    } else if (dropsFunction(item)) {
      refuse("code of the host names types of the device");
    }
  }

  /// Drops members; false where the class itself must be dropped, since its size is the device's to know.
  bool type(const Item& item) {
    const auto before = found_.dropped.size();
    if (!mentions(item.first, item.bodyOpen) && members(item) && !mentions(item.bodyClose, item.last))
      return true;
    found_.dropped.resize(before);
    if (!item.scope.empty()) names_.add(item.scope);
    return false;
  }

  bool members(const Item& item) {
    // The names of types in a class are known in it alone.
    const DeviceOnlyNames outside = names_;
    bool whole = true;
    for (const auto& child : item.children) {
      if (child.kind == Item::Kind::type) {
        if (!type(child)) drop(child);
      } else if (child.kind == Item::Kind::function) {
        if (child.qualifiers.global || dropsFunction(child)) drop(child);
      } else if (mentions(child.first, child.last)) {
        whole = whole && isNoData(child);
        drop(child);
        names_.addDeclared(lexemes_, child);
      }
    }
    names_ = outside;
    return whole;
  }

  /// Whether a member's declaration takes no room in an object.
  [[nodiscard]] bool isNoData(const Item& item) const {
    for (auto i = afterTemplateHeads(lexemes_, item.first); i < item.last; ++i) {
      const auto& l = lexemes_[i];
      if (l.is("=") || l.is("{")) return false;
      if (l.is("(")) return !lexemes_[i + 1].is("*");  // no pointer to a function
      if (l.is("using") || l.is("typedef") || l.is("static") || l.is("friend") || l.is("static_assert"))
        return true;
    }
    return false;
  }

  Lexemes lexemes_;
  DeviceOnlyNames& names_;
  DeviceOnlyItems found_;
};

}  // namespace

void DeviceOnlyNames::include(std::string_view header) {
  if (header.starts_with("cooperative_groups")) spaces_.insert("cooperative_groups");
  if (header == "mma.h") spaces_.insert("nvcuda");
  if (header.starts_with("cub/")) spaces_.insert("cub");
  if (header.starts_with("cuda/") || header == "cuda_pipeline.h" || header == "cuda_awbarrier.h")
    spaces_.insert("cuda");
  if (header.starts_with("cooperative_groups/") || header.starts_with("cub/")) spaces_.insert("cuda");
}

bool DeviceOnlyNames::isNamed(Lexemes lexemes, std::size_t at, std::size_t end) const {
  const auto& l = lexemes[at];
  if (own_.contains(l.text)) return true;
  if (!spaces_.contains(l.text)) return false;
  if (at >= 2 && lexemes[at - 1].is("::") && isOfTorch(lexemes[at - 2])) return false;
  if (!l.is("cuda")) return true;
  // Torch's functions are in a namespace of this name, too.
  if (at + 2 < end && lexemes[at + 1].is("::"))
    return isAmong(lexemes[at + 2].text, namesOf("cuda")->names) || isAmong(lexemes[at + 2].text, moreOfCuda);
  return at > 0 && (lexemes[at - 1].is("namespace") || lexemes[at - 1].is("=")) && at + 1 < end &&
         lexemes[at + 1].is(";");
}

bool DeviceOnlyNames::mentionedIn(Lexemes lexemes, std::size_t begin, std::size_t end) const {
  if (spaces_.empty()) return false;
  for (auto i = begin; i < end && i < lexemes.size(); ++i)
    if (lexemes[i].kind == Kind::word && !isMember(lexemes, i) && isNamed(lexemes, i, end)) return true;
  return false;
}

void DeviceOnlyNames::openNamespace(std::string_view name) {
  const auto alias = aliases_.find(name);
  const std::string_view space = alias == aliases_.end() ? name : std::string_view(alias->second);
  if (const auto* names = namesOf(space))
    for (const auto each : names->names) own_.emplace(each);
}

void DeviceOnlyNames::addDeclared(Lexemes lexemes, const Item& declaration) {
  const auto head = afterTemplateHeads(lexemes, declaration.first);
  if (head > declaration.last) return;
  const auto& q = declaration.qualifiers;
  const auto& first = lexemes[head];
  const bool last = declaration.last > head && lexemes[declaration.last - 1].kind == Kind::word;
  if (startsWith(lexemes, head, {"using", "namespace"})) {
    if (last) openNamespace(lexemes[declaration.last - 1].text);
    return;
  }
  if (q.device || q.global || q.constant) return;
  const bool type = first.is("using") || first.is("typedef") || first.is("struct") || first.is("class");
  if (!type && !first.is("namespace") && !q.isConstexpr && !q.isConst) return;
  const auto name = declaredName(lexemes, declaration);
  if (name.empty()) return;
  if (first.is("namespace") && last) {
    const auto& target = lexemes[declaration.last - 1].text;
    const auto alias = aliases_.find(target);
    aliases_[name] = alias == aliases_.end() ? std::string(target) : alias->second;
  }
  own_.insert(name);
}

DeviceOnlyItems findDeviceOnly(Lexemes lexemes, const std::vector<Item>& items, DeviceOnlyNames& names) {
  Finder finder(lexemes, names);
  finder.declarations(items);
  return finder.found();
}

}  // namespace wb
