// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/engine/compile/text/brackets.h"
#include "core/engine/compile/torch_cuda/split/includes.h"
#include "core/engine/compile/torch_cuda/split/parts.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

class DeviceWriter {
 public:
  DeviceWriter(const ReadSource& source, const HostVariables& variables, HostOnlyNames& hostOnly,
               MappedText& out)
      : source_(source), lexemes_(source.lexemes), variables_(variables), hostOnly_(hostOnly), out_(out) {}

  std::string run(const DeviceOnlyItems& deviceOnly) {
    declarations(source_.items);
    std::sort(dropped_.begin(), dropped_.end());
    std::size_t i = 0;
    for (const auto& [first, last] : dropped_) {
      write(i, first, false);
      write(first, last + 1, true);
      if (declared_.contains(first)) out_.insert(";");
      i = last + 1;
    }
    write(i, lexemes_.size(), false);
    out_.copy(cursor_, source_.text.size());
    for (const auto& [first, last] : dropped_)
      for (const auto& theirs : deviceOnly.dropped)
        if (first <= theirs.second && theirs.first <= last)
          return "a declaration names what only the host knows and what only the device knows";
    return {};
  }

 private:
  void drop(const Item& item) { dropped_.emplace_back(item.first, item.last); }
  [[nodiscard]] bool mentionsHost(const Item& item) const {
    return hostOnly_.mentionedIn(lexemes_, item.first, item.last + 1);
  }

  void declarations(const std::vector<Item>& items) {
    for (const auto& item : items) {
      switch (item.kind) {
        case Item::Kind::scope:
          declarations(item.children);
          break;
        case Item::Kind::function:
          if (!keepsFunction(item)) drop(item);
          break;
        case Item::Kind::type:
          type(item);
          break;
        case Item::Kind::declaration:
          if (variables_.isHosts(lexemes_, item) || !deviceKeeps(lexemes_, item, hostOnly_)) drop(item);
          break;
      }
    }
  }

  /// Whether a function is kept. Those without qualifiers are the host's; constexpr ones are for both, as
  /// with --expt-relaxed-constexpr.
  [[nodiscard]] bool keepsFunction(const Item& item) const {
    const auto& q = item.qualifiers;
    return q.global || q.device || (q.isConstexpr && !q.host && !mentionsHost(item));
  }

  void type(const Item& item) {
    const auto before = dropped_.size();
    if (!keepsType(item)) {
      dropped_.resize(before);
      drop(item);
      if (!item.scope.empty()) hostOnly_.add(item.scope);
      return;
    }
    // `struct Settings { … } settings;` is a variable, too.
    if (!declaresHostsVariable(item)) return;
    if (!item.scope.empty()) {
      // `static` is for the variable.
      for (auto i = item.first; i < item.bodyOpen; ++i)
        if (lexemes_[i].is("static") || lexemes_[i].is("inline")) dropped_.emplace_back(i, i);
      dropped_.emplace_back(item.bodyClose + 1, item.last - 1);
    } else {
      dropped_.resize(before);
      drop(item);
    }
  }

  /// Whether a variable is declared with a class that code of the device cannot read.
  [[nodiscard]] bool declaresHostsVariable(const Item& item) const {
    if (item.bodyClose + 1 >= item.last || !lexemes_[item.last].is(";")) return false;
    for (auto i = item.first; i < item.bodyOpen; ++i)
      for (const std::string_view word : {"typedef", "enum", "const", "constexpr", "__device__",
                                          "__constant__", "__managed__", "__shared__", "friend"})
        if (lexemes_[i].is(word)) return false;
    // Of what may stand there, only a name alone or with an initialiser is one for certain.
    auto i = item.bodyClose + 1;
    const auto& name = lexemes_[i++];
    return name.kind == Kind::word && !name.text.starts_with("__") && !name.is("alignas") &&
           (i == item.last || lexemes_[i].is("=") || lexemes_[i].is("{") || lexemes_[i].is(","));
  }

  /// Drops the members that only the host can know; false where the class itself must be dropped.
  bool keepsType(const Item& item) {
    if (hostOnly_.mentionedIn(lexemes_, item.first, item.bodyOpen)) return false;
    for (const auto& child : item.children) {
      const auto& q = child.qualifiers;
      switch (child.kind) {
        case Item::Kind::function:
          if (!q.device) hostsFunction(child);
          break;
        case Item::Kind::type:
          type(child);
          break;
        case Item::Kind::declaration:
          if ((q.host && !q.device) || (isStatic(child) && !q.device && needsHost(child))) {
            drop(child);
          } else if (mentionsHost(child)) {
            if (!isFunctionDeclaration(child)) return false;
            drop(child);
          } else if (!q.device && needsHost(child)) {
            dropInitialiser(child);
          }
          break;
        case Item::Kind::scope:
          break;
      }
    }
    return true;
  }

