"""Training agents and comparing them: commands for the checkout, and the functions behind them."""
