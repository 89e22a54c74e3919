// SPDX-License-Identifier: Apache-2.0
// Probes that fork from one process: each is what it would be had it started by itself.
#include "tests/probe/probeprocess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>

using namespace tidemark;
using namespace tidemark::testing;
using nlohmann::json;

namespace {

const json kSmall{{"batch", 2}};

QStringList cardFrom(const QString& socket, const char* gpu) {
    return {"--gpu", gpu, "--workspace", "none", "--from", socket};
}

}  // namespace

class TestProbeNursery : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void forksAnswerAsProbesDo();
    void forksAreOfTheNursery();
    void fileThatChangedIsReadAgain();
    void frontEndsAsItsForkDoes();
    void killedFrontTakesItsForkAlong();
    void interruptsAreForOthers();
    void withoutANurseryItStartsByItself();

private:
    QList<pid_t> forks() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QProcess> m_nursery;
    QString m_socket;
    QString m_model;
};

void TestProbeNursery::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_socket = m_folder->filePath("probe");
    m_model = m_folder->filePath("model.pt");
    QVERIFY(QFile::copy(QString::fromStdString(modelFile("transformer")), m_model));
    m_nursery = std::make_unique<QProcess>();
    m_nursery->start(PROBE, {"--nursery", m_socket, "--read", m_model});
    QVERIFY(m_nursery->waitForReadyRead());
    QCOMPARE(m_nursery->readLine(), QByteArray("listening\n"));
}

void TestProbeNursery::cleanup() {
    m_nursery->closeWriteChannel();
    QVERIFY(m_nursery->waitForFinished());
    QCOMPARE(m_nursery->exitCode(), 0);
    QVERIFY(!QFile::exists(m_socket));
}

QList<pid_t> TestProbeNursery::forks() const {
    QFile file(QStringLiteral("/proc/%1/task/%1/children").arg(m_nursery->processId()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QList<pid_t> list;
    for (const QByteArray& id : file.readAll().simplified().split(' '))
        if (!id.isEmpty()) list << id.toInt();
    return list;
}

void TestProbeNursery::forksAnswerAsProbesDo() {
    for (const char* gpu : {"t4", "h100"}) {
        ProbeProcess fork(cardFrom(m_socket, gpu));
        ProbeProcess alone({"--gpu", gpu, "--workspace", "none"});
        QCOMPARE(textOf(fork.ask({{"op", "hello"}})["device"]), textOf(alone.ask({{"op", "hello"}})["device"]));
        const json open{{"op", "open"}, {"path", m_model.toStdString()}};
        QCOMPARE(textOf(fork.ask(open)), textOf(alone.ask(open)));
        QCOMPARE(textOf(fork.untimed(kSmall)), textOf(alone.untimed(kSmall)));
    }
}

void TestProbeNursery::forksAreOfTheNursery() {
    ProbeProcess first(cardFrom(m_socket, "t4")), second(cardFrom(m_socket, "a100-80gb"));
    QCOMPARE(textOf(first.ask({{"op", "hello"}})["device"]["capability"]), textOf("7.5"));
    QCOMPARE(textOf(second.ask({{"op", "hello"}})["device"]["capability"]), textOf("8.0"));
    QCOMPARE(forks().size(), 2);
    QCOMPARE(first.finish(), 0);
    QTRY_COMPARE(forks().size(), 1);
}

void TestProbeNursery::fileThatChangedIsReadAgain() {
    ProbeProcess before(cardFrom(m_socket, "t4"));
    QVERIFY(before.ask({{"op", "hello"}})["ok"].get<bool>());
    QVERIFY(QFile::remove(m_model));
    QVERIFY(!before.ask({{"op", "open"}, {"path", m_model.toStdString()}})["ok"].get<bool>());
}

void TestProbeNursery::frontEndsAsItsForkDoes() {
    QProcess front;
    front.start(PROBE, cardFrom(m_socket, "t4"));
    QTRY_COMPARE_WITH_TIMEOUT(forks().size(), 1, 30000);
    QVERIFY(::kill(forks().front(), SIGFPE) == 0);
    QVERIFY(front.waitForFinished());
    QCOMPARE(front.exitStatus(), QProcess::CrashExit);
    QCOMPARE(front.exitCode(), SIGFPE);
}

void TestProbeNursery::killedFrontTakesItsForkAlong() {
    QProcess front;
    front.start(PROBE, cardFrom(m_socket, "t4"));
    QTRY_COMPARE_WITH_TIMEOUT(forks().size(), 1, 30000);
    front.kill();
    QVERIFY(front.waitForFinished());
    QTRY_COMPARE(forks().size(), 0);
}

void TestProbeNursery::interruptsAreForOthers() {
    ProbeProcess probe(cardFrom(m_socket, "t4"));
    QVERIFY(probe.ask({{"op", "hello"}})["ok"].get<bool>());
    QVERIFY(::kill(static_cast<pid_t>(m_nursery->processId()), SIGINT) == 0);
    ProbeProcess another(cardFrom(m_socket, "a100-80gb"));
    QVERIFY(another.ask({{"op", "hello"}})["ok"].get<bool>());
    QCOMPARE(forks().size(), 2);
    QVERIFY(::kill(forks().front(), SIGINT) == 0);
    QTRY_COMPARE(forks().size(), 1);
}

void TestProbeNursery::withoutANurseryItStartsByItself() {
    ProbeProcess probe(cardFrom(m_folder->filePath("nobody"), "t4"));
    QCOMPARE(textOf(probe.ask({{"op", "hello"}})["device"]["capability"]), textOf("7.5"));
    QVERIFY(forks().isEmpty());
}

QTEST_GUILESS_MAIN(TestProbeNursery)
#include "tst_nursery.moc"
