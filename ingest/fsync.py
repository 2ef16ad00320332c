"""What is written stays, whatever happens to the power."""

import os
from pathlib import Path

__all__ = ["sync"]


def sync(path: Path) -> None:
    """Have the disk hold a file, or a folder's names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
