"""The token of a bearer in an HTTP header (RFC 6750, 2.1)."""

from __future__ import annotations


def bearer_token(header: str) -> str:
    """Return the token of an `Authorization` header.

    Args:
        header: The value of the header.

    Returns:
        The token; empty if the header is of another scheme. The case of the scheme does not matter
        (RFC 9110, 11.1).
    """
    scheme, _, token = header.partition(" ")
    return token.lstrip() if scheme.lower() == "bearer" else ""
