"""The thoughts of players in board documents."""

from __future__ import annotations

from bridge_arena.bridge.record import RecordedThought
from bridge_arena.protocol.messages import ThoughtShown
from bridge_arena.web.board.document import Candidate, Thought


def told_thought(thought: RecordedThought | ThoughtShown) -> Thought:
    """Return a thought for the document, without its empty parts."""
    told = Thought()
    if thought.text:
        told["text"] = thought.text
    if thought.candidates:
        told["candidates"] = [
            Candidate(action=str(action), value=round(value, 3))
            for action, value in thought.candidates.items()
        ]
    if thought.layouts is not None:
        told["layouts"] = thought.layouts
    if thought.depth is not None:
        told["depth"] = thought.depth
    if thought.seconds is not None:
        told["seconds"] = round(thought.seconds, 2)
    return told
