"""A topic of several words is looked for whole, whatever its words mean elsewhere, or is not understood."""

from itertools import product

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.language import cuts, language
from agent.brains.rules.spelling import nearest
from store.catalog import Catalog
from store.database import Database
from store.figures import in_figures
from tests.agent.brains.rules.small import small_catalog

# Words that ask, count, or name what is recorded elsewhere in a question, and words that never do.
KNOWN = """
speech voice project screen network filter data market meeting sound noise product record share order long short
location collection phase session program group display single different whole human
"""
PLAIN = "zeppelin harbour pension"
PAIRS = """
speech recognition|voice recognition|human rights|product evaluation|neural network|project manager|data collection
decision making|screen location|market research|button sizes|sample sensor|storing data|ideal layout|error rates
meeting room|noise estimation|filter bank|product design|conference call|annual report|liberal party|summer jobs
native speakers|price range|slide show|learning needs|foundation phase|broadcast news|vocal tract|single currency
different buttons|whole system|line normalization|awareness raising|flying start|frame dropping|small number|spongy feel
long term care|speech recognition software|neural network training|project manager role|data collection phase
voice activity detection|remote control design|human rights act|single transferable vote|summer jobs program
""".replace("\n", "|").split("|")
TOPICS = [
    *(f"{a} {b}" for one in product(KNOWN.split(), PLAIN.split()) for a, b in (one, one[::-1])),
    *filter(None, PAIRS),
]
ASKED = (
    "How often did Anna mention {}?",
    "Did Ben mention {}?",
    "Who first mentioned the {}?",
    "When was the {} mentioned?",
    "What did Anna say about the {}?",
    "Which recordings mention the {}?",
    "Did anyone talk about {} in the first half?",
)
# Each is one slip away from a word that questions are made of.
REAL = """
market ideal lots rates stork sides bread packed tacks timer tale tanks saint starch stars shops remand peach pears
tonal loader lender totals phrased levee chock clove froth parity tiling headings drat coops internals verity
cautions computed ratios indexed debuts overlays classifier sorter bounder repeater perforation winnow
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return small_catalog(Database.open(tmp_path_factory.mktemp("library")))


def test_there_are_more_than_a_hundred_and_twenty_topics() -> None:
    assert len(set(TOPICS)) >= 120


@pytest.mark.parametrize("asked", ASKED)
def test_no_word_of_a_topic_is_left_out_or_changed(asked: str, small: Catalog) -> None:
    brain, wrong, understood = RulesBrain(), [], 0
    for topic in TOPICS:
        planned = brain.plan(Question(asked.format(topic)), small, None)
        keywords = [word for call in planned.tool_calls for word in call["args"].get("keywords", [])]
        understood += planned.understood
        if planned.understood and " ".join(keywords).split() != topic.split():
            wrong.append((topic, keywords))
    assert wrong == []
    assert understood >= 0.9 * len(TOPICS)


@pytest.mark.parametrize("word", REAL.split())
def test_a_word_of_the_language_is_no_slip_of_another(word: str) -> None:
    table = language()
    assert any(known for cut in cuts(word) for known in table.cuts.get(cut, ()) if known != word)
    assert nearest(word, table) is None


@pytest.mark.parametrize("word", ["mentionned", "betwen", "speeks", "secnod", "wether", "durring", "soudns"])
def test_a_slip_of_a_word_that_asks_is_still_one(word: str) -> None:
    assert nearest(word, language()) is not None


def test_a_word_of_a_topic_makes_no_other_question_of_it(small: Catalog) -> None:
    asked = "What did Anna think of the screen location when discussing the budget?"
    planned = RulesBrain().plan(Question(asked), small, None)
    assert planned.tool_calls[0]["args"]["keywords"] == ["screen", "location"]
    assert planned.tool_calls[-1]["args"]["answer_schema"] == "quote"


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("amount", ["$9,000", "nine thousand dollars", "ten per cent", "9000", "two thousand"])
def test_an_amount_is_a_topic(asked: str, amount: str, small: Catalog) -> None:
    planned = RulesBrain().plan(Question(asked.format(amount)), small, None)
    keywords = [word for call in planned.tool_calls for word in call["args"].get("keywords", [])]
    assert planned.understood
    assert [in_figures(word) for word in keywords] == [in_figures(amount)]
