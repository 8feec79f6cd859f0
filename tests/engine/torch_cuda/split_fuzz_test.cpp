// SPDX-License-Identifier: Apache-2.0
// Real and tricky extensions, changed a few thousand times from fixed seeds: what the splitter does not
// refuse has to stay what it was. WARPBENCH_FUZZ=100000 tries that many changes of each file.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include "core/engine/compile/text/lexer.h"
#include "tests/engine/torch_cuda/split_checks.h"

namespace wb {
namespace {

using testing::HasSubstr;
using Kind = Lexeme::Kind;

int changes(int usual) {
  const char* asked = std::getenv("WARPBENCH_FUZZ");
  return asked != nullptr ? std::atoi(asked) : usual;
}

class Changer {
 public:
  explicit Changer(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  template <class List>
  const auto& oneOf(const List& list) {
    return list[below(std::size(list))];
  }

  /// Other blanks, line ends and comments between tokens, where there are some already.
  std::string respaced(std::string_view source) {
    constexpr std::array<std::string_view, 12> gaps{" ",
                                                    "\t \n",
                                                    "\r\n",
                                                    "\n\n",
                                                    " /* { */",
                                                    " /* k<<<1>>>( */ ",
                                                    " // ) \" '\n",
                                                    "\\\n ",
                                                    " \\  \n",
                                                    " /* R\"( */ ",
                                                    "\n/* #if 0\n*/ ",
                                                    " // \\\n }\n"};
    const auto lexemes = lexCuda(source);
    std::string out;
    std::size_t at = 0;
    for (std::size_t i = 1; i < lexemes.size(); ++i) {
      const auto &before = lexemes[i - 1], &after = lexemes[i];
      if (before.kind == Kind::directive || after.kind == Kind::directive || before.end() == after.offset ||
          below(4) != 0)
        continue;
      out.append(source.substr(at, before.end() - at)).append(oneOf(gaps));
      at = after.offset;
    }
    return out.append(source.substr(at));
  }

  /// One token or byte of it gone, doubled, moved, or another's.
  std::string broken(const std::string& source, const std::string& other) {
    constexpr std::array<std::string_view, 30> words{"{",
                                                     "}",
                                                     "(",
                                                     ")",
                                                     "<",
                                                     ">",
                                                     "<<<",
                                                     ">>>",
                                                     ";",
                                                     "\"",
                                                     "'",
                                                     "/*",
                                                     "*/",
                                                     "//",
                                                     "\\\n",
                                                     "#if 0\n",
                                                     "\n#endif\n",
                                                     "\n#else\n",
                                                     "__global__",
                                                     "template",
                                                     "struct",
                                                     "namespace",
                                                     "::",
                                                     "__device__",
                                                     "R\"(",
                                                     "k<<<1,2>>>(x)",
                                                     "operator",
                                                     "=",
                                                     "\n#define Q }\n",
                                                     "[]"};
    std::string text = source;
    for (std::size_t times = 1 + below(3); times > 0; --times) {
      const auto lexemes = lexCuda(text);
      if (lexemes.empty()) return text;
      const auto& one = oneOf(lexemes);
      const std::string spelled(one.text);
      const std::size_t offset = one.offset, end = one.end();
      switch (below(7)) {
        case 0:
          text.erase(offset, spelled.size());
          break;
        case 1:
          text.insert(end, " " + spelled);
          break;
        case 2: {
          const std::size_t to = oneOf(lexemes).offset;
          text.insert(to, spelled + " ");
          break;
        }
        case 3:
          text.insert(offset, oneOf(words));
          break;
        case 4:
          text[below(text.size())] = static_cast<char>(below(256));
          break;
        case 5:
          text.resize(offset);
          break;
        default: {
          const std::size_t from = below(other.size());
          text.insert(offset, other.substr(from, below(200)));
        }
      }
    }
    return text;
  }

 private:
  std::mt19937 random_;
};

std::vector<CorpusFile> fitFiles() {
  auto files = splitCorpus();
  std::erase_if(files, [](const CorpusFile& file) { return !file.unfit.empty(); });
  return files;
}
/// "" where they are the same.
std::string difference(const std::vector<std::string>& is, const std::vector<std::string>& should) {
  const auto [a, b] = std::mismatch(is.begin(), is.end(), should.begin(), should.end());
  if (a == is.end() && b == should.end()) return {};
  std::string text = "after";
  for (auto i = a - std::min<std::ptrdiff_t>(a - is.begin(), 8); i != a; ++i) text += " " + *i;
  return text + ": " + (a == is.end() ? "nothing" : *a) + ", not " + (b == should.end() ? "nothing" : *b);
}
std::vector<std::string> hostOf(const std::string& source) {
  return spellings(splitAlone(source).files[0].host.text());
}
std::vector<std::string> deviceOf(const std::string& source) {
  return spellings(splitAlone(source).files[0].device.text());
}

TEST(SplitCorpus, IsTakenApartOrLeftToNvccAsEachFileSays) {
  for (const auto& file : splitCorpus()) {
    const auto split = splitAlone(file.text);
    if (file.unfit.empty())
      EXPECT_EQ(split.unfit, "") << file.name;
    else
      EXPECT_THAT(split.unfit, HasSubstr(file.unfit)) << file.name;
    EXPECT_EQ(faultOf(file.text, split), "") << file.name;
  }
}

TEST(SplitFuzz, BlanksAndCommentsChangeNothing) {
  unsigned seed = 1;
  for (const auto& file : fitFiles()) {
    const auto host = hostOf(file.text), device = deviceOf(file.text);
    for (int i = changes(15); i > 0; --i) {
      const auto text = Changer(seed).respaced(file.text);
      const auto split = splitAlone(text);
      ASSERT_EQ(split.unfit, "") << file.name << ", seed " << seed << "\n" << text;
      ASSERT_EQ(faultOf(text, split), "") << file.name << ", seed " << seed << "\n" << text;
      ASSERT_EQ(difference(hostOf(text), host), "") << file.name << ", seed " << seed << "\n" << text;
      ASSERT_EQ(difference(deviceOf(text), device), "") << file.name << ", seed " << seed << "\n" << text;
      ++seed;
    }
  }
}

TEST(SplitFuzz, PartsOfTwoFilesAreTheirPartsPutTogether) {
  const auto joined = [](std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const std::array<std::string, 8> more{
      "struct Added { at::Tensor added; int n; };\nvoid useAdded(Added) {}\n",
      "__global__ void added(int* x) {\n#define ADDED 3\n  x[0] = ADDED;\n}\nint addedToo = ADDED;\n",
      "#if 0 /* never */\n} { ) ' k<<<\n#endif\n",
      "static const char* addedText = \"} k<<<1>>>(\";\n",
      "template <class T> __global__ void addedKernel(T x, int);\n",
      "namespace added { void f() { g<int><<<1, 2>>>(3 >> 1); } }\n",
      "#ifdef A\nvoid addedF() {\n#else\nvoid addedF(int) {\n#endif\n}\nvoid addedG() { }\n#ifdef "
      "A\n#else\n#endif\n",
      "__device__ int addedDevice() { return sizeof(\"{\"); }\n"};
  for (const auto& file : fitFiles())
    for (const auto& text : more) {
      const bool torn = text.starts_with("#ifdef A");
      const auto split = splitAlone(file.text + "\n" + text);
      EXPECT_EQ(split.unfit.empty(), !torn) << file.name << "\n" << text << split.unfit;
      if (torn) continue;
      EXPECT_EQ(difference(spellings(split.files[0].host.text()), joined(hostOf(file.text), hostOf(text))),
                "")
          << file.name;
      EXPECT_EQ(
          difference(spellings(split.files[0].device.text()), joined(deviceOf(file.text), deviceOf(text))),
          "")
          << file.name;
    }
}

TEST(SplitFuzz, BrokenTextsLoseNothing) {
  const auto files = splitCorpus();
  unsigned seed = 1;
  int taken = 0;
  for (const auto& file : files)
    for (int i = changes(150); i > 0; --i) {
      Changer changer(seed);
      const auto text = changer.broken(file.text, changer.oneOf(files).text);
      const auto split = splitAlone(text);
      ASSERT_EQ(faultOf(text, split), "") << file.name << ", seed " << seed << "\n" << text;
      (void)hostFunctions(text);
      taken += split.unfit.empty() ? 1 : 0;
      ++seed;
    }
  EXPECT_GT(taken, 0);
}

TEST(SplitFuzz, DeepAndLongTextsEnd) {
  for (const std::string_view piece : {"{",
                                       "(",
                                       "<",
                                       "<<<",
                                       ">>>",
                                       "k<<<",
                                       "class a{",
                                       "namespace a{",
                                       "template<",
                                       "a<<<1,",
                                       "R\"(",
                                       "/*",
                                       "#if 0\n",
                                       "#define a\n",
                                       "struct a{ struct b{};",
                                       "void f() {",
                                       "[",
                                       "a<b,",
                                       "#if\n{\n",
                                       "__global__ void k("}) {
    std::string text;
    while (text.size() < 20'000) text += piece;
    EXPECT_EQ(faultOf(text, splitAlone(text)), "") << piece;
    text += "}}}))>>>;";
    EXPECT_EQ(faultOf(text, splitAlone(text)), "") << piece;
  }
}

}  // namespace
}  // namespace wb
