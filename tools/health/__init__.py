"""How good each stream is: what its rows and the other streams say of it, before anybody asks."""
