// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/model.h"

#include "engine/probe/aliases.h"
#include "engine/probe/branches.h"
#include "engine/probe/exceptions.h"
#include "engine/probe/hostconstants.h"
#include "engine/probe/locals.h"
#include "engine/probe/pythonoperators.h"
#include "engine/probe/recurrent.h"
#include "engine/probe/sourceplaces.h"
#include "engine/probe/specialise.h"
#include "engine/probe/subscript.h"
#include "engine/probe/tensortypes.h"

#include <torch/csrc/jit/ir/ir.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace tidemark {
namespace {

/// Values of tensors up to this size are kept on the host; larger ones are only ever a shape.
constexpr std::int64_t kKeptElements = 1 << 16;

std::string typeNameOf(const torch::jit::Module& module) {
    const auto name = module.type()->name();
    return name ? name->name() : "Module";
}

bool isContainer(const std::string& type) {
    static const std::set<std::string> kContainers{"Sequential", "ModuleList", "ModuleDict"};
    return kContainers.count(type) > 0;
}

bool isUnder(const std::string& path, const std::string& ancestor) {
    return ancestor.empty() || path == ancestor || path.compare(0, ancestor.size() + 1, ancestor + ".") == 0;
}

std::optional<std::int64_t> integerAttribute(const torch::jit::Module& module, const std::string& name) {
    if (!module.hasattr(name)) return std::nullopt;
    const c10::IValue value = module.attr(name);
    return value.isInt() ? std::optional(value.toInt()) : std::nullopt;
}

}  // namespace

at::Tensor TensorSlot::current() const {
    const c10::IValue value = object->getSlot(index);
    return value.isTensor() ? value.toTensor() : at::Tensor();
}

Result<Model> Model::open(const std::string& path) {
    const auto file = readModelFile(path);
    if (!file) return file.error();
    return open(path, file.value());
}

Result<Model> Model::open(const std::string& path, const ModelFile& file) {
    try {
        return prepared(path, file);
    } catch (const std::exception& e) {
        return unusableModelFile(path, wordsOf(e));
    }
}

/// With the graphs that the step runs.
Model Model::prepared(const std::string& path, const ModelFile& file) {
    Model model;
    model.m_module = file.module;
    model.m_info.file = path;
    model.m_info.name = typeNameOf(model.m_module);
    model.m_info.traced = file.traced;
    model.describeLayers(model.m_module, "", model.m_info.name, -1);
    for (TensorSlot& slot : model.m_slots) slot.staysFloat32 = file.float32.count(slot.name) > 0;
    model.findTies();
    model.findBlocks();
    model.findInputs(file);
    model.m_constants = moveConstantsToDevice(model.m_module);
    typeEmptyConstants(model.m_module);
    PythonSources sources;
    subscriptAsPython(model.m_module, sources);
    operatorsAsPython(model.m_module, sources);
    const bool marked = keepAsMarked(model.m_module);
    const std::set<std::string> variables = variableNames(model.m_module);
    routeModuleCalls(model.m_module);
    if (!marked) markBindings(model.m_module, variables, sources);
    specialiseGraphs(model.m_module);
    if (!marked) keepLocalsAlive(model.m_module, variables, sources);
    inlineFunctions(model.m_module);
    if (!marked) releaseInsideBranches(model.m_module);
    return model;
}

void Model::describeLayers(const torch::jit::Module& module, const std::string& path, const std::string& name, int parent) {
    const int index = static_cast<int>(m_info.layers.size());
    LayerInfo layer;
    layer.path = path;
    layer.name = name;
    layer.type = typeNameOf(module);
    layer.parent = parent;
    if (const auto& type = module.type(); type->hasConstant("inplace") && type->getConstant("inplace").isBool())
        layer.inPlace = type->getConstant("inplace").toBool();
    m_info.layers.push_back(layer);
    m_modules.push_back(module);
    // A module that is registered twice keeps its first name, as named_modules() does.
    const bool first = m_layerOf.try_emplace(module._ivalue().get(), index).second;
    if (!first) return;
    collectSlots(module, index);
    for (const auto& child : module.named_children())
        describeLayers(child.value, path.empty() ? child.name : path + "." + child.name, child.name, index);
}

