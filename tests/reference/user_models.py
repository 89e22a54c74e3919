# SPDX-License-Identifier: Apache-2.0
"""Models as people write them for themselves: loops over time, skips in lists, several inputs and outputs."""
import math
from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class LSTMByHand(nn.Module):
    """A recurrent cell written out, stepped through time."""

    def __init__(self, classes=10, inputs=64, hidden=128):
        super().__init__()
        self.hidden = hidden
        self.gates = nn.Linear(inputs + hidden, 4 * hidden)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x: Tensor):
        batch, steps, _ = x.shape
        h = torch.zeros(batch, self.hidden, device=x.device)
        c = torch.zeros(batch, self.hidden, device=x.device)
        outputs = []
        for t in range(steps):
            combined = torch.cat([x[:, t], h], dim=1)
            i, f, g, o = self.gates(combined).chunk(4, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            outputs.append(h)
        return self.head(torch.stack(outputs, dim=1).mean(1))


class GRUCells(nn.Module):
    """torch.nn's cells, stacked by hand."""

    def __init__(self, classes=10, inputs=64, hidden=128, layers=2):
        super().__init__()
        self.hidden = hidden
        self.cells = nn.ModuleList([nn.GRUCell(inputs if i == 0 else hidden, hidden) for i in range(layers)])
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x: Tensor):
        states = [x.new_zeros(x.size(0), self.hidden) for _ in range(len(self.cells))]
        for t in range(x.size(1)):
            step = x[:, t]
            for i, cell in enumerate(self.cells):
                states[i] = cell(step, states[i])
                step = self.drop(states[i])
        return self.head(states[-1])


class LoopCarried(nn.Module):
    """Variables of a loop's body that are read behind the loop, in the next turn, or nowhere else."""

    def __init__(self, classes=10, width=64):
        super().__init__()
        self.step = nn.Linear(width, width)
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor):
        previous = x
        total = torch.zeros_like(x[:, 0])
        for t in range(x.size(1)):
            now = x[:, t]
            wide = now.repeat(1, 8)
            scaled = wide * 2
            folded = scaled.view(now.size(0), 8, -1).sum(1)
            previous = now
            now = self.step(folded) + previous
            total = total + now
        last = total * 2
        count = 0
        while count < 3:
            larger = last.repeat(1, 16)
            last = last + larger[:, :last.size(1)]
            count += 1
        return self.head(torch.tanh(last))


class OverTensor(nn.Module):
    """`for row in x`, and a comprehension."""

    def __init__(self, classes=10, width=64):
        super().__init__()
        self.step = nn.Linear(width, width)
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor):
        rows = []
        for row in x.transpose(0, 1):
            rows.append(self.step(row))
        more = [torch.tanh(row) for row in rows]
        for a, b in zip(rows, more):
            spread = a.repeat(1, 4)
            x = x + (spread[:, :x.size(2)] * b).unsqueeze(1)
        return self.head(x.mean(1) + torch.stack(more).sum(0))


class Aliases(nn.Module):
    """Several names for one tensor, and names that are given up."""

    def __init__(self, classes=10, width=256):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor):
        x = x * 2
        kept = x
        x = torch.relu(self.first(x.detach())).detach()
        x = x + 1
        a, b = x, kept
        a, b = b, a
        x = self.second(x)
        if x.shape[1] > 2:
            residual = x
            x = x.detach() * 2
            x = x + 1
            other = x
        else:
            other = residual = x
        del kept
        del a
        x = x * 3 + b
        first = second = x.detach() + 1
        x = x + first
        for layer in self.layers:
            before = x
            x = layer(x).detach() * 2
            x = torch.tanh(x)
            after = x
            x = x + 2
        other = None
        second = x.detach() * 4
        x = second + 1
        return self.head(x)


