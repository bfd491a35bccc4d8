"""The picture of `ten18 play` in a terminal, from the program's own screen."""

from contextlib import suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from tentimes18.cli.play_commands import play_on
from tentimes18.cli.terminal.board_screen import Note, View, screen_lines
from tentimes18.cli.terminal.screen import WIDTH, Action, Dialogue, Left, invitation
from tentimes18.game import Game
from tentimes18.play.game_in_play import Coach, GameInPlay, Settings
from tentimes18.records.history import History

SEED = 18
SLOTS = (5, 2, 6, 10)
HEIGHT = 30
BLACK, WHITE = (24, 26, 30), (222, 222, 218)
COLOURS = [(226, 106, 84), (140, 190, 120), (222, 180, 90), (110, 165, 215), (190, 140, 200), (100, 190, 190)]
THEME = TerminalTheme(BLACK, WHITE, [BLACK, *COLOURS, WHITE], [(130, 130, 128), *COLOURS, (255, 255, 255)])
FORMAT = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>ten18 play in a terminal</title>
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px; }}
.{unique_id}-title {{ font: bold 18px "DejaVu Sans", Arial, sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


class Recorder(Dialogue):
    """A player who places some rolls, and leaves with a picture of the screen."""

    def __init__(self, screen: Console) -> None:
        super().__init__(screen)
        self.slots = iter(SLOTS)
        self.notes: list[Note] = []

    def tell(self, text: str, style: str = "") -> None:
        """See `Dialogue`."""
        self.notes.append(Note(text, style))

    def choose(self, view: View) -> Action:
        """See `Dialogue`."""
        slot = next(self.slots, None)
        if slot is None:
            for line in screen_lines(view, self.notes, self.width, HEIGHT):
                self.screen.print(line)
            self.screen.print(invitation(view, self.width), style="dim", end="")
            raise Left
        self.notes.clear()
        return slot


def terminal_svg() -> str:
    """A game against `optimal` in its fifth round, the coach saying all."""
    screen = Console(
        file=StringIO(), record=True, width=WIDTH, force_terminal=True, color_system="truecolor", highlight=False
    )
    settings = Settings(Game.classic(), seed=SEED, coach=Coach.full, against="optimal")
    with TemporaryDirectory() as folder:
        game = GameInPlay(settings, History(Path(folder)))
        with suppress(Left):
            play_on(game, Recorder(screen))
        game.leave()
    return screen.export_svg(title="ten18 play", theme=THEME, code_format=FORMAT, unique_id="ten18")
