# SPDX-License-Identifier: Apache-2.0
"""The training loop that people write, eagerly, with its memory figures. README.md describes it in words."""
import contextlib
import ctypes
import json
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "packaging"))
from tidemark_export import InputSpec, models  # noqa: E402

import own_models  # noqa: E402
from blocks import Blocks  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DEFAULTS = json.loads((HERE / "defaults.json").read_text())
HALF = {"bf16": torch.bfloat16, "fp16": torch.float16, "amp-bf16": torch.bfloat16, "amp-fp16": torch.float16}
REPEATED_BLOCKS = ("BasicBlock", "Bottleneck", "EncoderBlock", "CNBlock", "_DenseLayer", "InvertedResidual", "MBConv",
                   "FusedMBConv", "SwinTransformerBlock", "TransformerEncoderLayer", "ResBottleneckBlock")
TOKEN_MODELS = ("encoder", "rnn")


def completed(case):
    """The case with every field present."""
    return {**DEFAULTS, **case}


def build(case):
    if case["lib"] == "own":
        with models.WeightlessConstruction():
            return own_models.build(case["model"], case["num_classes"], case["config"])
    config = dict(case["config"])
    if case["num_classes"]:
        config["num_classes"] = case["num_classes"]
    return models.build(case["lib"], case["model"], config)


def takes_tokens(case):
    return (case["lib"] == "own" and case["model"] in TOKEN_MODELS
            or case["lib"] == "transformers" and not case["model"].lower().startswith("vit"))


def let_positions_count_up():
    """transformers reads back whether positions count up; on the null GPU all read as zero, which would say that several
    texts are packed into one row. The question is asked, the answer is that of a device with values."""
    masks = sys.modules.get("transformers.masking_utils")
    ask = getattr(masks, "find_packed_sequence_indices", None)

    def asked(positions):
        ask(positions)

    if ask:
        masks.find_packed_sequence_indices = asked


def returns_loss(case):
    """transformers' models compute their own loss when labels are given."""
    return case["lib"] == "transformers" and case["mode"] == "train"


def zeros_like_spec(text, batch, dtype=None):
    """A tensor as `int64[B,32]` describes it; floating-point ones in the model's own type."""
    spec = InputSpec.parse(text)
    return torch.zeros([batch if size == "B" else size for size in spec.shape],
                       dtype=dtype if dtype and spec.dtype.is_floating_point else spec.dtype)


def batch_of(case, device, dtype):
    """The inputs and the target as the host makes them, then moved to the device in this order. `inputs` and `target`
    describe those of models that take several inputs, or others than pictures and tokens."""
    batch = case["batch"]
    if case["inputs"]:
        inputs = [zeros_like_spec(text, batch, dtype) for text in case["inputs"]]
    elif takes_tokens(case):
        inputs = [torch.zeros(batch, case["seq"], dtype=torch.int64)]
    else:
        shape = case.get("input") or ([1024] if case["lib"] == "own" and case["model"] == "mlp" else [3, 224, 224])
        inputs = [torch.zeros(batch, *shape, dtype=dtype)]
    per_token = case["lib"] == "transformers" and case["model"].split("/")[0] in ("gpt2", "t5", "llama")
    if case["loss"] == "mean":
        target = None
    elif case["target"]:
        target = zeros_like_spec(case["target"], batch)
    else:
        target = torch.zeros(inputs[0].shape if per_token else (batch,), dtype=torch.int64)
    layout = {"memory_format": torch.channels_last} if case["channels_last"] else {}
    return [tensor.to(device, **layout) for tensor in inputs], None if target is None else target.to(device)


def first_of(output):
    """The first floating-point tensor of what a model returned: the loss is made of it."""
    if torch.is_tensor(output):
        return output
    parts = output.values() if isinstance(output, dict) else output
    return next((first_of(part) for part in parts if not torch.is_tensor(part) or part.is_floating_point()), None)


LOSSES = {
    "cross-entropy": torch.nn.functional.cross_entropy,
    "mse": torch.nn.functional.mse_loss,
    "bce": torch.nn.functional.binary_cross_entropy_with_logits,
    "mean": lambda output, target: output.mean(),
}


