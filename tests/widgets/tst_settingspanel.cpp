// SPDX-License-Identifier: Apache-2.0
#include "tests/window/synthetic.h"
#include "widgets/batchslider.h"
#include "widgets/settingspanel.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QWheelEvent>

using namespace tidemark;

namespace {

Settings unusualSettings() {
    Settings s;
    s.batch = 96;
    s.accumulate = 4;
    s.precision = Precision::AmpBf16;
    s.optimizer.kind = OptimizerKind::Nesterov;
    s.optimizer.impl = OptimizerImpl::ForLoop;
    s.optimizer.weightDecay = true;
    s.mode = StepMode::TrainAndEval;
    s.channelsLast = true;
    s.workspace = WorkspaceSource::None;
    s.loss = LossKind::Mse;
    s.zeroGradToNone = false;
    s.checkpoint = {CheckpointMode::First, 5, {}};
    s.allocator.expandableSegments = true;
    s.allocator.maxSplitSizeMiB = 128;
    s.frozen = {"layer1"};
    s.iterations = 7;
    return s;
}

void choose(QComboBox* box, int value) { box->setCurrentIndex(box->findData(value)); }

}  // namespace

class SettingsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void showingSettingsKeepsThemAndSaysNothing() {
        SettingsPanel panel;
        panel.setModel(syntheticModel());
        QSignalSpy changed(&panel, &SettingsPanel::settingsChanged);
        panel.setSettings(unusualSettings());
        QVERIFY(panel.settings() == unusualSettings());
        QCOMPARE(changed.size(), 0);
        QCOMPARE(panel.batchSlider()->value(), 96);
        QCOMPARE(panel.checkpointSlider()->value(), 5);
        QCOMPARE(panel.accumulateBox()->value(), 4);
        QVERIFY(panel.channelsLastBox()->isChecked());
    }

    void everyControlChangesItsField() {
        SettingsPanel panel;
        panel.setModel(syntheticModel());
        Settings expected;
        QSignalSpy changed(&panel, &SettingsPanel::settingsChanged);
        choose(panel.precisionBox(), int(Precision::Fp16));
        expected.precision = Precision::Fp16;
        QVERIFY(panel.settings() == expected);
        choose(panel.optimizerBox(), int(OptimizerKind::Momentum));
        expected.optimizer.kind = OptimizerKind::Momentum;
        choose(panel.implementationBox(), int(OptimizerImpl::Fused));
        expected.optimizer.impl = OptimizerImpl::Fused;
        choose(panel.workspaceBox(), int(WorkspaceSource::Estimate));
        expected.workspace = WorkspaceSource::Estimate;
        panel.accumulateBox()->setValue(8);
        expected.accumulate = 8;
        panel.batchSlider()->setValue(17);
        expected.batch = 17;
        panel.cardsBox()->setValue(8);
        expected.dataParallel.cards = 8;
        panel.bucketCapBox()->setValue(50);
        expected.dataParallel.bucketCapMiB = 50;
        panel.channelsLastBox()->setChecked(true);
        expected.channelsLast = true;
        choose(panel.modeBox(), int(StepMode::TrainAndEval));
        expected.mode = StepMode::TrainAndEval;
        QVERIFY(panel.settings() == expected);
        QCOMPARE(changed.size(), 10);
    }

    void axesShowTheSizeThatTheInputGivesThem() {
        SettingsPanel panel;
        panel.setModel(syntheticModel());
        Settings settings;
        settings.inputs = {parseInputSpec("int64[B,S=128]").value()};
        panel.setSettings(settings);
        auto* box = panel.findChild<QSpinBox*>(QStringLiteral("S"));
        QVERIFY(box);
        QCOMPARE(box->value(), 128);
        settings.axes["S"] = 64;
        panel.setSettings(settings);
        QCOMPARE(panel.findChild<QSpinBox*>(QStringLiteral("S"))->value(), 64);
    }

    void bucketsAreAskedForOnceThereAreTwoCards() {
        SettingsPanel panel;
        panel.setModel(syntheticModel());
        QVERIFY(panel.bucketCapBox()->parentWidget()->isHidden());
        panel.cardsBox()->setValue(2);
        QVERIFY(!panel.bucketCapBox()->parentWidget()->isHidden());
        panel.setSettings({});
        QCOMPARE(panel.cardsBox()->value(), 1);
        QVERIFY(panel.bucketCapBox()->parentWidget()->isHidden());
    }

    void checkpointSliderCountsBlocks_data() {
        QTest::addColumn<int>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0 << "none";
        QTest::newRow("some") << 3 << "3";
        QTest::newRow("all") << 16 << "all";
    }
    void checkpointSliderCountsBlocks() {
        QFETCH(int, value);
        QFETCH(QString, text);
        SettingsPanel panel;
        panel.setModel(syntheticModel());
        QCOMPARE(panel.checkpointSlider()->maximum(), 16);
        panel.checkpointSlider()->setValue(value);
        QCOMPARE(QString::fromStdString(checkpointText(panel.settings().checkpoint)), text);
    }

    void modelWithoutBlocksHasNoCheckpointSlider() {
        ModelInfo model = syntheticModel();
        model.blocks.clear();
        SettingsPanel panel;
        panel.setModel(model);
        QVERIFY(!panel.checkpointSlider()->isEnabled());
    }

    void inputLineReadsSpecsAndRejectsNonsense() {
        SettingsPanel panel;
        panel.setModel(syntheticModel());
        QCOMPARE(panel.inputEdit()->text(), QStringLiteral("float32[B,3,224,224]"));
        QSignalSpy changed(&panel, &SettingsPanel::settingsChanged);
        const auto type = [&](const QString& text) {
            panel.inputEdit()->selectAll();
            QTest::keyClicks(panel.inputEdit(), text);
            QTest::keyClick(panel.inputEdit(), Qt::Key_Return);
        };
        type("float32[B,3,");
        QCOMPARE(changed.size(), 0);
        QVERIFY(panel.inputEdit()->property("invalid").toBool());
        type("float32[B,3,320,320]; int64[B,T]");
        QCOMPARE(changed.size(), 1);
        QCOMPARE(panel.settings().inputs.size(), std::size_t(2));
        QCOMPARE(panel.settings().inputs[1].dtype, std::string("int64"));
        QVERIFY(!panel.inputEdit()->property("invalid").toBool());
        type("float32[B,3,224,224]");
        QVERIFY(panel.settings().inputs.empty());
    }

    void namedAxisGetsAFieldOfItsOwn() {
        SettingsPanel panel;
        panel.setModel(syntheticModel());
        Settings settings;
        settings.inputs = {parseInputSpec("int64[B,T]").value()};
        settings.axes["T"] = 128;
        panel.setSettings(settings);
        auto* box = panel.findChild<QSpinBox*>("T");
        QVERIFY(box);
        QCOMPARE(box->value(), 128);
        QSignalSpy changed(&panel, &SettingsPanel::settingsChanged);
        box->setValue(256);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(panel.settings().axes.at("T"), 256);
    }

    void cardIsFoundByPartOfItsName() {
        SettingsPanel panel;
        panel.setGpus(syntheticGpus());
        QSignalSpy changed(&panel, &SettingsPanel::gpuChanged);
        panel.setGpu("a100-80gb");
        QCOMPARE(panel.gpuId(), std::string("a100-80gb"));
        QCOMPARE(changed.size(), 0);
        panel.gpuBox()->setCurrentIndex(panel.gpuBox()->findText("H200"));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.first().first().toString(), QStringLiteral("h200"));
    }

    void inferenceDisablesWhatBelongsToTraining() {
        SettingsPanel panel;
        panel.setModel(syntheticModel());
        QVERIFY(panel.optimizerBox()->isEnabled());
        choose(panel.modeBox(), int(StepMode::Infer));
        QVERIFY(!panel.optimizerBox()->isEnabled());
        QVERIFY(!panel.accumulateBox()->isEnabled());
        QVERIFY(!panel.cardsBox()->isEnabled());
        QVERIFY(!panel.checkpointSlider()->isEnabled());
    }

    void wheelOverAControlChangesNothing() {
        SettingsPanel panel;
        panel.setModel(syntheticModel());
        panel.resize(320, 900);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const Settings before = panel.settings();
        QWidget* target = panel.precisionBox();
        QWheelEvent wheel(QPointF(5, 5), target->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, -120), Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(target, &wheel);
        QVERIFY(panel.settings() == before);
    }

    void everyControlHasANameForScreenReaders() {
        SettingsPanel panel;
        for (QWidget* widget : panel.findChildren<QWidget*>()) {
            const bool control = qobject_cast<QComboBox*>(widget) || qobject_cast<QAbstractSpinBox*>(widget) ||
                                 qobject_cast<QCheckBox*>(widget) || qobject_cast<QAbstractSlider*>(widget);
            if (!control || widget->objectName().startsWith("qt_") || qobject_cast<QScrollBar*>(widget)) continue;
            QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
        }
    }
};

QTEST_MAIN(SettingsPanelTest)
#include "tst_settingspanel.moc"
