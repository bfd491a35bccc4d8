"""The history of the tables: one file per change, never edited afterwards."""
