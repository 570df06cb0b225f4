"""The parts that variants are assembled from; they hold the options."""
