"""The values of `bridge` in messages: they travel as the text that bridge players write.

Each type here is the `bridge` type, read from its text when a message is validated and written as
its text when a message is encoded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
)
from pydantic_core import core_schema

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import SUITS, Card, Deal, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import ModelUse
from bridge_arena.bridge.seats import Seat, Vulnerability

T = TypeVar("T")


def about(meaning: str, **limits: Any) -> Any:
    """Return what is said of a field: its meaning, for the documents, and limits as of `Field`."""
    return Field(description=meaning, **limits)


def _reader(kind: type[T], parse: Callable[[str], T]) -> PlainValidator:
    def read(value: object) -> T:
        if isinstance(value, str):
            return parse(value)
        if isinstance(value, kind):
            return value
        raise ValueError(f"expected text, received {type(value).__name__}")

    return PlainValidator(read)


def _text(pattern: str, example: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern, "examples": [example]})


@dataclass(frozen=True, slots=True)
class _SchemaOf:
    """The JSON schema of a model, for a value that travels as that model's map, made if needed."""

    model: type[BaseModel]

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        del schema, handler
        return self.model.model_json_schema()


_AS_TEXT = PlainSerializer(str, return_type=str)


WireNumber = Annotated[int, Field(strict=True)]
"""A whole number: not 1.0, nor "1", nor true, which to Python is a number too."""

WireInt = Annotated[WireNumber, Field(ge=0, lt=2**53)]
"""A whole number from 0, small enough for every language and msgpack to hold exactly."""

WireSeat = Annotated[Seat, _reader(Seat, Seat.parse), _AS_TEXT, _text("^[NESW]$", "N")]
WireVulnerability = Annotated[
    Vulnerability,
    _reader(Vulnerability, Vulnerability.parse),
    _AS_TEXT,
    _text("^(None|NS|EW|All)$", "NS"),
]
WireCall = Annotated[
    Call, _reader(Call, Call), _AS_TEXT, _text("^(Pass|X|XX|[1-7](C|D|H|S|NT))$", "3NT")
]
WireCard = Annotated[Card, _reader(Card, Card), _AS_TEXT, _text("^[SHDC][2-9TJQKA]$", "SA")]
WireHand = Annotated[
    Hand,
    _reader(Hand, Hand.parse),
    _AS_TEXT,
    _text("^[2-9TJQKA]*([.][2-9TJQKA]*){3}$", "AK3.T9854.T.K832"),
]
WireDeal = Annotated[
    Deal,
    _reader(Deal, Deal.parse),
    _AS_TEXT,
    _text("^[NESW]:.+$", "N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65"),
]


WireRange = tuple[WireNumber, WireNumber]

TEXT_LIMIT = 500
"""The most characters of an explanation's text; a longer one, for example from a file, is cut."""


WireAction = Annotated[str, Field(pattern="^(Pass|X|XX|[1-7](C|D|H|S|NT)|[SHDC][2-9TJQKA])$")]
"""A call or a card, as text."""

WireReal = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""A finite number, with a fraction or without."""


class ExplanationModel(BaseModel):
    """An explanation as a map; what is absent promises nothing."""

    model_config = ConfigDict(extra="ignore", defer_build=True)

    text: Annotated[str, about("what the call means, for people", max_length=TEXT_LIMIT)] = ""
    hcp: Annotated[WireRange | None, about("high-card points, lowest and highest")] = None
    lengths: Annotated[
        dict[Annotated[str, Field(pattern="^[SHDC]$")], WireRange],
        about("cards in a suit (S, H, D, C), fewest and most"),
    ] = {}
    forcing: Annotated[bool, about("partner may not pass")] = False
    artificial: Annotated[bool, about("not natural")] = False


def _read_explanation(value: object) -> Explanation:
    if isinstance(value, Explanation):
        return value
    shape = ExplanationModel.model_validate(value)
    lengths = {suit: shape.lengths[suit.letter] for suit in SUITS if suit.letter in shape.lengths}
    return Explanation(shape.text, shape.hcp, lengths, shape.forcing, shape.artificial)


def write_explanation(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as the map that travels."""
    lengths = {suit.letter: length for suit, length in explanation.lengths.items()}
    shape = ExplanationModel(
        text=explanation.text[:TEXT_LIMIT],
        hcp=explanation.hcp,
        lengths=lengths,
        forcing=explanation.forcing,
        artificial=explanation.artificial,
    )
    return shape.model_dump(exclude_defaults=True)


WireExplanation = Annotated[
    Explanation,
    PlainValidator(_read_explanation),
    PlainSerializer(write_explanation),
    _SchemaOf(ExplanationModel),
]


MOST_COUNTED = 10**9
"""The highest number that a bot may have counted."""

MOST_MONEY = 1e6
"""The most money that a bot may say that it has spent at a turn."""

WireCount = Annotated[int, Field(strict=True, ge=0, le=MOST_COUNTED)]
"""A number that a bot has counted."""


class ModelUseModel(BaseModel):
    """An account of questions to a language model as a map; what is absent is 0 or not so."""

    model_config = ConfigDict(extra="ignore", defer_build=True)

    questions: Annotated[WireCount, about("questions to the service")] = 0
    unreadable: Annotated[WireCount, about("answers that named no action")] = 0
    illegal: Annotated[WireCount, about("answers that named an illegal action")] = 0
    failed: Annotated[WireCount, about("questions that got no answer")] = 0
    answered: Annotated[bool, about("the last answer is the bot's action")] = False
    same: Annotated[
        bool | None, about("once more asked the same, it named the same action; absent: not asked")
    ] = None
    tokens_in: Annotated[WireCount, about("tokens of all questions")] = 0
    tokens_out: Annotated[WireCount, about("tokens of all answers")] = 0
    money: Annotated[
        WireReal, about("their price, in a currency of the bot's own", ge=0, le=MOST_MONEY)
    ] = 0.0
    seconds: Annotated[WireReal, about("how long the bot waited for the service", ge=0, le=1e6)] = (
        0.0
    )


def _read_model_use(value: object) -> ModelUse:
    if isinstance(value, ModelUse):
        return value
    return ModelUse(**dict(ModelUseModel.model_validate(value)))


def write_model_use(use: ModelUse) -> dict[str, Any]:
    """Return an account as the map that travels."""
    return ModelUseModel(**use.said).model_dump(exclude_defaults=True)


WireModelUse = Annotated[
    ModelUse,
    PlainValidator(_read_model_use),
    PlainSerializer(write_model_use),
    _SchemaOf(ModelUseModel),
]