void Model::collectSlots(const torch::jit::Module& module, int layer) {
    const auto& type = module.type();
    const std::size_t firstSlot = m_slots.size();
    for (const bool parameters : {true, false}) {
        for (std::size_t i = 0; i < type->numAttributes(); ++i) {
            if (parameters ? !type->is_parameter(i) : !type->is_buffer(i)) continue;
            const c10::IValue value = module._ivalue()->getSlot(i);
            if (!value.isTensor() || !value.toTensor().defined()) continue;
            const at::Tensor tensor = value.toTensor();
            TensorSlot slot;
            slot.object = module._ivalue();
            slot.index = i;
            slot.layer = layer;
            const std::string& path = m_info.layers[static_cast<std::size_t>(layer)].path;
            slot.name = path.empty() ? type->getAttributeName(i) : path + "." + type->getAttributeName(i);
            slot.isParameter = parameters;
            slot.requiresGrad = parameters && tensor.requires_grad();
            slot.dtype = tensor.scalar_type();
            slot.sizes = tensor.sizes().vec();
            slot.host = tensor.detach();
            m_slots.push_back(std::move(slot));
        }
    }
    collectLists(module, firstSlot);
}

void Model::collectLists(const torch::jit::Module& module, std::size_t firstSlot) {
    const auto& type = module.type();
    for (std::size_t i = 0; i < type->numAttributes(); ++i) {
        const c10::IValue value = module._ivalue()->getSlot(i);
        if (value.isGenericDict() && value.toGenericDict().empty()) m_caches.push_back(value.toGenericDict());
        if (!value.isTensorList()) continue;
        ListAttribute list{module._ivalue(), i, {}};
        // In a weightless file one storage stands behind all: the order of registration tells those of one shape apart.
        std::size_t next = firstSlot;
        for (const at::Tensor& tensor : value.toTensorVector()) {
            const auto same = [&](const TensorSlot& slot) {
                return slot.host.storage().data() == tensor.storage().data() && tensor.sizes() == slot.sizes;
            };
            const auto found = std::find_if(m_slots.begin() + static_cast<std::ptrdiff_t>(next), m_slots.end(), same);
            if (found == m_slots.end()) break;
            next = static_cast<std::size_t>(found - m_slots.begin()) + 1;
            list.slots.push_back(next - 1);
        }
        if (!list.slots.empty() && list.slots.size() == value.toTensorVector().size()) m_lists.push_back(std::move(list));
    }
}

void Model::findTies() {
    // Saving splits a tied parameter into two tensors over one storage. A storage that stands behind tensors of
    // several shapes is a weightless file's shared scalar instead and ties nothing.
    std::map<const void*, std::set<std::vector<std::int64_t>>> shapesOf;
    for (const TensorSlot& slot : m_slots) shapesOf[slot.host.storage().data()].insert(slot.sizes);
    std::map<const void*, int> firstOf;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        TensorSlot& slot = m_slots[i];
        const void* storage = slot.host.storage().data();
        if (slot.host.numel() > 1 && slot.host.storage().nbytes() == static_cast<std::size_t>(slot.host.element_size())) m_info.weightless = true;
        if (storage && slot.isParameter && shapesOf[storage].size() == 1) {
            const auto [entry, added] = firstOf.try_emplace(storage, static_cast<int>(i));
            if (!added) slot.tiedTo = entry->second;
        }
        LayerInfo& layer = m_info.layers[static_cast<std::size_t>(slot.layer)];
        if (slot.isParameter && (slot.name == "weight" || slot.name == layer.path + ".weight")) layer.weightShape = slot.sizes;
        if (slot.tiedTo >= 0) continue;
        const std::int64_t elements = slot.host.numel();
        const Bytes bytes{elements * static_cast<std::int64_t>(slot.host.element_size())};
        if (slot.isParameter) {
            layer.parameters += elements;
            layer.trainable += slot.requiresGrad ? elements : 0;
            layer.weights += bytes;
        } else {
            layer.buffers += bytes;
        }
    }
    for (TensorSlot& slot : m_slots) {
        const at::Tensor placeholder = at::empty({0}, slot.host.options());
        slot.object->setSlot(slot.index, placeholder);
        if (slot.host.numel() > kKeptElements) slot.host = at::Tensor();
    }
    for (const ListAttribute& list : m_lists) list.object->setSlot(list.index, c10::List<at::Tensor>());
}

