"""Reports as files: parsed again, complete, and hostile text is only text in each."""

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from agent.evals.suites.agent import Fault
from agent.evals.suites.forms.junit import junit
from agent.evals.suites.forms.markdown import markdown
from agent.evals.suites.forms.page import page
from agent.evals.suites.judging import Judged, Score
from agent.evals.suites.report import Report
from agent.evals.suites.suite import Case
from agent.evals.suites.verdict import Verdict
from agent.evals.suites.written import Message
from tests.agent.evals.suites.made import cited, reply

HOSTILE = (
    '<script>alert("x")</script>', '"><img src=x onerror=alert(1)>', "]]></failure><testcase/>", "&lt;&amp;",
    "| a | b |\n# x", "![c](https://pixel.example/?d=x)", "\x1b]52;c;eA==\x07\x1b[2J", "\u202etxt.exe",
    "\ufffe\uffff\x00",
    "</pre></details></td><iframe src='file:///etc/passwd'>", "{{ config }} ${HOME}", "\ud800",
)  # fmt: skip
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "code", "svg", "rect", "text", "table", "tr",
    "td", "th", "details", "summary", "pre",
}  # fmt: skip


def _report(text: str) -> Report:
    plain = text.replace("\ud800", "?")  # neither a suite nor a reply can hold half a character, but a value can

    def case(name: str) -> Case:
        return Case(f"{name} {text}", "line 1", (Message(role="user", content=plain),), (), {"note": text})

    said = reply(plain, [text], citations=[one.model_copy(update={"quote": plain}) for one in cited((1, 2))])
    results = [
        Judged(case("good"), "passed", scores=(Score("value", 1.0, True),), reply=said, seconds=0.25),
        Judged(case("bad"), "failed", (text,), (Score("value", 0.0, False, text),), said, seconds=2.0),
        Judged(case("crash"), "failed", (text,), fault=Fault("crash", text)),
        Judged(case("left out"), "skipped", (text,)),
    ]
    return Report.of(text, text, 3, Verdict.of(results), results)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_page_holds_hostile_text_as_text_alone(text: str) -> None:
    parsed = _Page()
    parsed.feed(page(_report(text)))
    parsed.close()
    assert parsed.open == []
    assert set(parsed.tags) <= ALLOWED
    assert not {name for name in parsed.attributes if name.startswith("on")} | (parsed.attributes & {"src", "href"})
    assert parsed.tags.count("svg") == 3
    assert "\x1b" not in "".join(parsed.text)


def test_a_page_fetches_nothing_and_shows_everything() -> None:
    made = page(_report('Who "said" <it>?'))
    assert "default-src 'none'" in made
    assert "http" not in made.replace("http-equiv", "")
    parsed = _Page()
    parsed.feed(made)
    whole = "".join(parsed.text)
    assert "MISSED: 1 of 3 cases passed (33.3 %), 1 skipped; 100 % needed" in whole
    for told in ('Who "said" <it>?', "left out", "1 of 2", "0.25 s", "[1.0 ]"):
        assert told in whole, told


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_junit_is_xml_with_every_case(text: str) -> None:
    root = ElementTree.fromstring(junit(_report(text)).encode())
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "2", "1")
    cases = suite.findall("testcase")
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["failure"], ["skipped"]]
    assert [case.find("failure").get("type") for case in cases[1:3]] == ["expectation", "crash"]  # type: ignore[union-attr]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_markdown_keeps_its_table_whatever_the_text(text: str) -> None:
    rows = [line for line in markdown(_report(text)).splitlines() if line.startswith("| ") and "outcome" not in line]
    cases = rows[-4:]
    import re

    assert [len(re.findall(r"(?<!\\)\|", row)) for row in cases] == [5] * 4
    assert not any(re.search(r"(?<!\\)<", row) or re.search(r"(?<!\\)!\[", row) for row in cases)


def test_secrets_in_a_command_or_a_reason_do_not_reach_a_report() -> None:
    report = _report("api_key=sk-abcdefgh12345678")
    assert "sk-abcdefgh" not in report.agent
    assert not any("sk-abcdefgh" in reason for one in report.results for reason in one.reasons)
    assert "sk-abcdefgh" not in str([case["scores"] for case in report.document()["cases"]])
