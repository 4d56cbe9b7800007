"""`python -m agent.front` is `overheard`."""

import sys

from agent.front.cli import main

sys.exit(main())
