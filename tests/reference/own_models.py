# SPDX-License-Identifier: Apache-2.0
"""Small models of kinds that the libraries do not cover: perceptron, recurrent, encoder of torch.nn's own layers."""
import torch

from user_models import *  # noqa: F401,F403  the models of cases are looked up here


def mlp(classes=1000, inputs=1024, hidden=4096, layers=3):
    """Linear layers with ReLU between them."""
    sizes = [inputs] + [hidden] * (layers - 1)
    parts = []
    for before, after in zip(sizes, sizes[1:]):
        parts += [torch.nn.Linear(before, after), torch.nn.ReLU()]
    return torch.nn.Sequential(*parts, torch.nn.Linear(hidden, classes))


class Recurrent(torch.nn.Module):
    """Embedding, LSTM or GRU, and a linear layer on the last step."""

    def __init__(self, classes=1000, kind="LSTM", vocab=10000, embed=512, hidden=512, **options):
        super().__init__()
        self.embedding = torch.nn.Embedding(vocab, embed)
        self.recurrent = getattr(torch.nn, kind)(embed, hidden, batch_first=True, **options)
        self.head = torch.nn.Linear(hidden * (2 if options.get("bidirectional") else 1), classes)

    def forward(self, tokens):
        return self.head(self.recurrent(self.embedding(tokens))[0][:, -1])


class Encoder(torch.nn.Module):
    """Embedding, torch.nn.TransformerEncoder, and a linear layer on the first position."""

    def __init__(self, classes=1000, d_model=512, heads=8, layers=6, ff=2048, vocab=10000):
        super().__init__()
        layer = torch.nn.TransformerEncoderLayer(d_model, heads, ff, batch_first=True)
        self.embedding = torch.nn.Embedding(vocab, d_model)
        self.encoder = torch.nn.TransformerEncoder(layer, layers)
        self.head = torch.nn.Linear(d_model, classes)

    def forward(self, tokens):
        return self.head(self.encoder(self.embedding(tokens))[:, 0])


def _spread(x):
    """Its temporaries die with it, its argument where the name is bound anew."""
    wide = x.repeat(1, 2, 1, 1)
    x = wide * 2
    return x + 1


class Lifetimes(torch.nn.Module):
    """Variables of the kinds whose lives differ between Python and TorchScript: those of a function, of a method, bound in
    a branch that always or sometimes runs and read behind it or not, with numbers in their names, and slices that take in
    all or are written to."""

    def __init__(self, classes=1000, channels=8):
        super().__init__()
        self.first = torch.nn.Conv2d(channels, channels, 3, padding=1)
        self.second = torch.nn.Conv2d(2 * channels, channels, 1)
        self.third = torch.nn.Conv2d(channels, channels, 3, padding=1, bias=False)  # in TorchScript of one type with `first`
        self.shortcut = None
        self.channels = channels
        self.head = torch.nn.Linear(channels, classes)

    def reduced(self, x: torch.Tensor):
        y = self.second(x)
        if y.shape[2] % 2 == 0:
            x = torch.sigmoid(y)
        return x * y

    def masked(self, x: torch.Tensor):
        if x.shape[2] > 2:
            mask = x.detach() * 2
            mask[:, 0] = 3
            x = x + mask  # not read again, and there until the method returns
        else:
            other = x * 2
            x = x + other
        x = torch.tanh(x)
        return x * 2

    def adjusted(self, x: torch.Tensor):
        y = x.detach() * 2
        if x.shape[2] > 2:
            y = y + 1  # lets go of what y held
            y = torch.tanh(y)
        x = x * 2
        x[:, 1:] += y[:, 1:]
        return x

    def numbered(self, x: torch.Tensor):
        x1 = x.detach() * 2
        x2 = x1 + 1
        x1 = x2 * 3
        x = x + x1
        x2 = torch.sigmoid(x)
        x = x2 * 2
        return x

    def forward(self, x: torch.Tensor):
        second = self.second(torch.cat([x, x], 1))  # a variable of a module's name
        second = second.flatten(2) * 2
        x = self.third(self.first(x)) + second.mean()
        kept = x if self.shortcut is None else self.first(x)
        x = self.reduced(_spread(x + 1))
        kept = kept * 2
        whole = x[:, :self.channels]
        whole += 1
        x = torch.cat([whole[:, 0:], kept[:, 1:]], 1)
        x = self.masked(_spread(x)[:, :self.channels])
        return self.head(self.numbered(self.adjusted(x)).mean((2, 3)))


lifetimes = Lifetimes
rnn = Recurrent
encoder = Encoder


class DoubleConvolution(torch.nn.Sequential):
    """Two 3×3 convolutions, as a U-Net has them at each resolution."""

    def __init__(self, inputs, outputs):
        layers = []
        for channels in (inputs, outputs):
            layers += [torch.nn.Conv2d(channels, outputs, 3, padding=1, bias=False), torch.nn.BatchNorm2d(outputs),
                       torch.nn.ReLU()]
        super().__init__(*layers)


class UNet(torch.nn.Module):
    """Encoder, decoder and skips; the outermost level works at the input's own resolution."""

    def __init__(self, classes=2, width=64):
        super().__init__()
        sizes = [width, 2 * width, 4 * width, 8 * width]
        self.outer = DoubleConvolution(3, width)
        self.down1 = DoubleConvolution(width, sizes[1])
        self.down2 = DoubleConvolution(sizes[1], sizes[2])
        self.bottom = DoubleConvolution(sizes[2], sizes[3])
        self.pool = torch.nn.MaxPool2d(2)
        self.up2 = torch.nn.ConvTranspose2d(sizes[3], sizes[2], 2, 2)
        self.join2 = DoubleConvolution(sizes[3], sizes[2])
        self.up1 = torch.nn.ConvTranspose2d(sizes[2], sizes[1], 2, 2)
        self.join1 = DoubleConvolution(sizes[2], sizes[1])
        self.up0 = torch.nn.ConvTranspose2d(sizes[1], width, 2, 2)
        self.join0 = DoubleConvolution(sizes[1], width)
        self.head = torch.nn.Conv2d(width, classes, 1)

    def forward(self, image):
        outer = self.outer(image)
        down1 = self.down1(self.pool(outer))
        down2 = self.down2(self.pool(down1))
        bottom = self.bottom(self.pool(down2))
        joined = self.join2(torch.cat([self.up2(bottom), down2], 1))
        joined = self.join1(torch.cat([self.up1(joined), down1], 1))
        return self.head(self.join0(torch.cat([self.up0(joined), outer], 1)))


unet = UNet


def build(name, classes, config):
    return globals()[name](**({"classes": classes} if classes else {}), **config)
