// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/aliases.h"

#include "engine/probe/graphs.h"
#include "engine/probe/variables.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tidemark {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

/// How far the statements of a function have run: all in front of `offset` that were on the way.
struct Cursor {
    std::size_t offset = 0;
    int suite = 0;
};

bool isCall(const Node* node) {
    static const auto kCallModule = c10::Symbol::fromQualString("tidemark::call_module");
    return node->kind() == c10::prim::CallMethod || node->kind() == c10::prim::CallFunction ||
           node->kind() == kCallModule;
}

/// Follows one function through its graph and through its source at once, operator by operator. Between two operators
/// lie the statements that left no operator.
class Follower {
public:
    using Held = std::map<std::string, Value*>;
    using Statements = std::vector<const Statement*>;

    Follower(Graph& graph, const PythonSource* source, Variables& variables, PythonSources& sources)
        : m_graph(graph), m_source(source), m_variables(variables), m_sources(sources) {}

    void follow() {
        Held held;
        followBlock(m_graph.block(), held, {}, -1);
    }

private:
    /// `root`: the suite that the block was made from, −1 where that is not known. Returns how far the block came.
    Cursor followBlock(Block* block, Held& held, Cursor cursor, int root);
    /// Runs what lies between the cursor and an operator of `next` at `place`. `again`: the operator ran before, in
    /// another turn of a loop.
    Cursor enter(const Statement& next, bool again, Held& held, Cursor cursor, Node* place);
    Cursor followConditional(Node* conditional, Held& held, Cursor cursor, const Statement* statement);
    Cursor followLoop(Node* loop, Held& held, Cursor cursor, const Statement* statement);
    void bindOutputs(Node* node, Held& held);
    /// `x, _ = f(y)`: saving keeps no names that begin so.
    void bindUnderscores(Node* node, const Statement& statement, Held& held);
    /// `node`: the last operator of the statement.
    void bindUnnamed(Node* node, const Statement& statement, Held& held);

    /// Those that run between the cursor and an operator of `next`.
    Statements between(const Cursor& cursor, const Statement& next) const;
    /// Those that run behind the operator at the cursor until the suite around `limit` ends.
    Statements behind(const Cursor& cursor, std::size_t limit) const;
    /// Those at the end of a block.
    Statements atEnd(const Cursor& begin, const Cursor& cursor, int root) const;
    /// The innermost loop whose next turn takes the cursor back to `next`; null where there is none.
    const Statement* loopBack(const Cursor& cursor, const Statement& next) const;
    const Statement* loopAround(int suite) const;
    Statements sideOfAliases(const Statement& conditional) const;
    template <class Wanted>
    Statements statementsWhere(std::size_t begin, std::size_t end, Wanted wanted) const;

    void apply(const Statements& statements, Held& held, Node* place);
    /// `features = []` is saved without its name and its place.
    void bindLists(const Statements& statements, Held& held);
    void apply(const Statement& statement, Held& held, Node* place);

    Graph& m_graph;
    const PythonSource* m_source;
    Variables& m_variables;
    PythonSources& m_sources;
    const Statement* m_latest = nullptr;  ///< the one that the latest operator is of
    std::vector<Node*> m_lists;           ///< empty ones without a name since the last statement
};

/// The `elif` or `else` behind a part of a conditional; null behind the last.
const Statement* otherwiseOf(const PythonSource& source, const Statement& part) {
    return part.otherwise < 0 ? nullptr : &source.statements()[static_cast<std::size_t>(part.otherwise)];
}

/// The whole of `if`, `elif` and `else`.
std::size_t endOf(const PythonSource& source, const Statement& conditional) {
    const Statement* last = &conditional;
    while (const Statement* next = otherwiseOf(source, *last)) last = next;
    return last->end;
}

bool leavesNothing(const Statement& statement) { return !statement.aliases.empty() && !statement.unlessItRan; }

/// A conditional on what was known when the model was compiled is not in the graph. When nothing of it ran, that side
/// ran which consists of aliases.
Follower::Statements Follower::sideOfAliases(const Statement& conditional) const {
    std::vector<Statements> sides;
    bool complete = false;
    for (const Statement* part = &conditional; part && !complete; part = otherwiseOf(*m_source, *part)) {
        Statements inside;
        for (const Statement& statement : m_source->between(part->begin, part->end))
            if (statement.suite == part->body) inside.push_back(&statement);
        if (std::all_of(inside.begin(), inside.end(), [](const Statement* s) { return leavesNothing(*s); }))
            sides.push_back(inside);
        complete = part->kind == Statement::Kind::Else;
    }
    return complete && sides.size() == 1 ? sides.front() : Statements();
}

template <class Wanted>
Follower::Statements Follower::statementsWhere(std::size_t begin, std::size_t end, Wanted wanted) const {
    Statements found;
    for (const Statement& statement : m_source->between(begin, end)) {
        if (!wanted(statement)) continue;
        if (!statement.aliases.empty() || statement.bindsEmptyList) found.push_back(&statement);
        if (statement.kind != Statement::Kind::If || statement.isContinuation || &statement == m_latest) continue;
        const Statements side = sideOfAliases(statement);
        found.insert(found.end(), side.begin(), side.end());
    }
    return found;
}

