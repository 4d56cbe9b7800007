"""What is switched off before any library that phones home is imported; a user's own setting does not switch it on."""

import os
from collections.abc import Mapping

ENVIRONMENT: Mapping[str, str] = {
    "PYANNOTE_METRICS_ENABLED": "0",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGGRAPH_STRICT_MSGPACK": "true",
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "HF_HUB_OFFLINE": "1",
}


def protect() -> None:
    """Set the environment of this process and its children; the model hub too is offline (pulling needs none)."""
    os.environ.update(ENVIRONMENT)
