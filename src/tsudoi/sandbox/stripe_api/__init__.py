"""Stripe's API, as far as Checkout and refunds need it, and the webhooks that it sends."""
