"""The control API, which LINE does not have: tests and the phones page steer the sandbox through it."""
