"""The wording of a leaderboard that the terminal and the page share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bridge_arena.base.wording import plural
from bridge_arena.reports.common.meetings import Meeting
from bridge_arena.reports.common.wording import p_text, signed
from bridge_arena.reports.leaderboard.figures import GroupRating, Leaderboard, Matches
from bridge_arena.tournaments import Format
from bridge_arena.tournaments.events.event import terms, terms_text
from bridge_arena.tournaments.schedule.scores import AVERAGE_PLUS_IMPS, walkover
from bridge_arena.tournaments.statistics.ratings import FEWEST_DEALS, Estimate

_MOST_NAMES = 8


def title(board: Leaderboard) -> str:
    counts = Counter(event.event.name for event in board.events)
    names = (name if n == 1 else f"{name}, {n} events" for name, n in counts.items())
    return ", ".join(names) or "No event"


def labels(board: Leaderboard) -> list[str]:
    """Return the name of each event; with its number if several have the same."""
    names = [event.event.name for event in board.events]
    return [
        name if names.count(name) == 1 else f"{name} ({number})"
        for number, name in enumerate(names, start=1)
    ]


def headline(board: Leaderboard) -> str:
    """Return what was played, in a sentence."""
    matches = sum(event.summary.matches for event in board.events)
    in_two_rooms = sum(event.summary.boards for event in board.events)
    tables = sum(event.summary.tables for event in board.events)
    texts = [plural(len(board.entries), "entry", "entries")]
    if len(board.events) > 1:
        texts.append(plural(len(board.events), "event"))
    if matches:
        boards = plural(in_two_rooms, "board")
        texts.append(f"{boards} in two rooms, in {plural(matches, 'match', 'matches')}")
    if tables:
        texts.append(f"{plural(tables, 'table')} of pairs and individual play")
    if not matches and not tables:
        texts.append("no board was played")
    return ", ".join(texts)


def notices(board: Leaderboard) -> list[str]:
    """Return what a reader must know beside the figures."""
    return [
        text
        for text in (
            *shared_names_text(board),
            *_byes(board),
            *(entry.faults_text for entry in board.entries),
            _withdrawn(board),
            _adjusted(board),
            _not_counted(board),
            _unconnected(board),
            _unrated(board),
            _too_small(board),
            _not_analysed(board),
        )
        if text
    ]


def how_texts(board: Leaderboard) -> list[str]:
    """Return the origin of each event's boards, and its settings that differ from the default."""
    return [
        text if len(board.events) == 1 else f"{label}: {text}"
        for figures, label in zip(board.events, labels(board), strict=True)
        for text in (figures.provenance.text, terms_text(terms(figures.event)))
        if text
    ]


def deals_text(board: Leaderboard) -> str:
    """Return in a few words whether the deals were sealed; "" if that is not known."""
    events: dict[str, list[str]] = {}
    for figures, label in zip(board.events, labels(board), strict=True):
        events.setdefault(figures.provenance.short, []).append(label)
    if len(events) == 1:
        return "".join(events)
    return "; ".join(f"{_names(names)}: {text}" for text, names in events.items() if text)


def shared_names_text(board: Leaderboard) -> Iterator[str]:
    """Yield which bots have a name in common, and where each played."""
    for shared in board.shared:
        is_apart = shared.names[0] != shared.name
        texts: list[str] = []
        for (bot, numbers), name in zip(shared.bots, shared.names, strict=True):
            events = _names([labels(board)[number] for number in numbers])
            texts.append(f"{name} is {bot} in {events}" if is_apart else f"{bot} in {events}")
        bots = "; ".join(texts)
        if is_apart:
            yield f"{shared.name} was more than one bot: {bots}."
        else:
            yield (
                f"{shared.name} is more than one bot, counted as one: {bots}. "
                "`arena leaderboard --apart` keeps them apart."
            )


