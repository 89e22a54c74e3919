# SPDX-License-Identifier: Apache-2.0
"""Writes the small TorchScript models that the tests of tidemark-probe open: make_models.py FOLDER.

Sizes are multiples of 512 bytes where a test states sizes, so that the allocator rounds nothing.
"""
import os
import pathlib
import sys
import warnings
from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor, nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging"))
from tidemark_export.export import make_weightless  # noqa: E402


def mlp():
    return nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 256))


def convnet():
    def stage(before, after):
        return [nn.Conv2d(before, after, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]

    return nn.Sequential(*stage(3, 32), *stage(32, 64), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 128))


def dropout():
    return nn.Sequential(nn.Linear(256, 512), nn.Dropout(0.5), nn.Linear(512, 256))


def wide():
    """256 MiB of weights, which the file does not hold."""
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(8192, 8192, bias=False))
    model[0].weight = nn.Parameter(torch.zeros(()).expand(8192, 8192))
    return model


class Tied(nn.Module):
    """A language model whose head shares the embedding's weight."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(1024, 64)
        self.inner = nn.Linear(64, 64)
        self.head = nn.Linear(64, 1024, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens):
        return self.head(self.inner(self.embedding(tokens)))


class Positions(nn.Module):
    """Makes its position ids on the device of its tokens: traced on a CPU, that device is a constant."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(512, 64)
        self.positions = nn.Embedding(128, 64)
        self.head = nn.Linear(64, 128)

    def forward(self, tokens):
        places = torch.arange(tokens.size(1), device=tokens.device)
        return self.head((self.tokens(tokens) + self.positions(places)).mean(1))


