// SPDX-License-Identifier: Apache-2.0
#include "core/engine/profile/disassembly.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/base/process/process.h"
#include "core/base/python.h"
#include "core/engine/profile/host_listing.h"

namespace wb {
namespace {

using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string textOf(const std::string& name) {
  const auto content = readFile(std::filesystem::path(WB_SOURCE_DIR) / "tests/engine/disassembly" / name);
  EXPECT_TRUE(content) << describe(content.error());
  return content.value_or("");
}

const Instruction& at(const Listing& listing, std::uint64_t offset) {
  static const Instruction none;
  for (const Instruction& each : listing.instructions)
    if (each.offset == offset) return each;
  ADD_FAILURE() << "nothing at " << offset;
  return none;
}

TEST(DisassemblyTest, FunctionsAreReadWithTheirNamesAndArchitecture) {
  const auto listings = parseDisassembly(textOf("nvcc_lineinfo.txt"), "/home/me/kernels/kernel.cu");
  ASSERT_EQ(listings.size(), 2U);
  EXPECT_EQ(listings[0].function, "_Z4copyIdEvPKT_PS0_");
  EXPECT_EQ(listings[0].kernel, "copy<double>");
  EXPECT_EQ(listings[0].architecture, "sm_90");
  EXPECT_EQ(listings[1].function, "relu");
  EXPECT_EQ(listings[1].kernel, "relu");
}

TEST(DisassemblyTest, InstructionsCarryOffsetTextAndLine) {
  const auto listings = parseDisassembly(textOf("nvcc_lineinfo.txt"), "/home/me/kernels/kernel.cu");
  ASSERT_EQ(listings.size(), 2U);
  EXPECT_EQ(at(listings[1], 0x10), (Instruction{0x10, "S2R R0, SR_TID.X", 7, ""}));
  EXPECT_EQ(at(listings[1], 0x70), (Instruction{0x70, "@P0 EXIT", 8, ""}));
  EXPECT_EQ(at(listings[1], 0xc0), (Instruction{0xc0, "LDG.E R2, desc[UR4][R2.64]", 9, ""}));
  std::uint64_t expected = 0;
  for (const Instruction& each : listings[1].instructions) {
    EXPECT_EQ(each.offset, expected);
    EXPECT_GT(each.line, 0) << each.text;
    expected += 16;
  }
}

TEST(DisassemblyTest, OfInlinedCodeTheInnermostPlaceInTheOwnFileCounts) {
  const std::string text = textOf("nvcc_lineinfo.txt");
  // helper.cuh:3 inlined at kernel.cu:10, and kernel.cu:4 inlined there.
  const auto own = parseDisassembly(text, "kernel.cu");
  EXPECT_EQ(at(own[1], 0xf0), (Instruction{0xf0, "FFMA R0, R2, R9, 1", 10, ""}));
  EXPECT_EQ(at(own[1], 0x110).line, 4);
  // Seen from the header it is the other way round; the caller's file is then named.
  const auto header = parseDisassembly(text, "other/place/helper.cuh");
  EXPECT_EQ(at(header[1], 0xf0), (Instruction{0xf0, "FFMA R0, R2, R9, 1", 3, ""}));
  EXPECT_EQ(at(header[1], 0x110),
            (Instruction{0x110, "FSEL R7, R0, RZ, P0", 4, "/home/me/kernels/kernel.cu"}));
  // Without a file of one's own the innermost place with its file.
  EXPECT_EQ(at(parseDisassembly(text, "")[1], 0xf0).file, "/home/me/kernels/helper.cuh");
}

TEST(DisassemblyTest, JumpsNameOffsetsAndPaddingIsLeftOut) {
  const auto listings = parseDisassembly(textOf("nvrtc_calls.txt"), "relu.cu");
  ASSERT_EQ(listings.size(), 1U);
  EXPECT_EQ(at(listings[0], 0x110).text, "CALL.REL.NOINC 0x160");
  EXPECT_EQ(at(listings[0], 0x180).text, "@!P0 BRA 0x520");
  EXPECT_EQ(at(listings[0], 0x360).text, "@P1 BRA 0x240");
  EXPECT_EQ(at(listings[0], 0x530).text, "RET.REL.NODEC R2 0x0");
  EXPECT_EQ(listings[0].instructions.back().text, "BRA 0x540");
  EXPECT_EQ(at(listings[0], 0x160).line, 3);  // a function that was called, not inlined
  EXPECT_EQ(at(listings[0], 0xc0).line, 1);   // one that was
}

TEST(DisassemblyTest, ABinaryOfTritonNamesThePythonLines) {
  const auto listings = parseDisassembly(textOf("triton.txt"), "/home/me/kernels/tri.py");
  ASSERT_EQ(listings.size(), 1U);
  EXPECT_EQ(listings[0].function, "softmax_kernel");
  EXPECT_EQ(listings[0].architecture, "sm_90a");
  EXPECT_EQ(at(listings[0], 0xf0), (Instruction{0xf0, "@!P2 LDG.E R5, desc[UR6][R8.64]", 11, ""}));
  EXPECT_EQ(at(listings[0], 0x1a0).line, 170);
  EXPECT_EQ(at(listings[0], 0x1a0).file, "/env/triton/language/standard.py");
}

TEST(DisassemblyTest, ABinaryWithoutLinesHasInstructionsAllTheSame) {
  const auto listings = parseDisassembly(textOf("nvcc_plain.txt"), "kernel.cu");
  ASSERT_EQ(listings.size(), 2U);
  EXPECT_GT(listings[1].instructions.size(), 10U);
  EXPECT_THAT(listings[1].instructions, Each(Field(&Instruction::line, 0)));
  EXPECT_THAT(listings[1].instructions, Each(Field(&Instruction::file, "")));
}

TEST(DisassemblyTest, TextThatIsNoDisassemblyHasNoListings) {
  for (const char* text : {"", "\n\n", "/*0000*/ EXIT ;\n", "\t.section\n", "\t.section .text.\n:\n",
                           "//## File \"x\", line\n", "\t.section .text.f,\"ax\"\n/*zz*/ EXIT ;\n/*00"})
    EXPECT_THAT(parseDisassembly(text, "a.cu"), IsEmpty()) << text;
}

TEST(DisassemblyTest, ATextCutAnywhereIsReadAsFarAsItGoes) {
  const std::string text = textOf("nvrtc_calls.txt");
  for (std::size_t end = 0; end < text.size(); end += 101)
    EXPECT_LE(parseDisassembly(std::string_view(text).substr(0, end), "relu.cu").size(), 1U);
}

/// ptxas of Triton's package.
std::string assembled(const std::string& ptx, const char* option) {
  const auto python = findPython();
  EXPECT_TRUE(python);
  const std::filesystem::path folder = ::testing::TempDir();
  const auto source = folder / ("wb_disassembly_" + std::to_string(getpid()) + ".ptx");
  auto binary = source;
  binary.replace_extension("cubin");
  EXPECT_TRUE(writeFileAtomically(source, ptx));
  for (const auto& packages : packageFolders(python->parent_path().parent_path())) {
    const auto ptxas = packages / "triton/backends/nvidia/bin/ptxas";
    if (!std::filesystem::exists(ptxas)) continue;
    const auto ran = runToEnd(
        Command{{ptxas.string(), "-arch=sm_90", option, source.string(), "-o", binary.string()}, {}, {}},
        std::chrono::seconds(60));
    EXPECT_TRUE(ran && ran->ok()) << (ran ? ran->err : describe(ran.error()));
  }
  std::string content = readFile(binary).value_or("");
  std::filesystem::remove(source);
  std::filesystem::remove(binary);
  return content;
}

const char* const twoFunctions = R"(.version 8.0
.target sm_90
.address_size 64
.file 1 "/home/me/store.cu"
.visible .entry store(.param .u64 out) {
  .reg .b64 %rd<3>;
  .loc 1 7 3
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  .loc 1 8 5
  st.global.u32 [%rd2], 42;
  ret;
}
.visible .entry other() { ret; }
)";

TEST(DisassembleTest, ABinaryIsDisassembledWithTheInstalledProgram) {
  const std::string cubin = assembled(twoFunctions, "-lineinfo");
  ASSERT_FALSE(cubin.empty());
  const auto listings = disassemble(cubin, "store.cu");
  ASSERT_TRUE(listings) << describe(listings.error());
  ASSERT_EQ(listings->size(), 2U);
  const auto store = std::ranges::find(*listings, "store", &Listing::function);
  ASSERT_NE(store, listings->end());
  EXPECT_NE(std::ranges::find(*listings, "other", &Listing::function), listings->end());
  EXPECT_EQ(store->architecture, "sm_90");
  bool stored = false;
  for (const Instruction& each : store->instructions)
    if (each.text.starts_with("STG")) {
      stored = true;
      EXPECT_EQ(each.line, 8);
      EXPECT_EQ(each.file, "");
    }
  EXPECT_TRUE(stored);
}

TEST(DisassembleTest, WhatIsNoBinaryIsAnErrorInTheProgramsWords) {
  const auto listings = disassemble("not a cubin", "store.cu");
  ASSERT_FALSE(listings);
  EXPECT_EQ(listings.error().stage, Stage::profile);
  EXPECT_THAT(listings.error().text, HasSubstr("nvdisasm"));
}

TEST(DisassemblyTest, LiveRegistersAreAddedWhereTheDisassemblerTellsThem) {
  Listing f, other;
  f.function = "f";
  f.instructions = {{0x0, "LDC"}, {0x10, "LDC"}, {0x30, "ULDC.64"}, {0x90, "LOP3.LUT"}, {0xff0, "EXIT"}};
  other.function = "other";
  other.instructions = {{0x10, "LDC"}};
  std::vector<Listing> listings{other, f};
  addLiveRegisters(listings, textOf("life_ranges.txt"));
  EXPECT_EQ(listings[0].instructions[0].live, 0);
  std::vector<int> live;
  for (const Instruction& each : listings[1].instructions) live.push_back(each.live);
  EXPECT_EQ(live, (std::vector<int>{1, 2, 3, 5, 0}));
}

TEST(HostListingTest, OnlyTheUsersFunctionsAreListed) {
  const auto listings = parseObjdump(textOf("objdump.txt"), {"kernel.cpp"});
  ASSERT_EQ(listings.size(), 1U);
  EXPECT_EQ(listings[0].kind, ListingKind::host);
  EXPECT_EQ(listings[0].architecture, "x86-64");
  EXPECT_THAT(listings[0].kernel, ::testing::StartsWith("sum(std::vector<float"));
  EXPECT_TRUE(parseObjdump(textOf("objdump.txt"), {"relu.cpp"}).empty());
}

TEST(HostListingTest, InlinedCodeBelongsToTheUsersLine) {
  const auto listings = parseObjdump(textOf("objdump.txt"), {"kernel.cpp"});
  ASSERT_FALSE(listings.empty());
  const auto& all = listings[0].instructions;
  // stl_vector.h, inlined in the loop of line 5.
  EXPECT_EQ(all[0], (Instruction{0x0, "mov    rax,QWORD PTR [rdi]", 5, ""}));
  // twice() of line 2 is in the user's file itself.
  const auto doubled =
      std::find_if(all.begin(), all.end(), [](const Instruction& one) { return one.line == 2; });
  ASSERT_NE(doubled, all.end());
  EXPECT_THAT(doubled->text, ::testing::StartsWith("addss"));
}

TEST(HostListingTest, JumpsCountFromTheFunctionsStart) {
  const auto listings = parseObjdump(textOf("objdump.txt"), {"kernel.cpp"});
  ASSERT_FALSE(listings.empty());
  std::vector<std::string> jumps;
  for (const Instruction& each : listings[0].instructions)
    if (each.text.starts_with("j")) jumps.push_back(each.text.substr(each.text.rfind(' ') + 1));
  EXPECT_THAT(jumps, Each(::testing::MatchesRegex("0x[0-9a-f]{1,3}")));
  EXPECT_FALSE(jumps.empty());
  EXPECT_EQ(listings[0].instructions.back().text, "ret") << "padding is left out";
}

TEST(HostListingTest, NothingAndNonsenseAreNoAccident) {
  EXPECT_TRUE(parseObjdump("", {"kernel.cpp"}).empty());
  EXPECT_TRUE(parseObjdump("   6ee0:\tpush rbp\nkernel.cpp:\n: <\n0 <>:\n", {"kernel.cpp"}).empty());
  EXPECT_FALSE(disassembleHost("/nowhere/kernel.so", {"kernel.cpp"}));
}

}  // namespace
}  // namespace wb
