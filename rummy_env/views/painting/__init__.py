"""How the picture of a table is drawn."""
