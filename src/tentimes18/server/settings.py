"""How a service is run: where it keeps things, its secret, its limits. The same in all of its processes.

Processes of one service share their settings through the environment: `Service.environment` gives what
`Service.from_environment` reads.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

from tentimes18.errors import Ten18Error
from tentimes18.files import DATA_VARIABLE, data_folder

DATABASE_VARIABLE = "TEN18_DATABASE_URL"
SECRET_VARIABLE = "TEN18_SECRET"
OLD_SECRET_VARIABLE = "TEN18_OLD_SECRET"
HOSTS_VARIABLE = "TEN18_HOSTS"
PROXY_VARIABLE = "TEN18_BEHIND_PROXY"
COMMIT_VARIABLE = "TEN18_MOST_IN_A_COMMIT"
METRICS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The folder where the processes of one run keep their metrics for each other: prometheus_client reads it."""
SITE_VARIABLE = "TEN18_SITE"
SWITCHES = {
    "has_rate_limits": ("TEN18_RATE_LIMIT", True),
    "is_behind_proxy": (PROXY_VARIABLE, False),
    "has_access_log": ("TEN18_ACCESS_LOG", True),
    "makes_tables": ("TEN18_TABLES", True),
}
"""By setting, the variables that are on or off, and what counts where they are not set."""

DATABASE_FILE = "service.sqlite"
SECRET_FILE = "secret"
SECRET_BYTES = 32
MIN_SECRET = 32  # characters
MAX_IN_A_COMMIT = 256
DRIVERS = {
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "sqlite": "sqlite",
}


def own_site() -> Path | None:
    """The folder where the documentation is built, for a service that runs from a clone of the project; else None.

    >>> own_site().name
    'site'
    """
    source = Path(__file__).resolve().parents[2]
    is_clone = source.name == "src" and (source.parent / "pyproject.toml").is_file()
    return source.parent / "site" if is_clone else None


@dataclass(frozen=True, slots=True)
class Service:
    data: Path
    secret: bytes = field(repr=False)
    given_database: str | None = field(default=None, repr=False)
    """The address of a database, which may hold a password; None for the file in the data folder."""
    has_rate_limits: bool = True
    is_behind_proxy: bool = False  # whether the next hop is a proxy of ours, whose word on address and TLS is taken
    old_secret: bytes | None = field(default=None, repr=False)
    """The secret before a rotation: cookies that it signed are still good."""
    hosts: tuple[str, ...] = ()  # the names that a request may ask for in Host; without any, the middleware has a rule
    has_access_log: bool = True
    max_in_a_commit: int = MAX_IN_A_COMMIT
    makes_tables: bool = False
    """Whether it has the tables of duels made that are not there, which takes a process, a minute and a gigabyte."""
    site: Path | None = field(default_factory=own_site)
    """The folder of the documentation, where it was built; None where nobody knows one."""

    @property
    def database_url(self) -> str:
        if not self.given_database:
            return f"sqlite:///{self.data / DATABASE_FILE}"
        scheme, colon, rest = self.given_database.partition(":")
        if scheme not in DRIVERS or not colon:
            accepted = "postgresql://user:password@host/name, or sqlite:///file"
            raise Ten18Error(f"not the address of a database; accepted: {accepted}", DATABASE_VARIABLE)
        return f"{DRIVERS[scheme]}:{rest}"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Service":
        """The settings that the environment holds; makes the folder and the secret where there are none."""
        folder = Path(text) if (text := environment.get(DATA_VARIABLE)) else data_folder()
        old = environment.get(OLD_SECRET_VARIABLE)
        most = environment.get(COMMIT_VARIABLE) or str(MAX_IN_A_COMMIT)
        if not most.isdecimal() or not 1 <= int(most[:9]) <= 10**6:
            raise Ten18Error("not a number from 1 to 1,000,000", COMMIT_VARIABLE, most)
        return cls(
            data=folder,
            secret=read_secret(folder, environment),
            old_secret=_long_enough(old.encode(), OLD_SECRET_VARIABLE) if old else None,
            hosts=tuple(environment.get(HOSTS_VARIABLE, "").lower().replace(",", " ").split()),
            given_database=environment.get(DATABASE_VARIABLE) or None,
            max_in_a_commit=int(most),
            site=Path(site) if (site := environment.get(SITE_VARIABLE)) else own_site(),
            **{field: _switch(environment, *switch) for field, switch in SWITCHES.items()},
        )

    def environment(self) -> dict[str, str]:
        return {
            DATA_VARIABLE: str(self.data),
            DATABASE_VARIABLE: self.given_database or "",
            OLD_SECRET_VARIABLE: (self.old_secret or b"").decode(),
            HOSTS_VARIABLE: " ".join(self.hosts),
            COMMIT_VARIABLE: str(self.max_in_a_commit),
            SITE_VARIABLE: "" if self.site is None else str(self.site),
            **{variable: "on" if getattr(self, field) else "off" for field, (variable, _) in SWITCHES.items()},
        }


def readable_by_others(folder: Path) -> list[Path]:
    """The secret and the database, where other users of the machine can open them."""
    paths = [folder / SECRET_FILE, folder / DATABASE_FILE] if os.name != "nt" else []
    return [path for path in paths if path.is_file() and path.stat().st_mode & 0o077]


def read_secret(folder: Path, environment: Mapping[str, str] = os.environ) -> bytes:
    """What cookies are signed with: from the environment, or a file in the folder, made at the first start."""
    if text := environment.get(SECRET_VARIABLE):
        return _long_enough(text.encode(), SECRET_VARIABLE)
    path = folder / SECRET_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Written under another name and then linked: of two that start at once, one wins, and both read the same.
        part = folder / f".{token_hex(8)}.part"
        try:
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(token_hex(SECRET_BYTES).encode())
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(part, path)
        finally:
            part.unlink(missing_ok=True)
        return _long_enough(path.read_bytes().strip(), str(path))
    except OSError as error:
        if path.is_file() and os.access(path, os.R_OK):  # a folder that can only be read
            return _long_enough(path.read_bytes().strip(), str(path))
        raise Ten18Error(f"the secret cannot be stored there: {error.strerror or error}", "data", str(folder)) from None


def _long_enough(secret: bytes, where: str) -> bytes:
    if len(secret) < MIN_SECRET:
        raise Ten18Error(f"the secret is too short; accepted: at least {MIN_SECRET} random characters", where)
    return secret


def _switch(environment: Mapping[str, str], name: str, default: bool) -> bool:
    text = environment.get(name) or ("on" if default else "off")
    if text not in ("on", "off"):
        raise Ten18Error("accepted: on, off", name, text)
    return text == "on"
