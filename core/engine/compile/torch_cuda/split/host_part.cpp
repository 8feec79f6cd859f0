// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/engine/compile/text/brackets.h"
#include "core/engine/compile/torch_cuda/split/includes.h"
#include "core/engine/compile/torch_cuda/split/kernel_stub.h"
#include "core/engine/compile/torch_cuda/split/launches.h"
#include "core/engine/compile/torch_cuda/split/parts.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

/// Copies lexemes and the text between them, and rewrites launches on the way.
class Writer {
 public:
  Writer(Lexemes lexemes, MappedText& out, std::size_t& cursor)
      : lexemes_(lexemes), out_(out), cursor_(cursor) {
    const auto launches = findLaunches(lexemes);
    broken_ = launches.broken;
    for (const auto& launch : launches.sites) launches_.emplace(launch.kernel, launch);
  }
  virtual ~Writer() = default;

  void write(std::size_t begin, std::size_t end) {
    for (auto i = begin; i < end;) {
      if (auto launch = launches_.extract(i)) {
        writeLaunch(launch.mapped());
        i = launch.mapped().argumentsClose + 1;
      } else {
        i = special(i);
      }
    }
  }
  void copyTo(std::size_t offset) {
    out_.copy(cursor_, offset);
    cursor_ = std::max(cursor_, offset);
  }

 protected:
  /// Writes the lexeme at `i`, or more of them, and returns the next one.
  virtual std::size_t special(std::size_t i) {
    copyTo(lexemes_[i].end());
    return i + 1;
  }

  // The launch becomes (configure(grid, block), kernel<T>(x, n)).
  void writeLaunch(const LaunchSite& launch) {
    copyTo(lexemes_[launch.kernel].offset);
    out_.insert("(::warpbench_cuda::configure(");
    cursor_ = lexemes_[launch.open + 2].end();
    write(launch.open + 3, launch.close);
    copyTo(lexemes_[launch.close].offset);
    out_.insert("), ");
    cursor_ = lexemes_[launch.kernel].offset;
    write(launch.kernel, launch.open);
    copyTo(lexemes_[launch.open].offset);
    cursor_ = lexemes_[launch.close + 2].end();
    write(launch.argumentsOpen, launch.argumentsClose + 1);
    out_.insert(")");
  }

  Lexemes lexemes_;
  MappedText& out_;
  std::size_t& cursor_;
  /// The launches by the kernel's first lexeme.
  std::map<std::size_t, LaunchSite> launches_;
  /// There is only a part of a launch.
  bool broken_ = false;
};

class HostWriter : public Writer {
 public:
  HostWriter(const ReadSource& source, const DeviceOnlyItems& deviceOnly, MappedText& out,
             std::vector<std::string>& kernels)
      : Writer(source.lexemes, out, at_), source_(source), kernels_(kernels) {
    for (const auto& [first, last] : deviceOnly.dropped) dropped_[first] = last;
  }

  std::string run() {
    collect(source_.items, "");
    check();
    if (!unfit_.empty()) return unfit_;
    write(0, lexemes_.size());
    copyTo(source_.text.size());
    return {};
  }

 private:
  struct Body {
    std::size_t close;
    std::string text;
  };

  void collect(const std::vector<Item>& items, const std::string& scope) {
    for (const auto& item : items) {
      if (item.kind == Item::Kind::scope) collect(item.children, scope + item.scope);
      if (item.kind == Item::Kind::type) collect(item.children, scope + item.scope + "::");
      if (item.kind != Item::Kind::function || item.bodyOpen == item.bodyClose) continue;
      const auto& q = item.qualifiers;
      if (q.global) {
        addStub(item, scope);
      } else if (q.device && !q.host && !q.isConstexpr) {
        bodies_[item.bodyOpen] = {item.bodyClose, " __builtin_unreachable(); "};
      }
    }
  }

  void addStub(const Item& item, const std::string& scope) {
    auto stub = kernelStub(lexemes_, item, scope);
    if (!stub) {
      if (unfit_.empty()) unfit_ = stub.error().text;
      return;
    }
    bodies_[item.bodyOpen] = {item.bodyClose, std::move(stub->body)};
    kernels_.push_back(std::move(stub->kernel));
    for (auto& name : stub->names) names_[name.offset] = std::move(name.text);
  }

  /// Finds what the host's part cannot express.
  void check() {
    const auto refuse = [&](std::string why) {
      if (unfit_.empty()) unfit_ = std::move(why);
    };
    if (broken_) refuse("a macro holds a part of a launch");
    for (const auto& [open, body] : bodies_)
      if (!haveWholeConditions(lexemes_.subspan(open, body.close - open)))
        refuse("a condition begins or ends inside a kernel's body");
    for (const auto& [first, last] : dropped_)
      if (!haveWholeConditions(lexemes_.subspan(first, last + 1 - first)))
        refuse("a condition begins or ends inside a declaration of the device's");
    for (const auto& [kernel, launch] : launches_)
      if (insideDeviceBody(launch.open)) refuse("a kernel launches a kernel");
    // `[=] __device__ (int i) {…}`: only a lambda can be qualified inside a function.
    for (std::size_t i = 0; i < lexemes_.size(); ++i) {
      const auto& l = lexemes_[i];
      if (l.spliced) refuse("a word goes on over a line's end");
      if (i > 0 &&
          (l.is("__device__") || l.is("GPU_LAMBDA") || l.is("C10_DEVICE") || l.is("C10_HOST_DEVICE")) &&
          (lexemes_[i - 1].is("]") || (lexemes_[i - 1].is("__host__") && i > 1 && lexemes_[i - 2].is("]"))) &&
          !insideDeviceBody(i))
        refuse("it has a lambda for the device in host code");
      if (l.kind == Kind::word && isSymbolCall(l.text)) refuse("it uses " + std::string(l.text));
      if (i + 2 < lexemes_.size() && l.is("cub") && lexemes_[i + 1].is("::") &&
          lexemes_[i + 2].text.starts_with("Device"))
        refuse("it calls cub::" + std::string(lexemes_[i + 2].text) + " from the host");
      if (i + 1 < lexemes_.size() && l.is("thrust") && lexemes_[i + 1].is("::")) refuse("it uses thrust");
      if (l.kind == Kind::directive && definesKernel(l)) refuse("a macro defines a kernel");
      if (l.kind == Kind::directive && readDirective(l).name == "define" &&
          findLaunches(lexCuda(l.text.substr(1))).broken)
        refuse("a macro holds a part of a launch");
    }
  }

