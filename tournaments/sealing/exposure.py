"""What an event's format leaves open to bots that are not to be trusted."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.entries import Access
from tournaments.event import Deals, Event, Format, Isolation


def exposures(event: Event) -> Iterator[str]:
    """Say, for an event of sealed deals, by what the authors of its bots could know cards."""
    if not event.is_sealed:
        return
    entries = [each.entry() for each in event.entries]
    # What a program in a sandbox has seen, it cannot tell.
    shut_in = (Access.STARTED,) if event.isolation is Isolation.SANDBOX else ()
    strangers = [each.name for each in entries if not each.ships and each.access not in shut_in]
    if not strangers:
        return
    names = ", ".join(strangers)
    if meets_deals_again(event):
        yield (
            'deals = "same": every match plays the same boards, so that a bot can remember them '
            f'({names}): "barometer" and "fresh" give nobody a board twice'
        )
    if event.format.is_teams:
        yield (
            "a team sits North-South in one room and East-West in the other: whoever runs the bots "
            f"of one ({names}) can lay the hands of both rooms side by side: see docs/security.md"
        )


def meets_deals_again(event: Event) -> bool:
    """Whether an entry can meet a deal in several matches."""
    return (
        event.format.is_teams
        and event.format is not Format.MATCH
        and event.deals is Deals.SAME
        and len(event.entries) > 2
    )
