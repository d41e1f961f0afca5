"""The words of a match that the terminal and the page share."""

from __future__ import annotations

from bridge_arena.bridge.record import FaultKind, Mode
from bridge_arena.reports.common.wording import error, made_text, p_text, signed
from bridge_arena.reports.match.figures import MatchFigures, TableResult
from bridge_arena.tournaments.events.event_terms import terms_text
from bridge_arena.tournaments.plural import plural
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


def result_text(table: TableResult) -> str:
    """As on a score sheet: `3NTX E -2`, `4S N =`, `Pass`."""
    if table.contract is None:
        return "Pass"
    return f"{table.contract} {table.contract.declarer} {made_text(table.contract, table.tricks)}"
