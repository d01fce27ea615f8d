"""LINE's own paths, answered as LINE answers them."""
