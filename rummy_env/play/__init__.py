"""Playing, watching and asking agents, in the browser and in the terminal: `rummy-env play`.

The server holds the tables. A page is told what its seat may know, by way of `SeatView`, and the
legal actions in words; it knows no rules.
"""
