"""Search by meaning helps where words do not, and never turns nothing into something."""

from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from store import recordings
from tests.agent.graph.talk import talk


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from tools.embedding import embed, remember

    if embed() is None:
        pytest.skip("the sentence vectors' weights are not pulled (overheard models pull minilm)")
    made = talk(tmp_path_factory.mktemp("library"))
    with made.database.reader() as connection:
        rec_id = recordings.every(connection)[0].id
    assert remember(made.database, rec_id) is None
    return made


def test_a_question_that_was_not_understood_is_searched_by_meaning_too(library: Any) -> None:
    from tools.embedding import embed

    reply = ask(library, "Which city is the railway journey to?", embed=embed())
    assert (reply.status, reply.value) == ("answered", None)
    assert "The train to Paris leaves at noon." in [citation.quote for citation in reply.citations]


def test_nothing_found_stays_not_found_and_shows_what_is_close(library: Any) -> None:
    from tools.embedding import embed

    reply = ask(library, "What was said about railways?", embed=embed())
    assert reply.status == "not_found"
    assert "“railways” is not in the transcript" in reply.answer
    assert "Closest in meaning" in reply.answer
    assert all(citation.verified for citation in reply.citations)


def test_without_weights_the_words_alone_are_searched(tmp_path: Path) -> None:
    assert ask(talk(tmp_path), "What was said about railways?", embed=None).status == "not_found"
