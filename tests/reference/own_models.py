# SPDX-License-Identifier: Apache-2.0
"""Small models of kinds that the libraries do not cover: perceptron, recurrent, encoder of torch.nn's own layers."""
import torch


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


rnn = Recurrent
encoder = Encoder


def build(name, classes, config):
    return {"mlp": mlp, "rnn": rnn, "encoder": encoder}[name](classes, **config)
