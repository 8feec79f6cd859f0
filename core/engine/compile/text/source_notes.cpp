// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/source_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "core/engine/compile/text/lexer.h"
#include "core/engine/compile/text/line_index.h"
#include "core/engine/compile/text/python_names.h"

namespace wb {

namespace {

/// What a note is about.
enum class Topic { streams, threads, processes, callers, patches, memory, files, network, signals, clocks };

/// What the source does, and why somebody would look there.
struct Words {
  Topic topic;
  const char *uses, *why;
};
constexpr std::array words{
    Words{Topic::streams, "makes streams of its own", "what is not joined before the call ends is not timed"},
    Words{Topic::threads, "starts threads", "what they do after the call is not timed"},
    Words{Topic::processes, "starts processes", "what they do after the call is not timed"},
    Words{Topic::callers, "looks at its callers or at the objects of others", "the answer may be there"},
    Words{Topic::patches, "changes what others use", "the reference may use it too"},
    Words{Topic::memory, "reaches into the process's memory or libraries", "others use them too"},
    Words{Topic::files, "opens files", "an answer could be kept there"},
    Words{Topic::network, "uses the network", "an answer could come from there"},
    Words{Topic::signals, "handles signals, sets timers or priorities", "the reference may be slowed"},
    Words{Topic::clocks, "reads clocks", "it could tell when it is timed"},
};

/// A name, its parts joined by "::" or by dots. Where `called` is set it counts only as a function that is
/// called, since many things have such a name.
struct Name {
  std::string_view name;
  Topic topic;
  bool called = false;
};

constexpr std::array cppNames{
    Name{"cudaStreamCreate", Topic::streams},
    Name{"cudaStreamCreateWithFlags", Topic::streams},
    Name{"cudaStreamCreateWithPriority", Topic::streams},
    Name{"cuStreamCreate", Topic::streams},
    Name{"getStreamFromPool", Topic::streams},
    Name{"std::thread", Topic::threads},
    Name{"std::jthread", Topic::threads},
    Name{"std::async", Topic::threads},
    Name{"pthread_create", Topic::threads},
    Name{"cudaLaunchHostFunc", Topic::threads},
    Name{"fork", Topic::processes, true},
    Name{"vfork", Topic::processes, true},
    Name{"system", Topic::processes, true},
    Name{"popen", Topic::processes, true},
    Name{"posix_spawn", Topic::processes},
    Name{"posix_spawnp", Topic::processes},
    Name{"execv", Topic::processes},
    Name{"execve", Topic::processes},
    Name{"execvp", Topic::processes},
    Name{"execl", Topic::processes},
    Name{"backtrace", Topic::callers, true},
    Name{"_Unwind_Backtrace", Topic::callers},
    Name{"PyEval_GetFrame", Topic::callers},
    Name{"TORCH_LIBRARY_IMPL", Topic::patches},
    Name{"torch::Library", Topic::patches},
    Name{"addGlobalCallback", Topic::patches},
    Name{"addThreadLocalCallback", Topic::patches},
    Name{"SetCPUAllocator", Topic::patches},
    Name{"mprotect", Topic::memory},
    Name{"ptrace", Topic::memory, true},
    Name{"process_vm_writev", Topic::memory},
    Name{"process_vm_readv", Topic::memory},
    Name{"userfaultfd", Topic::memory},
    Name{"dlsym", Topic::memory},
    Name{"dlopen", Topic::memory},
    Name{"dl_iterate_phdr", Topic::memory},
    Name{"fopen", Topic::files},
    Name{"open", Topic::files, true},
    Name{"openat", Topic::files, true},
    Name{"std::ifstream", Topic::files},
    Name{"std::ofstream", Topic::files},
    Name{"std::fstream", Topic::files},
    Name{"std::filesystem", Topic::files},
    Name{"shm_open", Topic::files},
    Name{"memfd_create", Topic::files},
    Name{"socket", Topic::network, true},
    Name{"getaddrinfo", Topic::network},
    Name{"sigaction", Topic::signals},
    Name{"std::signal", Topic::signals},
    Name{"signal", Topic::signals, true},
    Name{"setitimer", Topic::signals},
    Name{"timer_create", Topic::signals},
    Name{"alarm", Topic::signals, true},
    Name{"sched_setaffinity", Topic::signals},
    Name{"setpriority", Topic::signals},
    Name{"std::chrono", Topic::clocks},
    Name{"clock_gettime", Topic::clocks},
    Name{"gettimeofday", Topic::clocks},
    Name{"__rdtsc", Topic::clocks},
    Name{"clock64", Topic::clocks},
    Name{"cudaEventElapsedTime", Topic::clocks},
};

/// Those without a dot are modules that are imported, unless they have to be called.
constexpr std::array pythonNames{
    Name{"torch.cuda.Stream", Topic::streams},
    Name{"torch.cuda.ExternalStream", Topic::streams},
    Name{"cuda.Stream", Topic::streams},
    Name{"threading", Topic::threads},
    Name{"_thread", Topic::threads},
    Name{"concurrent", Topic::threads},
    Name{"asyncio", Topic::threads},
    Name{"subprocess", Topic::processes},
    Name{"multiprocessing", Topic::processes},
    Name{"torch.multiprocessing", Topic::processes},
    Name{"os.system", Topic::processes},
    Name{"os.popen", Topic::processes},
    Name{"os.fork", Topic::processes},
    Name{"os.posix_spawn", Topic::processes},
    Name{"os.execv", Topic::processes},
    Name{"inspect", Topic::callers},
    Name{"sys._getframe", Topic::callers},
    Name{"sys._current_frames", Topic::callers},
    Name{"gc", Topic::callers},
    Name{"unittest", Topic::patches},
    Name{"torch.library.Library", Topic::patches},
    Name{"sys.modules", Topic::patches},
    Name{"sys.settrace", Topic::patches},
    Name{"sys.setprofile", Topic::patches},
    Name{"sys.addaudithook", Topic::patches},
    Name{"builtins", Topic::patches},
    Name{"ctypes", Topic::memory},
    Name{"mmap", Topic::memory},
    Name{"open", Topic::files, true},
    Name{"os.open", Topic::files},
    Name{"io.open", Topic::files},
    Name{"pathlib", Topic::files},
    Name{"tempfile", Topic::files},
    Name{"shelve", Topic::files},
    Name{"sqlite3", Topic::files},
    Name{"torch.save", Topic::files},
    Name{"torch.load", Topic::files},
    Name{"np.save", Topic::files},
    Name{"np.load", Topic::files},
    Name{"socket", Topic::network},
    Name{"urllib", Topic::network},
    Name{"http", Topic::network},
    Name{"requests", Topic::network},
    Name{"signal", Topic::signals},
    Name{"os.sched_setaffinity", Topic::signals},
    Name{"os.setpriority", Topic::signals},
    Name{"os.nice", Topic::signals},
    Name{"time", Topic::clocks},
    Name{"timeit", Topic::clocks},
    Name{"torch.cuda.Event", Topic::clocks},
};

/// What was found of each topic: the first place and its name, and how many more there are.
class Found {
 public:
  void add(Topic topic, std::string name, std::size_t offset) {
    const auto [at, isNew] = topics_.try_emplace(topic, One{std::move(name), offset, 0});
    if (!isNew) ++at->second.more;
  }