  static bool isSymbolCall(std::string_view word) {
    constexpr std::array<std::string_view, 12> words{"cudaMemcpyToSymbol",
                                                     "cudaMemcpyFromSymbol",
                                                     "cudaMemcpyToSymbolAsync",
                                                     "cudaMemcpyFromSymbolAsync",
                                                     "cudaGetSymbolAddress",
                                                     "cudaGetSymbolSize",
                                                     "cudaGraphAddMemcpyNodeToSymbol",
                                                     "cudaGraphAddMemcpyNodeFromSymbol",
                                                     "cudaGraphMemcpyNodeSetParamsToSymbol",
                                                     "cudaGraphMemcpyNodeSetParamsFromSymbol",
                                                     "cudaGraphExecMemcpyNodeSetParamsToSymbol",
                                                     "cudaGraphExecMemcpyNodeSetParamsFromSymbol"};
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  static bool definesKernel(const Lexeme& directive) {
    const auto said = readDirective(directive);
    return said.name == "define" && said.rest.find("__global__") != std::string_view::npos &&
           said.rest.find('{') != std::string_view::npos;
  }
  [[nodiscard]] bool insideDeviceBody(std::size_t lexeme) const {
    return std::any_of(bodies_.begin(), bodies_.end(),
                       [&](const auto& body) { return body.first < lexeme && lexeme < body.second.close; });
  }

  std::size_t special(std::size_t i) override {
    const auto& l = lexemes_[i];
    if (const auto dropped = dropped_.find(i); dropped != dropped_.end()) {
      copyTo(l.offset);
      keepMacros(i, dropped->second + 1);
      const auto end = lexemes_[dropped->second].end();
      out_.lineEnds(cursor_, end);
      cursor_ = end;
      return dropped->second + 1;
    }
    if (const auto body = bodies_.find(i); body != bodies_.end()) {
      copyTo(l.end());
      const auto& close = lexemes_[body->second.close];
      // The body leaves no trace, so that a change in it alone leaves the host's part unchanged and built.
      out_.insertAs(body->second.text, l.offset);
      keepMacros(i + 1, body->second.close);
      out_.lineEnds(cursor_, close.offset);
      cursor_ = close.offset;
      copyTo(close.end());
      return body->second.close + 1;
    }
    if (l.kind == Kind::directive) return directive(i);
    copyTo(l.end());
    if (const auto name = names_.find(l.end()); name != names_.end()) out_.insert(name->second);
    return i + 1;
  }

  /// A macro that a body defines is known after it, so its lines stay, with the conditions around them.
  void keepMacros(std::size_t begin, std::size_t end) {
    const auto isMacro = [&](std::size_t i) {
      if (lexemes_[i].kind != Kind::directive) return false;
      const auto name = readDirective(lexemes_[i]).name;
      return name == "define" || name == "undef";
    };
    const auto isCondition = [&](std::size_t i) {
      if (lexemes_[i].kind != Kind::directive) return false;
      const auto name = readDirective(lexemes_[i]).name;
      return name.starts_with("if") || name.starts_with("el") || name == "endif";
    };
    bool any = false;
    for (auto i = begin; i < end && !any; ++i) any = isMacro(i);
    for (auto i = begin; i < end && any; ++i) {
      if (!isMacro(i) && !isCondition(i)) continue;
      out_.lineEnds(cursor_, lexemes_[i].offset);
      cursor_ = lexemes_[i].offset;
      directive(i);
    }
  }

  std::size_t directive(std::size_t i) {
    const auto& l = lexemes_[i];
    const auto said = readDirective(l);
    copyTo(l.offset);
    if (const auto own = source_.ownIncludes.find(i); own != source_.ownIncludes.end()) {
      out_.insert(fmt::format("#include \"{}\"", own->second));
      cursor_ = l.end();
    } else if (said.name == "include" && !useOfInclude(includeName(said.rest).file).host) {
      out_.blank(l.offset, l.end());
      cursor_ = l.end();
    } else if (said.name == "define" && said.rest.find("<<<") != std::string_view::npos) {
      copyTo(l.offset + 1);
      const auto inside = lexCuda(l.text.substr(1), l.offset + 1);
      Writer(inside, out_, cursor_).write(0, inside.size());
      copyTo(l.end());
    } else {
      copyTo(l.end());
    }
    return i + 1;
  }

  const ReadSource& source_;
  std::vector<std::string>& kernels_;
  std::size_t at_ = 0;
  /// The last lexemes of what is left out, by their first ones.
  std::map<std::size_t, std::size_t> dropped_;
  /// The bodies by the lexeme of their '{'.
  std::map<std::size_t, Body> bodies_;
  /// The names by their offset.
  std::map<std::size_t, std::string> names_;
  std::string unfit_;
};

}  // namespace

std::string writeHostPart(const ReadSource& source, const DeviceOnlyItems& deviceOnly, MappedText& out,
                          std::vector<std::string>& kernels) {
  return HostWriter(source, deviceOnly, out, kernels).run();
}

}  // namespace wb
