"""Two language models behind their own APIs, as far as one question with a JSON schema needs them."""
