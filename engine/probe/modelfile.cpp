// SPDX-License-Identifier: Apache-2.0
#include "engine/probe/modelfile.h"

#include "engine/probe/exceptions.h"
#include "engine/probe/tensortypes.h"

#include <caffe2/serialize/inline_container.h>
#include <caffe2/serialize/read_adapter_interface.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/csrc/jit/serialization/import_read.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tidemark {
namespace {

using caffe2::serialize::PyTorchStreamReader;
using caffe2::serialize::ReadAdapterInterface;

constexpr std::uint64_t kReadForReal = 4u << 20;
constexpr const char* kInputsRecord = "tidemark_inputs.json";
constexpr const char* kFloat32Record = "tidemark_float32.json";

/// Reads a file for LibTorch's archive reader, but leaves out the contents of big tensors: a single read of more
/// than kReadForReal bytes is always one whole uncompressed record, and its buffer stays untouched, so that the
/// operating system never gives it memory.
class SparseFileReader : public ReadAdapterInterface {
public:
    explicit SparseFileReader(const std::string& path)
        : m_stream(path, std::ios::binary), m_size(std::filesystem::file_size(path)) {}

    std::size_t size() const override { return m_size; }

    std::size_t read(std::uint64_t position, void* buffer, std::size_t count, const char*) const override {
        if (position >= m_size) return 0;
        const std::size_t available = std::min<std::uint64_t>(count, m_size - position);
        if (available > kReadForReal) return available;
        m_stream.clear();
        m_stream.seekg(static_cast<std::streamoff>(position));
        m_stream.read(static_cast<char*>(buffer), static_cast<std::streamsize>(available));
        return static_cast<std::size_t>(m_stream.gcount());
    }

private:
    mutable std::ifstream m_stream;
    std::uint64_t m_size;
};

std::string nameOfFile(const std::string& path) { return std::filesystem::path(path).filename().string(); }

Error fileError(ErrorCode code, Message message, std::string detail = {}) {
    return {code, std::move(message), std::move(detail)};
}

Message howToExport() {
    return Message::tr(
        "Export the model with torch.jit.script(model).save(\"model.pt\") or Tidemark's exporter and open that file.");
}

/// The sentence for a file that begins with these bytes and is no zip archive.
Error notAnArchive(const std::string& name, std::string_view head) {
    if (head.substr(0, 2) == "\x80\x02" || head.substr(0, 2) == "\x80\x04" || head.substr(0, 2) == "\x80\x05")
        return fileError(ErrorCode::NotTorchScript,
                         Message::tr("{} is a Python pickle (an old state_dict or checkpoint), not a TorchScript model. {}", name, howToExport()));
    if (head.size() > 8 && head[8] == '{')
        return fileError(ErrorCode::NotTorchScript,
                         Message::tr("{} is a safetensors file: weights without a model. {}", name, howToExport()));
    if (head.size() > 1 && head[0] == '\x08' && head[1] < '\x20')
        return fileError(ErrorCode::NotTorchScript, Message::tr("{} looks like an ONNX model, which Tidemark does not read. {}", name, howToExport()));
    if (head.substr(0, 8) == "\x89HDF\r\n\x1a\n")
        return fileError(ErrorCode::NotTorchScript, Message::tr("{} is an HDF5 (Keras) file, not a TorchScript model. {}", name, howToExport()));
    const bool text = std::all_of(head.begin(), head.end(), [](unsigned char c) { return c >= 9 && c != 127; });
    return fileError(ErrorCode::NotTorchScript, Message::tr("{} is {}, not a TorchScript model. {}", name,
                                                            text ? Message::tr("a text file") : Message::tr("no archive that PyTorch writes"), howToExport()));
}

Error otherArchive(const std::string& name) {
    return fileError(ErrorCode::NotTorchScript,
                     Message::tr("{} is a zip archive without a TorchScript model in it. {}", name, howToExport()));
}

/// What a zip archive is that has no TorchScript code in it.
Error notTorchScript(const std::string& name, PyTorchStreamReader& reader) {
    if (reader.hasRecord("data.pkl"))
        return fileError(ErrorCode::NotTorchScript,
                         Message::tr("{} was written by torch.save (a state_dict or a pickled model): it holds weights, not the program of a model. {}",
                                     name, howToExport()));
    const std::vector<std::string> records = reader.getAllRecords();
    if (std::find(records.begin(), records.end(), "archive_format") != records.end())
        return fileError(ErrorCode::NotTorchScript,
                         Message::tr("{} was written by torch.export; Tidemark reads TorchScript. {}",
                                     name, howToExport()));
    return otherArchive(name);
}

/// The first line that says something.
std::string firstLine(const std::string& text) {
    const std::size_t begin = std::min(text.find_first_not_of("\n "), text.size());
    return text.substr(begin, text.find('\n', begin) - begin);
}

/// Why LibTorch refused a file that is TorchScript.
Error refusal(const std::string& name, const std::string& complaint) {
    constexpr std::string_view kUnknown = "Unknown builtin op: ";
    const std::string line = firstLine(complaint);
    if (line.rfind(kUnknown, 0) == 0)
        return fileError(ErrorCode::ModelUnsupported,
                         Message::tr("{} uses the operator {}, which is not PyTorch's own: export the part of the model that does without it.", name,
                                     line.substr(kUnknown.size(), line.find_last_not_of('.') + 1 - kUnknown.size())),
                         complaint);
    return fileError(ErrorCode::ModelUnsupported,
                     Message::tr("{} is TorchScript, but this LibTorch cannot load it: {} Export it with a matching PyTorch version.", name, line),
                     complaint);
}

std::vector<InputSpec> inputsFromJson(const std::string& text) {
    std::vector<InputSpec> specs;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_array()) return specs;
    for (const auto& item : json) {
        if (!item.is_string()) return {};
        auto spec = parseInputSpec(item.get<std::string>());
        if (!spec) return {};
        specs.push_back(std::move(spec).value());
    }
    return specs;
}

