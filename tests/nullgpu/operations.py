#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls operations of PyTorch that need NVIDIA's libraries in one way or another, each on a fresh input, over the
null GPU. Prints one line for each and exits 1 when one fails or asks for an absurd amount of memory."""
import ctypes
import os
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.simplefilter("ignore")
D = "cuda"
LIMIT = 2 << 30  # no case below needs this much: more means an out-parameter that nobody set


def image(*shape, **kw):
    return torch.randn(*(shape or (2, 8, 20, 20)), device=D, requires_grad=True, **kw)


def trains(module, *inputs):
    out = module.to(D)(*inputs)
    out = out[0] if isinstance(out, tuple) else out
    out.float().sum().backward()


def half(module):
    return module.to(D).half()


def sparse(n=64):
    return torch.eye(n, device=D).to_sparse()


def ctc():
    x = torch.randn(50, 16, 20, device=D, requires_grad=True)
    targets = torch.randint(1, 20, (16, 10), device=D)
    lengths = torch.full((16,), 10)
    F.ctc_loss(x.log_softmax(2), targets, torch.full((16,), 50), lengths).backward()


def cudnn_ctc():
    x = torch.randn(50, 16, 20, device=D, requires_grad=True)
    targets = torch.randint(1, 20, (16 * 10,), dtype=torch.int32)
    torch._cudnn_ctc_loss(x.log_softmax(2), targets, [50] * 16, [10] * 16, 0, True, False)


def clip():
    parameter = nn.Parameter(torch.randn(100, device=D))
    parameter.grad = torch.randn(100, device=D)
    nn.utils.clip_grad_norm_([parameter], 1.0)


def scaler():
    scaler = torch.amp.GradScaler("cuda")
    model = nn.Linear(8, 8).to(D)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with torch.autocast("cuda"):
        loss = model(torch.randn(4, 8, device=D)).sum()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def optimizer(name, **kw):
    model = nn.Linear(64, 64).to(D)
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.1, **kw)
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.randn(4, 64, device=D)).sum().backward()
        optimizer.step()


def attention(dtype, **kw):
    q = torch.randn(2, 8, 128, 64, device=D, dtype=dtype, requires_grad=True)
    F.scaled_dot_product_attention(q, q, q, **kw).sum().backward()


def cudnn_attention():
    from torch.nn.attention import SDPBackend, sdpa_kernel
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        attention(torch.bfloat16)


def side_stream():
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        x = torch.randn(64, 64, device=D)
        y = x @ x
    torch.cuda.current_stream().wait_stream(stream)
    y.record_stream(torch.cuda.current_stream())


def event():
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    end.record()
    assert begin.elapsed_time(end) > 0


def fp8():
    one = torch.ones((), device=D)
    a = torch.zeros(32, 32, device=D, dtype=torch.float8_e4m3fn)
    torch._scaled_mm(a, a.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16)


def out_of_memory():
    try:
        torch.empty(1 << 40, device=D)
    except torch.OutOfMemoryError as error:
        assert "Tried to allocate 4096.00 GiB" in str(error), error
    else:
        raise AssertionError("4 TiB were given out")


def zero_branch():
    """Data reads as zero: eig() asks whether all numbers are finite and reads "no"."""
    try:
        torch.linalg.eig(square().detach())
    except RuntimeError as error:
        assert "infs or NaNs" in str(error), error
    else:
        raise AssertionError("the host read something other than zero")


def unmodelled():
    """The functions that only a generated stub answered, with their number of calls."""
    calls = {}
    visitor = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_void_p)
    ctypes.CDLL("libcuda.so.1").tidemarkNullForEachUnmodelled(
        visitor(lambda name, count, _: calls.__setitem__(name.decode(), count)), None)
    return calls


def spd(n=64):
    x = torch.randn(n, n, device=D)
    return x @ x.T


matrix = lambda: torch.randn(64, 128, device=D, requires_grad=True)
square = lambda: torch.randn(64, 64, device=D, requires_grad=True)
index = lambda: torch.randint(0, 100, (64,), device=D)

CASES = {
    # data movement and selection
    "item": lambda: square().sum().item(),
    "to the host": lambda: matrix().detach().cpu(),
    "pinned memory": lambda: torch.empty(100).pin_memory().cuda(non_blocking=True),
    "sort": lambda: torch.sort(matrix(), dim=1),
    "sort a long row": lambda: torch.sort(torch.randn(1 << 20, device=D)),
    "topk": lambda: torch.topk(matrix(), 5),
    "cumsum": lambda: matrix().cumsum(1),
    "nonzero": lambda: (matrix() > 0).nonzero(),
    "unique": lambda: index().unique(),
    "mask": lambda: matrix()[matrix() > 0],
    "index and its backward": lambda: matrix()[torch.zeros(10, dtype=torch.long, device=D)].sum().backward(),
    "scatter_add": lambda: torch.zeros(100, device=D).scatter_add(0, index(), torch.ones(64, device=D)),
    "histc": lambda: torch.histc(matrix().detach(), 10),
    "bincount": lambda: torch.bincount(index()),
    "searchsorted": lambda: torch.searchsorted(torch.arange(10.0, device=D), torch.rand(5, device=D)),
    "multinomial": lambda: torch.multinomial(matrix().softmax(1), 2),
    "random permutation": lambda: torch.randperm(1000, device=D),
    "where": lambda: torch.where(matrix() > 0),
    "nms": lambda: __import__("torchvision").ops.nms(torch.rand(10, 4, device=D), torch.rand(10, device=D), 0.5),
    "roi_align":
        lambda: __import__("torchvision").ops.roi_align(image(), torch.zeros(3, 5, device=D), 7).sum().backward(),
    # linear algebra
    "matmul": lambda: square() @ square(),
    "matmul half": lambda: square().half() @ square().half(),
    "bmm": lambda: torch.bmm(torch.randn(4, 8, 8, device=D), torch.randn(4, 8, 8, device=D)),
    "matmul double": lambda: square().double() @ square().double(),
    "matmul complex": lambda: square().to(torch.complex64) @ square().to(torch.complex64),
    "linear": lambda: trains(nn.Linear(128, 32), matrix()),
    "linear and gelu": lambda: trains(nn.Sequential(half(nn.Linear(128, 32)), nn.GELU()), matrix().half()),
    "int8 matmul": lambda: torch._int_mm(*[torch.ones(32, 32, dtype=torch.int8, device=D)] * 2),
    "einsum": lambda: torch.einsum("ij,kj->ik", matrix(), matrix()),
    "dot": lambda: torch.dot(index().float(), index().float()),
    "svd": lambda: torch.linalg.svd(matrix()),
    "svd of a batch": lambda: torch.linalg.svd(torch.randn(8, 16, 16, device=D)),
    "singular values": lambda: torch.linalg.svdvals(matrix()),
    "matrix norm": lambda: torch.linalg.matrix_norm(matrix(), 2),
    "pinv": lambda: torch.linalg.pinv(matrix().detach()),
    "inv": lambda: torch.linalg.inv(square().detach()),
    "inv of a batch": lambda: torch.linalg.inv(torch.randn(8, 16, 16, device=D)),
    "solve": lambda: torch.linalg.solve(square(), matrix()),
    "lu": lambda: torch.linalg.lu_factor(square()),
    "qr": lambda: torch.linalg.qr(matrix()),
    "qr of a batch": lambda: torch.linalg.qr(torch.randn(8, 16, 16, device=D)),
    "cholesky": lambda: torch.linalg.cholesky(spd()),
    "cholesky of a batch": lambda: torch.linalg.cholesky(torch.randn(8, 16, 16, device=D)),
    "eigh": lambda: torch.linalg.eigh(spd()),
    "lstsq": lambda: torch.linalg.lstsq(torch.randn(128, 64, device=D), torch.randn(128, 8, device=D)),
    "det": lambda: torch.linalg.det(square()),
    "slogdet": lambda: torch.linalg.slogdet(square()),
    "ldl": lambda: torch.linalg.ldl_factor(spd()),
    "householder": lambda: torch.linalg.householder_product(torch.randn(16, 8, device=D), torch.randn(8, device=D)),
    "triangular solve": lambda: torch.linalg.solve_triangular(square(), matrix(), upper=True),
    "matrix_exp": lambda: torch.linalg.matrix_exp(square().detach()),
    # Fourier and sparse
    "rfft": lambda: torch.fft.rfft(matrix()).abs().sum().backward(),
    "fft2": lambda: torch.fft.fft2(image()).abs().sum().backward(),
    "irfftn": lambda: torch.fft.irfftn(torch.fft.rfftn(image())).sum().backward(),
    "fft of odd length": lambda: torch.fft.fft(torch.randn(4, 10007, device=D)),
    "stft":
        lambda: torch.stft(torch.randn(2, 16000, device=D), 400, window=torch.hann_window(400, device=D),
                           return_complex=True),
    "sparse.mm": lambda: torch.sparse.mm(sparse(), square()),
    "sparse times sparse": lambda: torch.sparse.mm(sparse(), sparse()),
    "sparse csr": lambda: sparse().to_sparse_csr() @ square().detach(),
    "sparse csr vector": lambda: sparse().to_sparse_csr() @ torch.randn(64, device=D),
    "sparse add": lambda: sparse().to_sparse_csr() + sparse().to_sparse_csr(),
    "sparse coalesce":
        lambda: torch.sparse_coo_tensor(torch.zeros(2, 5, dtype=torch.long), torch.ones(5), (4, 4), device=D).coalesce(),
    "sampled addmm": lambda: torch.sparse.sampled_addmm(sparse().to_sparse_csr(), square().detach(), square().detach()),
    # special functions are compiled at run time
    "special.i1": lambda: torch.special.i1(matrix()),
    "erfinv": lambda: torch.erfinv(matrix()),
    "polygamma": lambda: torch.polygamma(2, matrix()),
    # layers
    "conv1d": lambda: trains(nn.Conv1d(8, 8, 3), torch.randn(2, 8, 50, device=D)),
    "conv2d": lambda: trains(nn.Conv2d(8, 16, 3, stride=2, padding=1), image()),
    "conv2d without bias, 1x1": lambda: trains(nn.Conv2d(8, 16, 1, bias=False), image()),
    "conv2d dilated": lambda: trains(nn.Conv2d(8, 16, 3, dilation=2), image()),
    "conv2d grouped": lambda: trains(nn.Conv2d(8, 16, 3, groups=4), image()),
    "conv2d depthwise": lambda: trains(nn.Conv2d(8, 8, 3, groups=8), image()),
    "conv2d depthwise half": lambda: trains(half(nn.Conv2d(8, 8, 3, groups=8)), image().half()),
    "conv2d channels last": lambda: trains(nn.Conv2d(8, 16, 3).to(memory_format=torch.channels_last),
                                           image().to(memory_format=torch.channels_last)),
    "conv2d bfloat16": lambda: trains(nn.Conv2d(8, 16, 3).to(D).bfloat16(), image().bfloat16()),
    "conv2d double": lambda: trains(nn.Conv2d(8, 16, 3).to(D).double(), image().double()),
    "conv3d": lambda: trains(nn.Conv3d(8, 8, 3), torch.randn(2, 8, 10, 10, 10, device=D)),
    "transposed conv2d": lambda: trains(nn.ConvTranspose2d(8, 8, 3, stride=2), image()),
    "transposed conv3d": lambda: trains(nn.ConvTranspose3d(8, 8, 3), torch.randn(2, 8, 6, 6, 6, device=D)),
    "conv relu":
        lambda: torch.cudnn_convolution_relu(image().detach(), torch.randn(16, 8, 3, 3, device=D), None, [1, 1], [0, 0],
                                             [1, 1], 1),
    "max pool": lambda: trains(nn.MaxPool2d(3, 2), image()),
    "average pool": lambda: trains(nn.AvgPool2d(3), image()),
    "adaptive pool": lambda: trains(nn.AdaptiveAvgPool2d(7), image()),
    "batch norm": lambda: trains(nn.BatchNorm2d(8), image()),
    "batch norm half": lambda: trains(nn.BatchNorm2d(8), image().half()),
    "batch norm channels last": lambda: trains(nn.BatchNorm2d(8), image().half().to(memory_format=torch.channels_last)),
    "batch norm eval": lambda: trains(nn.BatchNorm2d(8).eval(), image()),
    "layer norm": lambda: trains(nn.LayerNorm(128), matrix()),
    "group norm": lambda: trains(nn.GroupNorm(4, 8), image()),
    "instance norm": lambda: trains(nn.InstanceNorm2d(8, affine=True), image()),
    "rms norm": lambda: trains(nn.RMSNorm(128), matrix()),
    "dropout": lambda: trains(nn.Dropout(), matrix()),
    "embedding": lambda: trains(nn.Embedding(1000, 64), torch.randint(0, 1000, (64, 100), device=D)),
    "embedding, sparse gradient":
        lambda: trains(nn.Embedding(1000, 64, sparse=True), torch.randint(0, 1000, (64, 100), device=D)),
    "embedding bag": lambda: trains(nn.EmbeddingBag(1000, 64), torch.randint(0, 1000, (64, 100), device=D)),
    "interpolate": lambda: F.interpolate(image(), scale_factor=2, mode="bilinear").sum().backward(),
    "grid sample": lambda: F.grid_sample(image(), torch.rand(2, 20, 20, 2, device=D)).sum().backward(),
    "affine grid":
        lambda: F.affine_grid(torch.rand(2, 2, 3, device=D, requires_grad=True), [2, 8, 20, 20]).sum().backward(),
    "pixel shuffle": lambda: F.pixel_shuffle(image(), 2).sum().backward(),
    "unfold": lambda: F.unfold(image(), 3).sum().backward(),
    "rnn": lambda: trains(nn.RNN(32, 64), torch.randn(10, 4, 32, device=D)),
    "lstm": lambda: trains(nn.LSTM(32, 64, 2, dropout=0.1), torch.randn(10, 4, 32, device=D)),
    "lstm both ways": lambda: trains(nn.LSTM(32, 64, bidirectional=True), torch.randn(10, 4, 32, device=D)),
    "lstm with projection": lambda: trains(nn.LSTM(32, 64, proj_size=16), torch.randn(10, 4, 32, device=D)),
    "gru": lambda: trains(nn.GRU(32, 64), torch.randn(10, 4, 32, device=D)),
    "lstm of packed sequences":
        lambda: nn.LSTM(32, 64).to(D)(nn.utils.rnn.pack_padded_sequence(torch.randn(10, 3, 32, device=D), [10, 8, 2])),
    "attention fp32": lambda: attention(torch.float32),
    "attention fp16": lambda: attention(torch.float16),
    "attention bf16, causal": lambda: attention(torch.bfloat16, is_causal=True),
    "attention with mask":
        lambda: attention(torch.float16, attn_mask=torch.zeros(128, 128, device=D, dtype=torch.float16)),
    "attention with dropout": lambda: attention(torch.float16, dropout_p=0.1),
    "cudnn attention": cudnn_attention,
    "multi-head attention":
        lambda: trains(nn.MultiheadAttention(64, 4, batch_first=True), *[torch.randn(4, 16, 64, device=D)] * 3),
    "transformer encoder":
        lambda: trains(nn.TransformerEncoderLayer(64, 4, batch_first=True), torch.randn(4, 16, 64, device=D)),
    "transformer encoder, fast path":
        lambda: nn.TransformerEncoderLayer(64, 4, batch_first=True).to(D).eval()(torch.randn(4, 16, 64, device=D)),
    # losses
    "cross entropy": lambda: F.cross_entropy(matrix(), index()).backward(),
    "ctc": ctc,
    "ctc of cudnn": cudnn_ctc,
    "nll 2d": lambda: F.nll_loss(image().log_softmax(1), torch.zeros(2, 20, 20, dtype=torch.long, device=D)).backward(),
    "bce": lambda: F.binary_cross_entropy_with_logits(matrix(), matrix().detach()).backward(),
    # optimizers and the rest of a step
    "clip_grad_norm": clip,
    "grad scaler": scaler,
    "SGD": lambda: optimizer("SGD", momentum=0.9),
    "Adam": lambda: optimizer("Adam"),
    "Adam, fused": lambda: optimizer("Adam", fused=True),
    "AdamW, for-loop": lambda: optimizer("AdamW", foreach=False),
    "Adam, capturable": lambda: optimizer("Adam", capturable=True),
    "RMSprop": lambda: optimizer("RMSprop"),
    "Adagrad": lambda: optimizer("Adagrad"),
    "fp8 matmul": fp8,
    "streams": side_stream,
    "events": event,
    "memory summary": torch.cuda.memory_summary,
    "mem_get_info": torch.cuda.mem_get_info,
    "empty_cache": torch.cuda.empty_cache,
    "out of memory": out_of_memory,
    "a branch on data": zero_branch,
}
# Needs tensor cores with fp8, which the default card lacks.
CAPABILITY = {"fp8 matmul": (8, 9), "cudnn attention": (8, 0)}


def main():
    wanted = sys.argv[1:] or list(CASES)
    failed = []
    for name in wanted:
        if torch.cuda.get_device_capability() < CAPABILITY.get(name, (0, 0)):
            print(f"skip {name}")
            continue
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        try:
            CASES[name]()
            torch.cuda.synchronize()
            taken = torch.cuda.max_memory_allocated() - before
            if taken > LIMIT:
                raise MemoryError(f"took {taken} bytes")
            print(f"ok   {name}", flush=True)
        except Exception as error:
            failed.append(name)
            first = str(error).partition("\n")[0]
            print(f"FAIL {name}: {type(error).__name__}: {first}", flush=True)
    for name, count in sorted(unmodelled().items()):
        print(f"stub {name} {count}")
    print(f"{len(wanted) - len(failed)} of {len(wanted)} operations ran")
    sys.stdout.flush()
    os._exit(1 if failed else 0)


if __name__ == "__main__":
    main()
