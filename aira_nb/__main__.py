"""``python -m aira_nb`` is the command ``aira``."""

from __future__ import annotations

import sys

from aira_nb.cli import main

sys.exit(main())
