"""PRF: slow answers, slow starts, large messages."""
