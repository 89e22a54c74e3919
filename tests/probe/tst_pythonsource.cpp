// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/pythonsource.h"

#include <QTest>

using namespace tidemark;

namespace {

const Statement& statementOf(const PythonSource& source, std::string_view text, std::string_view part) {
    const Statement* statement = source.at(text.find(part));
    return statement ? *statement : source.statements().front();
}

using Aliases = std::vector<std::pair<std::string, std::string>>;

}  // namespace

class TestPythonSource : public QObject {
    Q_OBJECT

private slots:
    void statementsBindTheirTargets_data();
    void statementsBindTheirTargets();
    void plainNamesAreAliases_data();
    void plainNamesAreAliases();
    void statementsGoOnInBracketsAndBehindBackslashes();
    void suitesBelongToTheirStatements();
    void withAddsNoSuite();
    void variablesAreOrderedAsTheFunctionNamesThem();
};

void TestPythonSource::statementsBindTheirTargets_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("targets");
    QTest::newRow("one") << "x = f(y)" << QStringList{"x"};
    QTest::newRow("several") << "q, k, v = qkv.unbind(0)" << QStringList{"q", "k", "v"};
    QTest::newRow("brackets") << "(a, b), c = f(x)" << QStringList{"a", "b", "c"};
    QTest::newRow("chain") << "a = b = f(x)" << QStringList{"a", "b"};
    QTest::newRow("annotated") << "xs: List[Tensor] = []" << QStringList{"xs"};
    QTest::newRow("inPlace") << "x //= 2" << QStringList{"x"};
    QTest::newRow("comparison") << "assert x == 3" << QStringList{};
    QTest::newRow("keyword") << "f(x, dim=1)" << QStringList{};
    QTest::newRow("attribute") << "self.x = y" << QStringList{};
    QTest::newRow("comment") << "x = y  # z = 3" << QStringList{"x"};
    QTest::newRow("loop") << "for i, (a, b) in enumerate(zip(xs, ys)): pass" << QStringList{"i", "a", "b"};
}

void TestPythonSource::statementsBindTheirTargets() {
    QFETCH(QString, text);
    QFETCH(QStringList, targets);
    QStringList found;
    const PythonSource source(text.toStdString());
    for (const std::string& target : source.statements().front().targets) found << QString::fromStdString(target);
    QCOMPARE(found, targets);
}

void TestPythonSource::plainNamesAreAliases_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("aliases");
    QTest::newRow("one") << "y = x" << "y=x ";
    QTest::newRow("exchange") << "a, b = b, a" << "a=b b=a ";
    QTest::newRow("chain") << "a = b = x" << "a=x b=x ";
    QTest::newRow("onlyOneOfTwo") << "a, b = x, f(y)" << "a=x ";
    QTest::newRow("delete") << "del a, b" << "a= b= ";
    QTest::newRow("none") << "a = None" << "a= ";
    QTest::newRow("call") << "y = f(x)" << "";
    QTest::newRow("number") << "y = 3" << "";
    QTest::newRow("truth") << "y = True" << "";
    QTest::newRow("knownTernary") << "y = x if self.pool is None else self.pool(x)" << "y=x ";
    QTest::newRow("otherTernary") << "y = self.pool(x) if self.pool is not None else x" << "y=x ";
    QTest::newRow("openTernary") << "y = x if c else z" << "";
}

void TestPythonSource::plainNamesAreAliases() {
    QFETCH(QString, text);
    QFETCH(QString, aliases);
    QString found;
    const PythonSource source(text.toStdString());
    for (const auto& [target, value] : source.statements().front().aliases)
        found += QString::fromStdString(target + "=" + value + " ");
    QCOMPARE(found, aliases);
}

void TestPythonSource::statementsGoOnInBracketsAndBehindBackslashes() {
    const std::string text = "def f(x):\n    y = g(x,\n  z=\"a\\\"=b\")\n    w = x + \\\n        y\n    v = w\n";
    const PythonSource source(text);
    QCOMPARE(source.statements().size(), std::size_t{4});
    QCOMPARE(statementOf(source, text, "z=").targets, std::vector<std::string>{"y"});
    QCOMPARE(source.statements()[2].targets, std::vector<std::string>{"w"});
    QCOMPARE(source.statements()[3].aliases, (Aliases{{"v", "w"}}));
}

void TestPythonSource::suitesBelongToTheirStatements() {
    const std::string text =
        "def f(x):\n    if a:\n        y = x\n    elif b:\n        z = x\n\n    # between\n    else:\n        w = x\n    for i in x:\n        u = i\n    return x\n";
    const PythonSource source(text);
    const Statement& first = statementOf(source, text, "if a");
    const Statement& second = statementOf(source, text, "elif b");
    const Statement& last = statementOf(source, text, "else:");
    QCOMPARE(statementOf(source, text, "y = x").suite, first.body);
    QCOMPARE(statementOf(source, text, "w = x").suite, last.body);
    QCOMPARE(&source.statements()[static_cast<std::size_t>(first.otherwise)], &second);
    QCOMPARE(&source.statements()[static_cast<std::size_t>(second.otherwise)], &last);
    QVERIFY(!first.isContinuation && second.isContinuation && last.isContinuation);
    const Statement& loop = statementOf(source, text, "for i");
    QCOMPARE(source.owner(statementOf(source, text, "u = i").suite), &loop);
    QCOMPARE(statementOf(source, text, "return").suite, loop.suite);
    QVERIFY(source.isWithin(loop.body, loop.suite) && !source.isWithin(loop.suite, loop.body));
    QCOMPARE(loop.end, text.find("\n    return"));
}

void TestPythonSource::withAddsNoSuite() {
    const std::string text = "def f(x):\n    with torch.no_grad():\n        y = x\n    return y\n";
    const PythonSource source(text);
    QCOMPARE(statementOf(source, text, "y = x").suite, statementOf(source, text, "return").suite);
}

void TestPythonSource::variablesAreOrderedAsTheFunctionNamesThem() {
    const PythonSource source("def f(self, x: int = 3, *args, y):\n    b = x\n    for a, x in b:\n        c = a\n");
    std::vector<std::size_t> places;
    for (const char* name : {"self", "x", "args", "y", "b", "a", "c"}) {
        QVERIFY2(source.orderOf(name), name);
        places.push_back(*source.orderOf(name));
    }
    QVERIFY(std::is_sorted(places.begin(), places.end()));
    QVERIFY(!source.orderOf("int"));
}

QTEST_GUILESS_MAIN(TestPythonSource)
#include "tst_pythonsource.moc"
