// SPDX-License-Identifier: Apache-2.0
#include "widgets/batchslider.h"

#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace tidemark;

class BatchSliderTest : public QObject {
    Q_OBJECT

private slots:
    void sliderAndFieldAgree() {
        BatchSlider slider;
        QSignalSpy changed(&slider, &BatchSlider::valueChanged);
        slider.slider()->setValue(48);
        QCOMPARE(slider.spinBox()->value(), 48);
        slider.spinBox()->setValue(7);
        QCOMPARE(slider.slider()->value(), 7);
        QCOMPARE(changed.size(), 2);
    }

    void typedNumbersWidenTheScale() {
        BatchSlider slider;
        slider.spinBox()->setValue(5000);
        QCOMPARE(slider.value(), 5000);
        QCOMPARE(slider.slider()->value(), 5000);
        QCOMPARE(slider.slider()->maximum(), 8192);
    }

    void keysStepDoubleAndHalve_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("expected");
        QTest::newRow("right") << int(Qt::Key_Right) << 33;
        QTest::newRow("left") << int(Qt::Key_Left) << 31;
        QTest::newRow("page up") << int(Qt::Key_PageUp) << 64;
        QTest::newRow("page down") << int(Qt::Key_PageDown) << 16;
        QTest::newRow("home") << int(Qt::Key_Home) << 1;
        QTest::newRow("end") << int(Qt::Key_End) << 1024;
    }
    void keysStepDoubleAndHalve() {
        QFETCH(int, key);
        QFETCH(int, expected);
        BatchSlider slider;
        slider.setValue(32);
        QTest::keyClick(slider.slider(), static_cast<Qt::Key>(key));
        QCOMPARE(slider.value(), expected);
    }

    void scaleIsLogarithmic() {
        LogSlider slider;
        slider.resize(400, 40);
        slider.show();
        QVERIFY(QTest::qWaitForWindowExposed(&slider));
        QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(200, 11));
        QCOMPARE(slider.value(), 32);
        QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(398, 11));
        QCOMPARE(slider.value(), 1024);
    }

    void dragEmitsEveryValueOnce() {
        LogSlider slider;
        slider.resize(400, 40);
        slider.show();
        QVERIFY(QTest::qWaitForWindowExposed(&slider));
        QSignalSpy changed(&slider, &QAbstractSlider::valueChanged);
        QTest::mousePress(&slider, Qt::LeftButton, {}, QPoint(10, 11));
        for (int x = 10; x <= 390; x += 10) QTest::mouseMove(&slider, QPoint(x, 11));
        QTest::mouseRelease(&slider, Qt::LeftButton, {}, QPoint(390, 11));
        QCOMPARE(slider.value(), 1024);
        QVERIFY(changed.size() > 10);
        for (int i = 1; i < changed.size(); ++i) QVERIFY(changed[i][0].toInt() > changed[i - 1][0].toInt());
    }
};

QTEST_MAIN(BatchSliderTest)
#include "tst_batchslider.moc"
