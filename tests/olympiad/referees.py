"""The referee of every event: the whole list of the client but for backgammon, which has dice."""

from tests.olympiad.connections import Havannah, Hex
from tests.olympiad.quoridor import Quoridor
from tests.olympiad.referee import Amazons, Ataxx, Breakthrough, Clobber, Referee, from_top, from_zero
from tests.reference.arimaa import Arimaa
from tests.reference.canadian_draughts import Draughts
from tests.reference.connect6 import Connect6
from tests.reference.lines_of_action import LinesOfAction
from tests.reference.othello import Othello
from tests.reference.outer_open_gomoku import OuterOpenGomoku
from tests.reference.santorini import Santorini
from tests.reference.shobu import Shobu
from tests.reference.surakarta import Surakarta
from tests.reference.xiangqi import Xiangqi

REFEREES = {
    **{f"othello{n}": Referee(Othello(n), write=from_top(n)) for n in (8, 10, 16)},
    **{f"hex{n}": Referee(Hex(n)) for n in (11, 13, 19)},
    **{f"havannah{n}": Referee(Havannah(n)) for n in (8, 10)},
    "breakthrough": Referee(Breakthrough()),
    "clobber": Referee(Clobber()),
    "amazons": Referee(Amazons()),
    "lines_of_action": Referee(LinesOfAction(repetitions=3, limit=0)),
    "santorini": Referee(Santorini()),
    "surakarta": Referee(Surakarta()),
    "outer_open_gomoku": Referee(OuterOpenGomoku()),
    "ataxx": Referee(Ataxx()),
    "connect6": Referee(Connect6()),
    "international_draughts": Referee(Draughts(10, olympiad=True)),
    "brazilian_draughts": Referee(Draughts(8, olympiad=True)),
    "canadian_draughts": Referee(Draughts(12, olympiad=True)),
    "chinese_chess": Referee(Xiangqi(olympiad=True), write=from_zero),
    "quoridor": Referee(Quoridor()),
    "arimaa": Referee(Arimaa(occurrences=4)),
    "shobu": Referee(Shobu()),
}
