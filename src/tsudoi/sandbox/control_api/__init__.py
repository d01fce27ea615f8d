"""What LINE does not have: the hands that move the box, for tests and for the phones page."""
