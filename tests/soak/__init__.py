"""Half an hour of mixed traffic."""
