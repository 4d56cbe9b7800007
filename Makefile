# Two commands from a fresh clone: `make demo` (the product, default install) and `make test` (everything held).
PYTHON ?= python3
RUN = .venv/bin
DEV = .venv-dev/bin
AUDIO = .venv-audio/bin
SOURCES := $(shell find overheard.py agent tools store prompts -type f -not -name '*.pyc')

.PHONY: demo test test-audio check bench bench-quick eval eval-quick eval-endpoint locks clean

demo: .venv/installed
	$(RUN)/overheard demo

test: check
	$(DEV)/overheard models pull whisper-base whisper-tiny.en yamnet minilm
	$(DEV)/pytest

# The models that people bring, with the extra `audio` (torch; on Linux 7.7 GB, since PyPI's torch brings CUDA).
test-audio: .venv-audio/installed
	$(AUDIO)/overheard models pull whisper-base segmentation-source
	$(AUDIO)/pytest tests/audio

check: .venv-dev/installed
	$(DEV)/ruff check
	$(DEV)/ruff format --check
	$(DEV)/mypy
	$(DEV)/lint-imports

# Every ratio of the performance table, with its floor; a library of 10,000 hours is made first (5 GB, kept in build/).
bench: .venv-dev/installed
	$(DEV)/overheard models pull whisper-base yamnet minilm
	$(DEV)/python -m tests.benchmarks --kept build/bench/library --profile

bench-quick: .venv-dev/installed
	$(DEV)/python -m tests.benchmarks --quick

# Every part of the evaluation, and EVALUATION.md; some hours. `python -m scripts.evaluate --only PART` measures one anew.
eval: .venv-dev/installed
	$(DEV)/overheard models pull whisper-base yamnet minilm
	$(DEV)/python -m scripts.evaluate --size full --page EVALUATION.md

# The same, small: three minutes on two cores, a page in build/eval/quick, and floors under every figure.
eval-quick: .venv-dev/installed
	$(DEV)/overheard models pull whisper-base yamnet minilm
	$(DEV)/python -m scripts.evaluate --size quick

# Measures the model behind OPENAI_BASE_URL (and OPENAI_MODEL); tells the cost and asks before anything is sent.
eval-endpoint: .venv/installed
	$(RUN)/overheard eval model

.venv/installed: .venv/locked $(SOURCES)
	$(RUN)/python -m pip install --quiet --no-compile --no-deps .
	touch $@

.venv/locked: locks/default.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else "Overheard needs Python 3.11, 3.12 or 3.13; choose one: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear .venv
	$(RUN)/python -m pip install --quiet --no-compile --no-deps --require-hashes -r locks/default.txt
	touch $@

.venv-dev/installed: locks/dev.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else "Overheard needs Python 3.11, 3.12 or 3.13; choose one: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear .venv-dev
	$(DEV)/python -m pip install --quiet --no-deps --require-hashes -r locks/dev.txt
	$(DEV)/python -m pip install --quiet --no-deps --editable .
	touch $@

.venv-audio/installed: locks/audio.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else "Overheard needs Python 3.11, 3.12 or 3.13; choose one: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear .venv-audio
	$(AUDIO)/python -m pip install --quiet --no-compile --no-deps --require-hashes -r locks/audio.txt
	$(AUDIO)/python -m pip install --quiet --no-deps --editable .
	touch $@

# Needs `uv`; the index addresses stay out of the files.
locks:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header pyproject.toml -o locks/default.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header pyproject.toml --group dev -o locks/dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header pyproject.toml --group dev --extra audio -o locks/audio.txt

clean:
	rm -rf .venv .venv-dev .venv-audio build dist
