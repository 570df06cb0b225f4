"""The tables of the documentation, worked out from the code and from kept results."""
