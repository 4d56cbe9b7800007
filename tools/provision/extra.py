"""The libraries of the extra `audio`: quiet, and one line where they are not installed.

They are imported by the recognisers that need them, when these are loaded. What they would tell to others is turned
off before that, they look up nothing at a hub by themselves, and what they print is narration.
"""

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from store.errors import MissingPackage

QUIET = {
    "PYANNOTE_METRICS_ENABLED": "0",
    "HF_HUB_OFFLINE": "1",  # a hub look-up without a network hangs for a minute
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
LOUD = ("whisperx", "lightning", "pytorch_lightning", "lightning.pytorch.utilities.migration.utils")
"""Loggers whose news is none: errors alone are told."""


@contextmanager
def extra(library: str, instead: str) -> Iterator[None]:
    """Import libraries of the extra inside this block; MissingPackage names the option that does without."""
    os.environ.update(QUIET)
    try:
        with narrated(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "\\s*torchcodec is not installed correctly")  # it decodes; we hand arrays
            yield
        for name in LOUD:
            logging.getLogger(name).setLevel(logging.ERROR)
    except (ImportError, OSError) as error:
        why = " ".join(str(error).split())
        raise MissingPackage(
            f"{library} cannot be imported ({why}): install the extra `audio` (in a clone: pip install '.[audio]'), or "
            f"use {instead}, which needs none of it"
        ) from error


@contextmanager
def narrated() -> Iterator[None]:
    """Send what a library prints to stderr: stdout is the result."""
    with redirect_stdout(sys.stderr):
        yield
