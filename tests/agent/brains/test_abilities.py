"""What is known of endpoints survives, tells nothing to others, and is never in the way when it is damaged."""

import json
from pathlib import Path

import pytest

from agent.brains.abilities import ENDPOINTS, Abilities, agree, agreed, keep, known, knows

HOST = "127.0.0.1:8080"
ABLE = Abilities("schema", streamed=False, context=12_000)


def test_what_a_model_can_do_is_kept_beside_who_agreed(tmp_path: Path) -> None:
    library = tmp_path / "library"
    agree(library, HOST, True)
    assert keep(library, HOST, "llama", ABLE)
    assert (agreed(library, HOST), known(library, HOST, "llama")) == (True, ABLE)
    assert known(library, HOST, "other") is None
    assert known(library, "127.0.0.1:80", "llama") is None
    assert (knows(library, HOST), knows(library, "127.0.0.1")) == (True, False)
    assert [path.name for path in library.iterdir()] == [ENDPOINTS]
    assert (library / ENDPOINTS).stat().st_mode & 0o777 == 0o600
    assert library.stat().st_mode & 0o777 == 0o700


def test_a_model_named_like_another_host_is_not_taken_for_consent(tmp_path: Path) -> None:
    keep(tmp_path, HOST, "api.openai.com", ABLE)
    assert agreed(tmp_path, "api.openai.com") is None


@pytest.mark.parametrize(
    "damaged",
    ["", "{", "[]", "null", "[" * 100_000, "\x00\xff", json.dumps({f"{HOST} llama": {"form": "dance"}, HOST: "yes"})],
)
def test_a_damaged_file_is_like_none(damaged: str, tmp_path: Path) -> None:
    (tmp_path / ENDPOINTS).write_text(damaged, encoding="latin-1")
    assert (agreed(tmp_path, HOST), known(tmp_path, HOST, "llama")) == (None, None)
    assert keep(tmp_path, HOST, "llama", ABLE)
    assert known(tmp_path, HOST, "llama") == ABLE


def test_what_cannot_be_kept_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert not keep(tmp_path / "file", HOST, "llama", ABLE)
    agree(tmp_path / "file", HOST, True)
    assert agreed(tmp_path / "file", HOST) is None
