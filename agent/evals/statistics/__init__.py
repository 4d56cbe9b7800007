"""What is computed from marks: intervals, scores in which being wrong costs, calibration, change with length."""
