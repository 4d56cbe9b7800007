"""A suite that is not sound is refused in one line with the file's line and the case; nothing passes by chance."""

from pathlib import Path

import pytest

from agent.evals.suites.reading import yaml_text
from agent.evals.suites.suite import Suite, checked, load
from store.errors import DataError
from tests.agent.evals.suites.made import talk

HEAD = "cases:\n  - id: a\n    input: Who?\n"
UNSOUND = [
    ("", "a suite is `cases:`"),
    ("[]", "a suite is `cases:`"),
    ("cases: []", "there is no case in it"),
    ("name: x", "`cases`: field required"),
    ("case: []\ncases: [{}]", "line 1: `case` is no key of a suite"),
    (HEAD + "    expect: {}", "line 2, case 'a': nothing is expected, so any reply would pass"),
    (HEAD, "nothing is expected"),
    (HEAD + "    expects: {value: 1}", "line 4, case 'a': `expects` is no key of a suite; there are id, input"),
    (HEAD + "    expect: {valeu: 1}", "there is no scorer 'valeu'; there are status, reason"),
    (HEAD + "    expect: {value: {target: 1, tolerence: 2}}", "line 4, case 'a': `tolerence` is no key of a suite"),
    (HEAD + "    expect: {value: {tolerance: 2}}", "`target`: field required"),
    (HEAD + "    expect:\n      value:", "line 5, case 'a': `target`: no value is given, so nothing is asserted"),
    (HEAD + "    expect: {must_include: []}", "line 4, case 'a'"),
    (HEAD + "    expect: {must_include: [[]]}", "line 4, case 'a'"),
    (HEAD + "    expect: {must_include: ['']}", "asserts nothing"),
    (HEAD + "    expect: {must_not_include: [' ']}", "asserts nothing"),
    (HEAD + "    expect: {includes: '...'}", "asserts nothing"),
    (HEAD + "    expect: {regex: 'x*'}", "is found in any answer, so it asserts nothing"),
    (HEAD + "    expect: {regex: '(a'}", "is no regular expression"),
    (HEAD + "    expect: {status: failed}", "line 4, case 'a'"),
    (HEAD + "    expect: {status: []}", "line 4, case 'a'"),
    (HEAD + "    expect: {reason: because}", "line 4, case 'a'"),
    (HEAD + "    expect: {refusal: 'yes'}", "valid boolean"),
    (HEAD + "    expect: {max_tool_calls: -1}", "greater than or equal to 0"),
    (HEAD + "    expect: {max_tool_calls: true}", "valid integer"),
    (HEAD + "    expect: {tools: {target: [], mode: superset}}", "nothing is asserted"),
    (HEAD + "    expect: {tools: {target: [fuse], mode: loose}}", "'strict', 'unordered', 'subset' or 'superset'"),
    (HEAD + "    expect: {rouge_l: {target: x, at_least: 0}}", "greater than 0"),
    (HEAD + "    expect: {rouge_l: {target: x, at_least: 1.5}}", "less than or equal to 1"),
    (HEAD + "    expect: {spans: [[3, 2]]}", "is no span"),
    (HEAD + "    expect: {spans: [12:30]}", "line 4, case 'a'"),
    (HEAD + "    expect: {span_iou: [[3, null]]}", "line 4, case 'a'"),
    (HEAD + "    expect: {spearman: [x]}", "at least 2 items"),
    (HEAD + "    expect: {spearman: [x, x]}", "a label stands there twice"),
    (HEAD + "    expect: {sql: DROP TABLE transcript}", "the statement may not run"),
    (HEAD + "    expect: {sql: SELECT nothing FROM transcript}", "the statement may not run"),
    (HEAD + "    target: Ben", "a `target` needs a `scorer`"),
    (HEAD + "    scorer: includes", "a `scorer` needs a `target`"),
    (HEAD + "    scorer: nearly\n    target: Ben", "there is no scorer 'nearly'"),
    (HEAD + "    scorer: includes\n    target: Ben\n    expect: {includes: Ada}", "is expected twice"),
    ('cases:\n  - {id: "\\a", input: x, expect: {value: 1}}', "an id is a name that can be shown"),
    ("cases:\n  - input: Who?\n    expect: {value: 1}", "line 2: `id`: field required"),
    ("cases:\n  - id: a\n    expect: {value: 1}", "asks by `input` or by `messages`"),
    ("cases:\n  - id: a\n    input: ' '\n    expect: {value: 1}", "line 3, case 'a': `input`: nothing is asked"),
    (HEAD + "    messages: [{role: user, content: x}]\n    expect: {value: 1}", "by one of them"),
    ("cases:\n  - id: a\n    messages: [{role: system, content: x}]\n    expect: {value: 1}", "line 3, case 'a'"),
    ("cases:\n  - id: a\n    messages: [{role: assistant, content: x}]\n    expect: {value: 1}", "what the user asks"),
    (HEAD + "    expect: {value: 1}\n  - id: a\n    input: b\n    expect: {value: 1}", "line 5, case 'a': this id stands there already, in line 2"),  # noqa: E501
    (HEAD + "    expect: {value: 1}\n    metadata: {group: g}", "the group 'g' has this one case"),
    (HEAD + "    expect: {value: 1}\n    files: {transcript: gone.vtt}", "line 2, case 'a': there is no file"),
    (HEAD + "    expect: {value: 1}\n    files: {audio: gone.wav}", "no file that holds rows"),
    (HEAD + "    expect: {value: 1}\n    files: {transcripts: gone.vtt}", "`files.transcripts` is no key"),
    (HEAD + "    expect: {value: 1}\n    files: {transcript: x.vtt}\n    recording: y", "and about one of them"),
    ("recording: 3\n" + HEAD + "    expect: {value: 1}", "line 1: `recording`: input should be a valid string"),
]  # fmt: skip


