// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/pythonsource.h"

#include <QTest>

using namespace tidemark;

namespace {

const Statement& statementOf(const PythonSource& source, std::string_view text, std::string_view part) {
    const Statement* statement = source.at(text.find(part));
    return statement ? *statement : source.statements().front();
}

/// Whether what was read fits together, and fits the text.
bool isConsistent(const PythonSource& source, std::size_t size) {
    std::size_t previous = 0;
    for (const Statement& statement : source.statements()) {
        if (statement.begin < previous || statement.end <= statement.begin || statement.end > size) return false;
        if (source.at(statement.begin) != &statement) return false;
        if (source.between(statement.begin, statement.begin + 1).size() != 1) return false;
        const Statement* owner = source.owner(statement.suite);
        if (owner && (owner->end < statement.end || owner->begin >= statement.begin)) return false;
        if (!source.isWithin(statement.suite, 0)) return false;
        previous = statement.begin + 1;
    }
    return true;
}

/// Rare and hostile ways of writing.
const char* const kOdd[] = {
    R"py(@torch.no_grad()
async def f(self, x: int = g(a=1), *args, key=lambda q: q, **kwargs) -> Dict[str, int]:
    """Text with code: if x:
        y = x
    """
    async for i, *rest in x:
	y = i; z = f"{x['a']:>{n}} {{=}}"
)py",
    "def f(x):\r\n\tif (n := len(x)) > 1:  # type: ignore\r\n\t\ty = x; z = y\r\n        elif n:\r\n\t    del y\r\n\r\n\telse: pass\r\n"
    "\treturn x + \\\r\n 1\r\n",
    R"py(match x:
    case [a, b]:
        y = a
    case {"k": v, **rest} if v: y = v
class A:
  def g(self): größe = größer = 3
)py",
    R"py(with a as b, c as d:
    try:
        x = y if a else \
  z if b else f(x)
    except E as e:
        x <<= 1
    else:
        x[a:b, ...] @= y
    finally:
        (a, (b, *c)), d.e, f[0] = r'\\', b'\\', '''
'''
)py",
};

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
    void commentsAndStringsAreNoCode();
    void lineEndsAndTabsAreAsPythonReadsThem();
    void brokenSourcesAreRead();
    void longSourcesAreRead_data();
    void longSourcesAreRead();
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
    QTest::newRow("shift") << "x <<= 2" << QStringList{"x"};
    QTest::newRow("rest") << "a, *b = f(x)" << QStringList{"a", "b"};
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
    QTest::newRow("ternaryOfTernary") << "y = x if a else z if b else f(z)" << "y=x ";
    QTest::newRow("ternaryInBrackets") << "y = f(x if a else z)" << "";
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

void TestPythonSource::commentsAndStringsAreNoCode() {
    const std::string text =
        "def f(x,  # the first, (open\n      y='=)', z=3):  # if\n    a, b = (x,  # left\n            y)\n"
        "    return \"it's;\"; c = '#'\n";
    const PythonSource source(text);
    QCOMPARE(source.statements().size(), std::size_t{4});
    QCOMPARE(source.statements()[0].targets, (std::vector<std::string>{"x", "y", "z"}));
    QCOMPARE(source.statements()[1].aliases, (Aliases{{"a", "x"}, {"b", "y"}}));
    QCOMPARE(source.statements()[3].targets, std::vector<std::string>{"c"});
}

void TestPythonSource::lineEndsAndTabsAreAsPythonReadsThem() {
    const std::string text =
        "def f(x):\r\n\tif x:\r\n\t\ty = x + \\\r\n 1\r\n                z = y\r\n\telse:\r\n\t\ty = x\r\n";
    const PythonSource source(text);
    const Statement& conditional = statementOf(source, text, "if x");
    QCOMPARE(source.statements().size(), std::size_t{6});
    QCOMPARE(statementOf(source, text, "1\r").targets, std::vector<std::string>{"y"});
    QCOMPARE(statementOf(source, text, "z = y").suite, conditional.body);
    QCOMPARE(&source.statements()[static_cast<std::size_t>(conditional.otherwise)], &statementOf(source, text, "else"));
}

void TestPythonSource::brokenSourcesAreRead() {
    QVERIFY(PythonSource("").statements().empty());
    QVERIFY(!PythonSource("").at(0));
    for (const std::string whole : kOdd) {
        QVERIFY(!PythonSource(whole).statements().empty());
        for (std::size_t at = 0; at <= whole.size(); ++at) {
            const std::string front = whole.substr(0, at), back = whole.substr(at);
            QVERIFY2(isConsistent(PythonSource(front), front.size()), front.c_str());
            QVERIFY2(isConsistent(PythonSource(back), back.size()), back.c_str());
            for (const char* junk : {"(", "]", "\"", "'", "'''", "\\", "#", "\n", "\t", ":", ";", "=", ",", " if ", " else "}) {
                const std::string mutated = front + junk + back;
                QVERIFY2(isConsistent(PythonSource(mutated), mutated.size()), mutated.c_str());
            }
        }
    }
}

void TestPythonSource::longSourcesAreRead_data() {
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("repeated");
    QTest::addColumn<QString>("last");
    QTest::addColumn<int>("statements");
    QTest::newRow("list") << "x = [" << "1, " << "0]" << 1;
    QTest::newRow("tuple") << "x = " << "1, " << "0" << 1;
    QTest::newRow("ternary") << "x = y if c else f(" << "'a', " << "b)" << 1;
    QTest::newRow("openTernary") << "x = " << "y if " << "c" << 1;
    QTest::newRow("loop") << "for x, " << "y, " << "z in a: pass" << 2;
    QTest::newRow("chain") << "" << "a = " << "x" << 1;
    QTest::newRow("openBrackets") << "x = " << "(" << "" << 1;
    QTest::newRow("openTargets") << "" << "(" << "a = b" << 1;
    QTest::newRow("statements") << "" << "x = y\n" << "" << 100'000;
    QTest::newRow("semicolons") << "" << "x = y;" << "" << 100'000;
    QTest::newRow("conditional") << "if a:\n b = c\n" << "elif b: c = d\n" << "" << 200'002;
}

void TestPythonSource::longSourcesAreRead() {
    QFETCH(QString, first);
    QFETCH(QString, repeated);
    QFETCH(QString, last);
    QFETCH(int, statements);
    const std::string text = (first + repeated.repeated(100'000) + last).toStdString();
    const PythonSource source(text);
    QCOMPARE(source.statements().size(), static_cast<std::size_t>(statements));
    QVERIFY(isConsistent(source, text.size()));
}

QTEST_GUILESS_MAIN(TestPythonSource)
#include "tst_pythonsource.moc"
