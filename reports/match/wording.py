"""The wording of a match report that the terminal and the page share."""

from __future__ import annotations

from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import FaultKind, Mode
from bridge_arena.reports.common.wording import contract_text, error, mean_text, p_text, signed
from bridge_arena.reports.match.figures import BotCosts, MatchFigures, TableResult
from bridge_arena.tournaments import HOME, VISITORS
from bridge_arena.tournaments.events.event import terms_text
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
    """Return a sentence on what the bots did not decide; "" if they decided everything."""
    return _MODES[figures.mode]


_VERDICTS = {
    Verdict.ACCEPT_H0: "H0 accepted",
    Verdict.ACCEPT_H1: "H1 accepted",
    Verdict.GO_ON: "not decided",
}


def sprt_text(figures: MatchFigures) -> str:
    """Return the result of the sequential test in a line; "" if there is none."""
    sprt = figures.sprt
    if sprt is None:
        return ""
    lower, upper = sprt.test.bounds
    return (
        f"SPRT {sprt.test}: {_VERDICTS[sprt.verdict]} after {plural(sprt.boards, 'board')}, "
        f"LLR {sprt.llr:.2f} ({lower:.2f} to {upper:.2f})"
    )


def control_text(figures: MatchFigures) -> str:
    """Return the controlled estimate in a sentence or two; "" if there is none."""
    control = figures.control
    if control is None:
        return ""
    worth = "" if control.gain is None else f", worth {control.gain:.1f} times the boards"
    times = "" if control.plays == 1 else f", {control.plays} times each,"
    deals = f"these deals{times} and {control.other_deals} others"
    if control.are_themselves:
        how = f"The bots played {deals} in one process."
    else:
        first, second = control.stand_ins
        how = f"{first} and {second} stood in for them on {deals}."
    ahead = figures.imps >= 0
    mean = control.imps_per_board if ahead else control.imps_per_board.negated()
    whose = figures.names[HOME if ahead else VISITORS]
    return f"Controlled estimate: {mean_text(mean)} IMPs/board for {whose}{worth}. {how}"


def headline(figures: MatchFigures) -> str:
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
    """Return IMPs per board as the leading side sees them, with p-value and VPs."""
    mean = figures.imps_per_board
    texts = [f"{abs(mean.mean or 0.0):.2f}{error(mean, 2)} IMPs/board"]
    if figures.p_value is not None:
        texts[0] += f" ({p_text(figures.p_value)})"
    if figures.victory_points is not None:
        own, other = figures.victory_points
        if figures.imps < 0:
            own, other = other, own
        texts.append(f"VPs {own:.2f} - {other:.2f}")
    return ", ".join(texts)


def notices(figures: MatchFigures) -> list[str]:
    """Return what a reader must know beside the headline."""
    texts = [text for text in (figures.deals.text, terms_text(figures.terms)) if text]
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
            f"Not finished but adjusted: {plural(figures.adjusted_boards, 'board')}, "
            f"{signed(figures.adjusted_imps)} IMPs for {figures.names[0]} in all."
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
