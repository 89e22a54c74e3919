// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gpus/gpu.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

/// The cards Tidemark can plan for, as resources/gpus.json lists them.
class Catalogue {
public:
    /// Reads the file. Errors name the file and the card or field that is wrong.
    static Result<Catalogue> load(const std::string& path);
    /// The same from the file's text; `origin` is what errors call it.
    static Result<Catalogue> parse(const std::string& text, const std::string& origin);

    /// Adds the cards of a user's own file, each in the place of one with its id: {"schema":"tidemark.own-cards/1",
    /// "gpus":[{"id","label","like","memory",…}]}. What a card leaves out is that of the card it is `like`, or of the first
    /// of its `capability`. Errors name the file and the card; nothing is added then.
    std::optional<Error> addOwn(const std::string& text, const std::string& origin);

    const std::vector<Gpu>& all() const { return m_gpus; }
    /// Lets every card be changed, by what was measured on it say.
    void change(const std::function<void(Gpu&)>& change) { std::for_each(m_gpus.begin(), m_gpus.end(), change); }

    /// The card people mean by a loose name: "A100 80GB", "rtx 4090", "4090", "h100". Case, "NVIDIA", "GeForce" and
    /// punctuation do not matter. A name that fits several cards means the plainest of them ("4090" is not the laptop
    /// card); where none is plainest, and for unknown names, GpuUnknown lists the candidates in one sentence.
    Result<Gpu> find(std::string_view name) const;

private:
    std::vector<Gpu> m_gpus;
};

/// The value of TIDEMARK_NULL_DEVICE that makes the null GPU look like this card.
std::string nullDeviceJson(const Gpu& gpu);

}  // namespace tidemark
