"""The whole strategy on one page: what stands on it, how it is laid out, and its forms."""
