"""The file that is listened to again must be the one that was heard, and is read through no more often than needed."""

from pathlib import Path

import pytest

from store.errors import DataError
from tools.again.listening import _content, _read_through
from tools.media.audio import content_id


def test_a_file_is_read_through_once_and_anew_after_it_was_written_to(tmp_path: Path) -> None:
    path = tmp_path / "talk.wav"
    path.write_bytes(b"one")
    _read_through.cache_clear()
    assert _content(path) == _content(path) == content_id([path])
    assert _read_through.cache_info().misses == 1
    path.write_bytes(b"another")
    assert _content(path) == content_id([path])
    assert _read_through.cache_info().misses == 2


def test_a_file_that_went_away_is_a_plain_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        _content(tmp_path / "gone.wav")
