"""`python -m` of this module is the documented name of `tsudoi notifications send`."""

from tsudoi.cli import main

main("notifications", "send")
