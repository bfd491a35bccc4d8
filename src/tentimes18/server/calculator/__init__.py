"""Questions that take computing: answered in processes of their own, with a deadline and bounded memory, and kept."""
