"""The page of evaluations: what each part found, which bars hold, which floors fell, written as Markdown."""