class CausalSelfAttention(nn.Module):
    def __init__(self, width, heads, block):
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)
        self.attn_dropout = nn.Dropout(0.1)
        self.resid_dropout = nn.Dropout(0.1)
        self.register_buffer("bias", torch.tril(torch.ones(block, block)).view(1, 1, block, block))

    def forward(self, x: Tensor):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        att = self.attn_dropout(att)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        y = self.resid_dropout(self.c_proj(y))
        return y


class GPTBlock(nn.Module):
    def __init__(self, width, heads, block):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = CausalSelfAttention(width, heads, block)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x: Tensor):
        x = x + self.attn(self.ln_1(x))
        x = x + self.mlp(self.ln_2(x))
        return x


class NanoGPT(nn.Module):
    """A small language model with tied weights."""

    def __init__(self, classes=None, vocab=512, width=128, heads=4, layers=3, block=64):
        super().__init__()
        self.wte = nn.Embedding(vocab, width)
        self.wpe = nn.Embedding(block, width)
        self.drop = nn.Dropout(0.1)
        self.h = nn.ModuleList([GPTBlock(width, heads, block) for _ in range(layers)])
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, vocab, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, idx: Tensor):
        b, t = idx.size()
        pos = torch.arange(0, t, dtype=torch.long, device=idx.device)
        tok_emb = self.wte(idx)
        pos_emb = self.wpe(pos)
        x = self.drop(tok_emb + pos_emb)
        for block in self.h:
            x = block(x)
        x = self.ln_f(x)
        return self.lm_head(x)


class Seq2Seq(nn.Module):
    """torch.nn.Transformer between embeddings, with a mask made on the way."""

    def __init__(self, classes=None, vocab=512, width=128):
        super().__init__()
        self.width = width
        self.source = nn.Embedding(vocab, width)
        self.target = nn.Embedding(vocab, width)
        self.register_buffer("positions", torch.zeros(1, 256, width))
        self.transformer = nn.Transformer(width, 4, 2, 2, 256, batch_first=True)
        self.generator = nn.Linear(width, vocab)

    def forward(self, src: Tensor, tgt: Tensor):
        mask = torch.triu(torch.full((tgt.size(1), tgt.size(1)), float("-inf"), device=tgt.device), diagonal=1)
        src_emb = self.source(src) * math.sqrt(self.width) + self.positions[:, :src.size(1)]
        tgt_emb = self.target(tgt) * math.sqrt(self.width) + self.positions[:, :tgt.size(1)]
        out = self.transformer(src_emb, tgt_emb, tgt_mask=mask)
        return self.generator(out)


class ConvBlock(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor):
        x = F.relu(self.bn1(self.conv1(x)), inplace=True)
        x = F.relu(self.bn2(self.conv2(x)), inplace=True)
        return x


class UNetList(nn.Module):
    """U-Net whose skips wait in a list."""

    def __init__(self, classes=2, width=16):
        super().__init__()
        sizes = [width, 2 * width, 4 * width]
        self.downs = nn.ModuleList([ConvBlock(a, b) for a, b in zip([3] + sizes, sizes)])
        self.pool = nn.MaxPool2d(2)
        self.bottleneck = ConvBlock(sizes[-1], 2 * sizes[-1])
        self.ups = nn.ModuleList([nn.ConvTranspose2d(2 * s, s, 2, 2) for s in reversed(sizes)])
        self.joins = nn.ModuleList([ConvBlock(2 * s, s) for s in reversed(sizes)])
        self.final_conv = nn.Conv2d(width, classes, 1)

    def forward(self, x: Tensor):
        skip_connections: List[Tensor] = []
        for down in self.downs:
            x = down(x)
            skip_connections.append(x)
            x = self.pool(x)
        x = self.bottleneck(x)
        skip_connections = skip_connections[::-1]
        for i, (up, join) in enumerate(zip(self.ups, self.joins)):
            x = up(x)
            skip_connection = skip_connections[i]
            if x.shape != skip_connection.shape:
                x = F.interpolate(x, size=skip_connection.shape[2:])
            concat_skip = torch.cat((skip_connection, x), dim=1)
            x = join(concat_skip)
        return self.final_conv(x)


