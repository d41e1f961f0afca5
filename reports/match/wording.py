"""The wording of a match report that the terminal and the page share."""

from __future__ import annotations

from math import inf

from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import FaultKind, Mode
from bridge_arena.reports.common.intervals import interval
from bridge_arena.reports.common.wording import contract_text, error, mean_text, p_text, signed
from bridge_arena.reports.match.figures import BotCosts, MatchFigures, TableResult
from bridge_arena.tournaments.events.event import terms_text
from bridge_arena.tournaments.statistics.sequential import Verdict, ratio_text, verdict_text

SIGNIFICANT = 0.05
"""A difference is shown if equal bots would be so far apart in fewer than this share of matches."""

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
    """Return a sentence on what the bots did not decide; "" if they decided everything."""
    return _MODES[figures.mode]


def sprt_text(figures: MatchFigures) -> str:
    """Return the result of the sequential test in a line; "" if there is none."""
    sprt = figures.sprt
    return "" if sprt is None else ratio_text(sprt.test, sprt.verdict, sprt.boards, sprt.llr)


def verdict(figures: MatchFigures) -> str:
    """Return what the match has shown: a difference only where chance alone rarely makes it."""
    first, second = figures.names
    if figures.forfeit is not None:
        return f"{figures.forfeit.to} won: {figures.forfeit.by} forfeited the match"
    if figures.match.forfeited:
        by = " and ".join(figures.match.forfeited)
        won = f"{figures.winner} won: " if figures.winner else ""
        return f"{won}{by} forfeited the match, by a ruling"
    if figures.sprt is not None and _is_stopped(figures):
        return verdict_text(figures.sprt.test, figures.sprt.verdict, first, second)
    outcome = figures.match.outcome
    if outcome.left > 0:
        every = plural(outcome.boards + outcome.left, "board")
        return f"Not over: {outcome.boards} of {every} played in both rooms so far"
    if figures.too_few_deals:
        return f"Too few boards with a swing to tell {first} and {second} apart"
    if is_shown(figures):
        ahead, behind = _order(figures)
        return f"{ahead} is shown to be stronger than {behind}"
    return f"No difference shown between {first} and {second}"


COMMANDS = (
    "`arena report RESULTS` makes this page again from the folder of results or its PBN file; with "
    "--calls it adds what the calls cost."
)
"""The commands that make the page."""


def is_by_p(figures: MatchFigures) -> bool:
    """Return whether the p-value gives the verdict: the match was played out, and long enough."""
    is_played_out = figures.forfeit is None and figures.match.outcome.left <= 0
    return is_played_out and not _is_stopped(figures) and not figures.too_few_deals


def is_shown(figures: MatchFigures) -> bool:
    """Return whether the verdict is that one bot is stronger, by the p-value."""
    is_rare = figures.p_value is not None and figures.p_value < SIGNIFICANT
    return is_rare and is_by_p(figures)


def _is_stopped(figures: MatchFigures) -> bool:
    """Return whether the sequential test has a verdict; from then on p-values mean nothing."""
    return figures.sprt is not None and figures.sprt.verdict is not Verdict.GO_ON


def score_text(figures: MatchFigures) -> str:
    """Return the IMPs, per board as the leading side sees them, with p-value and VPs.

    It is "" if no board was played in both rooms.
    """
    if not figures.boards:
        return ""
    ahead, behind = _order(figures)
    if figures.imps == 0:
        result = f"{ahead} and {behind} are level"
    else:
        won = f"{ahead} beat {behind}" if is_shown(figures) else f"{ahead} is ahead of {behind}"
        result = f"{won} by {plural(abs(figures.imps), 'IMP')}"
    mean = figures.imps_per_board
    rate = f"{abs(mean.mean or 0.0):.2f}{error(mean, 2)} IMPs/board"
    if figures.p_value is not None:
        rate += f" ({p_text(figures.p_value)})"
    if figures.victory_points is not None:
        own, other = figures.victory_points
        if figures.imps < 0:
            own, other = other, own
        rate += f", VPs {own:.2f} - {other:.2f}"
    return f"{result} over {plural(figures.boards, 'board')}: {rate}"


def _order(figures: MatchFigures) -> tuple[str, str]:
    """Return the names of who is ahead and who is behind; as they are if the match is level."""
    first, second = figures.names
    return (first, second) if figures.imps >= 0 else (second, first)


