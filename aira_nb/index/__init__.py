"""The derived indexes: sparse (BM25), dense (vectors) and names. Each can be rebuilt from the store at any time."""
