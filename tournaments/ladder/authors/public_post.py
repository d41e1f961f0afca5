"""A message to an address that an author has given, posted as JSON to the public Internet.

The author could name any host, so that this machine would ask for what only it can reach: its own
services, its network, the addresses at which clouds give keys away. So only `https` is spoken, the
certificate has to be the host's, no proxy is used, nothing is redirected, and of the answer only
the status is read. The addresses of the host are looked up when the connection is made, all of
them have to be public and those of other machines, and the connection is to one of these: a name
that points elsewhere a moment later gains nothing.

Machines inside may have public addresses too, and a firewall before them that this machine is
behind. So what does not show the host's certificate seems not to answer, whatever it does:
otherwise the author could look for open ports there.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

LONGEST_URL = 500
"""The most characters of an address."""

_LONGEST_LINE = 1024
"""The most bytes of the first line of an answer."""

_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: .*)?\r?\n")

_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that stand for an IPv4 address, which is their last four bytes (RFC 6052)."""

_RESERVED = IPv4Network("192.0.0.0/24")
"""Addresses for protocols, some of which Python 3.11 takes for public ones (RFC 6890)."""

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Looks up the addresses of a host and port. Raises OSError."""


class PrivateAddressError(OSError):
    """A host has an address that is not public, or is one of this machine."""


def mistake(url: str) -> str | None:
    """Return why a text cannot be an address to post to; None if it can."""
    expected = "expected a public address as https://example.org/hook"
    if len(url) > LONGEST_URL or not (url.isascii() and url.isprintable()) or " " in url:
        return expected
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return expected
    if not url.startswith("https://") or not host or port == 0 or "@" in parts.netloc:
        return expected
    with suppress(ValueError):
        return None if is_public(host) else expected
    return expected if host == "localhost" or host.endswith(".localhost") else None


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the Internet. Raises ValueError for no IP address."""
    known = ip_address(address)
    if isinstance(known, IPv6Address) and (inner := _within(known)) is not None:
        known = inner
    is_inside = known.is_multicast or known.is_reserved or known in _RESERVED
    if isinstance(known, IPv6Address):
        is_inside |= known.is_site_local
    return known.is_global and not is_inside


def is_own(address: str) -> bool:
    """Return whether an IP address is one of this machine's.

    The services here are open to this machine, though a firewall may keep them from others. Nothing
    is sent: the system says from which address it would.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect((address, 443))
        return bool(asking.getsockname()[0] == address)
    return False  # there is no way to it


def _within(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for; None if there is none."""
    if address in _TRANSLATED:
        return IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]


async def addresses_of(host: str, port: int) -> list[str]:
    """Return the addresses of a host. Raises OSError."""
    loop = asyncio.get_running_loop()
    infos = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in infos]


async def post_publicly(
    url: str,
    message: Mapping[str, object],
    resolve: Resolve = addresses_of,
    context: ssl.SSLContext | None = None,
) -> int:
    """Post a message, and return the status of the answer. Raises OSError.

    The caller limits the time: it lasts for ever if the host does not show its certificate.

    Args:
        url: The address, which has no `mistake`.
        message: The message.
        resolve: Looks up the addresses of the host.
        context: The certificates to trust; None for those of the system.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 443
    try:
        addresses = await resolve(host, port)
    except (OSError, UnicodeError):
        addresses = []
    # It is not said whether a name inside exists.
    if not addresses or not all(is_public(one) and not is_own(one) for one in addresses):
        raise PrivateAddressError(f"{host} has no public address, or another one too")
    reader, writer = await _connected(addresses[0], port, host, context or _certificates())
    try:
        writer.write(
            _request(
                parts.netloc, f"{parts.path or '/'}{'?' * bool(parts.query)}{parts.query}", message
            )
        )
        await writer.drain()
        line = await reader.readline()
    except ValueError:  # the line is too long
        line = b""
    finally:
        writer.transport.abort()
    status = _STATUS.fullmatch(line)
    if status is None:
        raise OSError("what answers speaks no HTTP")
    return int(status[1])


async def _connected(
    address: str, port: int, host: str, context: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection to what shows the certificate of a host; wait for ever if it does not."""
    with suppress(OSError):
        return await asyncio.open_connection(
            address, port, ssl=context, server_hostname=host, limit=_LONGEST_LINE
        )
    # Not only the reason would tell of the port, but also how soon it comes.
    never: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Future()
    return await never


def _request(host: str, target: str, message: Mapping[str, object]) -> bytes:
    body = json.dumps(message).encode()
    head = (
        f"POST {target} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: bridge-arena\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode("ascii") + body


@cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates to trust, which are slow to load."""
    return ssl.create_default_context()
