"""What others would make of the same store and the same brain: every baseline answers as the agent does, by a reply.

All read with the rules brain, which is exact: it takes the question for the plan that the agent takes it for, and
computes the value from whatever rows the baseline brought, so that only what was brought can be worse. None validates a
plan, repairs or widens it, listens again or proves a refusal; each abstains where its rows hold no answer.
"""
