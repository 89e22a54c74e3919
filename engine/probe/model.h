// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/modelinfo.h"
#include "engine/plan/settings.h"
#include "engine/probe/modelfile.h"
#include "engine/probe/modulecall.h"
#include "engine/probe/outputshapes.h"

#include <torch/script.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tidemark {

/// One tensor attribute of a module: where it lives, and what it is on the device during a measurement.
struct TensorSlot {
    c10::intrusive_ptr<c10::ivalue::Object> object;
    std::size_t index = 0;       ///< slot in the object
    int layer = -1;
    std::string name;            ///< "layer1.0.conv1.weight"
    bool isParameter = false;
    bool requiresGrad = false;
    at::ScalarType dtype{};
    bool staysFloat32 = false;   ///< also in pure half precision: ModelFile::float32 names it
    std::vector<std::int64_t> sizes;
    int tiedTo = -1;             ///< index of the slot whose tensor this one shares
    at::Tensor host;             ///< small tensors keep their values; empty for big ones
    at::Tensor device;           ///< of a parameter that is on the device

    /// What the model has there now. It may bind a buffer anew, which nobody else may keep then.
    at::Tensor current() const;
};

/// A list attribute that holds parameters of its module once more, as torch.nn.LSTM's `_flat_weights` does.
struct ListAttribute {
    c10::intrusive_ptr<c10::ivalue::Object> object;
    std::size_t index = 0;           ///< slot in the object
    std::vector<std::size_t> slots;  ///< indices into Model::slots()
};

/// An opened model: its layers, and its weights, which can be put on the device and taken off again.
class Model {
public:
    /// Error: as readModelFile().
    static Result<Model> open(const std::string& path);
    /// The same of a file that has been read.
    static Result<Model> open(const std::string& path, const ModelFile& file);

    const ModelInfo& info() const { return m_info; }
    torch::jit::Module& module() { return m_module; }
    const std::unordered_map<const c10::ivalue::Object*, int>& layerOf() const { return m_layerOf; }
    const std::vector<TensorSlot>& slots() const { return m_slots; }
    /// Constant tensors of the graphs; they stay on the device as long as the model is open.
    const std::vector<at::Tensor>& constants() const { return m_constants; }

    OutputShapes& outputShapes() { return m_outputShapes; }

    /// Allocates parameters and buffers on the device as `model.to("cuda")` does: children first, then a module's own
    /// parameters, then its buffers; a pure precision follows as `.to(dtype)`, tensor by tensor. Layers in settings.frozen get no gradient. Training or evaluation mode is set as settings say.
    void putOnDevice(const Settings& settings);
    /// Frees what putOnDevice() allocated.
    void takeOffDevice();

    /// Slots of the parameters in the order of Module.parameters(), tied ones once.
    std::vector<const TensorSlot*> parameters() const;
    /// The buffers on the device in the order of Module.buffers(), shared ones once.
    std::vector<at::Tensor> buffers() const;

private:
    Model() = default;
    static Model prepared(const std::string& path, const ModelFile& file);
    void describeLayers(const torch::jit::Module& module, const std::string& path, const std::string& name, int parent);
    void collectSlots(const torch::jit::Module& module, int layer);
    void collectLists(const torch::jit::Module& module, std::size_t firstSlot);
    void findTies();
    void findBlocks();
    void findInputs(const ModelFile& file);
    std::optional<InputSpec> guessInput() const;
    std::string exampleInput() const;
    /// The names of forward()'s arguments that have no default.
    std::vector<std::string> requiredArguments() const;
    std::vector<std::size_t> slotsInApplyOrder() const;
    /// Calls `move` for every slot of `order`, and gives recurrent layers their one buffer once all of theirs are moved.
    void moveSlots(const std::vector<std::size_t>& order, const std::function<void(TensorSlot&)>& move);

    torch::jit::Module m_module;
    ModelInfo m_info;
    std::vector<torch::jit::Module> m_modules;  ///< by layer
    std::vector<TensorSlot> m_slots;            ///< in parameters() order: a module's own, then its children's
    std::vector<ListAttribute> m_lists;
    std::vector<c10::Dict<c10::IValue, c10::IValue>> m_caches;  ///< empty dictionaries of the file, which a run may fill
    std::unordered_map<const c10::ivalue::Object*, int> m_layerOf;
    std::vector<at::Tensor> m_constants;
    OutputShapes m_outputShapes;
};

}  // namespace tidemark
