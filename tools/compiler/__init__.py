"""What a plan becomes on its way to SQL: one part of the statement a file; `tools.fuse` puts them together."""
