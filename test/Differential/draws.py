"""Choices that can be repeated, and made simpler one by one.

A program is made from a list of numbers: each choice takes the next one. Fresh numbers come from a seed; a recorded list
gives the same program again; a list with parts cut out or numbers made smaller gives another, simpler one, for 0 is the
simplest answer to every question and what a list that is used up answers. So shrinking knows nothing of programs."""
import random


class Draws:
    def __init__(self, seed=None, script=None):
        self.rng = random.Random(seed) if script is None else None
        self.script = script
        self.taken = []  # The numbers as they were used.
        self.spans = []  # (begin, end) of the parts that belong together: what shrinking cuts out.
        self.open = []

    def below(self, n):
        """A number from 0 to n - 1."""
        if n <= 1:
            return 0
        if self.rng:
            number = self.rng.randrange(n)
        else:
            position = len(self.taken)
            number = min(self.script[position], n - 1) if position < len(self.script) else 0
        self.taken.append(number)
        return number

    def chance(self, of, outOf):
        """True in `of` of `outOf` cases; False is simpler."""
        return self.below(outOf) >= outOf - of

    def choice(self, options):
        """One of `options`, the simplest first."""
        return options[self.below(len(options))]

    def begin(self):
        self.open.append(len(self.taken))

    def end(self):
        self.spans.append((self.open.pop(), len(self.taken)))


def shrink(script, spans, interesting, attempts):
    """A simpler list for which `interesting(list)` still holds; it gives (taken, spans) of the program made, or None."""
    left = [attempts]

    def attempt(candidate):
        nonlocal script, spans
        if left[0] <= 0 or candidate == script:
            return False
        left[0] -= 1
        found = interesting(candidate)
        if found is None or (len(found[0]), found[0]) >= (len(script), script):
            return False
        script, spans = found
        return True

    progress = True
    while progress and left[0] > 0:
        progress = False
        # Whole parts, longest first.
        for begin, end in sorted(set(spans), key=lambda span: span[0] - span[1]):
            if end > begin and end <= len(script) and attempt(script[:begin] + script[end:]):
                progress = True
                break
        if progress:
            continue
        for position in range(len(script)):
            if position >= len(script):
                break
            number = script[position]
            for smaller in dict.fromkeys([0, 1, number // 2, number - 1]):
                if 0 <= smaller < number and attempt(script[:position] + [smaller] + script[position + 1:]):
                    progress = True
                    break
    return script
