"""Splits the questions to another library into batches, which several processes ask."""

BATCH = 1000


def batches(small_counts, random_names, seed, count):
    """Yields (operation, seed, number of the batch, number of its random questions). The seed of a
    batch of small questions is None. `small_counts` has the number of small questions of each
    operation. `count` random questions are spread over `random_names`; the first one also gets the
    remainder.
    """
    each = count // max(len(random_names), 1)
    for name, small_count in small_counts.items():
        yield from ((name, None, part, BATCH) for part in range(-(-small_count // BATCH)))
        if name not in random_names:
            continue
        total = each + (count - each * len(random_names) if name == random_names[0] else 0)
        yield from ((name, seed, part, min(BATCH, total - part * BATCH))
                    for part in range(-(-total // BATCH)))
