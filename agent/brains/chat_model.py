"""The endpoint as a LangChain chat model, so that graphs, tools and callbacks of that world can stand on it.

What the endpoint said is carried back word for word on the next turn, with every field we do not know.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.base import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import invalid_tool_call, tool_call
from langchain_core.messages.utils import convert_to_openai_messages
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import ConfigDict

from tools.endpoint import Endpoint
from tools.endpoints.completion import Completion, ToolCall
from tools.sanitize import sanitize

RAW = "endpoint_message"


class EndpointChat(BaseChatModel):
    """A chat model over one endpoint; takes `tools`, `response_format` and `seconds` when invoked."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    endpoint: Endpoint
    streamed: bool = True

    @property
    def _llm_type(self) -> str:
        return "openai-compatible"

    def bind_tools(
        self, tools: Sequence[Mapping[str, Any] | type | Callable[..., Any] | BaseTool], **more: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Give the model with these tools bound (LangChain tools, pydantic models or schemas of the protocol)."""
        from langchain_core.utils.function_calling import convert_to_openai_tool

        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **more)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        response_format: Mapping[str, Any] | None = None,
        seconds: float = math.inf,
        **unknown: Any,
    ) -> ChatResult:
        completion = self.endpoint.complete(
            [wire(message) for message in messages],
            tools=tools,
            response_format=response_format,
            stream=self.streamed,
            seconds=seconds,
            on_text=None if run_manager is None else _told(run_manager),
        )
        return ChatResult(generations=[ChatGeneration(message=_message(completion))])


def _told(run_manager: CallbackManagerForLLMRun) -> Callable[[str], None] | None:
    # With nobody listening nothing is shown, and a cut connection may be asked again.
    return run_manager.on_llm_new_token if run_manager.handlers else None


def wire(message: BaseMessage) -> dict[str, Any]:
    """Give a message as it is sent: what the endpoint said itself, word for word."""
    said = message.additional_kwargs.get(RAW)
    if said is not None:
        return dict(said)
    converted = convert_to_openai_messages(message)
    assert isinstance(converted, dict)
    return converted


def _message(completion: Completion) -> AIMessage:
    good = [tool_call(name=c.name, args=dict(c.arguments), id=c.id) for c in completion.calls if c.problem is None]
    bad = [invalid_tool_call(name=c.name, args=c.raw, id=c.id, error=c.problem) for c in completion.calls if c.problem]
    return AIMessage(
        content=sanitize(completion.text),
        tool_calls=good,
        invalid_tool_calls=bad,
        usage_metadata=_usage(completion),
        additional_kwargs={RAW: _carried(completion)},
    )


def _usage(completion: Completion) -> UsageMetadata | None:
    if not completion.input_tokens or completion.output_tokens is None:
        return None
    total = completion.input_tokens + completion.output_tokens
    return UsageMetadata(
        input_tokens=completion.input_tokens, output_tokens=completion.output_tokens, total_tokens=total
    )


def _carried(completion: Completion) -> dict[str, Any]:
    # Templates of local servers parse the arguments they are handed back, so broken ones are emptied.
    raw = [dict(call) for call in completion.message.get("tool_calls") or ()]
    for call, read in zip(raw, completion.calls, strict=True):
        call |= {"id": read.id, "function": dict(call.get("function") or {}) | _arguments(read)}
    return dict(completion.message) | ({"tool_calls": raw} if raw else {})


def _arguments(call: ToolCall) -> dict[str, str]:
    return {"arguments": "{}" if call.problem else call.raw or "{}"}
