# SPDX-License-Identifier: Apache-2.0
"""The two small networks among the samples: one set of layers, down-sampled early or late."""
import torch


class Block(torch.nn.Module):
    """Two 3×3 convolutions, the first with the stride."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = torch.nn.BatchNorm2d(outputs)
        self.conv2 = torch.nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = torch.nn.BatchNorm2d(outputs)
        self.relu = torch.nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.relu(self.norm1(self.conv1(x)))
        return self.relu(self.norm2(self.conv2(x)))


class SmallNet(torch.nn.Module):
    """Four blocks and a classifier. The weights do not depend on the strides, the memory does."""

    def __init__(self, strides, classes=100):
        super().__init__()
        widths = (3, 32, 64, 128, 256)
        self.blocks = torch.nn.Sequential(*(Block(a, b, s) for a, b, s in zip(widths, widths[1:], strides)))
        self.pool = torch.nn.AdaptiveAvgPool2d(1)
        self.classifier = torch.nn.Linear(widths[-1], classes)

    def forward(self, x):
        return self.classifier(self.pool(self.blocks(x)).flatten(1))


def early_downsampling():
    return SmallNet((4, 2, 2, 1))


def late_downsampling():
    return SmallNet((1, 2, 2, 4))
