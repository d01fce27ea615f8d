"""LINE's own API, with the responses that LINE gives."""