def _byes(board: Leaderboard) -> Iterator[str]:
    """Yield what a bye counts for in the standings of each event, and who had one."""
    for figures, label in zip(board.events, labels(board), strict=True):
        event, unit = figures.event, figures.standings.unit
        with_bye = [standing.entry for standing in figures.standings.entries if standing.byes]
        if with_bye:
            knock_out = event.format is Format.KNOCK_OUT
            worth = "a round won" if knock_out else f"{walkover(event):g} {unit}"
            names = _names([event.entries[entry].name for entry in with_bye])
            whose = "" if len(board.events) == 1 else f"{label}: "
            yield f"{whose}A bye counts as {worth} in the standings ({names})."


def _withdrawn(board: Leaderboard) -> str:
    texts = [
        f"{entry.name} was withdrawn from {labels(board)[place.event]}"
        for entry in board.entries
        for place in entry.standings
        if place.standing.withdrawn
    ]
    return f"{'; '.join(texts)}: what it had played stands." if texts else ""


def _adjusted(board: Leaderboard) -> str:
    count = sum(event.summary.adjusted for event in board.events)
    if not count:
        return ""
    size = AVERAGE_PLUS_IMPS
    return (
        f"{plural(count, 'board')} could not be finished: average minus ({-size} IMPs) for the "
        f"side at fault, average plus (+{size}) for the other. These IMPs count as any."
    )


def _not_counted(board: Leaderboard) -> str:
    count = sum(event.summary.uncounted for event in board.events)
    if not count:
        return ""
    return f"{plural(count, 'board')} not finished in both rooms: not counted."


def _unconnected(board: Leaderboard) -> str:
    groups: dict[int, list[str]] = {}
    for entry in board.entries:
        if entry.rating:
            groups.setdefault(entry.rating.group, []).append(entry.name)
    if len(groups) < 2:
        return ""
    return (
        "No chain of matches connects these groups, so ratings compare within each only: "
        f"{'; '.join(_names(group) for group in groups.values())}."
    )


def _unrated(board: Leaderboard) -> str:
    names = [entry.name for entry in board.entries if entry.rating is None]
    if not names or not board.has_teams:
        return ""
    return f"No rating for {_names(names)}: no board played in two rooms."


def _too_small(board: Leaderboard) -> str:
    met = board.met
    small = [meeting for meeting in met if meeting.too_few_deals]
    if not small:
        return ""
    return (
        f"{len(small)} of {plural(len(met), 'pair')} that met did so on fewer than {FEWEST_DEALS} "
        "deals with a swing: too few for any result to tell them apart (marked *)."
    )


def _not_analysed(board: Leaderboard) -> str:
    """Return how many boards the ledger covers, if not all; two entries see each board."""
    counted = sum(entry.imps_per_board.n - entry.adjusted_boards for entry in board.entries) // 2
    analysed = sum(entry.ledger.boards for entry in board.entries) // 2
    if analysed == counted:
        return ""
    return f"The ledger covers {analysed} of {plural(counted, 'board')} played out in two rooms."


def _names(names: list[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def rating_text(rating: GroupRating | None) -> str:
    """Return a rating, `+1.20`; with the group's number if it is not the first, `+1.20 (2)`."""
    if rating is None:
        return "-"
    group = f" ({rating.group})" if rating.group > 1 else ""
    return signed(rating.estimate.value, 2) + group


def ahead_text(ahead: Estimate | None) -> str:
    """Return how far an entry is ahead of the next one: `+1.20 ± 0.30, p = 0.012`."""
    if ahead is None:
        return "-"
    text = signed(ahead.value, 2)
    if ahead.is_of_few_deals:
        return f"{text} (few deals)"
    if ahead.standard_error is None or ahead.p_value is None:
        return text
    return f"{text} ± {ahead.standard_error:.2f}, {p_text(ahead.p_value)}"


def interval_text(rating: GroupRating | None) -> str:
    """Return the 95 % interval: `+0.20 to +2.20`."""
    interval = rating.estimate.interval if rating else None
    return "-" if interval is None else f"{signed(interval[0], 2)} to {signed(interval[1], 2)}"


def matches_text(matches: Matches) -> str:
    return f"{matches.won}-{matches.drawn}-{matches.lost}" if matches.over else "-"


def meeting_p_text(meeting: Meeting) -> str:
    """Return the p-value, marked if it could not have been small."""
    if meeting.p_value is None:
        return ""
    return p_text(meeting.p_value) + ("*" if meeting.too_few_deals else "")