class Discriminator(nn.Module):
    """DCGAN's, with a spectrum of strided convolutions."""

    def __init__(self, classes=1, width=32):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(3, width, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width, 2 * width, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * width), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(2 * width, 4 * width, 4, 2, 1, bias=False), nn.BatchNorm2d(4 * width),
            nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(4 * width, 1, 8, 1, 0, bias=False), nn.Sigmoid())

    def forward(self, input: Tensor):
        output = self.main(input)
        return output.view(-1, 1).squeeze(1)


class VAE(nn.Module):
    """Encoder, reparameterisation, decoder; returns what its loss needs."""

    def __init__(self, classes=None, inputs=784, hidden=400, latent=20):
        super().__init__()
        self.fc1 = nn.Linear(inputs, hidden)
        self.fc21 = nn.Linear(hidden, latent)
        self.fc22 = nn.Linear(hidden, latent)
        self.fc3 = nn.Linear(latent, hidden)
        self.fc4 = nn.Linear(hidden, inputs)

    def encode(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu: Tensor, logvar: Tensor) -> Tensor:
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z: Tensor) -> Tensor:
        h3 = F.relu(self.fc3(z))
        return self.fc4(h3)

    def forward(self, x: Tensor):
        mu, logvar = self.encode(x.view(-1, 784))
        z = self.reparameterize(mu, logvar)
        recon = self.decode(z)
        kl = -0.5 * torch.mean(1 + logvar - mu.pow(2) - logvar.exp())
        return recon + kl, mu, logvar


class Expert(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.w1 = nn.Linear(width, 4 * width)
        self.w2 = nn.Linear(4 * width, width)

    def forward(self, x: Tensor):
        return self.w2(F.silu(self.w1(x)))


class MixtureOfExperts(nn.Module):
    """Each token to two of the experts, put together with index_add."""

    def __init__(self, classes=10, width=64, experts=4):
        super().__init__()
        self.gate = nn.Linear(width, experts, bias=False)
        self.experts = nn.ModuleList([Expert(width) for _ in range(experts)])
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor):
        shape = x.shape
        flat = x.view(-1, shape[-1])
        weights, chosen = torch.topk(F.softmax(self.gate(flat), dim=-1), 2)
        weights = weights / weights.sum(-1, keepdim=True)
        results = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            token, nth = torch.where(chosen == i)
            current = flat[token]
            out = expert(current) * weights[token, nth].unsqueeze(-1)
            results = results.index_add(0, token, out.to(results.dtype))
        return self.head(results.view(shape).mean(1))


class Siamese(nn.Module):
    """One encoder for both pictures."""

    def __init__(self, classes=2, width=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1), nn.ReLU(inplace=True), nn.Conv2d(width, 2 * width, 3, 2, 1),
                                     nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(4), nn.Flatten())
        self.fc = nn.Linear(32 * width, 64)
        self.out = nn.Linear(64, classes)

    def forward_once(self, x: Tensor) -> Tensor:
        output = self.encoder(x)
        output = self.fc(output)
        return output

    def forward(self, input1: Tensor, input2: Tensor):
        output1 = self.forward_once(input1)
        output2 = self.forward_once(input2)
        distance = torch.abs(output1 - output2)
        return self.out(distance)


class DLRM(nn.Module):
    """Dense and categorical features, crossed with each other."""

    def __init__(self, classes=1, dense=13, tables=4, rows=1000, width=16):
        super().__init__()
        self.embeddings = nn.ModuleList([nn.EmbeddingBag(rows, width, mode="sum", sparse=False) for _ in range(tables)])
        self.bottom = nn.Sequential(nn.Linear(dense, 64), nn.ReLU(), nn.Linear(64, width), nn.ReLU())
        crossed = (tables + 1) * tables // 2
        self.top = nn.Sequential(nn.Linear(crossed + width, 64), nn.ReLU(), nn.Linear(64, classes))

    def forward(self, dense: Tensor, sparse: Tensor):
        x = self.bottom(dense)
        ly = []
        for k, table in enumerate(self.embeddings):
            ly.append(table(sparse[:, k]))
        T = torch.stack([x] + ly, dim=1)
        Z = torch.bmm(T, T.transpose(1, 2))
        ni = Z.size(1)
        li, lj = torch.tril_indices(ni, ni, -1, device=Z.device)[0], torch.tril_indices(ni, ni, -1, device=Z.device)[1]
        Zflat = Z[:, li, lj]
        R = torch.cat([x, Zflat], dim=1)
        return self.top(R)


class ConformerBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.ff1 = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(), nn.Dropout(0.1), nn.Linear(4 * width, width))
        self.norm_att = nn.LayerNorm(width)
        self.att = nn.MultiheadAttention(width, 4, dropout=0.1, batch_first=True)
        self.norm_conv = nn.LayerNorm(width)
        self.pointwise1 = nn.Conv1d(width, 2 * width, 1)
        self.depthwise = nn.Conv1d(width, width, 15, padding=7, groups=width)
        self.bn = nn.BatchNorm1d(width)
        self.pointwise2 = nn.Conv1d(width, width, 1)
        self.ff2 = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(), nn.Dropout(0.1), nn.Linear(4 * width, width))
        self.norm = nn.LayerNorm(width)

    def forward(self, x: Tensor):
        x = x + 0.5 * self.ff1(x)
        residual = x
        x = self.norm_att(x)
        x, _ = self.att(x, x, x)
        x = residual + x
        residual = x
        y = self.norm_conv(x).transpose(1, 2)
        y = F.glu(self.pointwise1(y), dim=1)
        y = F.silu(self.bn(self.depthwise(y)))
        y = self.pointwise2(y).transpose(1, 2)
        x = residual + y
        x = x + 0.5 * self.ff2(x)
        return self.norm(x)


class Conformer(nn.Module):
    def __init__(self, classes=10, inputs=80, width=64, layers=2):
        super().__init__()
        self.subsample = nn.Conv1d(inputs, width, 3, stride=2, padding=1)
        self.blocks = nn.ModuleList([ConformerBlock(width) for _ in range(layers)])
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor):
        x = F.relu(self.subsample(x.transpose(1, 2))).transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(dim=1))


class TNet(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.conv1 = nn.Conv1d(k, 64, 1)
        self.conv2 = nn.Conv1d(64, 128, 1)
        self.fc1 = nn.Linear(128, 64)
        self.fc2 = nn.Linear(64, k * k)
        self.bn1 = nn.BatchNorm1d(64)
        self.bn2 = nn.BatchNorm1d(128)
        self.bn3 = nn.BatchNorm1d(64)

    def forward(self, x: Tensor):
        batchsize = x.size(0)
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.bn2(self.conv2(x)))
        x = torch.max(x, 2, keepdim=True)[0]
        x = x.view(-1, 128)
        x = F.relu(self.bn3(self.fc1(x)))
        x = self.fc2(x)
        iden = torch.eye(self.k, device=x.device, dtype=x.dtype).view(1, self.k * self.k).repeat(batchsize, 1)
        x = x + iden
        x = x.view(-1, self.k, self.k)
        return x


class PointNet(nn.Module):
    """Points, turned by a small network of their own, and the largest of each feature."""

    def __init__(self, classes=10):
        super().__init__()
        self.stn = TNet(3)
        self.fstn = TNet(64)
        self.conv1 = nn.Conv1d(3, 64, 1)
        self.conv2 = nn.Conv1d(64, 256, 1)
        self.bn1 = nn.BatchNorm1d(64)
        self.bn2 = nn.BatchNorm1d(256)
        self.dropout = nn.Dropout(p=0.3)
        self.fc = nn.Linear(256, classes)

    def forward(self, x: Tensor):
        n_pts = x.size()[2]
        trans = self.stn(x)
        x = x.transpose(2, 1)
        x = torch.bmm(x, trans.to(x.dtype))
        x = x.transpose(2, 1)
        x = F.relu(self.bn1(self.conv1(x)))
        trans_feat = self.fstn(x)
        x = x.transpose(2, 1)
        x = torch.bmm(x, trans_feat.to(x.dtype))
        x = x.transpose(2, 1)
        pointfeat = x
        x = self.bn2(self.conv2(x))
        x = torch.max(x, 2, keepdim=True)[0]
        x = x.view(-1, 256)
        y = x.view(-1, 256, 1).repeat(1, 1, n_pts)
        x = x + torch.cat([y, pointfeat], 1).mean(2)[:, :256]
        return self.fc(self.dropout(x)), trans, trans_feat


