import pytest

from store.redact import HIDDEN, redact, redacted

SECRETS = {
    "a key": "call failed for sk-abcDEF123456 today",
    "a project key": "sk-proj-abc_DEF-1234567890",
    "a masked key": "Incorrect API key provided: sk-abcd****wxyz.",
    "a bearer header": "Authorization: Bearer abcdef123456",
    "a basic header": "authorization: basic dXNlcjpwYXNz",
    "a URL": "http://anna:hunter22@host.example/v1",
    "a token in a URL": "https://tok3nvalue@host.example/v1",
    "an assignment": "OPENAI_API_KEY=verysecretvalue python x.py",
    "a JSON field": '{"api_key": "verysecretvalue"}',
    "a query": "https://host.example/v1?token=verysecretvalue&x=1",
    "a forge token": "ghp_abcdefghij0123456789",
    "a signed token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl",
}
PARTS = ("abcDEF", "abc_DEF", "wxyz", "abcdef123456", "dXNlc", "hunter22", "tok3n", "verysecret", "abcdefghij", "c2ln")


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_taken_out(kind: str) -> None:
    text = redact(SECRETS[kind])
    assert HIDDEN in text
    assert not any(part in text for part in PARTS)
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "the task-force met",
        "scikit and sk-learn",
        "she said: the token is lost",
        "see https://host.example/a?b=c",
        "8 tokens",
    ],
)
def test_plain_text_is_left_alone(text: str) -> None:
    assert redact(text) == text


def test_the_value_of_a_secret_variable_is_taken_out_wherever_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plainlooking1")
    monkeypatch.setenv("SOME_BASE_URL", "plainhost")
    assert redact("x plainlooking1 y plainhost") == f"x {HIDDEN} y plainhost"
    assert redacted({"a": ["plainlooking1", {"b": 1.5}], "api_key": "x", "n": None}) == {
        "a": [HIDDEN, {"b": 1.5}],
        "api_key": HIDDEN,
        "n": None,
    }
    assert redacted({"input_tokens": 5, "error": ValueError("plainlooking1")}) == {"input_tokens": 5, "error": HIDDEN}
