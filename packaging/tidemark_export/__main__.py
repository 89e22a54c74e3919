# SPDX-License-Identifier: Apache-2.0
"""python -m tidemark_export SOURCE -o FILE.pt"""
import argparse
import ast
import os
import sys

import torch

from . import models
from .export import convert, export
from .inputs import InputSpec, default_inputs

HALF = {"float16": "fp16", "bfloat16": "bf16"}


def options_of(arguments):
    parser = argparse.ArgumentParser(
        prog="tidemark_export",
        description="Writes a PyTorch model as a TorchScript file that Tidemark opens. It is scripted when TorchScript can "
                    "compile it, else traced.")
    parser.add_argument("source", help="torchvision:NAME, timm:NAME, transformers:TYPE[/HEAD] or path/to/file.py:factory")
    parser.add_argument("-o", "--output", required=True, metavar="FILE.pt")
    parser.add_argument("--input", action="append", default=[], metavar="[NAME=]DTYPE[D,D,…]",
                        help="one input, e.g. 'float32[B,3,224,224]'; B is the batch; once for each input")
    parser.add_argument("--axis", action="append", default=[], metavar="NAME=SIZE",
                        help="the size of a named axis while tracing")
    parser.add_argument("--config", action="append", default=[], metavar="KEY=VALUE",
                        help="an argument of the model's constructor or a field of its configuration")
    parser.add_argument("--weightless", action="store_true",
                        help="one scalar behind every large weight: a small file that plans the same")
    parser.add_argument("--dtype", choices=("float32", "bfloat16", "float16"),
                        help="convert the model first; a traced model needs this to be planned in pure half precision")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--train", action="store_true", default=True, help="in training mode (default)")
    mode.add_argument("--eval", dest="train", action="store_false", help="in evaluation mode")
    method = parser.add_mutually_exclusive_group()
    method.add_argument("--script", dest="method", action="store_const", const="script", default="auto",
                        help="script or fail")
    method.add_argument("--trace", dest="method", action="store_const", const="trace", help="trace without trying to script")
    parser.add_argument("--loss", action="store_true", help="transformers: take labels and return the model's own loss")
    parser.add_argument("--all-outputs", action="store_true",
                        help="transformers: return all that the model returns, the cache too; for loops that keep it")
    return parser.parse_args(arguments)


def pairs(texts, convert):
    """KEY=VALUE texts as a dictionary."""
    found = {}
    for text in texts:
        key, separator, value = text.partition("=")
        if not separator:
            raise models.ModelError(f"'{text}' is not of the form KEY=VALUE.")
        found[key] = convert(value)
    return found


def literal(text):
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def integer(text):
    if not text.isdigit():
        raise models.ModelError(f"'{text}' is no size of an axis.")
    return int(text)


def run(options):
    library, name = models.parse_source(options.source)
    model = models.build(library, name, pairs(options.config, literal))
    inputs = [InputSpec.parse(text) for text in options.input] or default_inputs(library, name, model)
    if options.dtype:
        convert(model, getattr(torch, options.dtype))
    done = export(model, options.output, inputs, options.train, options.weightless, options.method,
                  pairs(options.axis, integer), options.loss, options.all_outputs)
    size = os.path.getsize(options.output)
    weights = "weightless, " if options.weightless else ""
    print(f"{options.output}: {done.method}, {weights}{done.parameters:,} parameters, {size / 1e6:.1f} MB")
    if done.inputs:
        print("inputs: " + " ".join(map(str, done.inputs)))
    if options.loss:
        print("it returns its loss: plan it with --loss model")
    if options.dtype in HALF:
        print(f"its weights are {options.dtype}: plan it with --precision {HALF[options.dtype]}")
    if done.why_not_scripted:
        print(f"traced, because scripting failed: {done.why_not_scripted}")
    return done


def main(arguments=None):
    options = options_of(arguments)
    try:
        run(options)
    except models.ModelError as error:
        sys.exit(f"tidemark_export: {error}")


if __name__ == "__main__":
    main()