def _read(text: str, folder: Path) -> Suite:
    return checked(yaml_text(text), folder / "suite.yaml")


@pytest.mark.parametrize(("text", "words"), UNSOUND, ids=range(len(UNSOUND)))
def test_what_is_not_sound_is_one_line_with_its_place(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        _read(text, tmp_path)
    told = str(error.value)
    assert words in told
    assert told.startswith(f"{tmp_path / 'suite.yaml'}, ")
    assert "\n" not in told


def test_a_case_must_be_answered_unless_it_says_how_it_ends(tmp_path: Path) -> None:
    cases = HEAD + "    expect: {includes: x}\n  - id: b\n    input: Who?\n    expect: {reason: out_of_scope}\n"
    plain, refused = _read(cases, tmp_path).cases
    assert [name for name, _ in plain.expect] == ["status", "includes"]
    assert [name for name, _ in refused.expect] == ["reason"]


def test_a_model_is_asked_last_wherever_it_stands(tmp_path: Path) -> None:
    (case,) = _read(HEAD + "    expect: {model_graded: good, value: 1, includes: x}", tmp_path).cases
    assert [name for name, _ in case.expect] == ["status", "value", "includes", "model_graded"]


def test_what_stands_for_all_holds_for_each_that_says_nothing_else(tmp_path: Path) -> None:
    talk(tmp_path)
    text = (
        "scorer: includes\nfiles: {transcript: talk.vtt}\ncases:\n"
        "  - {id: 1, input: 'Who?', target: Ben}\n"
        "  - {id: b, input: 'Who?', target: [Ben], scorer: set, recording: other}\n"
        "  - {id: c, input: 'Pick one', choices: [Ada, Ben], expect: {value: B}}\n"
    )
    first, second, third = _read(text, tmp_path).cases
    assert first.id == "1"
    assert first.files is not None
    assert first.files.transcript == str(tmp_path / "talk.vtt")
    assert (second.files, second.recording) == (None, "other")
    assert [name for name, _ in second.expect] == ["status", "set"]
    assert third.question == "Pick one A) Ada B) Ben"


def test_json_lines_hold_the_same_cases(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text('{"id": "a", "input": "Who?", "expect": {"value": 1}}\n', encoding="utf-8")
    suite = load(path)
    assert (suite.name, [case.id for case in suite.cases]) == ("own", ["a"])
    path.write_text('{"id": "a", "input": "Who?", "expect": {"value": 1}}\n{"id": "b"}\n', encoding="utf-8")
    with pytest.raises(DataError, match="line 2, case 'b'"):
        load(path)


def test_a_fingerprint_changes_with_the_case(tmp_path: Path) -> None:
    one = _read(HEAD + "    expect: {value: 1}", tmp_path).cases[0]
    other = _read(HEAD + "    expect: {value: 2}", tmp_path).cases[0]
    assert one.fingerprint == _read(HEAD + "    expect: {value: 1}", tmp_path).cases[0].fingerprint
    assert one.fingerprint != other.fingerprint
