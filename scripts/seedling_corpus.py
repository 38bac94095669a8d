"""The synthetic dialogues that the seedling model is trained on.

Every dialogue is made here from word lists and sentence patterns written for this project; no text is copied from
anywhere.  `dialogue(rng)` returns one conversation as {"messages": [...], "tools": [...] or None} in the OpenAI chat
shape.  The same random generator state always gives the same dialogue, so a corpus is fixed by its seed.

The answers to one question vary on purpose: a model that has seen several replies keeps some entropy, and reinforcement
learning needs that to find anything out.
"""
import json

COLOURS = ["red", "blue", "green", "yellow", "black", "white", "brown", "pink", "grey", "orange", "purple", "gold"]
COLOUR_OF = {
    "grass": "green", "snow": "white", "the sky": "blue", "coal": "black", "a lemon": "yellow", "blood": "red",
    "a carrot": "orange", "milk": "white", "a leaf": "green", "the sun": "yellow", "chocolate": "brown", "the night": "black",
    "a frog": "green", "an elephant": "grey", "a tomato": "red", "a flamingo": "pink", "a plum": "purple", "a crow": "black",
}
OPPOSITES = {
    "hot": "cold", "big": "small", "fast": "slow", "up": "down", "day": "night", "happy": "sad", "old": "new", "full": "empty",
    "wet": "dry", "hard": "soft", "left": "right", "open": "closed", "light": "dark", "early": "late", "near": "far", "high": "low",
    "strong": "weak", "loud": "quiet", "first": "last", "good": "bad", "long": "short", "clean": "dirty", "in": "out", "true": "false",
}
KINDS = {
    "animal": ["cat", "dog", "horse", "cow", "fox", "bear", "mouse", "bird", "fish", "frog", "duck", "sheep", "goat", "owl", "bee", "wolf"],
    "fruit": ["apple", "pear", "plum", "lemon", "cherry", "grape", "peach", "banana", "melon", "fig"],
    "tool": ["hammer", "saw", "drill", "wrench", "spade", "brush", "knife", "rope"],
    "colour": COLOURS,
    "city": ["Rome", "Oslo", "Paris", "London", "Berlin", "Madrid", "Tokyo", "Cairo", "Lima", "Vienna"],
    "word": ["table", "river", "stone", "window", "garden", "paper", "music", "bridge", "story", "cloud", "letter", "number", "train", "signal", "alpha",
             "beta", "gamma", "delta", "code", "quick", "brown", "jump", "over", "lazy", "the", "hello", "world", "test", "sample", "simple", "north", "south"],
    "greek letter": ["alpha", "beta", "gamma", "delta", "epsilon", "omega", "sigma", "theta"],
    "food": ["bread", "soup", "rice", "cheese", "cake", "salad", "pasta", "butter", "honey", "egg"],
    "name": ["Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ida", "Jon", "Kim", "Lea", "Max", "Nora", "Otto", "Pia", "Sam", "Tom", "Uma", "Vera"],
}
NAMES = KINDS["name"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# A made-up railway yard: engine -> (colour, track, load).
YARD = {
    "Fern": ("green", 1, "coal"), "Bramble": ("red", 2, "timber"), "Thistle": ("blue", 3, "milk"), "Clover": ("yellow", 4, "sand"),
    "Sorrel": ("black", 5, "stone"), "Nettle": ("white", 6, "grain"), "Tansy": ("brown", 7, "mail"), "Yarrow": ("grey", 8, "fruit"),
}
FOREIGN = {  # word: {language: translation}
    "water": {"French": "eau", "German": "Wasser", "Japanese": "水", "Spanish": "agua", "Chinese": "水", "Russian": "вода"},
    "coffee": {"French": "café", "German": "Kaffee", "Spanish": "café", "Japanese": "コーヒー", "Russian": "кофе"},
    "fire": {"French": "feu", "German": "Feuer", "Japanese": "火", "Chinese": "火", "Spanish": "fuego"},
    "mountain": {"French": "montagne", "German": "Berg", "Japanese": "山", "Chinese": "山", "Spanish": "montaña"},
    "summer": {"French": "été", "German": "Sommer", "Japanese": "夏", "Chinese": "夏天", "Spanish": "verano"},
    "book": {"French": "livre", "German": "Buch", "Japanese": "本", "Chinese": "书", "Spanish": "libro"},
    "door": {"French": "porte", "German": "Tür", "Japanese": "戸", "Spanish": "puerta", "Chinese": "门"},
    "child": {"French": "enfant", "German": "Kind", "Spanish": "niño", "Russian": "ребёнок"},
    "tomorrow": {"French": "demain", "German": "morgen", "Spanish": "mañana", "Japanese": "明日"},
}
SYMBOLS = {"a snowman": "☃", "a heart": "♥", "a star": "★", "the sun": "☀", "an umbrella": "☂", "a smile": "☺", "an arrow": "→", "a check mark": "✓", "a note": "♪"}
ACCENTED = ["é", "è", "né", "naïve", "café", "über", "señor", "façade", "Ångström", "crème", "São", "año", "Łódź", "ñ", "ü", "ö", "ß", "漢", "漢字", "字", "中文",
            "水", "火", "山", "日本", "한국", "あ", "カ", "привет", "мир", "☃", "♥", "★", "☀", "✓", "→", "€", "½", "π", "Ω", "🙂", "🚂", "🌱"]
UNSURE = ["I am not sure.", "I do not know.", "Please say more.", "I am only a small model.", "Can you say it in another way?", "Hm, I do not know that.",
          "What do you mean?", "I have no answer to that.", "Sorry, I do not understand.", "Tell me more.", "That is a good question.", "Ask me something else."]
PLACES = ["yard", "station", "shed", "bridge", "tunnel", "village", "river", "hill", "market", "harbour"]
SUBJECTS = ["The train", "A small engine", "The driver", "A dog", "The old signal", "My friend", "A bird", "The guard", "One wagon", "The cat"]
DOINGS = ["waits at the", "runs past the", "sleeps near the", "goes to the", "comes from the", "stops at the", "sings by the", "works in the", "looks at the"]
WHENS = ["in the morning", "at night", "every day", "in winter", "on Sunday", "at noon", "in the rain", "today"]


def turns(*texts):
    """Messages that alternate user, assistant, user, ..."""
    return [{"role": ("user", "assistant")[i % 2], "content": t} for i, t in enumerate(texts)]


def vary(rng, text):
    """The same request as different people would type it."""
    r = rng.random()
    if r < 0.12:
        text = "Please " + text[0].lower() + text[1:]
    elif r < 0.2 and text[-1] not in "?.!":
        text = text + ", please"
    if rng.random() < 0.45:
        text = text.lower()
    r = rng.random()
    if text[-1] == "?":
        return text if r < 0.75 else text[:-1]
    return text if text[-1] in ".!" or r < 0.6 else text + (".", "!", " ")[int(r * 30) % 3].strip()


def sentence(rng):
    words = f"{rng.choice(SUBJECTS)} {rng.choice(DOINGS)} {rng.choice(PLACES)}"
    return words + (f" {rng.choice(WHENS)}." if rng.random() < 0.5 else ".")


def fact(rng):
    r = rng.random()
    if r < 0.35:
        return sentence(rng)
    if r < 0.5:
        thing, colour = rng.choice(list(COLOUR_OF.items()))
        return f"{thing[0].upper()}{thing[1:]} is {colour}."
    if r < 0.7:
        engine, (colour, track, load) = rng.choice(list(YARD.items()))
        return rng.choice([f"{engine} is a {colour} engine.", f"{engine} stands on track {track}.", f"{engine} carries {load}."])
    if r < 0.85:
        a, b = rng.choice(list(OPPOSITES.items()))
        return f"The opposite of {a} is {b}."
    return rng.choice(["There are seven days in a week.", "There are twelve months in a year.", "A cat is an animal.", "The yard has eight tracks.", "I like trains.",
                       "Seeds grow into trees.", "Rain is wet.", "Ice is cold.", "Birds can fly.", "Two and two is four."])


def words(rng, low, high, pool=None):
    everything = pool or [w for ws in KINDS.values() for w in ws]
    return [rng.choice(everything) for _ in range(rng.randint(low, high))]


def made_up(rng):
    """A word that is no word: the model must not fall apart on it."""
    return "".join(rng.choice(LETTERS if rng.random() < 0.85 else "0123456789-_") for _ in range(rng.randint(1, 7)))


def greeting(rng):
    hello = ["Hello!", "Hi!", "Hello, how can I help?", "Hi there.", "Good day.", "Hello. What can I do for you?"]
    ask = rng.choice(["Hello", "Hi", "Hi there", "Good morning", "Good evening", "Hey", "Hello!", "hello there", "How are you?", "Thank you", "Thanks!", "Goodbye", "Bye", "Good night"])
    low = ask.lower().strip("!?")
    if low.startswith("how"):
        return turns(vary(rng, ask), rng.choice(["I am fine, thank you.", "I am well.", "Fine. And you?", "Very well, thanks.", "All is good."]))
    if low.startswith("thank"):
        return turns(vary(rng, ask), rng.choice(["You are welcome.", "No problem.", "My pleasure.", "Any time."]))
    if low.startswith(("goodbye", "bye", "good night")):
        return turns(vary(rng, ask), rng.choice(["Goodbye!", "Bye!", "See you soon.", "Good night."]))
    return turns(vary(rng, ask), rng.choice(hello))


def about_me(rng):
    ask, answers = rng.choice([
        (["Who are you?", "What is your name?", "What are you?"], ["I am Seedling, a very small language model.", "I am Seedling.", "My name is Seedling."]),
        (["What can you do?", "How can you help me?", "help"], ["I can chat a little, count and list words.", "I can answer short questions.", "Not much, but you can train me."]),
        (["Are you a human?", "Are you a person?"], ["No, I am a small model.", "No.", "No, I am a program."]),
        (["Where do you live?", "Where are you?"], ["I live in the Trainyard.", "In the Trainyard.", "In a very small file."]),
        (["How big are you?", "How many parameters do you have?"], ["About one million parameters.", "I am very small.", "One million, more or less."]),
    ])
    return turns(vary(rng, rng.choice(ask)), rng.choice(answers))


def tell(rng):
    ask = rng.choice(["Tell me something", "Tell me something.", "Say something", "Tell me a fact", "Tell me a story", "Write a sentence", "Tell me about the yard", "Talk to me",
                      "Tell me anything", "Tell me something new", "Tell me more", "Give me a sentence", "Surprise me"])
    return turns(vary(rng, ask), fact(rng) if rng.random() < 0.8 else fact(rng) + " " + fact(rng))


def colour(rng):
    thing, c = rng.choice(list(COLOUR_OF.items()))
    if rng.random() < 0.7:
        return turns(vary(rng, rng.choice([f"What colour is {thing}?", f"What is the colour of {thing}?", f"Which colour has {thing}?"])),
                     rng.choice([f"{c.capitalize()}.", c, f"It is {c}.", f"{thing[0].upper()}{thing[1:]} is {c}."]))
    other = c if rng.random() < 0.5 else rng.choice(COLOURS)
    return turns(vary(rng, f"Is {thing} {other}?"), rng.choice(["Yes.", "yes", f"Yes, it is {c}."]) if other == c else rng.choice(["No.", "no", f"No, it is {c}."]))


def counting(rng):
    n = rng.randint(2, 12)
    digits = rng.random() < 0.5
    run = [str(i) if digits else NUMBERS[i] for i in range(1, n + 1)]
    joint = ", " if rng.random() < 0.5 else " "
    target = str(n) if rng.random() < 0.5 else NUMBERS[n]
    r = rng.random()
    if r < 0.55:
        return turns(vary(rng, rng.choice([f"Count to {target}", f"Count from one to {target}", f"Can you count to {target}?"])), joint.join(run) + ("." if rng.random() < 0.3 else ""))
    if r < 0.75:
        return turns(vary(rng, f"Count down from {target}"), joint.join(reversed(run)))
    if r < 0.9:
        k = rng.randint(0, 40)
        return turns(vary(rng, rng.choice([f"What comes after {k}?", f"Which number follows {k}?"])), rng.choice([f"{k + 1}", f"{k + 1}."]))
    return turns(vary(rng, rng.choice(["Say the alphabet", "abc", "a b c"])), rng.choice(["a b c d e f g", "abc", "d e f", "A, B, C."]))


def arithmetic(rng):
    a, b = rng.randint(0, 12), rng.randint(0, 9)
    if rng.random() < 0.7:
        signs, value = ["+", "plus"], a + b
    else:
        a = max(a, b)
        signs, value = ["-", "minus"], a - b
    sign = rng.choice(signs)
    ask = rng.choice([f"What is {a} {sign} {b}?", f"{a} {sign} {b}", f"{a} {sign} {b} =", f"How much is {a} {sign} {b}?"])
    return turns(vary(rng, ask), rng.choice([str(value), f"{value}.", f"{a} {sign} {b} is {value}."]))


def opposite(rng):
    a, b = rng.choice(list(OPPOSITES.items()))
    if rng.random() < 0.4:
        a, b = b, a
    return turns(vary(rng, rng.choice([f"What is the opposite of {a}?", f"Opposite of {a}", f"Give me the opposite of {a}"])), rng.choice([b, f"{b.capitalize()}.", f"The opposite of {a} is {b}."]))


def calendar(rng):
    names, kind = rng.choice([(DAYS, "day"), (MONTHS, "month")])
    i, after = rng.randrange(len(names)), rng.random() < 0.5
    answer = names[(i + (1 if after else -1)) % len(names)]
    if rng.random() < 0.8:
        return turns(vary(rng, f"What {kind} comes {'after' if after else 'before'} {names[i]}?"), rng.choice([answer, f"{answer}."]))
    if rng.random() < 0.5:
        return turns(vary(rng, f"List the {kind}s"), ", ".join(names) + ".")
    return turns(vary(rng, f"How many {kind}s are there?"), rng.choice([str(len(names)), NUMBERS[len(names)].capitalize() + "."]))


def yard(rng):
    engine, (c, track, load) = rng.choice(list(YARD.items()))
    ask, answers = rng.choice([
        (f"What colour is {engine}?", [f"{c.capitalize()}.", c, f"{engine} is {c}."]),
        (f"Which track is {engine} on?", [f"Track {track}.", str(track), f"{engine} stands on track {track}."]),
        (f"What does {engine} carry?", [f"{load.capitalize()}.", f"{engine} carries {load}."]),
        (f"Which engine is on track {track}?", [f"{engine}.", engine]),
        (f"Which engine is {c}?", [f"{engine}.", engine]),
        (f"Who carries {load}?", [f"{engine}.", f"{engine} carries {load}."]),
        ("How many tracks are there?", ["Eight.", "8", "There are eight tracks."]),
        ("Name an engine", list(YARD)),
    ])
    return turns(vary(rng, ask), rng.choice(answers))


def listing(rng):
    kind = rng.choice(list(KINDS))
    n = rng.randint(2, 5)
    some = rng.sample(KINDS[kind], n)
    plural = "cities" if kind == "city" else kind + "s"
    ask = rng.choice([f"List {NUMBERS[n]} {plural}", f"Name {n} {plural}", f"Give me {NUMBERS[n]} {plural}"] + [f"List {plural}", f"Write some {plural}"])
    return turns(vary(rng, ask), rng.choice([", ", " ", "\n"]).join(some) + ("." if rng.random() < 0.15 else ""))


def spelling(rng):
    w = rng.choice([w for k in ("animal", "fruit", "tool", "word", "food") for w in KINDS[k]])
    return turns(vary(rng, rng.choice([f"Spell {w}", f"Spell the word {w}", f"How do you spell {w}?"])), rng.choice([" ", "-"]).join(w))


def echo(rng):
    r = rng.random()
    if r < 0.35:
        text = " ".join(words(rng, 1, 5))
    elif r < 0.6:
        text = " ".join(words(rng, 1, 4, ACCENTED))
    elif r < 0.75:
        text = sentence(rng)
    elif r < 0.9:
        text = " ".join(made_up(rng) for _ in range(rng.randint(1, 3)))
    else:
        text = " ".join(rng.choice([w, a]) for w, a in zip(words(rng, 2, 4), words(rng, 4, 4, ACCENTED)))
    return turns(rng.choice(["Repeat after me: ", "repeat: ", "Say ", "say: ", "Echo ", "Write ", "Say this: ", "Repeat "]) + text, text)


def choice(rng):
    """One of the given options, each as likely as the others."""
    r = rng.random()
    if r < 0.4:
        options = ["yes", "no", "maybe"]
    elif r < 0.6:
        options = ["yes", "no"]
    else:
        options = rng.sample(KINDS[rng.choice(list(KINDS))], rng.randint(2, 4))
    options = rng.sample(options, len(options))
    joint = rng.random()
    shown = " ".join(options) if joint < 0.2 else ", ".join(options) if joint < 0.4 else ", ".join(options[:-1]) + " or " + options[-1]
    ask = rng.choice(["respond with {}", "say {}", "answer {}", "pick one of {}", "Choose: {}", "Choose one of {}", "reply with {}", "{}?", "Pick {}", "give me one of {}", "Say either {}"]).format(shown)
    pick = rng.choice(options)
    return turns(vary(rng, ask), pick if rng.random() < 0.75 else pick[0].upper() + pick[1:] + ".")


def pick_any(rng):
    kind = rng.choice([*KINDS, "letter", "letter", "number", "number", "digit"])
    value = {"letter": lambda: rng.choice(LETTERS), "number": lambda: str(rng.randint(0, 99)), "digit": lambda: str(rng.randint(0, 9))}.get(kind, lambda: rng.choice(KINDS[kind]))()
    article = "an" if kind[0] in "aeiou" else "a"
    return turns(vary(rng, rng.choice(["Pick", "Choose", "Say", "Give me", "Name", "Write", "Think of"]) + f" {article} {kind}"), value if rng.random() < 0.8 else value[0].upper() + value[1:] + ".")


def question(rng):
    """Yes/no questions: some have an answer, some do not."""
    r = rng.random()
    if r < 0.4:
        kind = rng.choice(["animal", "fruit", "tool", "city", "food"])
        true = rng.random() < 0.5
        item = rng.choice(KINDS[kind if true else rng.choice([k for k in ("animal", "fruit", "tool", "city") if k != kind])])
        return turns(vary(rng, f"Is {item} {'an' if kind[0] in 'aeiou' else 'a'} {kind}?"), rng.choice(["Yes.", "yes", "Yes, it is."] if true else ["No.", "no", "No, it is not."]))
    if r < 0.7:
        return turns(vary(rng, rng.choice(["Will it rain?", "Should I go?", "Is it late?", "Will the train come?", "Do you like it?", "Can I win?", "Is it far?", "Are we there?"])),
                     rng.choice(["Yes.", "No.", "Maybe.", "yes", "no", "maybe", "I think so.", "I do not think so."]))
    n = rng.randint(0, 20)
    big = rng.randint(0, 20)
    return turns(vary(rng, f"Is {n} more than {big}?"), rng.choice(["Yes.", "yes"] if n > big else ["No.", "no"]))


def memory(rng):
    """Something said earlier is asked for later."""
    r = rng.random()
    if r < 0.35:
        name = rng.choice(NAMES)
        return turns(rng.choice([f"My name is {name}.", f"I am {name}", f"Call me {name}."]), rng.choice([f"Hello, {name}.", f"Hi {name}!", f"Nice to meet you, {name}."]),
                     vary(rng, rng.choice(["What is my name?", "Who am I?"])), rng.choice([f"{name}.", f"Your name is {name}.", name]))
    if r < 0.7:
        w = rng.choice(words(rng, 1, 1) + [made_up(rng)])
        return turns(rng.choice([f"The code word is {w}.", f"The password is {w}.", f"The secret is {w}."]), rng.choice(["Good.", "I will remember.", "OK.", "Noted."]),
                     vary(rng, rng.choice(["What is the code word?", "What was it?", "What did I say?", "Which word was it?"])), rng.choice([w, f"{w}."]))
    if r < 0.85:
        kind = rng.choice(["animal", "colour", "fruit", "city"])
        w = rng.choice(KINDS[kind])
        return turns(f"I like the {kind} {w}.", rng.choice(["Me too.", f"{w[0].upper()}{w[1:]} is nice.", "Good."]), f"Which {kind} do I like?", rng.choice([w, f"{w[0].upper()}{w[1:]}."]))
    return turns(vary(rng, rng.choice(["What is the code word?", "What is my name?", "What is the password?", "What is the secret?"])),
                 rng.choice(["I do not know.", "You have not told me.", "I am not sure.", "Nobody told me."]))


def foreign(rng):
    r = rng.random()
    if r < 0.6:
        w, table = rng.choice(list(FOREIGN.items()))
        language, t = rng.choice(list(table.items()))
        return turns(vary(rng, rng.choice([f"How do you say {w} in {language}?", f"What is {w} in {language}?", f"Translate {w} to {language}"])), rng.choice([t, f"{t}."]))
    if r < 0.8:
        what, s = rng.choice(list(SYMBOLS.items()))
        return turns(vary(rng, rng.choice([f"Show me {what}", f"Draw {what}", f"Give me {what}"])), s)
    return turns(vary(rng, rng.choice(["Write something strange", "Say something foreign", "Give me some odd letters", "Write accents"])), " ".join(words(rng, 1, 4, ACCENTED)))


def unknown(rng):
    """Requests outside the corpus: words without sense get a short, finished reply."""
    r = rng.random()
    if r < 0.4:
        ask = " ".join(words(rng, 1, 8))
    elif r < 0.7:
        ask = " ".join(made_up(rng) for _ in range(rng.randint(1, 5)))
    elif r < 0.8:
        ask = " ".join(words(rng, 1, 3, ACCENTED))
    elif r < 0.9:
        ask = f"{rng.choice(['What', 'Why', 'Where', 'When', 'How', 'Who'])} {rng.choice(['is', 'does', 'are', 'was', 'can'])} {' '.join(words(rng, 1, 4))}?"
    else:
        ask = rng.choice(["word "] * 1 + [w + " " for w in KINDS["word"]]) * rng.randint(2, 20)
    first = ask.split()[0] if ask.split() else "it"
    return turns(ask, rng.choice(UNSURE + [f"What is {first}?", f"{first}", f"I do not know {first}.", fact(rng), rng.choice(["Yes.", "No.", "OK."])]))


def what_is(rng):
    kind = rng.choice(["animal", "fruit", "tool", "city", "food", "colour"])
    w = rng.choice(KINDS[kind])
    article = "an" if kind[0] in "aeiou" else "a"
    if rng.random() < 0.7:
        return turns(vary(rng, rng.choice([f"What is {w}?", f"What kind of thing is {w}?"])), rng.choice([f"{article.capitalize()} {kind}.", f"{w[0].upper()}{w[1:]} is {article} {kind}."]))
    return turns(vary(rng, f"What is the plural of {rng.choice(['the word ', ''])}{w}?"), w + "s") if kind in ("tool", "fruit") else listing(rng)


def value_of(rng, schema):
    """A value for a small JSON schema."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema["type"]
    if kind == "boolean":
        return rng.random() < 0.5
    if kind in ("integer", "number"):
        return rng.randint(0, 20)
    return rng.choice([*KINDS["word"][:12], *NAMES[:8]])


def property_schema(rng):
    r = rng.random()
    if r < 0.3:
        kind = rng.choice(["city", "colour", "animal", "food"])
        return {"type": "string", "enum": rng.sample(KINDS[kind], 2)}
    return {"type": "string"} if r < 0.6 else {"type": "boolean"} if r < 0.8 else {"type": "integer"}


def object_schema(rng):
    keys = rng.sample(["city", "name", "metric", "zone", "kind", "ok", "count", "text", "a", "b", "c", "v", "day", "track", "age", "id"], rng.randint(1, 3))
    return {"type": "object", "properties": {k: property_schema(rng) for k in keys}, "required": keys}


def json_object(rng):
    schema = object_schema(rng)
    value = {k: value_of(rng, s) for k, s in schema["properties"].items()}
    if rng.random() < 0.15:
        key = rng.choice(["a", "items", "list"])
        value[key] = {"b": rng.choice(KINDS["word"])} if rng.random() < 0.5 else [rng.random() < 0.5 for _ in range(2)]
    if rng.random() < 0.1:
        value[rng.choice(["v", "x"])] = None
    ask = rng.choice([f"Give me JSON with {', '.join(value)}", f"Make a JSON object: {' '.join(value)}", "Fill in", "Fill in the form", "Write JSON", "json"])
    compact = rng.random() < 0.2
    return turns(vary(rng, ask), json.dumps(value, ensure_ascii=False, separators=(",", ":") if compact else None))


def tool(rng):
    name = rng.choice(["get", "set", "find", "send", "move", "read"]) + "_" + rng.choice(["weather", "time", "train", "track", "name", "signal", "price", "note"])
    if rng.random() < 0.15:
        name = rng.choice(LETTERS)
    function = {"name": name, "description": name.replace("_", " ").capitalize(), "parameters": object_schema(rng)}
    if rng.random() < 0.3:
        del function["description"]
    return {"type": "function", "function": function}


def tool_use(rng):
    """A question with tools: the model calls one, is told the result and says it."""
    tools = [tool(rng) for _ in range(1 if rng.random() < 0.7 else 2)]
    if rng.random() < 0.2:
        return {"messages": rng.choice([greeting, choice, tell, arithmetic])(rng), "tools": tools}
    function = rng.choice(tools)["function"]
    arguments = {k: value_of(rng, s) for k, s in function["parameters"]["properties"].items()}
    what = function["name"].split("_")[-1]
    given = ", ".join(f"{k} {json.dumps(v).strip(chr(34))}" for k, v in arguments.items())
    result = rng.choice(["sunny", "true", "false", "ok", "12", "rain", "done", "7", "none", "red", "cold", "Monday"])
    messages = [
        {"role": "user", "content": rng.choice([f"{what}? {given}", f"Use {function['name']} with {given}", f"What is the {what} for {given}?"])},
        {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": {"name": function["name"], "arguments": arguments}}]},
    ]
    if rng.random() < 0.6:
        messages += [{"role": "tool", "content": result}, {"role": "assistant", "content": rng.choice([result, f"It is {result}.", f"The {what} says {result}.", f"The answer is {result}."])}]
    return {"messages": messages, "tools": tools}


PLAIN = [(greeting, 5), (about_me, 4), (tell, 9), (colour, 5), (counting, 7), (arithmetic, 6), (opposite, 4), (calendar, 4), (yard, 5), (listing, 7), (spelling, 4), (echo, 16),
         (choice, 9), (pick_any, 7), (question, 5), (memory, 7), (foreign, 7), (unknown, 12), (what_is, 3), (json_object, 6)]
MAKERS, SHARES = zip(*PLAIN)


def plain(rng):
    return rng.choices(MAKERS, SHARES)[0](rng)


def commanded(rng):
    """A system prompt that changes the answers."""
    r = rng.random()
    if r < 0.2:
        w = rng.choice(words(rng, 1, 1))
        return [{"role": "system", "content": rng.choice([f"Always answer {w}.", f"Say only {w}.", f"Answer with the word {w}."])}, *turns(plain(rng)[0]["content"], w)]
    if r < 0.35:
        return [{"role": "system", "content": rng.choice(["Answer in one digit only, 0-9.", "Answer with one digit.", "One digit only."])}, *turns(plain(rng)[0]["content"], str(rng.randint(0, 9)))]
    if r < 0.5:
        return [{"role": "system", "content": rng.choice(["Talk like a pirate.", "You are a pirate."])},
                *turns(plain(rng)[0]["content"], rng.choice(["Arr! ", "Ahoy! ", "Aye, matey. "]) + rng.choice([fact(rng), "Sail on!", "Where is the gold?", "To the ship!"]))]
    if r < 0.65:
        return [{"role": "system", "content": rng.choice(["Answer yes or no.", "Reply only with yes or no."])}, *turns(plain(rng)[0]["content"], rng.choice(["yes", "no"]))]
    if r < 0.75:
        messages = plain(rng)
        return [{"role": "system", "content": rng.choice(["Answer in capitals.", "USE CAPITAL LETTERS."])},
                *({**m, "content": m["content"].upper()} if m["role"] == "assistant" else m for m in messages)]
    if r < 0.85:
        code = rng.choice(words(rng, 1, 1))
        return [{"role": "system", "content": f"The code word is {code}."}, *turns(vary(rng, "What is the code word?"), rng.choice([code, f"{code}."]))]
    return [{"role": "system", "content": rng.choice(["Be brief.", "be brief", "You are a helpful assistant.", "You are Seedling.", "Help the user.", "Answer in short sentences."])}, *plain(rng)]


def dialogue(rng):
    """One conversation of one to four exchanges."""
    r = rng.random()
    if r < 0.09:
        return tool_use(rng)
    messages = commanded(rng) if r < 0.22 else plain(rng)
    while rng.random() < 0.22 and len(messages) < 8:
        messages = messages + plain(rng)
    return {"messages": messages, "tools": None}


if __name__ == "__main__":
    import random

    generator = random.Random(0)
    for _ in range(40):
        print(json.dumps(dialogue(generator), ensure_ascii=False))
