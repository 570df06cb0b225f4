"""What training needs besides the package: the network that it fits, and labels from a search."""
