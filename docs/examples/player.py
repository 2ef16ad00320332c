"""A player as a program: draws one of its legal actions.

Run it with: himalaya play summit --players "prog:python3 player.py,porter" --seed monday
"""

import json
import random
import sys

NAME, VERSION = "drawn", "1"
draws = random.Random()


def choose(view, legal, number_of_legal):
    """Return the number of a legal action. `legal` is `None` if there are more than 1,000."""
    return draws.randrange(number_of_legal)


for line in sys.stdin:  # ends when Himalaya closes the pipe
    message = json.loads(line)
    if message["type"] == "hello":
        draws.seed(message["seed"])  # the same seed must give the same choices
        answer = {"protocol": 1, "name": NAME, "version": VERSION}
    elif message["type"] == "choose":
        number = choose(message["view"], message["legal"], message["number_of_legal"])
        answer = {"id": message["id"], "number": number}
    else:  # "match" and "end" have no answer
        continue
    print(json.dumps(answer), flush=True)
