"""What LINE checks in a message before it takes it. Pure: JSON in, complaints out."""
