"""The documentation builds without a warning, and a broken link fails."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINKS = """\
# Links

[a page](reference/commands.md), [a lost page](reference/lost.md), [a lost heading](reference/commands.md#lost),
[a figure](reference/figures.md#win-share), ![a lost picture](images/lost.png).
"""


@pytest.mark.slow("builds the site")
def test_a_broken_link_fails_and_nothing_else(tmp_path: Path) -> None:
    sources, built = tmp_path / "docs", tmp_path / "documentation"
    shutil.copytree(ROOT / "docs", sources)
    (sources / "broken.md").write_text(LINKS)
    index = (sources / "index.md").read_text()
    (sources / "index.md").write_text(f"{index}\n```{{toctree}}\nbroken\n```\n")
    flags = ["-qW", "--keep-going", "-n", "-b", "html", "-c", str(ROOT / "docs")]
    command = [sys.executable, "-m", "sphinx", *flags, "-d", str(tmp_path / "trees"), str(sources), str(built)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    warnings = [line for line in done.stderr.splitlines() if "WARNING" in line]
    assert done.returncode == 1, done.stderr
    assert [line for line in warnings if "broken.md" not in line] == []
    assert sorted(re.findall(r"lost[.\w]*", " ".join(warnings))) == ["lost", "lost.md", "lost.png"]
    assert 'id="win-share"' in (built / "reference" / "figures.html").read_text()