const Statement* Follower::loopAround(int suite) const {
    for (; suite >= 0; suite = m_source->outer(suite)) {
        const Statement* owner = m_source->owner(suite);
        if (owner && owner->kind == Statement::Kind::Loop) return owner;
    }
    return nullptr;
}

const Statement* Follower::loopBack(const Cursor& cursor, const Statement& next) const {
    const Statement* loop = next.kind == Statement::Kind::Loop ? &next : loopAround(next.suite);
    while (loop && !(cursor.offset >= loop->begin && cursor.offset <= loop->end &&
                     m_source->isWithin(cursor.suite, loop->body)))
        loop = loopAround(loop->suite);
    return loop;
}

Follower::Statements Follower::between(const Cursor& cursor, const Statement& next) const {
    return statementsWhere(cursor.offset, next.begin, [&](const Statement& s) {
        return m_source->isWithin(cursor.suite, s.suite) || m_source->isWithin(next.suite, s.suite);
    });
}

Follower::Statements Follower::behind(const Cursor& cursor, std::size_t limit) const {
    return statementsWhere(cursor.offset, limit,
                           [&](const Statement& s) { return m_source->isWithin(cursor.suite, s.suite); });
}

Follower::Statements Follower::atEnd(const Cursor& begin, const Cursor& cursor, int root) const {
    if (root < 0 && cursor.offset == begin.offset) return {};
    if (root >= 0 && cursor.offset == begin.offset)  // no operator in all of the suite
        return statementsWhere(begin.offset, std::string::npos, [&](const Statement& s) { return s.suite == root; });
    const bool inside = root >= 0 && m_source->isWithin(cursor.suite, root);
    const Statement* around = inside ? m_source->owner(root) : loopAround(cursor.suite);
    return behind(cursor, around ? around->end : std::string::npos);
}

void Follower::apply(const Statement& statement, Held& held, Node* place) {
    std::vector<Value*> values;  // all are read before any is bound: `a, b = b, a`
    for (const auto& [target, from] : statement.aliases) {
        const auto found = held.find(from);
        values.push_back(found == held.end() || from.empty() ? nullptr : found->second);
    }
    torch::jit::WithInsertPoint here(place);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string& target = statement.aliases[i].first;
        makeBind(m_graph, values[i], target)->insertBefore(place);
        if (values[i])
            held[target] = values[i];
        else
            held.erase(target);
    }
}

void Follower::bindLists(const Statements& statements, Held& held) {
    std::vector<const Statement*> unnamed;
    std::copy_if(statements.begin(), statements.end(), std::back_inserter(unnamed),
                 [](const Statement* s) { return s->bindsEmptyList; });
    if (unnamed.size() == m_lists.size()) {
        for (std::size_t i = 0; i < unnamed.size(); ++i) {
            makeBind(m_graph, m_lists[i]->output(), unnamed[i]->targets.front())->insertAfter(m_lists[i]);
            held[unnamed[i]->targets.front()] = m_lists[i]->output();
        }
    }
    m_lists.clear();
}

void Follower::apply(const Statements& statements, Held& held, Node* place) {
    bindLists(statements, held);
    for (const Statement* statement : statements)
        if (!statement->unlessItRan || statement != m_latest) apply(*statement, held, place);
}

void Follower::bindOutputs(Node* node, Held& held) {
    for (Value* output : node->outputs()) {
        const std::string variable = m_variables.bindingOf(output);
        if (variable.empty()) continue;
        if (holdsTensors(output->type()))
            held[variable] = output;
        else
            held.erase(variable);
    }
}

void Follower::bindUnderscores(Node* node, const Statement& statement, Held& held) {
    const auto& targets = statement.targets;
    if (node->outputs().size() < 2 || node->outputs().size() != targets.size()) return;
    const bool unpacks = node->kind() == c10::prim::TupleUnpack || node->kind() == c10::prim::ListUnpack;
    const auto named = [&](std::size_t i) { return m_variables.bindingOf(node->outputs()[i]) == targets[i]; };
    bool matches = unpacks;
    for (std::size_t i = 0; i < targets.size(); ++i) matches |= named(i);
    Node* place = node;
    for (std::size_t i = 0; matches && i < targets.size(); ++i) {
        Value* output = node->outputs()[i];
        if (targets[i].front() != '_' || !holdsTensors(output->type())) continue;
        place = makeBind(m_graph, output, targets[i])->insertAfter(place);
        held[targets[i]] = output;
    }
}

void Follower::bindUnnamed(Node* node, const Statement& statement, Held& held) {
    if (!statement.keepsNoName || node->outputs().size() != 1 || !holdsTensors(node->output()->type())) return;
    if (!m_variables.bindingOf(node->output()).empty()) return;
    Node* place = node;
    for (const std::string& target : statement.targets) {
        place = makeBind(m_graph, node->output(), target)->insertAfter(place);
        held[target] = node->output();
    }
}

