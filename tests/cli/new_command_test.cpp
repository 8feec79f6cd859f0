// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/base/files/file.h"
#include "tests/cli/cli_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

class NewCommand : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    std::filesystem::create_directories(folder_ / "cache/catalogue");
    write(
        "cache/catalogue/2.11.0.json",
        R"({"operators":[{"name":"aten::gelu","schema":"aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor",)"
        R"("tensorOnly":true},{"name":"aten::rot90","schema":"aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) )"
        R"(-> Tensor","tensorOnly":false}],"torch":"2.11.0","version":1})");
  }
};

TEST_F(NewCommand, WritesAKernelThatRunsAtOnce) {
  const Captured made = run({"new", "gelu"});
  EXPECT_EQ(made.ending.exitCode, ExitStatus::good) << made.err;
  EXPECT_THAT(made.out, HasSubstr("gelu.cpp: aten::gelu, element by element"));
  EXPECT_THAT(made.out, HasSubstr("warpbench run gelu.cpp --suite smoke"));
  const Captured ran = run({"run", "gelu.cpp", "--device", "cpu", "--stages", "compile,check"});
  EXPECT_THAT(ran.out, HasSubstr("gelu")) << ran.err;
}

TEST_F(NewCommand, ShowsItAndWritesOverNothingUnasked) {
  const Captured shown = run({"new", "rot90", "--language", "triton", "--output", "-"});
  EXPECT_THAT(shown.out, HasSubstr("def rot90_kernel_impl(self, k=1, dims=(0, 1,)):"));
  write("rot90.py", "mine\n");
  const Captured refused = run({"new", "rot90", "--language", "python"});
  EXPECT_EQ(refused.ending.exitCode, ExitStatus::usage);
  EXPECT_THAT(refused.err, HasSubstr("rot90.py is there already"));
  EXPECT_EQ(*readFile(folder_ / "rot90.py"), "mine\n");
  EXPECT_EQ(run({"new", "rot90", "--language", "python", "--force"}).ending.exitCode, ExitStatus::good);
}

TEST_F(NewCommand, SaysWhatIsUnknown) {
  EXPECT_THAT(run({"new", "gelo"}).err, HasSubstr("gelu"));
  EXPECT_THAT(run({"new", "gelu", "--language", "fortran"}).err, HasSubstr("no language 'fortran'"));
}

}  // namespace
}  // namespace wb
