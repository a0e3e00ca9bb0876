"""Texts that nobody should send, and bytes that are none."""

from hypothesis import strategies as st

WILD_BYTES = st.binary(max_size=200)
WILD_TEXT = WILD_BYTES.map(lambda data: data.decode("utf-8", "replace")) | WILD_BYTES.map(
    lambda data: data.decode("latin-1")
)
