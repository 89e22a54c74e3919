// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace tidemark {

/// The files a session starts workers with. Empty where nothing was found.
struct Installation {
    QString probe;      ///< the tidemark-probe program
    QString catalogue;  ///< gpus.json
    QString cudnn;      ///< the user's cuDNN library for workspace sizes
    QString resources;  ///< the folder with samples and icons
    QString nursery = {};  ///< the socket of a ProbeNursery that workers may fork from

    /// Environment variables win (TIDEMARK_PROBE, TIDEMARK_RESOURCES, TIDEMARK_CUDNN, TIDEMARK_TORCH), then the place of
    /// the running program, then the build's own folders.
    static Installation find();
};

}  // namespace tidemark
