"""The tools: one folder a stream, the plan that joins them, and the pipeline that fills them."""
