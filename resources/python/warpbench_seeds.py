# SPDX-License-Identifier: Apache-2.0
"""What a problem's get_inputs() seeds itself is seeded with another number for each draw: else there would be one set of
inputs alone, and a kernel could keep its answer to them."""

import contextlib
import hashlib
import random
import sys

import torch

_hashed, _Generator = hashlib.blake2b, torch.Generator


@contextlib.contextmanager
def anew(number, seed_torch):
    """While it holds, generators of torch, numpy and Python are seeded with what is asked for and `number` together.
    `seed_torch` seeds torch's own generator, and gives it."""

    def mixed(given, bits=63):
        digest = _hashed(f"{number} {given}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little") >> (64 - bits)

    def manual_seed(given):
        return seed_torch(mixed(given))

    class Generator(_Generator):
        def manual_seed(self, given):
            return super().manual_seed(mixed(given))

    instead = [(vars(torch), "manual_seed", manual_seed), (vars(torch.random), "manual_seed", manual_seed),
               (vars(torch), "Generator", Generator)]

    def seeded_anew(module, name, bits):
        there = vars(module)
        really = there[name]
        instead.append((there, name, lambda given=None, *rest: really(mixed(given, bits), *rest)))

    seeded_anew(random, "seed", 63)
    if (numpy := sys.modules.get("numpy.random")) is not None:
        seeded_anew(numpy, "seed", 32)
        seeded_anew(numpy, "default_rng", 63)
    before = [there[name] for there, name, _ in instead]
    try:
        for there, name, mine in instead:
            there[name] = mine
        yield
    finally:
        for (there, name, _), was in zip(instead, before):
            there[name] = was
