import pytest

# Before anything imports them: their assertions are to say what differed, as those of a test do.
pytest.register_assert_rewrite(
    "tests.e2e.environment", "tests.e2e_clients.programs", "tests.e2e_clients.home"
)
