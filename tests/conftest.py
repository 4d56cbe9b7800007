"""What all tests share: where the real data and the weights are, or the reason they are not."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from scripts.corpora import data_folder
from store.database import Database
from store.errors import MissingWeights
from tools import models

ROOT = Path(__file__).resolve().parent.parent

# A property holds or it does not, however busy the machine is.
settings.register_profile("any speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any speed")

# Tests speak to endpoints of their own only, whatever the developer has configured.
for _name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL", "OVERHEARD_CONTEXT"):
    os.environ.pop(_name, None)


@pytest.fixture(scope="session")
def data() -> Path:
    """Folder of real recordings and labels that are never committed."""
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"real data is not at {folder}; set OVERHEARD_DATA")
    return folder


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """An empty library."""
    return Database.open(tmp_path / "library")


@pytest.fixture(scope="session")
def weights() -> Callable[[str], Path]:
    """Give the folder of a pulled model by name, or skip the test."""

    def folder(name: str) -> Path:
        try:
            return models.weights(name)
        except MissingWeights as error:
            pytest.skip(str(error))

    return folder
