"""Judges both answers to a question by the sets of truth.py, and names the reason of a difference.

A wrong answer of axe fails the run. An answer of the public implementation ("theirs") may be right,
wrong, a refusal or a crash. It is a convention if it follows from their own rules: the span of a
tile counts the inner offset, the outer replicas and offsets of a tile are not scaled, thread axes
are fused under a target, and `apply` returns one of several replicas. Equal maps in different forms
do not count as a difference.
"""

import dataclasses
import itertools

import questions
import truth
from maps import Swizzle, layout, map_of, read_ours, read_places, set_in_words, within_bounds, UNIT, in_our_notation
from questions import COMPOSE, first_replica, on_tx
from truth import ANSWER, MISUSE, NONE, UNKNOWN, Rule

# The classes of axe's answers. The first two fail the run.
OURS_WRONG, OURS_REFUSES = "axe is wrong", "axe rejects a legal question"
OURS_RIGHT, OURS_UNKNOWN = "axe is right", "axe rejects, undecided"
# The classes of their answers. The page shows the name of the peer instead of PEER.
PEER = "theirs"
RIGHT, CONVENTION, WRONG, REFUSES, FAILS, NO_QUESTION, UNDECIDED = (
    "the same", "convention", f"{PEER} is wrong", f"{PEER} rejects a legal question",
    f"{PEER} fails",
    f"{PEER} answers an invalid question", "undecided")

# The texts of the exceptions by which they reject a question. Any other exception is an internal
# failure.
REFUSALS = ("can not be grouped", "can not be packed", "The size of coord and shape",
            "must have the same length", "must be a power of 2",
            "must have twice the rank", "per_element must be", "is not divisible",
            "not the same size", "Ill-formed", "not well-formed")

OFFSET_IN_SPAN, UNSCALED = "the span counts the inner offset", "the outer R and O are not scaled"
SIGNED, REPLICAS_LEFT_OUT = "the span adds negative strides with their sign", "the span leaves out an axis that has replicas but no digit"
PLAIN_SPAN = "the span ignores the swizzle, but the swizzled addresses reach further"
MIXED = "only one of the outer R and O is scaled, although no rule of TIRx says so"


def tile_rules():
    """Returns the rules of a tile in the order in which they are tried: first those without
    signed_span, of these first those that treat R and O alike, and of these first those with the
    fewest switches.
    """
    rules = sorted(itertools.product((False, True), repeat=6),
                   key=lambda r: (r[3], r[1] != r[2], sum(r), r))
    return [(Rule(*r), r) for r in rules if any(r)]


TILE_RULES = tile_rules()
# The rules for layouts without a swizzle.
PLAIN_RULES = [(rule, switches) for rule, switches in TILE_RULES if not switches[-1]]


def explained(switches, inner):
    """Returns the class and the reason of a difference that a rule with these switches explains."""
    offset, replicas, offsets, signed, needs_digit, before_swizzle = switches
    if before_swizzle and inner.swizzle:
        return WRONG, PLAIN_SPAN
    if signed:
        return WRONG, SIGNED
    replicated = {i.axis for i in inner.replicas if i.stride}
    if needs_digit and replicated - {i.axis for i in inner.shards if i.extent > 1}:
        return WRONG, REPLICAS_LEFT_OUT
    if replicas != offsets:
        return WRONG, MIXED
    return CONVENTION, ", and ".join([OFFSET_IN_SPAN] * offset
                                     + [UNSCALED] * (replicas or offsets)) or OFFSET_IN_SPAN


@dataclasses.dataclass(frozen=True)
class Judgement:
    ours: str
    theirs: str
    kind: str = ""  # the reason of the difference
    ours_said: str = ""
    theirs_said: str = ""


def judge_ours(operation, arguments, verdict, line):
    if line.startswith("refused: "):
        return OURS_REFUSES if verdict == ANSWER else OURS_UNKNOWN if verdict == UNKNOWN else OURS_RIGHT, None
    if line.startswith("error: "):
        return OURS_WRONG, None
    if operation.name == "apply":
        found = read_places(line)
    else:
        found, blocks = read_ours(line)
        if operation.name == "group" and blocks != list(arguments[1]):
            return OURS_WRONG, None
        if not within_bounds(found):
            return OURS_WRONG, None
    right = verdict in (ANSWER, UNKNOWN) and operation.right(*arguments, found)
    return OURS_RIGHT if right else OURS_WRONG, found


def layout_of(reply):
    shards, replicas, offsets, swizzle = reply
    return layout(shards, replicas, offsets, Swizzle(*swizzle) if swizzle else None)


def parts_that_differ(operation, arguments, found):
    """Returns which part of their layout is wrong: D, R or O, or the swizzled addresses."""
    composed = operation.composed(*arguments, found)
    wanted = operation.wanted(*arguments)
    if wanted.size != composed.size:
        return "another size"
    if wanted.places or composed.places:
        return "the swizzled addresses differ"
    d, base = wanted.steps != composed.steps, wanted.base != composed.base
    return "D differs" if d and not base else "R or O differ" if base and not d else "D differs, and R or O differ"


