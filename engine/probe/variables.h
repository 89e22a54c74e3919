// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/probe/sourceplaces.h"

#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tidemark {

/// The source's name of a value, empty for what the source does not name.
std::string variableName(const torch::jit::Value* value);

/// True for types whose values may be or contain tensors.
bool holdsTensors(const c10::TypePtr& type);

/// An empty list of tensors without a name, which no comprehension fills: `features = []` is saved so, and nothing else.
bool isUnnamedList(const torch::jit::Node* node, PythonSources& sources);

/// The source of a function: that of most of its operators, for some come from elsewhere; null where the file kept
/// none.
const PythonSource* sourceOf(std::shared_ptr<torch::jit::Graph> graph, PythonSources& sources);

/// A node that binds a variable to a value and has no other effect. Without `value`, the variable lets go of what it
/// held.
torch::jit::Node* makeBind(torch::jit::Graph& graph, torch::jit::Value* value, const std::string& variable);

/// Tells the bindings of one variable from several variables. Saving numbers the bindings of "out" as "out", "out0",
/// "out1", …, upwards through a file; a variable of the source may itself be called "x1".
class Variables {
public:
    /// `names`: those of all values of the model as loaded.
    Variables(const std::set<std::string>& names, PythonSources& sources) : m_names(names), m_sources(sources) {}

    /// The variable that a value is bound to, by the value's name; empty where it is bound to none. To be asked in the
    /// order in which saving gave the names: what a conditional or a loop binds comes before what its blocks bind.
    std::string bindingOf(const torch::jit::Value* value);

private:
    std::string newBindingOf(const std::string& name, const torch::jit::Value* value);
    std::vector<std::string> boundInSource(const torch::jit::Value* value);
    std::string inSource(const std::string& name, const torch::jit::Value* value);
    std::string byNumber(const std::string& name, std::size_t stemSize) const;

    const std::set<std::string>& m_names;
    PythonSources& m_sources;
    std::map<std::string, std::string> m_variables;  ///< by the name of a binding
    std::map<std::string, int> m_numbers;            ///< of the latest binding, by variable
};

}  // namespace tidemark
