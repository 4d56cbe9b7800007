"""What is wrong with a plan before it runs, and why one that ran found nothing."""