class EarlyExit(nn.Module):
    """Leaves at the first head, goes on in a loop with `continue` and `break`, returns a dictionary."""

    def __init__(self, classes=10, width=128):
        super().__init__()
        self.stages = nn.ModuleList([nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU()) for _ in range(4)])
        self.heads = nn.ModuleList([nn.Linear(width, classes) for _ in range(4)])

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        if x.size(0) == 1:
            return {"logits": self.heads[0](x)}
        logits: Dict[str, Tensor] = {}
        hidden = x
        for i, (stage, head) in enumerate(zip(self.stages, self.heads)):
            hidden = stage(hidden)
            out = head(hidden)
            logits["exit"] = out
        scale = x.detach() * 2
        for n in range(6):
            if n == 1:
                continue
            noise = torch.tanh(scale) * n
            scale = scale + noise
            if n == 4:
                break
            spare = scale * 3
            scale = spare - scale
        if x.size(1) > 5:
            return {"logits": logits["exit"] + scale.mean(1, keepdim=True), "hidden": hidden}
        final = hidden * 2
        return {"logits": self.heads[3](final)}


class Mixed(nn.Module):
    """Numbers and categories, in-place operators, a mask."""

    def __init__(self, classes=10, width=64):
        super().__init__()
        self.words = nn.Embedding(200, width, padding_idx=0)
        self.kinds = nn.EmbeddingBag(50, width, mode="mean")
        self.dense = nn.Linear(8, width)
        self.bn = nn.BatchNorm1d(width)
        self.scale = nn.Parameter(torch.ones(width))
        self.mix = nn.Bilinear(width, width, width)
        self.out = nn.Linear(width, classes)

    def forward(self, tokens: Tensor, numbers: Tensor, kinds: Tensor, mask: Optional[Tensor] = None):
        x = self.words(tokens)
        if mask is None:
            mask = tokens != 0
        mask = mask.unsqueeze(-1).to(x.dtype)
        x = (x * mask).sum(1) / mask.sum(1).clamp(min=1.0)
        y = self.dense(numbers)
        y += self.kinds(kinds)
        y = self.bn(y)
        y.mul_(0.5).add_(1.0)
        z = torch.empty_like(y).normal_()
        z[:, :4] = 0.0
        z[:, 4:8] += y[:, 4:8]
        x = x * self.scale
        x = self.mix(x, y)
        x = torch.where(x > 0, x, 0.1 * x)
        x = x + z
        return self.out(F.normalize(x, dim=-1))


class Critic(nn.Module):
    """A Wasserstein critic that computes its gradient penalty itself."""

    def __init__(self, classes=1, width=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, 4 * width), nn.LeakyReLU(0.2), nn.Linear(4 * width, 1))

    def forward(self, real: Tensor, fake: Tensor):
        alpha = torch.rand(real.size(0), 1, device=real.device)
        mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
        score = self.net(mixed)
        ones: List[Optional[Tensor]] = [torch.ones_like(score)]
        gradient = torch.autograd.grad([score], [mixed], ones, retain_graph=True, create_graph=True)[0]
        penalty = torch.zeros_like(score)
        if gradient is not None:
            penalty = (gradient.norm(2, dim=1, keepdim=True) - 1) ** 2
        return self.net(fake) - self.net(real) + 10.0 * penalty


