"""Two SMS providers: one in the shape of Twilio, one in the shape of Karaden."""