  [[nodiscard]] std::vector<Diagnostic> notes(std::string_view text, const std::string& file) const {
    const LineIndex lines(text);
    std::vector<Diagnostic> notes;
    for (const Words& said : words) {
      const auto found = topics_.find(said.topic);
      if (found == topics_.end()) continue;
      const One& one = found->second;
      const std::string more = one.more == 0 ? "" : fmt::format(" and {} more", one.more);
      notes.push_back(
          {Severity::note,
           fmt::format("The source {} ({}{}): {}. This is no verdict.", said.uses, one.name, more, said.why),
           "advisory", lines.place(one.offset, file), "warpbench"});
    }
    return notes;
  }

 private:
  struct One {
    std::string name;
    std::size_t offset = 0;
    int more = 0;
  };
  std::map<Topic, One> topics_;
};

/// Whether the lexemes from `at` on spell the name; `end` is then the first one after it.
bool spells(Lexemes lexemes, std::size_t at, std::string_view name, std::size_t& end) {
  while (true) {
    const std::size_t colons = name.find("::");
    const bool isThis = at < lexemes.size() && lexemes[at].kind == Lexeme::Kind::word &&
                        lexemes[at].is(name.substr(0, colons));
    if (!isThis) return false;
    end = ++at;
    if (colons == std::string_view::npos) return true;
    if (at >= lexemes.size() || !lexemes[at].is("::")) return false;
    name.remove_prefix(colons + 2);
    ++at;
  }
}

/// Whether the source itself has a function of this name: a word stands before the name, and a body follows
/// the arguments.
bool isDefinedHere(Lexemes lexemes, std::string_view name) {
  const auto isType = [&](const Lexeme& each) {
    return (each.kind == Lexeme::Kind::word && !each.is("return") && !each.is("else") && !each.is("do")) ||
           each.is("*") || each.is("&") || each.is(">");
  };
  for (std::size_t i = 1; i + 1 < lexemes.size(); ++i) {
    if (!lexemes[i].is(name) || !lexemes[i + 1].is("(") || !isType(lexemes[i - 1])) continue;
    std::size_t at = i + 1;
    for (int depth = 0; at < lexemes.size(); ++at) {
      if (lexemes[at].is("(")) ++depth;
      if (lexemes[at].is(")") && --depth == 0) break;
    }
    while (++at < lexemes.size() && (lexemes[at].is("const") || lexemes[at].is("noexcept"))) continue;
    if (at < lexemes.size() && lexemes[at].is("{")) return true;
  }
  return false;
}

/// Whether a plain name at `at` may be a call of the library's function: it is no member, no function of
/// another namespace, and is not declared here.
bool mayBeCalled(Lexemes lexemes, std::size_t at, std::size_t end) {
  if (end >= lexemes.size() || !lexemes[end].is("(")) return false;
  if (at == 0) return true;
  const auto isWord = [&](std::size_t i) {
    return lexemes[i].kind == Lexeme::Kind::word && !lexemes[i].is("return") && !lexemes[i].is("else") &&
           !lexemes[i].is("do");
  };
  const Lexeme& before = lexemes[at - 1];
  if (before.is("::")) return at < 2 || !isWord(at - 2) || lexemes[at - 2].is("std");
  return !isWord(at - 1) && !before.is(".") && !before.is("->");
}

/// Whether a registration macro is not one for operators of ATen's.
bool isForOwnOperators(Lexemes lexemes, std::size_t end) {
  return end + 1 < lexemes.size() && !lexemes[end + 1].is("aten");
}

const Name* nameAt(Lexemes lexemes, std::size_t at) {
  for (const Name& name : cppNames) {
    std::size_t end = at;
    if (!spells(lexemes, at, name.name, end)) continue;
    if (name.called && (!mayBeCalled(lexemes, at, end) || isDefinedHere(lexemes, name.name))) continue;
    if (name.name == "TORCH_LIBRARY_IMPL" && isForOwnOperators(lexemes, end)) continue;
    return &name;
  }
  return nullptr;
}

/// Settings of torch's that are meant to be assigned.
bool isSetting(std::string_view name) {
  return name.starts_with("torch.backends.") || name.find(".config.") != std::string_view::npos;
}

/// Whether a function or class of torch's gets another value.
bool isPatch(const PythonName& name) {
  if (name.isAssigned) return name.text.starts_with("torch.") && !isSetting(name.text);
  return name.text == "monkeypatch" || name.text == "mock.patch";
}

bool stands(const PythonName& written, const Name& name) {
  const bool isSame = written.text == name.name;
  if (name.called) return isSame && written.isCalled;
  const bool isPart = written.text.starts_with(name.name) && written.text[name.name.size()] == '.';
  const bool isModule = name.name.find('.') == std::string_view::npos;
  return (isSame || isPart) && (!isModule || written.isImported);
}

/// A note at the first "#pragma omp", with which kernels are not compiled.
std::optional<Diagnostic> noteOnOpenMp(std::string_view text, const std::string& file) {
  for (const Lexeme& each : lexCuda(text)) {
    if (each.kind != Lexeme::Kind::directive) continue;
    const Directive directive = readDirective(each);
    if (directive.name != "pragma" || (directive.rest != "omp" && !directive.rest.starts_with("omp ")))
      continue;
    return Diagnostic{Severity::note,
                      "\"#pragma omp\" has no effect here, since kernels are compiled without -fopenmp, as "
                      "torch's extensions are. Call at::parallel_for() to use several threads.",
                      "advisory", LineIndex(text).place(each.offset, file), "warpbench"};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Diagnostic> notesOnCpp(std::string_view text, const std::string& file) {
  const std::vector<Lexeme> lexemes = lexCode(text);
  Found found;
  for (std::size_t i = 0; i < lexemes.size(); ++i)
    if (const Name* name = nameAt(lexemes, i); name != nullptr)
      found.add(name->topic, std::string(name->name), lexemes[i].offset);
  std::vector<Diagnostic> notes = found.notes(text, file);
  if (auto note = noteOnOpenMp(text, file)) notes.push_back(*std::move(note));
  return notes;
}

std::vector<Diagnostic> notesOnPython(std::string_view text, const std::string& file) {
  Found found;
  const std::vector<PythonName> names = namesInPython(text);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const PythonName& written = names[i];
    const bool isSetAttribute = written.text == "setattr" && written.isCalled && i + 1 < names.size() &&
                                (names[i + 1].text == "torch" || names[i + 1].text.starts_with("torch."));
    if (isSetAttribute || isPatch(written)) {
      found.add(Topic::patches, written.text, written.offset);
      continue;
    }
    const auto* known = std::find_if(pythonNames.begin(), pythonNames.end(),
                                     [&](const Name& name) { return stands(written, name); });
    if (known != pythonNames.end()) found.add(known->topic, written.text, written.offset);
  }
  return found.notes(text, file);
}

}  // namespace wb