class Attentive(nn.Module):
    """Encoder and decoder with attention over the encoder's states, step by step."""

    def __init__(self, classes=None, vocab=300, hidden=64):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.encoder = nn.GRU(hidden, hidden, batch_first=True)
        self.cell = nn.GRUCell(2 * hidden, hidden)
        self.query = nn.Linear(hidden, hidden)
        self.out = nn.Linear(2 * hidden, vocab)

    def forward(self, source: Tensor, target: Tensor):
        encoder_outputs, hidden = self.encoder(self.embedding(source))
        hidden = hidden[0]
        embedded = self.embedding(target)
        context = encoder_outputs.mean(1)
        outputs: List[Tensor] = []
        attentions: List[Tensor] = []
        for t in range(target.size(1)):
            step = torch.cat([embedded[:, t], context], 1)
            hidden = self.cell(step, hidden)
            scores = torch.bmm(encoder_outputs, self.query(hidden).unsqueeze(2)).squeeze(2)
            weights = F.softmax(scores, dim=1)
            context = torch.bmm(weights.unsqueeze(1), encoder_outputs).squeeze(1)
            output = self.out(torch.cat([hidden, context], 1))
            outputs.append(output)
            attentions.append(weights)
        return torch.stack(outputs, 1), torch.stack(attentions, 1)


class ResidualByHand(nn.Module):
    """The way of a ResNet's basic block, with `identity` and `out`."""

    def __init__(self, classes=10, width=16, layers=3):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.convs1 = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(layers)])
        self.convs2 = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(layers)])
        self.bns = nn.ModuleList([nn.BatchNorm2d(width) for _ in range(layers)])
        self.fc = nn.Linear(width, classes)

    def forward(self, x: Tensor):
        out = self.stem(x)
        for conv1, conv2, bn in zip(self.convs1, self.convs2, self.bns):
            identity = out
            out = conv1(out)
            out = F.relu(bn(out))
            out = conv2(out)
            out += identity
            out = F.relu(out)
        pooled = F.adaptive_avg_pool2d(out, (1, 1))
        flat = torch.flatten(pooled, 1)
        return self.fc(flat)


class LoopsWithGradients(nn.Module):
    """Loops over tensors and lists whose elements are trained."""

    def __init__(self, classes=10, width=64):
        super().__init__()
        self.input = nn.Linear(width, width)
        self.step = nn.Linear(width, width)
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor):
        x = self.input(x)
        rows: List[Tensor] = []
        for row in x.transpose(0, 1):
            rows.append(torch.tanh(self.step(row)))
        sums = torch.zeros_like(rows[0])
        for i, row in enumerate(x.unbind(1)):
            wide = row.repeat(1, 4)
            sums = sums + wide[:, i:i + x.size(2)] * rows[i]
        more = [self.step(part) for part in torch.split(x, 3, dim=1)]
        for a, b in zip(x, x.flip(0)):
            sums = sums + (a * b).sum()
        first = torch.cat(more, 1).mean(1)
        scores: Dict[str, Tensor] = {}
        for name in ["one", "two"]:
            scores[name] = first * 2
        while sums.dim() > 2:
            sums = sums.sum(0)
        pairs: List[Tuple[Tensor, Tensor]] = []
        for k in range(3):
            left = first * k
            right = torch.sigmoid(left)
            pairs.append((left, right))
        for left, right in pairs:
            first = first + left * right
        return self.head(first + sums + scores["one"])


