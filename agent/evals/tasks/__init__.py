"""The nine tasks over worlds: items with gold answers, how a reply is marked, a runner and its tables."""
