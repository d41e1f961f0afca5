"""JSON in pages: it means the same, and nothing in it can end the element that it stands in."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.web.common.pages import embedded

TEXTS = st.text() | st.sampled_from(["</script>", "<!--", "]]>", "&lt;", "\u2028", "\\u003c"])


@given(st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS)))
def test_no_text_can_end_the_script_it_is_embedded_in(document: dict[str, object]) -> None:
    text = embedded(document)
    assert json.loads(text) == document
    assert not set("<>&\u2028\u2029") & set(text)
