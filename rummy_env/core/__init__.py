"""The game machine: cards, states, rules and the engine that steps many games at once."""
