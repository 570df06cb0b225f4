"""What variants are assembled from; the options live on these parts."""
