"""One algorithm a file, its mathematics in the module's docstring."""
