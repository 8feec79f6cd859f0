// SPDX-License-Identifier: Apache-2.0
// Every C++ parameter and return type, compiled, called and compared with ATen.
#include "tests/engine/compile/compile_fixture.h"

namespace wb {
namespace {

struct Row {
  const char* name;
  const char* op;
  const char* source;
  Stack (*arguments)();
};

at::Tensor values(at::IntArrayRef shape) {
  return (at::arange(1, 1 + c10::multiply_integers(shape), at::kFloat) * 0.37)
      .sin()
      .reshape(shape)
      .contiguous();
}
c10::List<at::Tensor> tensors() {
  return c10::List<at::Tensor>({values({2, 3}), values({2, 3}) * 2});
}
c10::List<std::int64_t> integers(std::initializer_list<std::int64_t> all) {
  return c10::List<std::int64_t>(all);
}
c10::List<std::optional<at::Tensor>> indices() {
  c10::List<std::optional<at::Tensor>> list;
  list.push_back(std::nullopt);
  list.push_back(at::tensor({2, 0}, at::kLong));
  return list;
}
const c10::IValue none;

Stack one() {
  return {values({3, 4})};
}
Stack addArguments() {
  return {values({2, 3}), values({2, 3}), 2.5};
}
Stack sumArguments() {
  return {values({2, 3}), integers({1}), true, static_cast<std::int64_t>(at::kDouble)};
}
Stack sumAll() {
  return {values({2, 3}), none, false, none};
}
Stack catArguments() {
  return {tensors(), 1};
}
Stack geluArguments() {
  return {values({5}), "tanh"};
}
Stack clampArguments() {
  return {values({5}), -0.5, none};
}
Stack normArguments() {
  return {values({2, 4}), integers({4}), values({4}), none, 1e-5};
}
Stack softmaxArguments() {
  return {values({2, 4}), 1, none};
}

const Row rows[] = {
    {"reference", "aten::relu", "at::Tensor relu(const at::Tensor& x) { return x.clamp_min(0); }", one},
    {"byValue", "aten::relu", "torch::Tensor relu_kernel_impl(torch::Tensor x) { return x.clamp_min(0); }",
     one},
    {"lvalue", "aten::relu", "at::Tensor relu(at::Tensor& x) { return at::relu(x); }", one},
    {"rvalue", "aten::relu", "at::Tensor relu(at::Tensor&& x) { return at::relu(x); }", one},
    {"namespaced", "aten::relu",
     "namespace a::b { namespace { at::Tensor relu(at::Tensor x) { return at::relu(x); } } }", one},
    {"static", "aten::relu", "static at::Tensor relu(at::Tensor x) noexcept { return at::relu(x); }", one},
    {"usingAt", "aten::relu", "using namespace at;\nTensor relu(const Tensor& x) { return at::relu(x); }",
     one},
    {"overloadsTheCLibrary", "aten::exp", "at::Tensor exp(const at::Tensor& x) { return at::exp(x); }", one},
    {"overloadsPow", "aten::pow.Tensor_Scalar",
     "at::Tensor pow(const at::Tensor& x, const at::Scalar& e) { return at::pow(x, e); }",
     [] {
       return Stack{values({4}).abs(), 2};
     }},
    {"overloadsAbs", "aten::abs",
     "#include <cmath>\n#include <cstdlib>\nat::Tensor abs(at::Tensor x) { return at::abs(x); }", one},
    {"ivalue", "aten::relu", "at::Tensor relu(c10::IValue x) { return at::relu(x.toTensor()); }", one},
    {"scalar", "aten::add.Tensor",
     "at::Tensor add(const at::Tensor& a, at::Tensor b, const at::Scalar& s) { return a + b * s; }",
     addArguments},
    {"scalarAsDouble", "aten::add.Tensor",
     "at::Tensor add(at::Tensor a, at::Tensor b, double s) { return a + b * s; }", addArguments},
    {"scalarAsFloat", "aten::add.Tensor",
     "at::Tensor add(at::Tensor a, at::Tensor b, const float& s) { return a + b * s; }", addArguments},
    {"optionalScalar", "aten::clamp",
     "at::Tensor clamp(const at::Tensor& x, const std::optional<at::Scalar>& lo, c10::optional<at::Scalar> "
     "hi) {\n"
     "  TORCH_CHECK(!hi); return x.clamp_min(*lo); }",
     clampArguments},
    {"optionalDouble", "aten::clamp",
     "at::Tensor clamp(at::Tensor x, std::optional<double> lo, std::optional<double> hi) { return "
     "at::clamp_min(x, *lo); }",
     clampArguments},
    {"optionalIntList", "aten::sum.dim_IntList",
     "at::Tensor sum(const at::Tensor& x, at::OptionalIntArrayRef d, bool keep, "
     "std::optional<at::ScalarType> t) { return at::sum(x, d, keep, t); }",
     sumArguments},
    {"optionalIntListNone", "aten::sum.dim_IntList",
     "at::Tensor sum__dim_IntList_kernel_impl(const at::Tensor& x, at::OptionalIntArrayRef d, bool keep, "
     "c10::optional<at::ScalarType> t) {\n"
     "  TORCH_CHECK(!d.has_value()); return x.sum(); }",
     sumAll},
    {"optionalOfIntArrayRef", "aten::mean.dim",
     "at::Tensor mean(at::Tensor x, const std::optional<at::IntArrayRef>& d, bool keep, "
     "std::optional<c10::ScalarType> t) { return at::mean(x, *d, keep, t); }",
     sumArguments},
    {"optionalOfVector", "aten::mean.dim",
     "at::Tensor mean(at::Tensor x, std::optional<std::vector<int64_t>> d, bool keep, std::optional<int64_t> "
     "t) {\n"
     "  return at::mean(x, *d, keep, static_cast<at::ScalarType>(*t)); }",
     sumArguments},
    {"intArrayRef", "aten::sum.dim_IntList",
     "at::Tensor sum(at::Tensor x, at::IntArrayRef d, bool keep, at::ScalarType t) { return at::sum(x, d, "
     "keep, t); }",
     sumArguments},
    {"intVector", "aten::sum.dim_IntList",
     "at::Tensor sum(at::Tensor x, const std::vector<int64_t>& d, bool keep, at::ScalarType t) { return "
     "at::sum(x, d, keep, t); }",
     sumArguments},
    {"intArray", "aten::sum.dim_IntList",
     "at::Tensor sum(at::Tensor x, std::array<int64_t, 1> d, bool keep, at::ScalarType t) { return "
     "at::sum(x, d, keep, t); }",
     sumArguments},
    {"tensorList", "aten::cat", "at::Tensor cat(at::TensorList all, int64_t d) { return at::cat(all, d); }",
     catArguments},
    {"iTensorListRef", "aten::cat",
     "at::Tensor cat(const at::ITensorListRef& all, int64_t d) { return at::cat(all, d); }", catArguments},
    {"tensorVector", "aten::cat",
     "at::Tensor cat(std::vector<torch::Tensor> all, int d) { return torch::cat(all, d); }", catArguments},
    {"tensorVectorReference", "aten::cat",
     "at::Tensor cat(const std::vector<at::Tensor>& all, const long& d) { return at::cat(all, d); }",
     catArguments},
    {"c10ListOfTensors", "aten::cat",
     "at::Tensor cat(const c10::List<at::Tensor>& all, c10::SymInt d) { return at::cat(all.vec(), "
     "d.expect_int()); }",
     catArguments},
    {"stringView", "aten::gelu",
     "at::Tensor gelu(const at::Tensor& x, std::string_view a) { return at::gelu(x, a); }", geluArguments},
    {"c10StringView", "aten::gelu",
     "at::Tensor gelu(const at::Tensor& x, c10::string_view a) { return at::gelu(x, a); }", geluArguments},
    {"string", "aten::gelu",
     "at::Tensor gelu(const at::Tensor& x, const std::string& a) { return at::gelu(x, a); }", geluArguments},
    {"charPointer", "aten::gelu", "at::Tensor gelu(at::Tensor x, const char* a) { return at::gelu(x, a); }",
     geluArguments},
    {"tupleAndOptionalTensor", "aten::native_layer_norm",
     "std::tuple<at::Tensor, at::Tensor, at::Tensor> native_layer_norm(const at::Tensor& x, at::IntArrayRef "
     "s, const std::optional<at::Tensor>& w,\n"
     "    const std::optional<at::Tensor>& b, double e) { TORCH_CHECK(w && !b); return "
     "at::native_layer_norm(x, s, w, b, e); }",
     normArguments},
    {"vectorForSeveralReturns", "aten::native_layer_norm",
     "std::vector<at::Tensor> native_layer_norm(at::Tensor x, c10::SymIntArrayRef s, at::Tensor w, "
     "at::Tensor b, float e) {\n"
     "  TORCH_CHECK(!b.defined()); auto [o, m, r] = at::native_layer_norm_symint(x, s, w, {}, e); return {o, "
     "m, r}; }",
     normArguments},
    {"leftOutArguments", "aten::softmax.int",
     "at::Tensor softmax(at::Tensor x, int64_t d) { return at::softmax(x, d); }", softmaxArguments},
    {"where", "aten::where.self",
     "at::Tensor where(const at::Tensor& c, const at::Tensor& a, const at::Tensor& b) { return at::where(c, "
     "a, b); }",
     [] {
       return Stack{values({4}) > 0, values({4}), -values({4})};
     }},
    {"optionalTensorList", "aten::index.Tensor",
     "at::Tensor index(const at::Tensor& x, const c10::List<std::optional<at::Tensor>>& i) { return "
     "at::index(x, i); }",
     [] {
       return Stack{values({2, 3}), indices()};
     }},
    {"optionalTensorVector", "aten::index.Tensor",
     "at::Tensor index(const at::Tensor& x, std::vector<std::optional<at::Tensor>> i) { TORCH_CHECK(!i[0]); "
     "return x.index_select(1, *i[1]); }",
     [] {
       return Stack{values({2, 3}), indices()};
     }},
    {"tensorListReturned", "aten::unbind.int",
     "std::vector<at::Tensor> unbind(const at::Tensor& x, int64_t d) { return at::unbind(x, d); }",
     [] {
       return Stack{values({2, 3}), 1};
     }},
    {"boolReturned", "aten::equal",
     "bool equal(const at::Tensor& a, const at::Tensor& b) { return at::equal(a, b); }",
     [] {
       return Stack{values({2}), values({2})};
     }},
    {"scalarReturned", "aten::item", "at::Scalar item(const at::Tensor& a) { return a.item(); }",
     [] { return Stack{values({1})}; }},
    {"scalarList", "aten::_foreach_add.ScalarList",
     "std::vector<at::Tensor> _foreach_add(at::TensorList a, at::ArrayRef<at::Scalar> s) { "
     "std::vector<at::Tensor> o;\n"
     "  for (size_t i = 0; i < a.size(); ++i) o.push_back(a[i] + s[i]); return o; }",
     [] {
       c10::List<c10::IValue> scalars(c10::NumberType::get());
       scalars.push_back(1.5);
       scalars.push_back(2);
       return Stack{tensors(), scalars};
     }},
    {"inPlaceVoid", "aten::relu_", "void relu_(at::Tensor x) { x.clamp_min_(0); }", one},
    {"inPlaceReference", "aten::relu_", "at::Tensor& relu_(at::Tensor& x) { return x.clamp_min_(0); }", one},
    {"outVoid", "aten::add.out",
     "void add(at::Tensor a, at::Tensor b, double s, at::Tensor out) { at::add_out(out, a, b, s); }",
     [] {
       return Stack{values({2}), values({2}), 2, at::empty({2})};
     }},
    {"doublesAndBools", "aten::upsample_nearest2d.vec",
     "at::Tensor upsample_nearest2d(at::Tensor x, at::OptionalIntArrayRef s, "
     "std::optional<at::ArrayRef<double>> f) { return at::upsample_nearest2d(x, s, f); }",
     [] {
       return Stack{values({1, 1, 2, 2}), none, c10::List<double>({2.0, 3.0})};
     }},
};

class Glue : public CompileTest, public ::testing::WithParamInterface<Row> {};

TEST_P(Glue, TakesAndGives) {
  const Row& row = GetParam();
  auto compiled = compile(std::string{"#include <torch/extension.h>\n"} + row.source + "\n", row.op);
  ASSERT_TRUE(compiled.ok()) << compiled.problem();
  EXPECT_TRUE(compiled.diagnostics.empty()) << compiled.problem();
  const auto result = call(*compiled.outcome->candidate, row.arguments());
  ASSERT_TRUE(result) << describe(result.error());
  expectSame(*result, reference(row.op, row.arguments()));
}

INSTANTIATE_TEST_SUITE_P(Types, Glue, ::testing::ValuesIn(rows),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace wb