Cursor Follower::followConditional(Node* conditional, Held& held, Cursor cursor, const Statement* statement) {
    for (const Value* output : conditional->outputs()) m_variables.bindingOf(output);
    const bool isStatement = statement && statement->kind == Statement::Kind::If;
    const Statement* otherwise = isStatement ? otherwiseOf(*m_source, *statement) : nullptr;
    std::vector<Held> branches;
    Cursor reached = cursor;
    if (isStatement) reached = {endOf(*m_source, *statement), statement->suite};
    for (std::size_t i = 0; i < conditional->blocks().size(); ++i) {
        int root = -1;
        if (isStatement)
            root = i == 0                                                  ? statement->body
                   : otherwise && otherwise->kind == Statement::Kind::Else ? otherwise->body
                                                                           : -1;
        branches.push_back(held);
        const Cursor end = followBlock(conditional->blocks()[i], branches.back(), cursor, root);
        if (end.offset > reached.offset) reached = end;
        const bool isElif = i == 1 && otherwise && otherwise->kind == Statement::Kind::If;
        if (isElif && end.offset == cursor.offset)
            apply(sideOfAliases(*otherwise), branches.back(), conditional->blocks()[i]->return_node());
    }
    // What only a branch bound is not known behind it.
    std::erase_if(held, [&](const auto& known) {
        return std::any_of(branches.begin(), branches.end(), [&](const Held& branch) {
            const auto found = branch.find(known.first);
            return found == branch.end() || found->second != known.second;
        });
    });
    for (Value* output : conditional->outputs()) {
        const std::string variable = m_variables.bindingOf(output);
        if (variable.empty() || !holdsTensors(output->type())) continue;
        Node* bind = makeBind(m_graph, output, variable)->insertAfter(conditional);
        output->replaceAllUsesAfterNodeWith(bind, bind->output());
        held[variable] = bind->output();
    }
    return reached;
}

Cursor Follower::followLoop(Node* loop, Held& held, Cursor cursor, const Statement* statement) {
    for (const Value* output : loop->outputs()) m_variables.bindingOf(output);
    const bool isStatement = statement && statement->kind == Statement::Kind::Loop;
    Held inside = held;
    for (Block* body : loop->blocks()) followBlock(body, inside, cursor, isStatement ? statement->body : -1);
    std::erase_if(held, [&](const auto& known) {
        const auto found = inside.find(known.first);
        return found == inside.end() || found->second != known.second;
    });
    return isStatement ? Cursor{statement->end, statement->suite} : cursor;
}

Cursor Follower::enter(const Statement& next, bool again, Held& held, Cursor cursor, Node* place) {
    const Statement* loop = again || next.begin < cursor.offset ? loopBack(cursor, next) : nullptr;
    if (loop) {
        apply(behind(cursor, loop->end), held, place);
        cursor = {loop == &next ? loop->end : loop->begin, loop->body};
    }
    if (next.begin <= cursor.offset) return cursor;
    apply(between(cursor, next), held, place);
    return {next.begin, next.suite};
}

Cursor Follower::followBlock(Block* block, Held& held, Cursor cursor, int root) {
    const Cursor begin = cursor;
    bindOutputs(block->param_node(), held);
    std::set<std::pair<std::size_t, std::size_t>> calls;  // of one turn of a loop that was unrolled
    const Statement* current = nullptr;
    Node* last = nullptr;  // of the current statement
    const auto leave = [&] {
        if (current && last) bindUnnamed(last, *current, held);
        last = nullptr;
    };
    const std::vector<Node*> nodes(block->nodes().begin(), block->nodes().end());
    for (Node* node : nodes) {
        if (node->kind() == c10::prim::Constant) continue;
        const SourcePlace place = m_sources.placeOf(node->sourceRange());
        const Statement* statement = m_source && place.source == m_source ? place.statement() : nullptr;
        if (statement) {
            const bool again = isCall(node) && !calls.emplace(place.begin, place.end).second;
            if (again) calls = {{place.begin, place.end}};
            if (again || statement != current) leave();
            cursor = enter(*statement, again, held, cursor, node);
            current = m_latest = statement;
        }
        last = node;
        if (isUnnamedList(node, m_sources)) m_lists.push_back(node);
        const bool isHead = statement && place.begin == statement->begin;
        if (node->kind() == c10::prim::If) {
            cursor = followConditional(node, held, cursor, isHead ? statement : nullptr);
        } else if (node->kind() == c10::prim::Loop) {
            cursor = followLoop(node, held, cursor, isHead ? statement : nullptr);
            bindOutputs(node, held);
        } else {
            bindOutputs(node, held);
            if (current) bindUnderscores(node, *current, held);
        }
    }
    leave();
    if (m_source) apply(atEnd(begin, cursor, root), held, block->return_node());
    return cursor;
}

}  // namespace

void markBindings(const torch::jit::Module& module, const std::set<std::string>& names, PythonSources& sources) {
    forEachGraph(module, [&](const std::shared_ptr<Graph>& graph) {
        Variables variables(names, sources);
        Follower(*graph, sourceOf(graph, sources), variables, sources).follow();
    });
}

}  // namespace tidemark
