"""The API of ChatWork (version 2), as far as one account that posts into rooms needs it."""
