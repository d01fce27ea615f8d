"""The sandbox stands for LINE and Google over real HTTP, for people who try the product and for its tests.

Nothing here imports the product, and the product reaches the sandbox only over HTTP, through the settings that
otherwise point at LINE.
"""