class Results(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(256, 512)
        self.head = nn.Linear(512, 256)


class DictResult(Results):
    def forward(self, x) -> Dict[str, Tensor]:
        hidden = self.body(x)
        return {"logits": self.head(hidden), "hidden": hidden}


class TupleResult(Results):
    def forward(self, x) -> Tuple[Tensor, Tensor]:
        hidden = self.body(x)
        return self.head(hidden), hidden


class ListResult(Results):
    def forward(self, x) -> List[Tensor]:
        hidden = self.body(x)
        return [self.head(hidden), hidden]


class IntegerResult(Results):
    def forward(self, x):
        return self.head(self.body(x)).argmax(1)


class SeveralInputs(nn.Module):
    """Integer tokens, a mask, and a scale that may be left out."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(512, 64)
        self.head = nn.Linear(64, 128)

    def forward(self, tokens, mask, scale: Optional[Tensor] = None):
        x = self.embedding(tokens) * mask.unsqueeze(-1)
        if scale is not None:
            x = x * scale.unsqueeze(-1)
        return self.head(x.sum(1))


class DenseLayer(nn.Module):
    """Concatenates a list that its caller goes on filling, as DenseNet's layers do."""

    def __init__(self, inputs):
        super().__init__()
        self.norm = nn.BatchNorm2d(inputs)
        self.bottleneck = nn.Conv2d(inputs, 16, 1)
        self.convolution = nn.Conv2d(16, 8, 3, padding=1)

    def forward(self, features: List[Tensor]) -> Tensor:
        return self.convolution(torch.relu(self.bottleneck(self.norm(torch.cat(features, 1)))))


class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([DenseLayer(8 * (i + 1)) for i in range(4)])
        self.head = nn.Linear(40, 128)

    def forward(self, x):
        features = [x]
        for layer in self.layers:
            features.append(layer(features))
        return self.head(torch.cat(features, 1).mean((2, 3)))


class Foreign(nn.Module):
    """Uses an operator that PyTorch itself does not have."""

    def forward(self, x):
        return torch.ops.elsewhere.twice(x)


class Peek(nn.Module):
    """Looks at one value on the device."""

    def forward(self, x):
        return x + float(x.sum().item())


class Pick(nn.Module):
    """Asks where the data is not zero: the answer's size is data."""

    def forward(self, x):
        return x * (1 + float(x.nonzero().size(0)))


class DeviceReads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(256, 256)
        self.peek = Peek()
        self.pick = Pick()

    def forward(self, x):
        return self.pick(self.peek(self.body(x)))


class Unused(nn.Module):
    """Half of its parameters take no part."""

    def __init__(self):
        super().__init__()
        self.used = nn.Linear(256, 256)
        self.spare = nn.Linear(256, 256)

    def forward(self, x):
        return self.used(x)


class Picky(nn.Module):
    def forward(self, x):
        if x.size(0) > 4:
            raise RuntimeError("no more than four at a time")
        return x


class Raises(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(256, 256)
        self.picky = Picky()

    def forward(self, x):
        return self.picky(self.body(x))


class Repeated(nn.Module):
    """One layer, called three times."""

    def __init__(self):
        super().__init__()
        self.again = nn.Linear(256, 256)

    def forward(self, x):
        for _ in range(3):
            x = torch.relu(self.again(x))
        return x


class Recurrent(nn.Module):
    def __init__(self, kind, dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(512, 64)
        self.recurrent = kind(64, 128, num_layers=2, batch_first=True, dropout=dropout)
        self.head = nn.Linear(128, 128)

    def forward(self, tokens):
        return self.head(self.recurrent(self.embedding(tokens))[0][:, -1])


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.size(0), x.size(1), x.size(2)
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        weights = (q @ k.transpose(-2, -1)).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(b, t, c))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(512, 128)
        self.blocks = nn.ModuleList(Block(128, 4) for _ in range(4))
        self.head = nn.Linear(128, 256)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class Products(nn.Module):
    """Its output is as large whatever the batch is, and at a batch of 10 looks as if it were not."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 10)

    def forward(self, x):
        return self.layer(x).t() @ x


class Conv1d(nn.Module):
    """As weight normalisation leaves it: the bias comes first."""

    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(4))
        self.weight_v = nn.Parameter(torch.zeros(4, 2, 3))

    def forward(self, x):
        return nn.functional.conv1d(x, self.weight_v, self.bias)


class NoWeights(nn.Module):
    """Nothing from which an input could be guessed."""

    def forward(self, x):
        return x * 2


def frozen():
    model = mlp()
    for parameter in model[0].parameters():
        parameter.requires_grad_(False)
    return model


def weightless(model):
    make_weightless(model)
    return model


MODELS = {
    "mlp": mlp, "convnet": convnet, "dropout": dropout, "wide": wide, "tied": Tied, "dict": DictResult,
    "tuple": TupleResult, "list": ListResult, "integer": IntegerResult, "several": SeveralInputs, "reads": DeviceReads,
    "unused": Unused, "raises": Raises, "repeated": Repeated, "lstm": lambda: Recurrent(nn.LSTM),
    "gru": lambda: Recurrent(nn.GRU),
    "lstm-dropout": lambda: Recurrent(nn.LSTM, 0.5), "transformer": Transformer, "noweights": NoWeights, "half": lambda: mlp().half(),
    "normed": Conv1d, "volume": lambda: nn.Sequential(nn.Conv3d(2, 4, 3), nn.Flatten()), "products": Products,
    "frozen": frozen, "dense": Dense,
    "mlp-weightless": lambda: weightless(mlp()), "convnet-weightless": lambda: weightless(convnet()),
    "tied-weightless": lambda: weightless(Tied()), "transformer-weightless": lambda: weightless(Transformer()),
}


def main(folder):
    warnings.simplefilter("ignore")
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "made-from"
    source = pathlib.Path(__file__).read_text()
    if stamp.exists() and stamp.read_text() == source:
        return
    for name, make in MODELS.items():
        torch.jit.script(make()).save(str(folder / f"{name}.pt"))
    with torch.library._scoped_library("elsewhere", "DEF") as library:
        library.define("twice(Tensor x) -> Tensor")
        torch.jit.script(Foreign()).save(str(folder / "foreign.pt"))
    traced = torch.jit.trace(Positions().cpu(), torch.zeros(2, 16, dtype=torch.long))
    traced.save(str(folder / "traced.pt"))
    stamp.write_text(source)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
    sys.stdout.flush()
    os._exit(0)
