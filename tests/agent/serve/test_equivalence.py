"""Wire equivalence: the bank's and the sample's questions get the same replies over HTTP as in process.

The whole bank goes through streamed tool calls, a third of it through each other form, and a third of the French one,
so that it takes minutes and not a quarter of an hour. A context in which all rows fit is what makes summaries
comparable.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.protocol import Brain
from agent.brains.rules.brain import RulesBrain
from agent.dialogue import Dialogue
from agent.evals import conversations, sample
from agent.evals.plans.bank import Worlds, read
from agent.evals.plans.filling import filled
from agent.library import Library
from agent.reply import Reply
from agent.serve.loopback import running
from agent.serve.server import Server
from agent.serve.wire import MODEL
from tests.agent.brains.rules_endpoint import RulesEndpoint
from tests.agent.serve.asking import Within, difference, publish_sample
from tests.tools.loopback import serving as lesser
from tools.endpoint import Endpoint

DATA = Path(__file__).resolve().parents[2] / "data"
BANKS, TALKS = DATA / "plans", DATA / "conversations.toml"
ROOMY = 200_000
FORMS = {
    "tools": ((), False),
    "schema": (("tools",), True),
    "text": (("tools", "json_schema", "json_object"), False),
}
Asked = tuple[str, str | None]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(tmp_path_factory.mktemp("wire") / "library")


@pytest.fixture(scope="module")
def worlds(library: Library) -> Iterator[Worlds]:
    with Worlds(library.folder) as made:
        yield made


@pytest.fixture(scope="module")
def questions(library: Library, worlds: Worlds) -> list[Asked]:
    """The bank, then the sample's questions."""
    meeting = publish_sample(library.database)
    return [*put(worlds, "en"), *((case.question, meeting) for case in sample.suite().cases)]


def put(worlds: Worlds, code: str) -> list[Asked]:
    """Give a language's bank, each wording on one of its worlds in turn."""
    bank = read(BANKS / f"bank.{code}.toml")[0]
    wordings = [(meaning, text) for meaning, texts in bank.cases.items() for text in texts]
    wordings += [("", text) for text in (*bank.offtopic, *bank.open)]
    asked: list[Asked] = []
    for place, (meaning, text) in enumerate(wordings):
        session, words = list(worlds.asked(meaning))[place % len(worlds.fillings)]
        entries = session.catalog.recordings
        only = entries[0].recording.public_id if len(entries) == 1 else None
        asked.append((filled(text, words, bank.language), only))
    return asked


@pytest.fixture(scope="module")
def in_process(library: Library, questions: list[Asked]) -> dict[Asked, Reply]:
    return {asked: ask(library, asked[0], recording=asked[1], brain=RulesBrain()) for asked in questions}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(Server()) as made:
        yield made


def differing(
    library: Library, brain: OpenAIBrain, expected: dict[Asked, Reply]
) -> list[tuple[Asked, tuple[str, ...]]]:
    found = []
    for asked, ours in expected.items():
        theirs = ask(library, asked[0], recording=asked[1], brain=brain)
        if apart := difference(ours, theirs):
            found.append((asked, apart))
    return found


def test_all_questions_over_streamed_tool_calls(
    library: Library, in_process: dict[Asked, Reply], server: Server
) -> None:
    assert len(in_process) >= 740
    assert Counter(reply.status for reply in in_process.values()).keys() == {"answered", "refused", "not_found"}
    brain = OpenAIBrain(Endpoint(server.url, None, MODEL), RulesBrain(), ROOMY)
    assert differing(library, brain, in_process) == []


def test_a_third_of_the_french_questions(library: Library, worlds: Worlds, server: Server) -> None:
    third = put(worlds, "fr")[::3]
    ours = {asked: ask(library, asked[0], recording=asked[1], brain=RulesBrain()) for asked in third}
    assert len(ours) >= 80
    assert Counter(reply.status for reply in ours.values()).keys() == {"answered", "refused", "not_found"}
    brain = OpenAIBrain(Endpoint(server.url, None, MODEL), RulesBrain(), ROOMY)
    assert differing(library, brain, ours) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_third_of_the_questions_over_each_other_form(
    form: str, library: Library, in_process: dict[Asked, Reply]
) -> None:
    lacks, streamed = FORMS[form]
    third = dict(list(in_process.items())[list(FORMS).index(form) :: 3])
    with lesser(RulesEndpoint(lacks)) as endpoint:
        brain = OpenAIBrain(Endpoint(endpoint.url, None, "m"), RulesBrain(), ROOMY, streamed)
        assert differing(library, brain, third) == []


def test_conversations_go_the_same_way(library: Library, worlds: Worlds, server: Server) -> None:
    rules = RulesBrain()
    brains: tuple[Brain, ...] = (rules, OpenAIBrain(Endpoint(server.url, None, MODEL), rules, ROOMY))
    talks = [talk for talk in conversations.read(TALKS) if not talk.people]
    assert len(talks) >= 30
    for place, talk in enumerate(talks):
        session, words = list(worlds.asked(""))[place % len(worlds.fillings)]
        recording = session.catalog.recordings[0].recording.public_id
        dialogues = [Dialogue() for _ in brains]
        for turn in talk.turns:
            question = filled(turn["ask"], words, talk.language)
            ours, theirs = (
                ask(library, question, recording=recording, brain=brain, dialogue=dialogue)
                for brain, dialogue in zip(brains, dialogues, strict=True)
            )
            assert difference(ours, theirs) == (), question


def test_a_reply_over_http_is_that_of_a_call(library: Library, questions: list[Asked], server: Server) -> None:
    apart = {"trace": True, "usage": {"seconds"}}
    for text, recording in questions[::15]:
        served, called = (
            ask(library, text, recording=recording, brain=OpenAIBrain(endpoint, RulesBrain()))
            for endpoint in (Endpoint(server.url, None, MODEL), Within(server.url, None, MODEL))
        )
        assert served.model_dump(exclude=apart) == called.model_dump(exclude=apart), text  # type: ignore[arg-type]
        assert served.usage.model_calls >= 1


def test_what_does_not_fit_is_read_in_stretches_and_put_together(library: Library, worlds: Worlds) -> None:
    longest = max(
        (entry for one in worlds.each for entry in one.catalog.recordings), key=lambda e: e.recording.heard_ms
    )
    brain = OpenAIBrain(Within("http://127.0.0.1/v1", None, MODEL), RulesBrain())
    reply = ask(library, "Summarise what is said.", recording=longest.recording.public_id, brain=brain)
    assert (reply.status, reply.answer_kind) == ("answered", "generated")
    assert [caveat.split(":")[0] for caveat in reply.caveats] == ["read in 4 stretches"]
    assert all(citation.verified for citation in reply.citations)
    quarter = longest.recording.duration_ms / 4000
    assert {int(citation.start / quarter) for citation in reply.citations} == {0, 1, 2, 3}
