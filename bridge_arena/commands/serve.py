"""`arena serve`: an event for remote bots."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError, complain, unusable
from bridge_arena.commands.common.options import (
    BLUECHIP_PORT,
    BOT_PORT,
    LOOPBACK,
    Concurrency,
    Controlled,
    EventPath,
    Host,
    MaxBoards,
    Out,
    Pace,
    Port,
    PublicValue,
    Resume,
    StopAt,
    StoreUrl,
    Web,
    WebHost,
    WebPort,
    WebUrl,
    given_words,
    port_option,
    stop_of,
    tables_at_once,
)

if TYPE_CHECKING:
    import ssl

    from bridge_arena.tournaments import Event
    from bridge_arena.tournaments.events.tokens import Tokens


def serve(
    file: EventPath,
    out: Out = None,
    resume: Resume = False,  # noqa: FBT002
    store: StoreUrl = None,
    public_value: PublicValue = "",
    control: Controlled = None,
    concurrency: Concurrency = None,
    pace: Pace = 0.0,
    stop_at: StopAt = None,
    max_boards: MaxBoards = None,
    host: Host = LOOPBACK,
    port: Port = BOT_PORT,
    bluechip_port: Annotated[int, port_option("port for Blue Chip programs")] = BLUECHIP_PORT,
    cert: Annotated[
        Path | None, typer.Option(metavar="PEM", help="use TLS with this certificate")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="PEM", help="the certificate's private key")
    ] = None,
    tokens: Annotated[
        Path | None,
        typer.Option(
            help="file of the tokens that arena token made; default: EVENT.tokens.json",
            metavar="FILE",
        ),
    ] = None,
    web: Web = False,  # noqa: FBT002
    web_host: WebHost = LOOPBACK,
    web_port: WebPort = 0,
    web_url: WebUrl = "",
    quiet: Annotated[  # noqa: FBT002
        bool,
        typer.Option("--quiet", help="print only warnings between start and report"),
    ] = False,
) -> None:
    """Serve an event: wait for remote bots, start the others, play.

    The result of each board is kept at once. After an interruption --resume goes on with the
    event, and bots that still run connect again by themselves. The server answers health checks
    at /health, and has figures for Prometheus at /metrics, on the same port.

    Examples:
        arena serve cup.toml --out runs/cup
        arena serve cup.toml --host 0.0.0.0 --cert cert.pem --key key.pem --web
    """
    from bridge_arena.commands.common.event_file_runs import FileRunOptions, read, run_event
    from bridge_arena.commands.common.web import is_loopback, passwordless, say, web_options
    from bridge_arena.tournaments import Access
    from bridge_arena.tournaments.events.tokens import Tokens, tokens_path
    from bridge_arena.tournaments.play.venue import PublicEndpoint, VenueOptions

    pages = web_options(web=web, host=web_host, port=web_port, url=web_url)
    definition = read(file)
    event = definition.event
    if event.seed is not None and not event.practice:
        raise UnusableError(
            f"{file}: event.seed: whoever guesses it knows all boards: leave it out, or say that "
            "it is for practice alone: practice = true"
        )
    kept = Tokens(tokens or tokens_path(file))
    _check_tokens(event, kept, file)
    tls = _tls(cert, key)
    if tls is None and not is_loopback(host):
        print(
            f"arena: tokens and cards travel unencrypted to {host}: give --cert and --key",
            file=sys.stderr,
        )
    programs = any(player.access is Access.BLUECHIP for player in event.players)
    if programs and not is_loopback(host):
        complain(passwordless(host, bluechip_port))
    public = PublicEndpoint(
        host=host,
        port=port,
        tls=tls,
        owner=kept.owner,
        bluechip_port=bluechip_port if programs else None,
        announce=say,
        tell=None if quiet else say,
    )
    files = [path for path in (cert, key, tokens) if path is not None]
    words = given_words(
        {
            "--host": (host, LOOPBACK),
            "--port": (port, BOT_PORT),
            "--bluechip-port": (bluechip_port, BLUECHIP_PORT),
            "--concurrency": (concurrency, None),
            "--pace": (pace, 0.0),
            "--cert": (cert, None),
            "--key": (key, None),
            "--tokens": (tokens, None),
            "--quiet": (quiet, False),
        }
    )
    options = FileRunOptions(
        out, resume, store, control, public_value, pages, words, stop_of(stop_at, max_boards)
    )
    venue = VenueOptions(tables_at_once(concurrency), public=public, hidden=files, pace=pace)
    run_event("serve", file, definition, options, venue)


def _check_tokens(event: Event, tokens: Tokens, file: Path) -> None:
    """Check that every remote bot has a token. Raises UnusableError."""
    from bridge_arena.tournaments import Access
    from bridge_arena.tournaments.events.tokens import TokensError

    with unusable(TokensError):
        for player in event.players:
            if player.access is Access.REMOTE and not tokens.has(player.name):
                raise UnusableError(
                    f"{player.name} has no token: arena token {file} {player.name!r}"
                )


def _tls(cert: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """Return the TLS context of a certificate; None without one. Raises UnusableError."""
    import ssl

    if cert is None and key is None:
        return None
    if cert is None:
        raise UnusableError("--key needs --cert")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key, _no_password)
    except _EncryptedError:
        raise UnusableError(f"{key or cert}: the private key is encrypted") from None
    except ssl.SSLError as error:
        why = f" ({error.reason})" if error.reason else ""
        raise UnusableError(f"{cert}: no certificate and key in PEM{why}") from None
    except OSError as error:
        raise UnusableError(f"{cert} or {key or 'its key'}: {error.strerror}") from None
    return context


class _EncryptedError(Exception):
    """The private key is encrypted with a password."""


def _no_password() -> str:
    """Refuse to ask for the password of an encrypted key: there may be nobody to type it."""
    raise _EncryptedError
