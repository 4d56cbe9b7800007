"""What people see: text of recordings is shown literally, and steers nothing."""

import random
from pathlib import Path

import pytest

from agent.front.render import cell, citation_text, reply_text, table
from agent.reply import Citation, Refusal, Reply
from tests.agent.front.shell import run
from tests.tools.test_sanitize import NASTY, PLAIN, harmless

CITATION = Citation(
    n=1, recording="r-1", start=754.2, end=760.0, speaker="Ada", stream="transcript", quote="we ship", verified=True
)


def test_a_citation_is_time_speaker_and_quote() -> None:
    assert citation_text(CITATION) == '[12:34 Ada] "we ship"'
    bare = {"speaker": None, "quote": None, "verified": False, "start": 118_444.12, "end": 118_447.0}
    loose = CITATION.model_copy(update=bare)
    assert citation_text(loose, with_recording=True) == "[32:54:04 r-1] until 32:54:07 (unverified)"


def test_an_answer_shows_its_citations_and_caveats() -> None:
    reply = Reply(status="answered", answer="On Friday.", citations=[CITATION], caveats=["only heard to 20:00"])
    assert reply_text(reply) == 'On Friday.\n  [12:34 Ada] "we ship"\n  note: only heard to 20:00'


def test_a_refusal_shows_its_counts_and_alternatives() -> None:
    refusal = Refusal(
        reason="not_said_by_speaker",
        counts={"all": 0, "without speaker": 2},
        alternatives=[{"speaker": "Bob", "start": 61.0, "end": 62.0, "quote": "pizza"}, {"speaker": "Eve", "count": 2}],
    )
    reply = Reply(status="refused", answer="Ada never said pizza; Bob did.", refusal=refusal)
    assert reply_text(reply).splitlines() == [
        "Ada never said pizza; Bob did.",
        "  rows found: all 0, without speaker 2",
        '  instead: [1:01 Bob] "pizza"',
        "  instead: [Eve] count 2",
    ]


def test_random_texts_are_shown_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(3)
    texts = ["".join(dice.choices(NASTY + PLAIN, k=dice.randint(1, 8))) for _ in range(400)]
    for text in texts:
        reply = Reply(
            status="refused",
            answer=text,
            citations=[CITATION.model_copy(update={"quote": text, "speaker": text})],
            refusal=Refusal(reason="unknown_speaker", alternatives=[{text: text}], counts={text: 1}),
            caveats=[text],
        )
        assert harmless(reply_text(reply))
    table(("text",), [(text,) for text in texts])
    shown = capsys.readouterr().out
    assert harmless(shown)
    assert shown.count("[/bold]") == sum(cell(text).count("[/bold]") for text in texts)
    assert "[link=file:///etc/passwd]agenda[/link]" in shown


def test_an_imported_escape_reaches_no_screen(tmp_path: Path) -> None:
    nasty = (
        "\x1b]52;c;Y3VybCBldmls\x07 \x1b[2J [/bold] [link=file:///etc/passwd]agenda[/link] {{ config }} \u202etxt.exe"
    )
    path = tmp_path / "\x1b[31mx.vtt"
    path.write_text(f"WEBVTT\n\n00:01.000 --> 00:02.000\n<v {nasty.replace('>', '')}>{nasty}\n", encoding="utf-8")
    library = tmp_path / "lib"
    done = [run(library, "import", str(path), "--title", nasty, "--events", str(path.with_suffix(".csv")))]
    done += [run(library, "import", str(path), "--title", nasty), run(library, "list"), run(library, "list", "--json")]
    done += [run(library, "show", "[/bold]"), run(library, "export", "[/bold]", "-f", "vtt")]
    done += [run(library, "sql", "[/bold]", "SELECT * FROM transcript"), run(library, "rm", "[/bold]", "--yes")]
    assert [each.code for each in done] == [1] + [0] * 7
    for each in done:
        assert harmless(each.out)
        assert harmless(each.err)
    assert "[link=file:///etc/passwd]agenda[/link]" in done[6].out
