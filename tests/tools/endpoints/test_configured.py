"""The endpoint comes from the environment; what lacks or is malformed is one line that names the variable."""

import pytest

from store.errors import UsageError
from tools.endpoints.configured import configured, json_object


def test_an_address_goes_before_a_lone_key_and_a_model_given_before_the_variables() -> None:
    environ = {"OPENAI_BASE_URL": "http://host:9/v1", "OPENAI_API_KEY": "k", "OPENAI_MODEL": "named"}
    assert configured("it", environ).host == "host:9"
    assert configured("it", environ).named == "named"
    assert configured("it", environ, model="given").named == "given"
    assert configured("it", {"OPENAI_API_KEY": "k"}).host == "api.openai.com"


def test_what_goes_with_every_request() -> None:
    environ = {"OPENAI_BASE_URL": "http://host/v1", "OVERHEARD_EXTRA_BODY": '{"safety": ["off"]}'}
    assert configured("it", environ).extra == {"safety": ["off"]}


@pytest.mark.parametrize(
    ("environ", "line"),
    [
        ({}, "it needs an endpoint: set OPENAI_BASE_URL, or OPENAI_API_KEY for api.openai.com"),
        ({"OPENAI_BASE_URL": "host/v1"}, "is no http"),
        ({"OPENAI_API_KEY": "k", "OVERHEARD_EXTRA_BODY": "[secret]"}, "OVERHEARD_EXTRA_BODY must be a JSON object"),
        ({"OPENAI_API_KEY": "k", "OVERHEARD_EXTRA_HEADERS": "secret"}, "OVERHEARD_EXTRA_HEADERS must be a JSON object"),
    ],
)
def test_what_lacks_is_told(environ: dict[str, str], line: str) -> None:
    with pytest.raises(UsageError, match=line) as told:
        configured("it", environ)
    assert "secret" not in str(told.value)


def test_no_variable_is_an_empty_object() -> None:
    assert json_object({}, "X") == json_object({"X": ""}, "X") == {}
