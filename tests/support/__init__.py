"""What several tests share."""

from pathlib import Path

import tentimes18

SOURCE = Path(tentimes18.__file__).parent
ROOT = SOURCE.parents[1]