def optimizer_of(case, parameters):
    implementation = {"default": {}, "foreach": {"foreach": True}, "fused": {"fused": True},
                      "for-loop": {"foreach": False}}[case["impl"]]
    options = dict(implementation)
    if case["weight_decay"] is not None:
        options["weight_decay"] = case["weight_decay"]
    if case["amsgrad"]:
        options["amsgrad"] = True
    kinds = {
        "sgd": lambda: torch.optim.SGD(parameters, lr=0.01, **options),
        "momentum": lambda: torch.optim.SGD(parameters, lr=0.01, momentum=0.9, **options),
        "nesterov": lambda: torch.optim.SGD(parameters, lr=0.01, momentum=0.9, nesterov=True, **options),
        "adam": lambda: torch.optim.Adam(parameters, lr=1e-3, **options),
        "adamw": lambda: torch.optim.AdamW(parameters, lr=1e-3, **options),
        "rmsprop": lambda: torch.optim.RMSprop(parameters, lr=1e-3, **options),
        "adagrad": lambda: torch.optim.Adagrad(parameters, lr=1e-3, **options),
        "none": lambda: None,
    }
    return kinds[case["optimizer"]]()


def checkpoint_blocks(case, model):
    """Non-reentrant activation checkpointing of the repeated blocks, with the library's own switch where it has one."""
    if case["checkpoint"] == "none":
        return
    if case["lib"] == "transformers":
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        return
    if case["lib"] == "timm":
        model.set_grad_checkpointing()
        return
    blocks = [module for module in model.modules() if type(module).__name__ in REPEATED_BLOCKS]
    if not blocks:
        raise models.ModelError(f"No repeated block to checkpoint in {case['model']}.")
    if case["checkpoint"] != "all":
        blocks = blocks[:int(case["checkpoint"])]
    for block in blocks:
        block.forward = _checkpointed(block.forward)


def _checkpointed(forward):
    from torch.utils.checkpoint import checkpoint
    return lambda *arguments: checkpoint(forward, *arguments, use_reentrant=False)


@contextlib.contextmanager
def kept_copies():
    """Bucket indices and shapes go through the device to the host again, and have to arrive."""
    null = ctypes.CDLL(None)
    null.tidemarkNullKeepCopies(1)
    try:
        yield
    finally:
        null.tidemarkNullKeepCopies(0)


def distributed(model, options):
    """The model in DistributedDataParallel, on the first of so many cards that all do the same."""
    from torch import distributed as dist
    from torch.testing._internal.distributed.fake_pg import FakeProcessGroup, FakeStore
    group = FakeProcessGroup.Options()
    group.simulate_uniform_ranks = True
    dist.init_process_group("fake", rank=0, world_size=options["cards"], store=FakeStore(), pg_options=group)
    arguments = {key: value for key, value in options.items() if key not in ("cards", "no_sync")}
    with kept_copies():
        parallel = torch.nn.parallel.DistributedDataParallel(model, device_ids=[0], **arguments)
    before_forward = parallel._pre_forward

    def with_kept_copies(*inputs, **named):
        with kept_copies():
            return before_forward(*inputs, **named)

    parallel._pre_forward = with_kept_copies
    return parallel


