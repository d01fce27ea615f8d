"""What Stripe knows: sessions, payments, refunds, events, and the keys of requests that must happen once."""
