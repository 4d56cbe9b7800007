"""The LangGraph graph of one question: `graph.py` is the diagram, each other file is one node."""
