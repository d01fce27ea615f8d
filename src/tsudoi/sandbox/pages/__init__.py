"""What a browser sees of the box."""
