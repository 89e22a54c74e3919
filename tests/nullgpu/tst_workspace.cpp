// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/cudnn_types.h"
#include "engine/nullgpu/workspace.h"

#include <QTest>

using namespace tidemark::nullgpu;

class WorkspaceTest : public QObject {
    Q_OBJECT

private slots:
    void rangesContainTheExpectedValue_data() {
        QTest::addColumn<Convolution>("convolution");
        QTest::addColumn<bool>("tensorCores");
        QTest::addColumn<double>("expected");
        QTest::addColumn<double>("high");
        constexpr std::uint64_t kBig = std::uint64_t{1} << 30;
        QTest::newRow("NCHW on tensor cores")
            << Convolution{ConvolutionKind::Forward, cudnn::Float, false, false, kBig} << true << 1.0 << 1.5;
        QTest::newRow("NCHW without")
            << Convolution{ConvolutionKind::Forward, cudnn::Float, false, false, kBig} << false << 0.0 << 1.0;
        QTest::newRow("channels last forward")
            << Convolution{ConvolutionKind::Forward, cudnn::Half, true, false, kBig} << true << 0.0 << 0.7;
        QTest::newRow("channels last weight gradient")
            << Convolution{ConvolutionKind::BackwardFilter, cudnn::Half, true, false, kBig} << true << 0.1 << 0.7;
        QTest::newRow("depthwise")
            << Convolution{ConvolutionKind::Forward, cudnn::Half, false, true, kBig} << true << 1.0 << 5.0;
    }
    void rangesContainTheExpectedValue() {
        QFETCH(Convolution, convolution);
        QFETCH(bool, tensorCores);
        QFETCH(double, expected);
        QFETCH(double, high);
        const auto estimate = [&](Band band) {
            return static_cast<double>(estimateWorkspace(convolution, tensorCores, band)) /
                   static_cast<double>(convolution.bytes);
        };
        QCOMPARE(estimate(Band::Low), 0.0);
        QVERIFY(qAbs(estimate(Band::Expected) - expected) < 1e-6);
        QVERIFY(qAbs(estimate(Band::High) - high) < 1e-6);
    }

    void smallTensorsMayNeed32MiBMore() {
        const Convolution small{ConvolutionKind::Forward, cudnn::Half, false, false, 1000};
        QCOMPARE(estimateWorkspace(small, true, Band::High), std::uint64_t{1000 + (32 << 20)});
    }

    void tensorCoresCameWithTheirTypes() {
        QVERIFY(hasTensorCores(cudnn::Half, 7));
        QVERIFY(!hasTensorCores(cudnn::Float, 7));
        QVERIFY(!hasTensorCores(cudnn::BFloat16, 7));
        QVERIFY(hasTensorCores(cudnn::Float, 8));
        QVERIFY(!hasTensorCores(cudnn::Double, 9));
    }
};

QTEST_GUILESS_MAIN(WorkspaceTest)
#include "tst_workspace.moc"
