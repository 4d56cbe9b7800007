"""Files as samples and samples as files: what opens them, decodes them in a process of its own, and encodes them."""