class Recorder:
    """Peaks of each iteration, and the allocator's events of the last one when asked for."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.iterations = []
        self.phases = []

    def begin(self, last):
        self.last = last and self.wanted
        if self.last:
            self.blocks = Blocks(torch.cuda.memory._snapshot()["segments"])
            torch.cuda.memory._record_memory_history("all", context=None, clear_history=True)
        torch.cuda.reset_peak_memory_stats()

    def phase(self, name):
        if self.last:
            self.phases.append([name, len(self._trace())])

    def end(self):
        self.iterations.append([torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()])

    def _trace(self):
        return torch.cuda.memory._snapshot()["device_traces"][0]

    def events(self):
        """["alloc" or "free", bytes of the block] in order."""
        names = {"alloc": "alloc", "free_completed": "free"}
        sized = [(entry["action"], self.blocks.follow(entry["action"], entry["addr"], entry["size"]))
                 for entry in self._trace()]
        return [[names[action], size] for action, size in sized if action in names]


class Loop:
    """One case's training or inference loop over its model on the device."""

    def __init__(self, case):
        self.case = case
        self.train = case["mode"] == "train"
        precision = case["precision"]
        pure = precision in ("bf16", "fp16")
        dtype = HALF[precision] if pure else torch.float32
        self.model = self._model_on_device(dtype)
        self.base = torch.cuda.memory_allocated()
        if case["empty_cache"]:
            torch.cuda.empty_cache()
        if case["data_parallel"]:
            self.model = distributed(self.model, case["data_parallel"])
        self.inputs, self.target = batch_of(case, "cuda", dtype)
        self.optimizer = optimizer_of(case, self.model.parameters()) if self.train else None
        self.scaler = torch.amp.GradScaler("cuda") if precision == "amp-fp16" and self.train else None
        self.autocast = (lambda: torch.autocast("cuda", dtype=HALF[precision])) if precision.startswith("amp") \
            else contextlib.nullcontext
        self.output = self.loss = None

    def _model_on_device(self, dtype):
        case = self.case
        model = build(case)
        if case["convert"] == "host":
            model = model.to(dtype)
        checkpoint_blocks(case, model)
        layout = {"memory_format": torch.channels_last} if case["channels_last"] else {}
        model = model.to("cuda", **layout)
        if dtype != torch.float32:  # to(float32) would change nothing but put recurrent layers' weights together once more
            model = model.to(dtype)
        return model.train(self.train)

    def iteration(self, recorder):
        if self.train:
            self._train(recorder)
        else:
            self._infer(recorder)

    def _infer(self, recorder):
        with torch.inference_mode(), self.autocast():
            output = self.model(*self.inputs)
        recorder.phase("forward")
        if self.case["keep"]:
            self.output = output

    def _train(self, recorder):
        case = self.case
        if case["zero_grad"] == "before":
            self._zero_grad()
        for index in range(case["accumulate"]):
            with self._synchronised(index):
                self._micro_batch(recorder)
        if case["clip"]:
            if self.scaler:
                self.scaler.unscale_(self.optimizer)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), case["clip"])
        self._update()
        recorder.phase("optimizer")
        if case["zero_grad"] == "after":
            self._zero_grad()

    def _synchronised(self, index):
        """All micro-batches but the last keep their gradients to themselves."""
        options = self.case["data_parallel"]
        last = index + 1 == self.case["accumulate"]
        return self.model.no_sync() if options and options.get("no_sync", True) and not last else contextlib.nullcontext()

    def _micro_batch(self, recorder):
        with self.autocast():
            self._forward()
            if self.case["accumulate"] > 1:
                self.loss = self.loss / self.case["accumulate"]
        recorder.phase("forward")
        (self.scaler.scale(self.loss) if self.scaler else self.loss).backward()
        if not self.case["keep"]:
            self.loss = None
        recorder.phase("backward")

    def _forward(self):
        case = self.case
        if returns_loss(case):
            key = "pixel_values" if case["model"].startswith("vit") else "input_ids"
            output = self.model(**{key: self.inputs[0], "labels": self.target})
            self.loss = output.loss
            self.output = output if case["keep"] else None
        elif case["keep"]:
            self.output = self.model(*self.inputs)
            self.loss = self._loss(self.output)
        else:
            self.loss = self._loss(self.model(*self.inputs))

    def _loss(self, output):
        outputs = output if isinstance(output, tuple) else (output,)
        if not self.case["all_outputs"]:
            outputs = (first_of(output),)
        losses = [self._loss_of(part) for part in outputs]
        return losses[0] if len(losses) == 1 else sum(losses)

    def _loss_of(self, output):
        """Tokens are compared one by one."""
        tokens = self.inputs[0].dim() == 2 and not self.inputs[0].is_floating_point()
        if self.case["loss"] == "cross-entropy" and tokens and output.dim() == 3:
            return LOSSES["cross-entropy"](output.view(-1, output.shape[-1]), self.target.view(-1))
        return LOSSES[self.case["loss"]](output, self.target)

    def _update(self):
        if self.optimizer and self.scaler:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        elif self.optimizer:
            self.optimizer.step()

    def _zero_grad(self):
        (self.optimizer or self.model).zero_grad(set_to_none=self.case["set_to_none"])


def run(case, events=False):
    """Runs one case to the end and returns it with `base`, `iters` and, when asked for, `events` and `phases`."""
    case = completed(case)
    torch.backends.cuda.matmul.allow_tf32 = case["matmul_tf32"]
    torch.backends.cudnn.benchmark = case["benchmark"]
    torch.backends.cudnn.deterministic = case["deterministic"]
    loop, recorder = Loop(case), Recorder(events)
    let_positions_count_up()
    for iteration in range(case["iterations"]):
        recorder.begin(iteration == case["iterations"] - 1)
        loop.iteration(recorder)
        recorder.end()
    result = {**case, "torch": torch.__version__, "gpu": torch.cuda.get_device_name(), "base": loop.base,
              "iters": recorder.iterations}
    if events:
        result["phases"] = recorder.phases
        result["events"] = recorder.events()
    return result
