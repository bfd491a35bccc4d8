"""Episodes of environments, as tests play them."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Episode(NamedTuple):
    """What an episode brought: the observations, rewards and infos, those of reset first, and the last flags."""

    observations: list[Any]
    rewards: list[float]
    infos: list[dict[str, Any]]
    terminated: bool
    truncated: bool

    @property
    def regret(self) -> float:
        return float(sum(info["regret"] for info in self.infos))

    @property
    def luck(self) -> float:
        return float(sum(info["luck"] for info in self.infos))


def played_episode(env: Any, choose: Callable[[dict[str, Any]], Any], **reset: Any) -> Episode:
    observation, info = env.reset(**reset)
    observations, rewards, infos = [observation], [], [info]
    terminated = truncated = False
    while not (terminated or truncated):
        observation, reward, terminated, truncated, info = env.step(choose(info))
        observations.append(observation)
        rewards.append(reward)
        infos.append(info)
    return Episode(observations, rewards, infos, terminated, truncated)
