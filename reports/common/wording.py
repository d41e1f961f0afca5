"""The words and signs that the terminal and the page share."""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import SUITS_DOWN
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.record import FaultKind, Mode
from bridge_arena.reports.common.explanations import Broken, ExplanationFigures, Promises
from bridge_arena.reports.match.figures import MatchFigures, TableResult
from bridge_arena.tournaments.events.event_terms import terms_text
from bridge_arena.tournaments.plural import plural
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.sequential import Verdict

_FORFEITS = {
    FaultKind.STALL: "did not read what it was sent",
    FaultKind.DISCONNECT: "lost its connection",
    FaultKind.CRASH: "crashed",
    FaultKind.REFUSED: "refused to play",
}


_MODES = {
    Mode.FULL: "",
    Mode.BIDDING: "Bidding only: every contract is scored with declarer's double-dummy tricks.",
    Mode.PLAY: "Card play only: both rooms were given the same auction of every board.",
}


def mode_text(figures: MatchFigures) -> str:
    """What the bots did not decide, in a sentence; "" where they decided everything."""
    return _MODES[figures.mode]


_VERDICTS = {
    Verdict.ACCEPT_H0: "H0 accepted",
    Verdict.ACCEPT_H1: "H1 accepted",
    Verdict.GO_ON: "not decided",
}


def sprt_text(figures: MatchFigures) -> str:
    """What the sequential test came to, in a line; "" where there is none."""
    sprt = figures.sprt
    if sprt is None:
        return ""
    lower, upper = sprt.test.bounds
    return (
        f"SPRT {sprt.test}: {_VERDICTS[sprt.verdict]} after {plural(sprt.boards, 'board')}, "
        f"LLR {sprt.llr:.2f} ({lower:.2f} to {upper:.2f})"
    )


def headline(figures: MatchFigures) -> str:
    """The result in one sentence."""
    first, second = figures.names
    if figures.boards == 0:
        return f"{first} against {second}: no board was played in both rooms"
    if figures.imps == 0:
        result = f"{first} and {second} are level"
    else:
        ahead, behind = (first, second) if figures.imps > 0 else (second, first)
        verb = "beat" if figures.forfeit is None else "led"
        result = f"{ahead} {verb} {behind} by {plural(abs(figures.imps), 'IMP')}"
    return f"{result} over {plural(figures.boards, 'board')}: {rate(figures)}"


def rate(figures: MatchFigures) -> str:
    """IMPs per board as the side that is ahead sees them, p-value and VPs."""
    mean = figures.per_board.mean or 0.0
    texts = [f"{abs(mean):.2f}{error(figures.per_board, 2)} IMPs/board"]
    if figures.p_value is not None:
        texts[0] += f" ({p_text(figures.p_value)})"
    if figures.victory_points is not None:
        own, other = figures.victory_points
        if figures.imps < 0:
            own, other = other, own
        texts.append(f"VPs {own:.2f} - {other:.2f}")
    return ", ".join(texts)


def notices(figures: MatchFigures) -> list[str]:
    """What a reader must know beside the headline."""
    texts = [text for text in (figures.provenance.text, terms_text(figures.terms)) if text]
    forfeit = figures.forfeit
    if forfeit is not None:
        room = f", {forfeit.room.lower()} room" if forfeit.room else ""
        detail = f" ({forfeit.fault.detail})" if forfeit.fault.detail else ""
        texts.append(
            f"{figures.names[forfeit.team]} forfeited the match to "
            f"{figures.names[1 - forfeit.team]}: on board {forfeit.board}{room}, it "
            f"{_FORFEITS[forfeit.fault.kind]}{detail}. Boards finished in both rooms stand."
        )
    for bot in figures.bots:
        refused = bot.illegal_actions + bot.malformed
        if bot.first_fault is not None and refused + bot.timeouts:
            texts.append(
                f"{bot.name}: {plural(refused, 'illegal or malformed action')}, "
                f"{plural(bot.timeouts, 'time-out')}; the first: {bot.first_fault.detail}."
            )
    if figures.single_tables:
        texts.append(
            f"{plural(figures.single_tables, 'board')} finished at one table only: not counted."
        )
    if figures.adjusted:
        boards = plural(len(figures.adjusted), "board")
        texts.append(
            f"Not finished but adjusted: {boards}, "
            f"{signed(sum(figures.adjusted))} IMPs for {figures.names[0]} in all."
        )
    analysed, played = figures.bots[0].ledger.boards, len(figures.rows)
    if analysed < played:
        texts.append(f"Double-dummy figures cover {analysed} of {plural(played, 'board')}.")
    return texts


def occasion(figures: MatchFigures) -> str:
    """What was played and when, as far as it is recorded; "" where it is not."""
    days = figures.dates
    when = "" if not days else days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return ", ".join(text for text in (figures.event, when) if text)


def p_text(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def signed(value: float, digits: int = 0) -> str:
    """With its sign; zero without one."""
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text


def error(mean: Mean, digits: int) -> str:
    """The standard error as it stands behind a mean; "" when there is none."""
    return "" if mean.standard_error is None else f" ± {mean.standard_error:.{digits}f}"


def mean_text(mean: Mean, digits: int = 2) -> str:
    return "-" if mean.mean is None else signed(mean.mean, digits) + error(mean, digits)


def share_text(mean: Mean) -> str:
    """A share in per cent: `97.2 % ± 0.9`; an error of nothing is left out, as it stands
    behind 0 and 100 %, where it tells nothing."""
    if mean.mean is None:
        return "-"
    behind = f" ± {100 * mean.standard_error:.1f}" if mean.standard_error else ""
    return f"{100 * mean.mean:.1f} %{behind}"


def promises_text(promises: Promises) -> str:
    """How many there were of the share kept, and by how much the others were missed."""
    missed = promises.missed_by.mean
    off = "" if missed is None else f", {missed:.1f} off"
    return f"of {promises.kept.n}{off}"


def promise_kinds(figures: ExplanationFigures) -> list[tuple[str, Promises]]:
    """Each kind of promise by its name: points, and the length of each suit."""
    lengths = ((suit.name.lower(), figures.suits[suit]) for suit in SUITS_DOWN)
    return [("points", figures.hcp), *lengths]


def broken_where(broken: Broken) -> str:
    """Where a call was made: `board 7, open room, N`."""
    room = f", {broken.record.room.lower()} room" if broken.record.room else ""
    return f"board {broken.record.board.number}{room}, {broken.seat}"


def held_text(broken: Broken) -> str:
    """What the hand held where it missed a promise: `11 points, 1 spade`."""
    return ", ".join(_held(broken))


def _held(broken: Broken) -> Iterator[str]:
    hand = broken.hand
    if broken.points:
        yield plural(hcp(hand), "point")
    for suit in SUITS_DOWN:
        if suit in broken.lengths:
            yield plural(hand.length(suit), suit.name.lower().removesuffix("s"))


def result_text(table: TableResult) -> str:
    """As on a score sheet: `3NTX E -2`, `4S N =`, `Pass`."""
    if table.contract is None:
        return "Pass"
    return f"{table.contract} {table.contract.declarer} {made_text(table.contract, table.tricks)}"


def made_text(contract: Contract, tricks: int | None) -> str:
    """Tricks over or under the contract: `+1`, `=`, `-2`."""
    if tricks is None:
        return "?"
    return f"{tricks - contract.tricks_needed:+d}".replace("+0", "=")