class Beam(nn.Module):
    """Nested loops, a function of its own, lists of lists, early returns within loops."""

    def __init__(self, classes=10, width=64):
        super().__init__()
        self.cell = nn.LSTMCell(width, width)
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(2 * width, width)
        self.head = nn.Linear(width, classes)

    def scored(self, h: Tensor, memory: Tensor) -> Tensor:
        best = h
        for i in range(memory.size(1)):
            candidate = memory[:, i]
            joined = torch.cat([candidate, h], dim=-1)
            joined = torch.relu(self.mix(joined))
            if i % 2 == 0:
                scale = joined.mean(-1, keepdim=True)
                best = best + scale * candidate
            else:
                offset = joined * 0.5
                best = best - offset
            if i > 5:
                return best
        return self.norm(best)

    def forward(self, x: Tensor):
        h = torch.zeros(x.size(0), x.size(2), device=x.device)
        c = torch.zeros_like(h)
        layers: List[List[Tensor]] = []
        for round in range(2):
            states: List[Tensor] = []
            for t in range(x.size(1)):
                h_prev, c_prev = h, c
                h, c = self.cell(x[:, t], (h, c))
                if t > 0:
                    h = h + h_prev
                states.append(h)
            layers.append(states)
            x = torch.stack(states, dim=1)
            c = c * 0.5
        h = self.scored(h, x)
        total = h
        for states in layers:
            for state in states[::2]:
                total = total + state.detach()
        _, largest = total.max(dim=0, keepdim=True)
        return self.head(total + largest.to(total.dtype))


class KnownBranches(nn.Module):
    """Conditionals that are decided when the model is built."""

    def __init__(self, classes=10, width=256):
        super().__init__()
        self.shortcut = None
        self.proj = nn.Linear(width, width)
        self.norm = nn.Identity()
        self.use_scale = False
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor):
        x = x * 2
        kept = self.proj(x)
        x = torch.tanh(x) + kept.detach()
        kept = x if self.shortcut is None else self.shortcut(x)
        x = self.norm(x)
        x = x.detach() + 1
        x = x * 2
        x = x + kept
        if self.shortcut is None:
            identity = x
        else:
            identity = self.shortcut(x)
        x = x.detach() * 3
        x = torch.sigmoid(x)
        x = x * 3 + identity.mean()
        if self.use_scale:
            identity = self.norm(x)
        elif self.shortcut is not None:
            identity = self.shortcut(x)
        else:
            identity = x
        x = self.proj(x).detach()
        x = x * 0.5
        x = x + 1
        return self.head(x)


class Scopes(Aliases):
    """`with`, assertions, early returns within loops, exchanges, aliases that go on from turn to turn."""

    def searched(self, x: Tensor, wanted: int) -> Tensor:
        best = x
        for i in range(8):
            candidate = torch.tanh(best) + i
            if i == wanted:
                found = candidate * 2
                return found
            spare = candidate.repeat(1, 4)
            best = spare[:, :x.size(1)]
        rest = best * 2
        return rest

    def forward(self, x: Tensor):
        with torch.no_grad():
            kept = torch.tanh(x)
            scale = kept.abs().mean()
            x = x * 2
            old = x
            x = x / scale
        x = self.first(x)
        x = x
        assert x.dim() == 2, "a = b"
        a, b = x.detach(), old
        for layer in self.layers:
            a, b = b, a
            a = layer(a)
            c = b
            b = torch.relu(c.detach())
        older = newer = x
        for i in range(5):
            if i == 1:
                older = newer
                continue
            wide = newer.detach().repeat(1, 2)
            newer = wide[:, :x.size(1)] * i
            if i == 3:
                wide = newer
                break
            older = newer
        last = older
        older = self.second(x)
        for wanted in range(2):
            older = older + self.searched(last, wanted + 2)
        n = 0
        while True:
            n += 1
            larger = older.detach().repeat(1, 8)
            if n > 3:
                break
            last = larger
        if older.dim() > 3:
            raise ValueError("x = y")
        return self.head(older + a + b)


