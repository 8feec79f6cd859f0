// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/peer.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/isclose.h>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <exception>

#include "core/engine/check/compare/error_figures.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/compare/value_text.h"

namespace wb {
namespace {

constexpr double tolerance = 1e-2;
const ElementRule rule{{tolerance, tolerance}, true};

void takePlaces(const at::Tensor& mask, ElementErrors& errors) {
  const at::Tensor host = mask.cpu();
  const bool* wrong = host.const_data_ptr<bool>();
  errors.bad = {};
  for (std::int64_t i = 0; i < host.numel(); ++i)
    if (wrong[i]) errors.bad.add(i);
  errors.mismatches = errors.bad.count();
  errors.firstBad = errors.mismatches > 0 ? errors.bad.places()[0] : -1;
}

/// The comparison so far; it ends at the first pair of values that differs, as BackendBench's does.
class PeerComparison {
 public:
  [[nodiscard]] CaseCheck result() && {
    check_.errors = std::move(gatherer_).figures();
    check_.errors->elements += others_;
    check_.errors->mismatches += otherMismatches_;
    if (check_.verdict != Verdict::pass && check_.errors->elements == 0) check_.errors.reset();
    return std::move(check_);
  }
  bool compare(const c10::IValue& candidate, const c10::IValue& expected);
  void begin() {
    check_.verdict = Verdict::pass;
    check_.rtol = check_.atol = tolerance;
  }
  bool fail(Verdict verdict, std::string message) {
    check_.verdict = verdict;
    check_.message = std::move(message);
    return false;
  }

 private:
  bool compareItems(const std::vector<c10::IValue>& candidate, const std::vector<c10::IValue>& expected);
  bool compareTensors(const at::Tensor& candidate, const at::Tensor& expected);
  bool compareValues(const at::Tensor& candidate, const at::Tensor& expected);
  bool compareSparse(at::Tensor candidate, at::Tensor expected);
  bool compareCompressed(const at::Tensor& candidate, const at::Tensor& expected);
  bool compareOthers(const c10::IValue& candidate, const c10::IValue& expected);

