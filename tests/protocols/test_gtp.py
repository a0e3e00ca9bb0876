"""The grammar of GTP: what commands and answers are, and that nothing breaks it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaux.protocols.gtp import Command, Reply, ReplyReader, format_reply, parse_command
from tests.protocols.wild import WILD_TEXT


@pytest.mark.parametrize(
    "line, command",
    [
        ("genmove black\n", Command("", "genmove", ["black"])),
        ("  12\tplay  b\ta1 # a comment # more\r\n", Command("12", "play", ["b", "a1"])),
        ("007 name", Command("007", "name", [])),
        ("na\x00me\x07", Command("", "name", [])),
        ("5", Command("5", "", [])),
        ("5#", Command("5", "", [])),
        ("-5 name", Command("", "-5", ["name"])),
        ("\u0665 name", Command("", "\u0665", ["name"])),  # a digit, but not of ASCII
        ("", None),
        ("   # nothing", None),
        ("\r\n", None),
    ],
)
def test_commands(line: str, command: Command | None) -> None:
    assert parse_command(line) == command


@pytest.mark.parametrize(
    "number, reply, written",
    [
        ("", Reply(True, ""), "=\n\n"),
        ("3", Reply(True, "D3"), "=3 D3\n\n"),
        ("3", Reply(False, "unknown command"), "?3 unknown command\n\n"),
        ("", Reply(True, "\n  a b\n1 . ."), "=\n  a b\n1 . .\n\n"),
        ("", Reply(True, "one\n\n\ntwo\r"), "= one\ntwo\n\n"),
    ],
)
def test_replies(number: str, reply: Reply, written: str) -> None:
    assert format_reply(Command(number, "name", []), reply) == written


@given(line=WILD_TEXT)
def test_any_line_is_a_command_or_none(line: str) -> None:
    command = parse_command(line)
    if command is not None:
        words = [command.name, *command.arguments]
        assert all(word == "".join(word.split()) for word in words)
        assert not any("#" in word for word in words)


@given(number=st.text("0123456789", max_size=30), accepted=st.booleans(), text=WILD_TEXT)
def test_an_answer_ends_with_its_only_empty_line(number: str, accepted: bool, text: str) -> None:
    written = format_reply(Command(number, "", []), Reply(accepted, text))
    assert written.index("\n\n") == len(written) - 2
    assert written.startswith(f"{'=' if accepted else '?'}{number}")


@given(
    noise=st.lists(st.sampled_from(["", "gogui-gfx: x", "  ", "INFO = 3"])),
    accepted=st.booleans(),
    lines=st.lists(st.text("abz019é.+-", min_size=1), min_size=1),
)
def test_answers_come_back_as_they_were(noise: list[str], accepted: bool, lines: list[str]) -> None:
    reply = Reply(accepted, "\n".join(lines))
    reader = ReplyReader()
    fed = [*noise, *format_reply(Command("", "", []), reply).split("\n")[:-1]]
    assert [found for line in fed if (found := reader.feed(line))] == [reply]


@given(lines=st.lists(WILD_TEXT))
def test_any_lines_can_be_fed(lines: list[str]) -> None:
    reader = ReplyReader()
    for line in lines:
        reply = reader.feed(line)
        assert reply is None or isinstance(reply.text, str)
