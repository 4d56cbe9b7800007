"""The extra `audio` on real audio, as far as weights go: `make test-audio`; elsewhere each test skips and says why."""

from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
REASON = "needs the extra `audio`; `make test-audio` builds an environment with it"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs libraries that are not here; warnings of theirs are not ours to mend."""
    missing = find_spec("torch") is None or find_spec("whisperx") is None
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore"))
            if missing:
                item.add_marker(pytest.mark.skip(reason=REASON))
