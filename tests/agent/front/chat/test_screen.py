import io

from hypothesis import given
from hypothesis import strategies as st

from agent.front.chat.screen import Screen, moments
from agent.reply import Citation, Fault, Refusal, Reply, Usage

ADA = Citation(n=1, recording="talk-1", start=754.2, end=760.0, speaker="Ada", stream="transcript", quote="We wait.")
BELL = Citation(n=2, recording="talk-1", start=3725.0, end=3726.0, stream="events")
HOSTILE = (
    "\x1b]52;c;Y3VybCBldmls\x07 \x1b[2J [/bold] [link=file:///etc/passwd]agenda[/link] \u202etxt.exe [laughter] :smile:"
)


def _screen() -> tuple[Screen, io.StringIO, io.StringIO]:
    out, err = io.StringIO(), io.StringIO()
    return Screen(out, err), out, err


def test_marks_become_the_moments_they_stand_for() -> None:
    assert moments("Ada waits [1], then a bell [2] rings [3].", [ADA, BELL]) == (
        "Ada waits [12:34 Ada], then a bell [1:02:05] rings [3]."
    )


def test_an_answer_comes_with_its_evidence_on_stdout_and_the_rest_on_stderr() -> None:
    screen, out, err = _screen()
    screen.stage("plan", "transcript + fuse", 0.0123)
    reply = Reply(
        status="answered", answer="Ada waits [1].", citations=[ADA, BELL], caveats=["only 60 % was heard"],
        usage=Usage(seconds=0.25), confidence=0.8,
    )  # fmt: skip
    screen.reply(reply)
    assert "Ada waits [12:34 Ada]." in out.getvalue()
    assert "[1] 12:34-12:40 Ada transcript We wait." in " ".join(out.getvalue().split())
    assert "plan" in err.getvalue()
    assert "12 ms" in err.getvalue()
    assert "note: only 60 % was heard" in err.getvalue()
    assert "plan" not in out.getvalue()


def test_a_refusal_shows_its_counts_and_alternatives() -> None:
    screen, out, _ = _screen()
    refusal = Refusal(
        reason="not_said_by_speaker",
        counts={"all": 0, "without speaker": 3},
        alternatives=[{"speaker": "Ben", "start": 70.0, "quote": "the budget", "end": None}],
    )
    screen.reply(Reply(status="refused", answer="Ada did not say it.", refusal=refusal))
    assert "rows found: all 0, without speaker 3" in out.getvalue()
    assert 'instead: [1:10 Ben] "the budget"' in out.getvalue()


def test_a_failure_without_an_answer_shows_its_message() -> None:
    screen, out, _ = _screen()
    screen.reply(Reply(status="failed", answer="", error=Fault(kind="truncated", message="it stopped in the middle")))
    assert "it stopped in the middle" in out.getvalue()


def test_nothing_that_was_said_steers_the_terminal_or_is_read_as_markup() -> None:
    screen, out, err = _screen()
    cited = Citation(n=1, recording="r", start=1, end=2, speaker=HOSTILE, stream="transcript", quote=HOSTILE)
    refusal = Refusal(reason="out_of_scope", counts={HOSTILE: 1}, alternatives=[{"quote": HOSTILE}])
    screen.stage("plan", HOSTILE, 0)
    screen.reply(
        Reply(status="refused", answer=f"{HOSTILE} [1]", citations=[cited], refusal=refusal, caveats=[HOSTILE])
    )
    for shown in (out.getvalue(), err.getvalue()):
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
        assert "[/bold]" in "".join(shown.split())
        assert ":smile:" in shown


@given(st.text(max_size=80))
def test_any_text_can_be_shown(text: str) -> None:
    screen, out, err = _screen()
    screen.text(text)
    screen.warn(text)
    screen.table([text], [[text]])
    shown = out.getvalue() + err.getvalue()
    shown.encode("utf-8")
    assert not {chr(c) for c in (*range(9), *range(14, 32), 127, *range(0x80, 0xA0))} & set(shown)
