"""The store: one SQLite file that is the system of record, the fence around model-written SQL, and the vectors."""
