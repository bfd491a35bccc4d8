"""How the skill of a player is told: the loss a choice, its level, and what the levels mean."""

from tentimes18.coach.skill import LEVELS, SkillLevel
from tentimes18.coach.units import Unit, Worth
from tentimes18.show.figures import points
from tentimes18.show.words import amount, words_of

__all__ = ["level_bounds", "level_fact", "skill_text"]


def level_bounds() -> str:
    """Which level loses how much of what random play loses, in a sentence.

    >>> level_bounds()
    'perfect: nothing, master: up to 1%, expert: 3%, advanced: 10%, intermediate: 30%, beginner: more'
    """
    bounds = []
    for place, (name, most) in enumerate(LEVELS):
        bound = "more" if most is None else "nothing" if not most else f"{'up to ' * (place == 1)}{points(100 * most)}%"
        bounds.append(f"{name}: {bound}")
    return ", ".join(bounds)


def level_fact(skill: Worth, unit: Worth) -> str:
    """What stands below the name of a level: the skill against what random play loses a choice.

    >>> level_fact(0.55, 7.2)
    'level: 7.6% of the loss of random play'
    """
    percent = 100 * float(skill / unit)
    shown = f"{percent:.1f}" if percent >= 0.1 or not percent else "<0.1"
    return f"level: {shown}% of the loss of random play"


def skill_text(skill: Worth, unit: Unit, level: SkillLevel | None) -> str:
    """What a choice lost on average, and the level where there is one.

    >>> skill_text(0.55, Unit.points, LEVELS[3])
    '0.55 points lost a choice: advanced'
    """
    lost = f"{amount(skill, unit, is_narrow=True)} {words_of(unit).name} lost a choice"
    return lost if level is None else f"{lost}: {level.name}"