def reason_of(words, arguments):
    """Returns a short reason for a refusal of theirs, without its numbers."""
    if words == "none":
        return "returns no result"
    if "grouped" in words:
        digits = all(a.shards for a in arguments if hasattr(a, "shards"))
        return "does not group the layout" if digits else "does not group a layout without digits"
    if "Ill-formed" in words:
        return "cannot combine these thread axes"
    return "does not pack the layout" if "packed" in words else "raises an exception"


def judge_tile(arguments, found):
    for rule, switches in TILE_RULES if arguments[2].swizzle else PLAIN_RULES:
        if questions.same(found, truth.tiled(*arguments, rule)):
            return explained(switches, arguments[2])
    return None


def judge_factor(operation, arguments, found):
    for rule, switches in PLAIN_RULES:
        composed = COMPOSE[operation.name](
            *arguments, found, lambda a, sa, b, sb, r=rule: truth.tiled(a, sa, b, sb, r))
        if questions.same_map(composed, map_of(arguments[0])):
            return explained(switches, arguments[2] if operation.name == "is_tile_inner" else found)
    return None


def is_convention_here(operation, arguments, ours):
    """True if our factor gives another map under their rules. Then their refusal follows from these
    rules.
    """
    composed = COMPOSE[operation.name](*arguments, ours,
                                       lambda a, sa, b, sb: truth.tiled(a, sa, b, sb, truth.THEIRS))
    return not questions.same_map(composed, map_of(arguments[0]))


def judge_answer(operation, arguments, verdict, reply):
    """Judges a layout or place that they answered: (class, reason, the answer as text)."""
    if reply[0] == "place":
        return judge_place(arguments, verdict, reply[1])
    try:
        found = layout_of(reply[1])
        words = in_our_notation(found)
        if any(i.extent < 1 for i in found.shards + found.replicas):
            return (NO_QUESTION if verdict == MISUSE else WRONG), "returns an extent below 1", words
        if not within_bounds(found):
            return (NO_QUESTION if verdict == MISUSE else WRONG), "has places too far away", words
    except KeyError as axis:
        return WRONG, f"names the axis {axis}", str(reply[1])
    if verdict == MISUSE:
        return NO_QUESTION, "", words
    if operation.name == "group" and reply[2] != list(arguments[1]):
        return WRONG, "other blocks", words
    if operation.name == "canonicalize for cuda" and operation.right(*arguments, found):
        fused = map_of(found) != map_of(arguments[0])
        return (CONVENTION if fused else RIGHT), ("fuses thread axes" if fused else ""), words
    if verdict in (ANSWER, UNKNOWN) and operation.right(*arguments, found):
        return RIGHT, "", words
    if operation.name == "canonicalize for cuda":
        offsets = on_tx(found).steps == on_tx(arguments[0]).steps
        return WRONG, "R or O differ on the fused axis" if offsets else "D differs on the fused axis", words
    special = None
    if operation.name == "tile":
        special = judge_tile(arguments, found)
    elif operation.name in ("is_tile_inner", "is_tile_outer"):
        special = judge_factor(operation, arguments, found)
    if special:
        return *special, words
    if verdict == NONE:
        return WRONG, f"no answer exists; {parts_that_differ(operation, arguments, found)}", words
    return WRONG, parts_that_differ(operation, arguments, found), words


def judge_place(arguments, verdict, place):
    at = sum(n * UNIT[a] for a, n in place.items())
    words = set_in_words({at})
    if verdict == MISUSE:
        return NO_QUESTION, "", words
    if at != first_replica(*arguments):
        return WRONG, "another place", words
    is_replicated = len(questions.places_at(*arguments)) > 1
    if is_replicated:
        return CONVENTION, "returns one of several replicas", words
    return RIGHT, "", words


def judge(operation, arguments, ours_line, reply):
    verdict = operation.verdict(*arguments)
    ours, ours_found = judge_ours(operation, arguments, verdict, ours_line)
    if reply[0] in ("layout", "place"):
        theirs, kind, words = judge_answer(operation, arguments, verdict, reply)
        return Judgement(ours, theirs, kind, ours_line, words)
    if reply[0] == "none":
        words = "none"
    elif reply[0] == "raised":
        words = f"{reply[1]}: {reply[2]}"
    else:
        words = f"died: {reply[1]}"
    refused = reply[0] == "none" or reply[0] == "raised" and any(r in words for r in REFUSALS)
    if not refused:
        where = "died"
        if reply[0] != "died":
            failed = words.replace("Check failed: ", "").split(" is false")[0]
            where = failed.split(" (0 vs")[0][:90]
        return Judgement(ours, FAILS if verdict in (ANSWER, UNKNOWN) else RIGHT,
                         where if verdict in (ANSWER, UNKNOWN) else "",
                         ours_line, words)
    if verdict in (NONE, MISUSE):
        return Judgement(ours, RIGHT, "", ours_line, words)
    found_by_us = ours == OURS_RIGHT and ours_found is not None
    reason = reason_of(words, arguments)
    by_rule = operation.name in ("is_tile_inner",
                                 "is_tile_outer") and found_by_us and "without digits" not in reason
    if by_rule and is_convention_here(operation, arguments, ours_found):
        return Judgement(ours, CONVENTION, "rejects a layout that is not a tile by TIRx's rules",
                         ours_line, words)
    if verdict == UNKNOWN and not found_by_us:
        return Judgement(ours, UNDECIDED, "", ours_line, words)
    return Judgement(ours, REFUSES, reason, ours_line, words)
