"""Who and what a world is made of: awkward names on purpose, facts with attributes, topics, sounds, filler words.

Filler shares no word and no inflection with topics, facts or values, so that the log of what was planted is the truth.
"""

import random

NAMES = (
    "Anna Keller", "Ben", "O'Brien", "Will", "Select", "李雷", "ليلى", "John Carter", "John Reyes", "Zoë", "Marguerite Dupont",
    "Order", "Hiếu", "Priya", "Tomás", "NULL", "Ada", "Grace", "Kofi", "Ingrid",
)  # fmt: skip
ABSENT = ("Marie", "Dmitry", "Fatima", "Oleg", "Wanda", "Hugo")
TOPICS = (
    "budget", "contract", "railway", "harvest", "vaccine", "museum", "election", "bridge", "pension", "festival", "refinery", "orchard",
)  # fmt: skip
MENTIONS = (
    "we have to come back to the {topic} at some point",
    "I looked at the {topic} again yesterday",
    "the {topic} worries me a little",
    "nobody asked me about the {topic} before",
    "for the {topic} we need another week",
    "honestly the {topic} is fine as it stands",
)
ENTITIES = (
    "Aurora", "Borealis", "Cygnus", "Delphi", "Everest", "Fjord", "Glacier", "Horizon", "Ionia", "Jasper", "Krypton", "Lagoon", "Meridian",
    "Nimbus", "Obsidian", "Pegasus", "Quartz", "Riviera", "Sahara", "Tundra",
)  # fmt: skip
ATTRIBUTES = {
    "launch month": ("January", "February", "April", "July", "August", "October", "November", "December"),
    "colour": ("crimson", "turquoise", "purple", "yellow", "orange", "maroon"),
    "password": ("walnut", "thimble", "lantern", "pebble", "magnet", "saddle"),
    "price": ("12 dollars", "35 dollars", "48 dollars", "77 dollars", "90 dollars", "115 dollars"),
    "supplier": ("Brightwell", "Castellan", "Dunmore", "Eastgate", "Farrow", "Gilford"),
}
FACTS = (
    "the {attribute} of {entity} is {value}",
    "for {entity} the {attribute} will be {value}",
    "{entity} has {value} as its {attribute}",
)
QUOTED = ("{name} told me that the {attribute} of {entity} is {value}",)
SOUNDS = (
    "Siren", "Bark", "Applause", "Laughter", "Music", "Doorbell", "Thunder", "Cough", "Telephone bell ringing", "Rain", "Whistling", "Church bell",
)  # fmt: skip
EMOTIONS = ("neutral", "anger", "happiness", "sadness", "fear", "disgust", "boredom", "surprise")
FILLER = (
    "well", "perhaps", "later", "maybe", "really", "often", "today", "evening", "garden", "window", "table", "river", "paper", "carry", "wait",
    "listen", "slow", "quiet", "round", "green", "under", "over", "around", "always", "never", "friend", "neighbour", "corner", "walk", "stand",
    "return", "bring", "open", "turn", "kitchen", "blanket", "summer", "winter", "little", "other", "quite", "enough", "simple", "matter",
    "remember", "believe", "forest", "valley", "stone", "ribbon", "basket", "kettle", "candle", "mirror",
)  # fmt: skip


def filler(rng: random.Random, words: int) -> str:
    """Give a sentence of this many words that says nothing."""
    return " ".join(rng.choices(FILLER, k=max(1, words)))
