"""Links that open pages once, and the secrets of browsers that have used one."""

from __future__ import annotations

from bridge_arena.web.common.doors import SecretLinks

ANN = "Ann (S)"
BOB = "Bob (N)"


def test_the_first_browser_has_the_seat_and_no_other() -> None:
    links = SecretLinks()
    secret = links.create(ANN)
    assert links.is_good(secret)
    assert links.is_good(secret), "to look takes nothing"
    shown = links.use(secret)
    assert shown is not None
    assert links.person(shown) == ANN
    assert not links.is_good(secret)
    assert links.use(secret) is None


def test_each_seat_has_secrets_of_its_own() -> None:
    links = SecretLinks()
    ann, bob = links.use(links.create(ANN)), links.use(links.create(BOB))
    assert ann is not None
    assert bob is not None
    assert (links.person(ann), links.person(bob)) == (ANN, BOB)


def test_a_link_is_no_pass_and_a_pass_no_link() -> None:
    links = SecretLinks()
    secret = links.create(ANN)
    assert links.person(secret) is None
    shown = links.use(secret)
    assert shown is not None
    assert not links.is_good(shown)
    assert links.use(shown) is None


def test_guessed_text_opens_no_seat() -> None:
    links = SecretLinks()
    links.create(ANN)
    for guess in ("", "a", "\udcff", "../seat/", "A" * 32):
        assert links.use(guess) is None
        assert links.person(guess) is None


def test_secrets_are_kept_as_hashes_only() -> None:
    links = SecretLinks()
    secret = links.create(ANN)
    assert secret not in repr(vars(links))
    shown = links.use(secret)
    assert shown is not None
    assert shown not in repr(vars(links))


def test_a_link_for_nobody_by_name_is_for_whoever_uses_it() -> None:
    links = SecretLinks()
    named, unnamed = links.create(ANN), links.create()
    shown = [links.use(secret, BOB) for secret in (named, unnamed)]
    assert [links.person(one or "") for one in shown] == [ANN, BOB]
