"""What a user can set: thresholds, and which rules count for how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mcp_tap.diagnosis.finding import Severity


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Limits beyond which something is worth a finding. Seconds and bytes, as the names say."""

    slow_call_seconds: float = 5.0
    near_timeout_seconds: float = 50.0
    """Ten seconds below the request timeout of the TypeScript SDK, 60 s."""
    slow_start_seconds: float = 10.0
    start_limit_seconds: float = 30.0
    """After which Claude Code gives up to connect (measured, 2.1)."""
    large_result_bytes: int = 100_000
    """About 25,000 tokens, above which Claude Code refuses a tool's result by default."""
    many_tools: int = 40
    large_list_bytes: int = 50_000
    exit_seconds: float = 2.0
    """Within which a server should leave once its stdin is closed: the SDKs wait as long before SIGTERM."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``severities`` are those that differ from a rule's own; ``only`` is empty for all rules."""

    thresholds: Thresholds = Thresholds()
    disabled: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()
    severities: Mapping[str, Severity] = field(default_factory=dict)

    def wants(self, rule: str) -> bool:
        """Whether findings of ``rule`` are to be reported."""
        return rule not in self.disabled and (not self.only or rule in self.only)
