"""The checks of a message before LINE accepts it. Pure: JSON goes in, violations come out."""