  /// A function of a class that is not the device's. A constructor that is gone, or a virtual function, would
  /// make another class of it, so that its declaration stays where it can.
  void hostsFunction(const Item& item) {
    const auto& q = item.qualifiers;
    if (q.host || hostOnly_.mentionedIn(lexemes_, item.first, item.bodyOpen) ||
        lexemes_[item.name].is("catch"))
      return drop(item);
    if (q.isConstexpr) {
      if (mentionsHost(item)) drop(item);
    } else if (mentionsHost(item) || needsHost(item) || !variables_.isNamed(lexemes_, item)) {
      auto from = item.parametersClose + 1;
      while (from < item.bodyOpen && !lexemes_[from].is(":") && !lexemes_[from].is("try")) ++from;
      dropped_.emplace_back(from, item.last);
      declared_.insert(from);
    }
  }

  [[nodiscard]] bool needsHost(const Item& item) const {
    return !item.qualifiers.isConstexpr && variables_.needsHost(lexemes_, item.first, item.last + 1);
  }
  [[nodiscard]] bool isStatic(const Item& item) const {
    for (auto i = item.first; i < item.last && !lexemes_[i].is("="); ++i)
      if (lexemes_[i].is("static")) return true;
    return false;
  }
  /// The host gives the members their values before it hands an object to the device.
  void dropInitialiser(const Item& item) {
    if (isFunctionDeclaration(item)) return drop(item);  // with a default argument
    for (auto i = item.first; i < item.last; ++i) {
      if (lexemes_[i].is("=") || lexemes_[i].is("{")) {
        dropped_.emplace_back(i, item.last - 1);
        return;
      }
      if (opensBracket(lexemes_[i])) i = closingBracket(lexemes_, i);
    }
  }

  [[nodiscard]] bool isFunctionDeclaration(const Item& item) const {
    for (auto i = item.first; i < item.last; ++i) {
      if (lexemes_[i].is("=") || lexemes_[i].is("{")) return false;
      // `at::Tensor (*f)(at::Tensor);` takes room in an object.
      if (lexemes_[i].is("(")) return !lexemes_[i + 1].is("*");
      if (lexemes_[i].is("friend") || lexemes_[i].is("using")) return true;
    }
    return false;
  }

  void copyTo(std::size_t offset, bool blank) {
    if (blank)
      out_.blank(cursor_, offset);
    else
      out_.copy(cursor_, offset);
    cursor_ = std::max(cursor_, offset);
  }

  void write(std::size_t begin, std::size_t end, bool blank) {
    if (begin >= end) return;
    copyTo(lexemes_[begin].offset, false);
    for (auto i = begin; i < end; ++i) {
      if (lexemes_[i].kind != Kind::directive) continue;
      copyTo(lexemes_[i].offset, blank);
      directive(i, blank);
    }
    copyTo(lexemes_[end - 1].end(), blank);
  }

  /// Keeps conditions and macros, also inside what is dropped.
  void directive(std::size_t i, bool blank) {
    const auto& l = lexemes_[i];
    const auto said = readDirective(l);
    const auto own = source_.ownIncludes.find(i);
    if (own != source_.ownIncludes.end()) {
      out_.insert(fmt::format("#include \"{}\"", own->second));
      cursor_ = l.end();
      return;
    }
    const bool unknown =
        said.name == "include" && (blank || !useOfInclude(includeName(said.rest).file).device);
    copyTo(l.end(), unknown || (blank && said.name == "pragma"));
  }

  const ReadSource& source_;
  Lexemes lexemes_;
  const HostVariables& variables_;
  HostOnlyNames& hostOnly_;
  MappedText& out_;
  std::size_t cursor_ = 0;
  /// The first and last lexemes of what was dropped.
  std::vector<std::pair<std::size_t, std::size_t>> dropped_;
  /// Those of them that were a function's body.
  std::set<std::size_t> declared_;
};

}  // namespace

std::string writeDevicePart(const ReadSource& source, const DeviceOnlyItems& deviceOnly,
                            const HostVariables& variables, HostOnlyNames& hostOnly, MappedText& out) {
  return DeviceWriter(source, variables, hostOnly, out).run(deviceOnly);
}

}  // namespace wb
