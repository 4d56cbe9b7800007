"""A recording as files that others read: one writer a format, and what each cannot hold is said in its module."""
