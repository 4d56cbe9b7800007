"""Two versions of a stream held against each other: what one has that the other has not, and how well times agree."""
