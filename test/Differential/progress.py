"""Which seeds were run, kept in a file, so that many programs can be run in pieces: on several days, on several machines.

usage: progress.py FILE..    the sum of such files: their seeds, programs, runs and disagreements
"""
import hashlib
import json
import os
import pathlib
import sys


def generatorHash():
    """Of the files that say which program a seed is."""
    folder = pathlib.Path(__file__).resolve().parent
    others = {"check.py", "features.py", "progress.py"}
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")) if path.name not in others)).hexdigest()[:16]


def merged(ranges):
    """Ranges (first, last) of seeds in order, adjoining ones as one; ValueError where two have a seed in common."""
    found = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1]:
            raise ValueError(f"seed {first} was run twice")
        if found and first == found[-1][1] + 1:
            found[-1][1] = last
        else:
            found.append([first, last])
    return found


class Progress:
    """`ways` says how each program is run. Without a file nothing is kept."""

    def __init__(self, path, ways):
        self.path = path
        self.record = {"generator": generatorHash(), "ways": ways, "seeds": [], "programs": 0, "runs": 0, "disagree": []}
        if path and path.exists():
            kept = json.loads(path.read_text())
            for key in ("generator", "ways"):
                if kept[key] != self.record[key]:
                    raise ValueError(f"{path}: of another {key} ({kept[key]}, now {self.record[key]}): give another file")
            self.record = kept

    def batches(self, first, end, size):
        """The seeds from `first` up to `end` that were not run, as lists of up to `size` consecutive ones."""
        found = []
        for seed in range(first, end):
            if any(low <= seed <= high for low, high in self.record["seeds"]):
                continue
            if found and found[-1][-1] == seed - 1 and len(found[-1]) < size:
                found[-1].append(seed)
            else:
                found.append([seed])
        return found

    def add(self, seeds, runs, disagree):
        """Notes a batch of consecutive seeds and those of them that disagree."""
        self.record["seeds"] = merged(self.record["seeds"] + [[seeds[0], seeds[-1]]])
        self.record["programs"] += len(seeds)
        self.record["runs"] += runs
        self.record["disagree"] += disagree
        self.write()

    def mend(self, seeds):
        """Notes that `seeds`, which disagreed, do so no more."""
        self.record["disagree"] = [seed for seed in self.record["disagree"] if seed not in seeds]
        self.record["mended"] = sorted(self.record.get("mended", []) + list(seeds))
        self.write()

    def write(self):
        if self.path:
            beside = self.path.with_name(self.path.name + ".new")
            beside.write_text(json.dumps(self.record) + "\n")
            os.replace(beside, self.path)

    def summary(self):
        return summary([self.record])


def summary(records):
    """One line on records of disjoint seeds."""
    seeds = merged([span for record in records for span in record["seeds"]])
    programs, runs = (sum(record[key] for record in records) for key in ("programs", "runs"))
    disagree, mended = (sorted(seed for record in records for seed in record.get(key, [])) for key in ("disagree", "mended"))
    return (f"seeds {', '.join(f'{first} to {last}' for first, last in seeds)} at {records[0]['ways']}: {programs} programs, "
            f"{runs} runs, {len(disagree)} programs disagree{': ' + str(disagree) if disagree else ''}" +
            (f"; {len(mended)} did and are mended: {mended}" if mended else ""))


def main():
    records = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    if not records:
        print(__doc__)
        return 2
    if len({(record["generator"], record["ways"]) for record in records}) > 1:
        print("not of one generator, or not run in one way", file=sys.stderr)
        return 1
    try:
        print(summary(records))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
