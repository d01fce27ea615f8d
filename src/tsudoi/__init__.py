"""Tsudoi (集い): ask people, get their answers, decide, and tell them."""

__version__ = "0.1.0"
