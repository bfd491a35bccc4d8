"""The paper's tables and claims, with ours beside them."""
