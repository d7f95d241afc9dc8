"""Bytes to lines, without I/O and without a clock."""