void Model::findBlocks() {
    // A block is a module with at least two weight matrices below it that has a sibling of its type; of nested ones
    // the innermost counts. Once a type is a block type, single instances of it count too.
    const std::size_t count = m_info.layers.size();
    std::vector<int> heavy(count, 0);
    for (const TensorSlot& slot : m_slots)
        if (slot.isParameter && slot.sizes.size() >= 2)
            for (int at = slot.layer; at >= 0; at = m_info.layers[static_cast<std::size_t>(at)].parent) ++heavy[static_cast<std::size_t>(at)];
    std::map<std::pair<int, std::string>, int> siblings;
    const auto eligible = [&](std::size_t i) {
        return m_info.layers[i].parent >= 0 && heavy[i] >= 2 && !isContainer(m_info.layers[i].type);
    };
    for (std::size_t i = 0; i < count; ++i)
        if (eligible(i)) ++siblings[{m_info.layers[i].parent, m_info.layers[i].type}];
    std::set<std::string> types;
    for (const auto& [key, number] : siblings)
        if (number >= 2) types.insert(key.second);
    std::vector<bool> outer(count, false);
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < count; ++i) {
        if (!eligible(i) || types.count(m_info.layers[i].type) == 0) continue;
        candidates.push_back(i);
        for (int at = m_info.layers[i].parent; at >= 0; at = m_info.layers[static_cast<std::size_t>(at)].parent) outer[static_cast<std::size_t>(at)] = true;
    }
    for (const std::size_t i : candidates) {
        if (outer[i]) continue;
        const LayerInfo& layer = m_info.layers[i];
        if (m_info.blocks.empty() || m_info.blocks.back().type != layer.type) m_info.blocks.push_back({layer.type, {}});
        m_info.blocks.back().paths.push_back(layer.path);
    }
}

std::vector<std::string> Model::requiredArguments() const {
    std::vector<std::string> names;
    const auto method = m_module.find_method("forward");
    if (!method) return names;
    const auto& arguments = method->function().getSchema().arguments();
    for (std::size_t i = 1; i < arguments.size(); ++i)
        if (!arguments[i].default_value()) names.push_back(arguments[i].name());
    return names;
}

/// What an input of the first layer could look like, for a question.
std::string Model::exampleInput() const {
    const auto first = std::find_if(m_slots.begin(), m_slots.end(), [](const TensorSlot& slot) { return slot.sizes.size() > 1; });
    const std::string& type = first == m_slots.end() ? "" : m_info.layers[static_cast<std::size_t>(first->layer)].type;
    if (type == "Conv1d") return fmt::format("float32[B,{},1000]", first->sizes[1]);
    if (type == "Conv3d") return fmt::format("float32[B,{},16,112,112]", first->sizes[1]);
    if (type == "Embedding") return "int64[B,128]";
    return "float32[B,3,224,224]";
}

std::optional<InputSpec> Model::guessInput() const {
    for (const TensorSlot& slot : m_slots) {
        if (!slot.isParameter || slot.sizes.size() < 2) continue;
        const auto layer = static_cast<std::size_t>(slot.layer);
        const std::string& type = m_info.layers[layer].type;
        const torch::jit::Module& module = m_modules[layer];
        const auto channels = [&](std::int64_t perGroup) { return perGroup * integerAttribute(module, "groups").value_or(1); };
        InputSpec spec;
        spec.shape.push_back({0, "B"});
        spec.dtype = dtypeName(slot.dtype);
        if (type == "Conv2d") {
            std::int64_t side = m_info.name == "Inception3" ? 299 : 224;
            for (const char* name : {"image_size", "img_size"}) side = integerAttribute(m_module, name).value_or(side);
            spec.shape.insert(spec.shape.end(), {{channels(slot.sizes[1]), {}}, {side, {}}, {side, {}}});
            return spec;
        }
        if (type == "Linear") {
            spec.shape.push_back({slot.sizes[1], {}});
            return spec;
        }
        if (type == "Embedding") {
            spec.dtype = "int64";
            spec.shape.push_back({128, {}});
            return spec;
        }
        // Class tokens and their like belong to modules that have layers of their own; look on behind them.
        const auto isChild = [&](const LayerInfo& other) { return other.parent == slot.layer; };
        if (std::none_of(m_info.layers.begin(), m_info.layers.end(), isChild)) return std::nullopt;
    }
    return std::nullopt;
}

void Model::findInputs(const ModelFile& file) {
    m_info.inputs = file.inputs;
    m_info.inputSource = InputSource::TracedInputs;
    if (!m_info.inputs.empty()) return;
    const std::vector<std::string> arguments = requiredArguments();
    if (const auto guess = guessInput(); guess && arguments.size() == 1) {
        m_info.inputs = {*guess};
        m_info.inputSource = InputSource::FirstLayer;
        return;
    }
    m_info.inputSource = InputSource::None;
    m_info.inputQuestion =
        arguments.size() == 1
            ? Message::tr("What does {} take as {}? Give it as DTYPE[SHAPE], for example {}.", m_info.name, arguments.front(), exampleInput())
            : Message::tr("{} takes {} arguments ({}). Give each as NAME=DTYPE[SHAPE], for example {}={}.", m_info.name, arguments.size(),
                          fmt::format("{}", fmt::join(arguments, ", ")), arguments.empty() ? "x" : arguments.front(), exampleInput());
}