  CaseCheck check_;
  ErrorGatherer gatherer_;
  /// How many values are not tensors, and how many of these differ.
  std::int64_t others_ = 0, otherMismatches_ = 0;
  /// The number of the output, where there are several.
  std::size_t output_ = 0;
};

bool PeerComparison::compareTensors(const at::Tensor& candidate, const at::Tensor& expected) {
  const auto differ = [&](Verdict verdict, const std::string& wanted, const std::string& got) {
    return fail(verdict, fmt::format("expected {}, got {}", wanted, got));
  };
  if (expected.sizes() != candidate.sizes())
    return differ(Verdict::wrongShape, "shape " + shapeText(expected.sizes()), shapeText(candidate.sizes()));
  if (expected.layout() != candidate.layout())
    return differ(Verdict::mismatch, fmt::format("layout {}", fmt::streamed(expected.layout())),
                  fmt::format("{}", fmt::streamed(candidate.layout())));
  if (expected.device() != candidate.device())
    return differ(Verdict::wrongDevice, "on " + expected.device().str(), "on " + candidate.device().str());
  if (expected.scalar_type() != candidate.scalar_type())
    return differ(Verdict::wrongDtype, c10::toString(expected.scalar_type()),
                  c10::toString(candidate.scalar_type()));
  if (at::isFloat8Type(expected.scalar_type()))
    return fail(Verdict::mismatch, "torch.testing does not compare float8 with a tolerance");
  if (expected.is_sparse()) return compareSparse(candidate, expected);
  if (expected.layout() != at::kStrided) return compareCompressed(candidate, expected);
  if (expected.is_quantized()) return compareValues(candidate.dequantize(), expected.dequantize());
  return compareValues(candidate, expected);
}

bool PeerComparison::compareValues(const at::Tensor& candidate, const at::Tensor& expected) {
  const Output c = flatOutputs({candidate})[0], e = flatOutputs({expected})[0];
  if (!c.strange.empty()) return fail(Verdict::mismatch, "the output is " + c.strange);
  ElementErrors errors;
  errors.elements = e.tensor.numel();
  errors.differences = DifferenceSample(errors.elements);
  const at::Tensor flatC = c.tensor.contiguous(), flatE = e.tensor.contiguous();
  if (errors.elements > 0 && !sameBits(flatC, flatE)) {
    errors = elementErrors(flatC, flatE, {}, rule);
    // Torch's own arithmetic decides, in the tensors' own type, since rounding may go either way there.
    const at::Tensor bad = at::isclose(flatE, flatC, tolerance, tolerance, true).logical_not_().reshape(-1);
    takePlaces(bad, errors);
  }
  gatherer_.add(errors, flatC, flatE, output_, false);
  return errors.mismatches == 0 || fail(Verdict::mismatch, gatherer_.mismatchText());
}

bool PeerComparison::compareSparse(at::Tensor candidate, at::Tensor expected) {
  if (candidate.is_coalesced() != expected.is_coalesced()) {
    candidate = candidate.coalesce();
    expected = expected.coalesce();
  }
  if (candidate.sparse_dim() != expected.sparse_dim() || candidate._nnz() != expected._nnz())
    return fail(Verdict::mismatch,
                fmt::format("expected {} stored elements, got {}", expected._nnz(), candidate._nnz()));
  if (!at::equal(candidate._indices(), expected._indices()))
    return fail(Verdict::mismatch, "the indices of the sparse outputs differ");
  return compareValues(candidate._values(), expected._values());
}

bool PeerComparison::compareCompressed(const at::Tensor& candidate, const at::Tensor& expected) {
  const bool rows = expected.layout() == at::kSparseCsr || expected.layout() == at::kSparseBsr;
  const bool columns = expected.layout() == at::kSparseCsc || expected.layout() == at::kSparseBsc;
  if (!rows && !columns) return compareValues(candidate, expected);
  if (candidate._nnz() != expected._nnz())
    return fail(Verdict::mismatch,
                fmt::format("expected {} stored elements, got {}", expected._nnz(), candidate._nnz()));
  const bool same = rows ? at::equal(candidate.crow_indices(), expected.crow_indices()) &&
                               at::equal(candidate.col_indices(), expected.col_indices())
                         : at::equal(candidate.ccol_indices(), expected.ccol_indices()) &&
                               at::equal(candidate.row_indices(), expected.row_indices());
  if (!same) return fail(Verdict::mismatch, "the indices of the sparse outputs differ");
  return compareValues(candidate.values(), expected.values());
}

/// Python's == for what is neither a tensor nor a sequence, also against a tensor of one element.
bool equalAsPython(const c10::IValue& a, const c10::IValue& b) {
  const auto none = [](const c10::IValue& v) {
    return v.isNone() || (v.isTensor() && !v.toTensor().defined());
  };
  if (none(a) || none(b)) return none(a) && none(b);
  if (a.isScalar() && b.isTensor())
    return b.toTensor().numel() == 1 && b.toTensor().reshape({}).eq(a.toScalar()).item<bool>();
  if (a.isScalar() && b.isScalar()) {
    const at::Scalar x = a.toScalar(), y = b.toScalar();
    if (x.isComplex() || y.isComplex()) return x.toComplexDouble() == y.toComplexDouble();
    if (x.isFloatingPoint() || y.isFloatingPoint()) return x.toDouble() == y.toDouble();
    return x.toLong() == y.toLong();
  }
  if (a.isString() && b.isString()) return a.toStringRef() == b.toStringRef();
  return a.tagKind() == b.tagKind() && a == b;
}

std::string textOf(const c10::IValue& value) {
  if (value.isDouble()) return fmt::format("{}", value.toDouble());
  if (value.isBool()) return value.toBool() ? "True" : "False";
  if (value.isInt()) return fmt::format("{}", value.toInt());
  return kindText(value);
}

bool PeerComparison::compareOthers(const c10::IValue& candidate, const c10::IValue& expected) {
  ++others_;
  if (equalAsPython(expected, candidate)) return true;
  ++otherMismatches_;
  const bool missing = kindText(candidate) == "None";
  return fail(missing ? Verdict::wrongCount : Verdict::mismatch,
              fmt::format("expected {}, got {}", textOf(expected), textOf(candidate)));
}

bool PeerComparison::compareItems(const std::vector<c10::IValue>& candidate,
                                  const std::vector<c10::IValue>& expected) {
  if (candidate.size() != expected.size())
    return fail(Verdict::wrongCount,
                fmt::format("expected {} outputs, got {}", expected.size(), candidate.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    output_ = i;
    if (compare(candidate[i], expected[i])) continue;
    check_.message = outputPrefix(i, expected.size()) + check_.message;
    return false;
  }
  return true;
}

bool PeerComparison::compare(const c10::IValue& candidate, const c10::IValue& expected) {
  if (expected.isTensor() && expected.toTensor().defined()) {
    if (candidate.isTensor() && candidate.toTensor().defined())
      return compareTensors(candidate.toTensor(), expected.toTensor());
    const Verdict verdict = candidate.isScalar() ? Verdict::wrongDtype : Verdict::wrongCount;
    return fail(verdict, fmt::format("expected a tensor, got {}", kindText(candidate)));
  }
  if (isSequence(expected)) {
    if (isSequence(candidate)) return compareItems(itemsOf(candidate), itemsOf(expected));
    if (candidate.isTensor() && candidate.toTensor().defined() && candidate.toTensor().dim() > 0) {
      const auto slices = candidate.toTensor().unbind();
      return compareItems({slices.begin(), slices.end()}, itemsOf(expected));
    }
    return fail(Verdict::wrongCount,
                fmt::format("expected {}, got {}", kindText(expected), kindText(candidate)));
  }
  return compareOthers(candidate, expected);
}

}  // namespace

CaseCheck compareAsPeer(const Stack& candidate, const Stack& expected) {
  PeerComparison comparison;
  comparison.begin();
  try {
    comparison.compare(pythonValue(candidate), pythonValue(expected));
  } catch (const std::exception& problem) {
    // For BackendBench, values that torch cannot compare are not close.
    comparison.fail(Verdict::mismatch, std::string("could not be compared: ") + problem.what());
  }
  return std::move(comparison).result();
}

}  // namespace wb
