"""The parts that variants are assembled from; the options live on them."""
