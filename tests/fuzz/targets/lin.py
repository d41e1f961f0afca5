"""The tolerant reader of LIN and of handviewer links: any bytes are a file, or a link."""

from __future__ import annotations

from io import BytesIO

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lin.handviewer import ADDRESS, hands_link, lin_link, read_link
from bridge_arena.lin.reader import TableReader
from bridge_arena.lin.records import meaning_of, read_records
from bridge_arena.lin.writer import format_records
from tests.fuzz.room import ordinary


def check(data: bytes) -> None:
    """The bytes as a file and as a link: what was read is written so that it reads the same."""
    for table in TableReader(BytesIO(data), "fuzz.lin"):
        meaning = meaning_of(table)
        assert (meaning.record is None) != (meaning.error is None)
        assert all(str(each).startswith("fuzz.lin:") for each in meaning.deviations)
        if meaning.record is None:
            continue
        (once,) = read_records(BytesIO(_written(meaning.record)))
        (twice,) = read_records(BytesIO(_written(once)))
        assert once == twice
        assert (once.board, once.cards) == (meaning.record.board, meaning.record.cards)
    text = data.decode("latin-1")
    for link in (text, f"{ADDRESS}?lin={text}", f"{ADDRESS}?{text}"):
        try:
            for record in read_link(link):
                read_link(lin_link(record))
                read_link(hands_link(record))
        except RecordedTextError as error:
            if not str(error).startswith("<link>"):
                raise


def seeds() -> list[bytes]:
    """Boards as the arena writes them, and texts like those that people have."""
    return [*(_board(number) for number in range(4)), *(text.encode() for text in _TEXTS)]


def _board(number: int) -> bytes:
    """The file of a board that was played."""
    room = ordinary(number)
    room.lawfully()
    return _written(room.table.record(("a", "b", "c", "d")))


def _written(record: BoardRecord) -> bytes:
    return "".join(format_records([record])).encode()


_DEAL = "SQ982HQ82DKQ763CT,SJ643HKJ7653DCAQ4,SK5HADAJT52CJ9762,"
_TEXTS = (
    f"""vg|Cup,Final,I,1,2,Reds,12,Blues,0|
rs|3NN-1,3NN=,PASS,4HWx+1|
pn|s,w,n,e,S,W,N,E|pg||
qx|o1|st||md|1{_DEAL}|sv|n|mb|p|mb|1H!|an|5+ !h|nt|ann: hi|pg||
mb|2Np3Nap|pc|h4|pc|H2HJ|pc|ha|pg||mc|8|pg||
qx|c1|mb|1S|mb|1H|
qx|o2|md|{_DEAL}|mb|p|mb|p|mb|p|mb|p|
""",
    f"pn|a,b,c,d|md|3{_DEAL}|ah|Board 7|sv||an|weak|mb|2S|mb|?|pg|mb|p|||junk|pc|SA",
    f"lin=md%7C1{_DEAL}%7Csv%7Cb%7Cmb%7C1N%7Can%7C15+%2B",
    "s=sq982hq82dkq763ct&w=sj643hkj7653dcaq4&n=sk5hadajt52cj9762&d=s&v=-&b=1&a=p1h!(x)2n&p=h4&c=9",
)
