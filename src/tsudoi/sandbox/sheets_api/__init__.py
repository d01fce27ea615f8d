"""Google Sheets v4, as far as a roster needs it, and the log-in in front of it."""
