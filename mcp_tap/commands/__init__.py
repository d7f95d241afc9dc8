"""One verb, one module, one function with plain parameters that returns an exit status."""
