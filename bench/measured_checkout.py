"""Measures the server of one checkout, for `against.py`, which runs this file in two checkouts.

Everything of `bench` is that of the checkout in the working directory. Each line of the standard
input is a load: operation, transport, callers. Each line of the output is its `Measurement`.
"""

import dataclasses
import json
import os
import sys
import tempfile
from pathlib import Path

from bench.database import postgresql
from bench.load import Generator, Load
from bench.parts import EVENTS, Bench


def main(seconds: float) -> None:
    """Prints `ready` once the server can be measured."""
    everywhere = list(range(os.cpu_count() or 1))
    serving, calling = everywhere[:-1] or everywhere, everywhere[-1:]
    with tempfile.TemporaryDirectory(prefix="keystead-bench-") as name:
        folder = Path(name)
        with postgresql(folder / "postgresql") as server, server.database() as database:
            generator = Generator(server.postmaster, calling, seconds)
            bench = Bench(folder, server, generator, serving, rounds=1)
            with bench.product("product", database.dsn) as product:
                database.fill(EVENTS)
                print("ready", flush=True)
                for line in sys.stdin:
                    operation, transport, callers = line.split()
                    load = Load(operation, transport, int(callers))
                    measurement = generator.measure(product, load, database)
                    print(json.dumps(dataclasses.asdict(measurement)), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]))
