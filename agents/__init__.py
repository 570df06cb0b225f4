"""What training needs besides the package: the network that it fits, its files, and labels."""
