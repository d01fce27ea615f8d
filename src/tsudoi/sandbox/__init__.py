"""The outside world in a box: LINE over real HTTP, for people who try the product and for its tests.

Nothing here imports the product, and the product reaches this only over HTTP, through the settings that
otherwise point at LINE.
"""
