"""The policy of the arena's pages: a browser may load what is beside them, and nothing else."""

from __future__ import annotations

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy in the form that a page itself can contain."""

HEADERS = {
    "content-security-policy": f"{POLICY}; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    # Pages of strangers may neither read the answers nor run the scripts of a server.
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""The headers of every answer of a server."""
