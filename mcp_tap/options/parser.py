"""What verbs are added to."""

from __future__ import annotations

import argparse
from typing import TypeAlias

Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
