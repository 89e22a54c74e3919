# SPDX-License-Identifier: Apache-2.0
"""Exports models on request: a list of tidemark_export's arguments a line in, {"method", "problem"} a line out."""
import json
import os
import pathlib
import sys

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "packaging"))
from tidemark_export import __main__ as exporter  # noqa: E402
from tidemark_export import ModelError  # noqa: E402


def export(arguments):
    try:
        return {"method": exporter.run(exporter.options_of(arguments)).method, "problem": ""}
    except ModelError as error:
        return {"method": "", "problem": str(error)}
    except Exception as error:
        return {"method": "", "problem": f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"}


for line in sys.stdin:
    answers.write(json.dumps(export(json.loads(line))) + "\n")
    answers.flush()
