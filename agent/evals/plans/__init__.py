"""Whether questions are understood: plans held against gold plans, over wordings and worlds."""