std::set<std::string> namesFromJson(const std::string& text) {
    std::set<std::string> names;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    for (const auto& item : json.is_array() ? json : nlohmann::json::array())
        if (item.is_string()) names.insert(item.get<std::string>());
    return names;
}

InputSpec describe(const at::Tensor& tensor, std::int64_t batch) {
    InputSpec spec;
    spec.dtype = dtypeName(tensor.scalar_type());
    for (std::int64_t i = 0; i < tensor.dim(); ++i)
        spec.shape.push_back(i == 0 && tensor.size(0) == batch ? Dim{0, "B"} : Dim{tensor.size(i), {}});
    return spec;
}

void appendTensors(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
    if (value.isTensor()) tensors.push_back(value.toTensor());
    else if (value.isTuple())
        for (const auto& item : value.toTupleRef().elements()) appendTensors(item, tensors);
    else if (value.isList())
        for (const c10::IValue& item : value.toListRef()) appendTensors(item, tensors);
}

/// `traced_inputs` is a dictionary from method name to its example inputs.
std::vector<InputSpec> inputsFromTrace(PyTorchStreamReader& reader) {
    if (!reader.hasRecord("traced_inputs.pkl")) return {};
    std::vector<at::Tensor> tensors;
    try {
        const c10::IValue stored = torch::jit::readArchiveAndTensors("traced_inputs", "", "traced_inputs/", std::nullopt, std::nullopt, at::kCPU, reader);
        if (!stored.isGenericDict()) return {};
        for (const auto& entry : stored.toGenericDict())
            if (entry.key().isString() && entry.key().toStringRef() == "forward") appendTensors(entry.value(), tensors);
    } catch (const std::exception&) {
        return {};  // an optional extra: the model may be fine without it
    }
    std::vector<InputSpec> specs;
    for (const at::Tensor& tensor : tensors) specs.push_back(describe(tensor, tensor.dim() ? tensors.front().size(0) : 0));
    return specs;
}

}  // namespace

Result<bool> checkLooksLikeTorchScript(const std::string& path) {
    std::error_code status;
    const std::string name = nameOfFile(path);
    if (!std::filesystem::exists(path, status))
        return fileError(ErrorCode::FileNotFound, Message::tr("There is no file {}. Check the path.", path));
    if (std::filesystem::is_directory(path, status))
        return fileError(ErrorCode::FileUnreadable, Message::tr("{} is a folder. Open the TorchScript file (.pt) in it.", path));
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return fileError(ErrorCode::FileUnreadable, Message::tr("{} cannot be read ({}). Check its permissions.", path, std::strerror(errno)));
    std::string head(64, '\0');
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(stream.gcount()));
    if (head.empty()) return fileError(ErrorCode::FileEmpty, Message::tr("{} is empty. Export the model again.", name));
    if (head.substr(0, 4) != "PK\x03\x04") return notAnArchive(name, head);
    return true;
}

Result<ModelFile> readModelFile(const std::string& path) {
    if (auto looks = checkLooksLikeTorchScript(path); !looks) return looks.error();
    const std::string name = nameOfFile(path);
    auto file = std::make_shared<SparseFileReader>(path);
    std::unique_ptr<PyTorchStreamReader> reader;
    try {
        reader = std::make_unique<PyTorchStreamReader>(file);
    } catch (const std::exception& e) {
        // A sound archive that PyTorch did not write has no version record.
        if (std::string_view(e.what()).find("hasRecord(\"version\")") != std::string_view::npos) return otherArchive(name);
        return fileError(ErrorCode::FileTruncated,
                         Message::tr("{} is a damaged or incomplete archive. Copy or export it again.", name), firstLine(wordsOf(e)));
    }
    if (!reader->hasRecord("constants.pkl") || !reader->hasRecord("data.pkl")) return notTorchScript(name, *reader);
    try {
        torch::jit::ExtraFilesMap extras{{kInputsRecord, ""}, {kFloat32Record, ""}};
        ModelFile model;
        model.module = torch::jit::load(file, at::kCPU, extras);
        model.inputs = inputsFromJson(extras[kInputsRecord]);
        model.float32 = namesFromJson(extras[kFloat32Record]);
        model.traced = reader->hasRecord("traced_inputs.pkl");
        if (model.inputs.empty()) model.inputs = inputsFromTrace(*reader);
        return model;
    } catch (const std::exception& e) {
        return refusal(name, wordsOf(e));
    }
}

Error unusableModelFile(const std::string& path, const std::string& complaint) { return refusal(nameOfFile(path), complaint); }

}  // namespace tidemark
