"""Where real recordings and transcripts lie, which are no part of the project: OVERHEARD_DATA, else ../shared/data."""

import os
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path:
    """Give the folder where all of them are looked for, whether it is there or not."""
    return Path(os.environ.get("OVERHEARD_DATA") or ROOT.parent / "shared" / "data")


def corpus(name: str = ".") -> Path:
    """Give the folder of one of them, or of all; one line ends the script where it is missing."""
    try:
        return _present(data_folder() / name)
    except ArgumentTypeError as error:
        raise SystemExit(str(error)) from error


def data_option(parser: ArgumentParser) -> None:
    """Add --data, whose folder is looked at only when the script really runs."""
    parser.add_argument(
        "--data", type=_present, default=str(data_folder()), metavar="FOLDER",
        help="where the real recordings are (default: OVERHEARD_DATA, else ../shared/data)",
    )  # fmt: skip


def _present(folder: str | Path) -> Path:
    if not Path(folder).is_dir():
        raise ArgumentTypeError(f"there is no folder {folder}; set OVERHEARD_DATA to where the real recordings are")
    return Path(folder)
