"""The cards that the format of an event reveals to bots that are not trusted."""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.broadcasts import broadcast_of
from bridge_arena.tournaments.events.entries import Access, Entry
from bridge_arena.tournaments.events.event import Deals, Event, Format


def exposures(event: Event) -> Iterator[str]:
    """Yield, for an event of sealed deals, the ways in which its bots' authors could know cards."""
    if not event.is_sealed:
        return
    # A sandboxed program remembers nothing in the next match.
    is_shut_in = event.isolation is Isolation.SANDBOX
    players = [player for entrant in event.entries for player in entrant.players]
    remote = [each.name for each in players if each.is_elsewhere]
    started = [] if is_shut_in else [each.name for each in players if _is_program(each)]
    if meets_deals_again(event) and (strangers := [*remote, *started]):
        yield (
            'deals = "same": every match plays the same boards, so that a bot can remember them '
            f'({", ".join(strangers)}): "barometer" and "fresh" give nobody a board twice'
        )
    if remote and not broadcast_of(event).after_board:
        yield (
            f'broadcast = "{event.broadcast}": who watches sees hands that others hold or will yet '
            f'play, and can tell the authors of bots ({", ".join(remote)}): "board" shows '
            "them when nobody is to play them any more"
        )
    # Each person has only one seat.
    bots = [each.name for each in players if each.is_elsewhere and each.access is not Access.HUMAN]
    if event.format.is_teams and bots:
        yield (
            "a team sits North-South in one room and East-West in the other: whoever runs the bots "
            f"of one ({', '.join(bots)}) can lay the hands of both rooms side by side: see "
            "docs/security.md"
        )


def _is_program(player: Entry) -> bool:
    """Return whether a player is a program that is started here and does not ship."""
    return not player.is_elsewhere and not player.ships


def meets_deals_again(event: Event) -> bool:
    """Return whether an entry can meet a deal in several matches."""
    return (
        event.format.is_teams
        and event.format is not Format.MATCH
        and event.deals is Deals.SAME
        and len(event.entries) > 2
    )
