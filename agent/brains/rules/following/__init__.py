"""Questions of a conversation that lean on the turns before them."""
