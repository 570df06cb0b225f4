"""Policies compared: matches on duplicate deals, their statistics, reports and charts."""