class Containers(nn.Module):
    """Lists and dictionaries of tensors that grow and shrink, comprehensions, `zip`, parts that nobody reads."""

    def __init__(self, classes=10, width=256):
        super().__init__()
        self.step = nn.Linear(width, width)
        self.head = nn.Linear(width, classes)

    def both(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        y = torch.tanh(x)
        z = x.detach().repeat(1, 3)
        return y, z

    def forward(self, x: Tensor):
        x = self.step(x)
        stack: List[Tensor] = []
        for i in range(4):
            stack.append(torch.sigmoid(x) * i)
        top = stack.pop()
        x = x + top.detach()
        x = x + stack.pop(0).detach()
        top = torch.tanh(x)
        stack.insert(0, top)
        stack[1] = x.detach() * 2
        x = x + stack[-1]
        y, _ = self.both(x)
        x = x + y.detach()
        _, z = self.both(x)
        x = x + z[:, :x.size(1)]
        named: Dict[str, Tensor] = {"a": x.detach() * 3, "b": torch.relu(x)}
        named["a"] = named["b"] + 1
        x = x * named["a"].detach()
        for i, (left, right) in enumerate(zip(stack, [s.detach() + 1 for s in stack])):
            product = left * right
            x = x + product * i
        parts = [part * 2 for part in x.chunk(4, dim=1)]
        del parts[0]
        parts.reverse()
        x = x + torch.stack([p.detach() * 2 for p in parts]).mean() + parts[0].sum()
        parts.clear()
        stack.clear()
        x = self.step(x * 2)
        return self.head(x)


class Calls(nn.Module):
    """Methods called in loops and twice in a statement, properties, a buffer that is bound anew."""

    def __init__(self, classes=10, width=256):
        super().__init__()
        self.step = nn.Linear(width, width)
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(2)])
        self.head = nn.Linear(width, classes)
        self.register_buffer("running", torch.zeros(width))
        self.ratio = 0.5

    @property
    def doubled(self) -> float:
        return self.ratio * 2

    @torch.jit.export
    def unused(self, x: Tensor) -> Tensor:
        y = x
        return self.step(y)

    def shifted(self, x: Tensor, by: float) -> Tensor:
        wide = torch.cat([x, x * by], dim=1)
        x = wide[:, :x.size(1)]
        if by > 1:
            return x + by
        narrow = x * by
        return narrow

    def twice(self, x: Tensor) -> Tensor:
        y = self.shifted(x, 0.5); z = self.shifted(y, 2.0)
        return z + self.shifted(z, 0.1) * self.shifted(y, 3.0)

    def forward(self, x: Tensor):
        kept = x
        for norm in self.norms:
            x = norm(self.twice(x))
            x = self.step(x) + self.twice(kept.detach())
            kept = x
        for _ in range(2):
            x = self.shifted(self.shifted(x, self.doubled), 0.3)
            x = self.twice(x)
        self.running = self.running * 0.9 + x.detach().mean(0) * 0.1
        self.running += x.detach().mean(0)
        x = x * self.running
        if torch.jit.is_scripting():
            x = x + 1
        else:
            x = x + 1
        return self.head(x)


class PyramidBlock(nn.Module):
    """Changes all scales but the first."""

    def __init__(self, width):
        super().__init__()
        self.mix = nn.Linear(width, width)

    def forward(self, x1: Tensor, x2: Tensor, x3: Tensor, x4: Tensor, sizes: List[Tuple[int, int]]):
        mixed = self.mix(x2)
        x2 = x2 + mixed
        x3 = x3 + mixed.mean()
        x4 = x4 + len(sizes)
        return x1, x2, x3, x4


class Pyramid(nn.Module):
    """Variables with numbers in their names, several bound at once: from calls side by side, and from a tuple."""

    def __init__(self, classes=10, width=256):
        super().__init__()
        self.a = nn.Linear(width, width)
        self.b = nn.Linear(width, width)
        self.blocks = nn.ModuleList([PyramidBlock(width) for _ in range(3)])
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor):
        x1 = x * 2
        x2 = x * 3
        x3 = torch.cat([x, x])
        x4 = torch.cat([x, x, x])
        for block in self.blocks:
            x2, x3, x4 = self.a(x2), self.b(x3), self.a(x4)
            x1, x2, x3, x4 = block(x1, x2, x3, x4, sizes=[(1, 2)])
        x2 = self.a(x2) + x1
        return self.head(x2 + x4.mean() + x3.mean())
