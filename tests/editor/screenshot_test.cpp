// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures for eyes, under <build>/screenshots; the test is that what must be seen was painted.
#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <set>

#include "editor/editor_colors.h"
#include "editor/editor_palette.h"
#include "tests/editor/editor_fixture.h"

namespace wb {
namespace {

EditorPalette lightPalette() {
  EditorPalette p;
  p.dark = false;
  p.background = "#ffffff", p.text = "#24292f", p.lineNumber = "#9aa1ac", p.currentLine = "#f4f6f9",
  p.selection = "#cfe3ff";
  p.selectionText = p.text, p.caret = "#1f2328", p.fold = "#a5acb8", p.indentGuide = "#e3e6eb",
  p.braceMatch = "#d9e2ef";
  p.keyword = "#8b2fc9", p.builtin = "#0b7285", p.type = "#9a6700", p.string = "#1a7f37",
  p.number = "#b35900", p.comment = "#7d8590";
  p.preprocessor = "#c0323c", p.op = "#57606a", p.function = "#0a5bd0";
  p.error = "#cf2a30", p.errorBackground = "#fdeceb", p.warning = "#9a6700", p.warningBackground = "#fdf4d7";
  p.note = "#0a5bd0", p.noteBackground = "#e7f1fe";
  return p;
}

const char* const source = R"(// Row softmax, one block per row.
#include <cuda_fp16.h>

template <int kBlock, int kVec>
__global__ void __launch_bounds__(kBlock) softmax_fwd(const __half* __restrict__ x, __half* __restrict__ y, int rows, int cols) {
    extern __shared__ float smem[];
    const int row = blockIdx.x;
    if (row >= rows) return;
    const auto* xr = x + static_cast<size_t>(row) * cols;

    float m = -INFINITY, s = 0.f;
    for (int c = threadIdx.x * kVec; c < cols; c += kBlock * kVec) {
        float v[kVec];
        load_vec<kVec>(xr + c, v);
        #pragma unroll
        for (int i = 0; i < kVec; ++i) {
            const float nm = fmaxf(m, v[i]);
            s = s * __expf(m - nm) + __expf(v[i] - nm);
            m = nm;
        }
    }
    // warp reduction, then one value per warp through shared memory
    for (int o = 16; o > 0; o >>= 1) {
        const float om = __shfl_xor_sync(0xffffffffu, m, o);
        const float os = __shfl_xor_sync(0xffffffffu, s, o);
        m = combine(m, om, s, os);
    }
    if (threadIdx.x % warpSize == 0) {
        smem[2 * threadIdx.x / 32] = m;
        smem[2 * threadIdx.x / 32 + 1] = s
    }
    __syncthreads();
    printf("row %d: %f\n", row, s);
}
)";

class Screenshots : public EditorTest {
 protected:
  QImage take(const QString& name, const EditorPalette& palette, double scale) {
    show(QString::fromUtf8(source));
    editor.resize(860, 760);
    editor.setPalette(palette);
    editor.setDiagnostics(
        {diagnostic(Severity::error, "softmax.cu", 30, 43, "expected a \";\"", "#65-D"),
         diagnostic(Severity::warning, "softmax.cu", 9, 17,
                    "variable \"xr\" was declared but never referenced", "#177-D"),
         diagnostic(Severity::note, "softmax.cu", 26, 13, "no function matches the argument list")});
    editor.setSelection(16, 24, 16, 26);
    settle();
    QTest::qWait(60);
    QImage image(editor.size() * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    editor.render(&image);
    const QString folder = QStringLiteral(WB_BINARY_DIR "/screenshots");
    QDir().mkpath(folder);
    EXPECT_TRUE(image.save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
    return image;
  }

  static int colors(const QImage& image) {
    std::set<QRgb> seen;
    for (int y = 0; y < image.height(); y += 2) {
      for (int x = 0; x < image.width(); x += 2) seen.insert(image.pixel(x, y));
    }
    return static_cast<int>(seen.size());
  }

  static bool has(const QImage& image, const QColor& color) {
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        if (image.pixel(x, y) == color.rgb()) return true;
      }
    }
    return false;
  }
};

TEST_F(Screenshots, DarkAndSharpAtTwiceTheSize) {
  const EditorPalette palette = defaultEditorPalette();
  const QImage image = take("editor-dark-1x", palette, 1);
  EXPECT_GT(colors(image), 100);
  EXPECT_TRUE(has(image, palette.errorBackground));
  EXPECT_TRUE(has(image, palette.warningBackground));
  EXPECT_TRUE(has(image, palette.currentLine));
  const QImage twice = take("editor-dark-2x", palette, 2);
  EXPECT_EQ(twice.width(), 2 * image.width());
}

TEST_F(Screenshots, Light) {
  const EditorPalette palette = lightPalette();
  const QImage image = take("editor-light-1x", palette, 1);
  EXPECT_EQ(image.pixelColor(image.width() - 60, image.height() - 40), palette.background);
  EXPECT_TRUE(has(image, palette.error));
  take("editor-light-2x", palette, 2);
}

}  // namespace
}  // namespace wb
