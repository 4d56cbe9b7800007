"""The scorer that asks a model, for what no rule can judge: the last one that is asked, and only when all others hold.

Without a configured endpoint it says so and the case does not pass; what a model did not say clearly is no pass either.
"""

from agent.evals.suites.scorers.scorer import RIGHT, Mark, Scorer, Seen, Words

NEEDS = "needs a model: set OPENAI_BASE_URL and OPENAI_MODEL to have it graded"


class ModelGraded(Scorer):
    """A model finds that the answer says what the target, a criterion in words, asks for."""

    target: Words

    def mark(self, seen: Seen) -> Mark:
        """Ask for a grade."""
        if seen.grade is None:
            return Mark(0.0, NEEDS)
        grade = seen.grade(seen.question, seen.reply.answer, self.target)
        if grade.right:
            return RIGHT
        return Mark(0.0, f"could not be graded: {grade.why}" if grade.right is None else f"graded wrong: {grade.why}")