std::vector<std::size_t> Model::slotsInApplyOrder() const {
    std::vector<std::vector<std::size_t>> slotsOf(m_info.layers.size()), childrenOf(m_info.layers.size());
    for (std::size_t i = 0; i < m_slots.size(); ++i) slotsOf[static_cast<std::size_t>(m_slots[i].layer)].push_back(i);
    for (std::size_t i = 1; i < m_info.layers.size(); ++i) childrenOf[static_cast<std::size_t>(m_info.layers[i].parent)].push_back(i);
    std::vector<std::size_t> order;
    const std::function<void(std::size_t)> visit = [&](std::size_t layer) {
        for (const std::size_t child : childrenOf[layer]) visit(child);
        order.insert(order.end(), slotsOf[layer].begin(), slotsOf[layer].end());
    };
    visit(0);
    std::erase_if(order, [&](std::size_t slot) { return m_slots[slot].tiedTo >= 0; });
    return order;
}

void Model::moveSlots(const std::vector<std::size_t>& order, const std::function<void(TensorSlot&)>& move) {
    NamedTensors moved;  // of the module at hand
    for (std::size_t i = 0; i < order.size(); ++i) {
        TensorSlot& slot = m_slots[order[i]];
        move(slot);
        if (slot.isParameter) moved.emplace_back(slot.name.substr(slot.name.rfind('.') + 1), slot.device);
        if (i + 1 < order.size() && m_slots[order[i + 1]].layer == slot.layer) continue;
        flattenRecurrentWeights(m_info.layers[static_cast<std::size_t>(slot.layer)].type, moved);
        moved.clear();
    }
}

void Model::putOnDevice(const Settings& settings) {
    const std::vector<std::size_t> order = slotsInApplyOrder();
    moveSlots(order, [&](TensorSlot& slot) {
        slot.device = at::empty(slot.sizes, at::device(at::kCUDA).dtype(slot.dtype), memoryFormatOf(slot.sizes.size(), settings.channelsLast));
        if (slot.host.defined()) slot.device.copy_(slot.host);
        else slot.device.zero_();  // for a real GPU, where left-over bytes could be an index or no number
    });
    const bool pure = convertedType(at::kFloat, settings.precision) != at::kFloat;
    const auto convert = [&](TensorSlot& slot) {
        if (!slot.staysFloat32) slot.device = slot.device.to(convertedType(slot.dtype, settings.precision));
    };
    if (pure) moveSlots(order, convert);
    for (TensorSlot& slot : m_slots) {
        if (slot.tiedTo >= 0) slot.device = m_slots[static_cast<std::size_t>(slot.tiedTo)].device;
        const std::string& path = m_info.layers[static_cast<std::size_t>(slot.layer)].path;
        const bool frozen = std::any_of(settings.frozen.begin(), settings.frozen.end(),
                                        [&](const std::string& root) { return isUnder(path, root); });
        if (slot.requiresGrad && !frozen) slot.device.requires_grad_(true);
        slot.object->setSlot(slot.index, slot.device);
    }
    for (const ListAttribute& list : m_lists) {
        c10::List<at::Tensor> tensors;
        for (const std::size_t slot : list.slots) tensors.push_back(m_slots[slot].device);
        list.object->setSlot(list.index, tensors);
    }
    for (TensorSlot& slot : m_slots)
        if (!slot.isParameter) slot.device.reset();
    m_module.train(settings.mode != StepMode::Infer);
}

void Model::takeOffDevice() {
    for (auto& cache : m_caches) cache.clear();
    for (const ListAttribute& list : m_lists) list.object->setSlot(list.index, c10::List<at::Tensor>());
    for (TensorSlot& slot : m_slots) {
        slot.device.reset();
        slot.object->setSlot(slot.index, at::empty({0}));
    }
}

std::vector<const TensorSlot*> Model::parameters() const {
    std::vector<const TensorSlot*> parameters;
    for (const TensorSlot& slot : m_slots)
        if (slot.isParameter && slot.tiedTo < 0) parameters.push_back(&slot);
    return parameters;
}

std::vector<at::Tensor> Model::buffers() const {
    std::vector<at::Tensor> buffers;
    for (const TensorSlot& slot : m_slots)
        if (!slot.isParameter && slot.tiedTo < 0 && slot.current().defined()) buffers.push_back(slot.current());
    return buffers;
}

}  // namespace tidemark
