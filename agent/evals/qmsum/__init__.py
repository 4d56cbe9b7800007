"""Whether the passages that answer open questions are found: real meetings with the turns that answer them."""
