"""Made meetings of real voices and sounds, heard end to end: what is asked of them, and which stream loses points."""
