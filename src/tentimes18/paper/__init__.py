"""The paper's tables and claims, with ours beside them: `sections` has the checks, `checks` says what agrees."""