def control_text(figures: MatchFigures) -> str:
    """Return the controlled estimate and what it shows, in a sentence; "" if there is none."""
    if figures.control is None:
        return ""
    is_first = figures.imps >= 0
    estimate = figures.control.imps_per_board
    mean = estimate if is_first else estimate.negated()
    ahead, behind = _order(figures)
    low, high = interval(mean) or (-inf, inf)
    if low > 0:
        shows = f"that {ahead} is stronger" + (" too" if is_shown(figures) else "")
    elif high < 0:
        shows = f"that {behind} is stronger"
    else:
        is_none_shown = is_by_p(figures) and not is_shown(figures)
        shows = "no difference" + (" either" if is_none_shown else "")
    gain = figures.control.gain
    worth = "" if gain is None else f", worth {gain:.1f} times the boards"
    return (
        f"Controlled estimate: {mean_text(mean)} IMPs/board for {ahead}, with the luck of the "
        f"deals taken off{worth}. It shows {shows}."
    )


def source_text(figures: MatchFigures) -> str:
    """Return what the first bot gained in the auction and in the play; "" if it is not known."""
    if not figures.has_sources:
        return ""
    imps = figures.bots[0].ledger.imps_per_board
    in_auction = _gained(imps.auction.total or 0.0)
    return (
        f"{figures.names[0]} {in_auction} in the auction and {_gained(imps.net_play)} in the play."
    )


def _gained(imps: float) -> str:
    whole = round(imps)
    if whole == 0:
        return "gained nothing"
    return f"{'gained' if whole > 0 else 'lost'} {plural(abs(whole), 'IMP')}"


def how_texts(figures: MatchFigures) -> list[str]:
    """Return how the match was run: its deals, its terms, and who played for the estimate."""
    texts = [figures.deals.text, terms_text(figures.terms), _stand_ins(figures)]
    return [text for text in texts if text]


def _stand_ins(figures: MatchFigures) -> str:
    control = figures.control
    if control is None:
        return ""
    if control.are_themselves:
        who = "both bots played"
    else:
        who = " and ".join(control.stand_ins) + " played, in place of the two bots,"
    times = "" if control.plays == 1 else f", {control.plays} times each,"
    return (
        f"For the controlled estimate {who} the deals of the match once more{times} and "
        f"{plural(control.other_deals, 'other deal')}; these boards count nowhere else."
    )


def notices(figures: MatchFigures) -> list[str]:
    """Return what a reader must know beside the verdict."""
    texts: list[str] = []
    forfeit = figures.forfeit
    if forfeit is not None:
        room = f", {forfeit.room.lower()} room" if forfeit.room else ""
        detail = f" ({forfeit.fault.detail})" if forfeit.fault.detail else ""
        texts.append(
            f"{forfeit.by} forfeited the match to {forfeit.to}: on board {forfeit.board}{room}, "
            f"it {_FORFEITS[forfeit.fault.kind]}{detail}. Boards finished in both rooms stand."
        )
    for bot in figures.bots:
        if faults := bot.faults_text:
            texts.append(faults)
        if undone := bot.conduct.faults[FaultKind.UNDO]:
            texts.append(f"{bot.name} played with undo, and took back {plural(undone, 'action')}.")
    if figures.single_table_boards:
        boards = plural(figures.single_table_boards, "board")
        texts.append(f"{boards} finished at one table only: no IMPs, but tricks and faults count.")
    if figures.adjusted_boards:
        texts.append(
            f"{'Adjusted' if figures.rulings else 'Not finished but adjusted'}: "
            f"{plural(figures.adjusted_boards, 'board')}, "
            f"{signed(figures.adjusted_imps)} IMPs for {figures.names[0]} in all; the table and "
            "plots of the boards leave them out."
        )
    analysed, played = figures.analysed, len(figures.board_results)
    if analysed < played:
        texts.append(f"Double-dummy figures cover {analysed} of {plural(played, 'board')}.")
    return texts


def costs_text(costs: BotCosts) -> str:
    """Return what the cards and calls of a bot cost it, in a line."""
    texts = []
    if (cards := costs.cards) is not None:
        texts.append(
            f"{plural(cards.n, 'card')} cost {plural(int(cards.lost), 'double-dummy trick')}"
        )
    if (calls := costs.calls) is not None:
        texts.append(
            f"{plural(calls.n, 'call')} cost {calls.lost:.1f} IMPs beyond doubt"
            if calls.n
            else "no call cost IMPs beyond doubt"
        )
    return ", ".join(texts)


def occasion(figures: MatchFigures) -> str:
    """Return the event and the dates; "" if neither is recorded."""
    days = figures.dates
    when = "" if not days else days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return ", ".join(text for text in (figures.event, when) if text)


def result_text(table: TableResult) -> str:
    """Return a result as on a score sheet, as `contract_text` does; `Pass` if all passed."""
    return "Pass" if table.contract is None else contract_text(table.contract, table.tricks)
