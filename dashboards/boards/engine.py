"""Run the replay player's JavaScript modules (assets/replay) without a browser, in QuickJS."""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from posixpath import dirname, join, normpath
from threading import Lock, stack_size
from typing import Any, Final

import quickjs

__all__ = ["LOADER", "MODULES", "SPECIFIER", "DrawingError", "ModuleError", "defined", "needed", "resolved", "run"]


MODULES: Final = Path(__file__).parent.parent / "assets" / "replay"
SPECIFIER: Final = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}/[\w./-]+\.js)\2""")
COMMENT: Final = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)
IMPORT: Final = re.compile(r"^import\s*(\{[^}]*\})\s*from\s*([^;\n]+);?", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
LOADER: Final = """\
const $made = {}, $known = {};
function $define(name, make) { $made[name] = make; }
function $need(name) { return ($known[name] ??= $made[name]()); }
"""
"""JavaScript functions that define and load the modules that `defined` returns."""


class ModuleError(Exception):
    """Error for a module with syntax that `defined` cannot turn into a script."""


def resolved(specifier: str, module: str) -> str:
    """Return the module that `specifier` means in `module`: `../drawing/dom.js` is `drawing/dom.js`."""
    return normpath(join(dirname(module), specifier))


@cache
def needed(entry: str) -> tuple[str, ...]:
    """Return `entry` and all modules that it imports, directly or indirectly."""
    found, waiting = set[str](), [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            code = COMMENT.sub("", (MODULES / name).read_text("utf-8"))
            waiting += [resolved(to, name) for _, _, to in SPECIFIER.findall(code)]
    return tuple(sorted(found))


def defined(name: str, text: str) -> str:
    """Wrap a module in a function that runs when the module is first needed.

    Line numbers stay the same, so that errors name the right line.
    """

    def reference(found: re.Match[str]) -> str:
        return f"$need({json.dumps(resolved(found[3], name))})"

    exported = EXPORT.findall(text)
    code = IMPORT.sub(
        lambda found: f"const {_renamed(found[1])} = {SPECIFIER.sub(reference, f'from {found[2]}')};", text
    )
    code = SPECIFIER.sub(lambda found: f"Promise.resolve({reference(found)}", EXPORT.sub("", code))
    if strange := LEFT.search(code):
        raise ModuleError(f"{name}: cannot be part of a script: {strange[0]}")
    return f'$define({json.dumps(name)}, () => {{ "use strict"; {code}\nreturn {{ {", ".join(exported)} }}; }});'


def _renamed(names: str) -> str:
    return re.sub(r"\s+as\s+", ": ", names)


ENTRY: Final = "print/print.js"
SECONDS: Final = 10
"""Maximum CPU time of a call in seconds; the CPU time of the whole process counts."""
MEMORY: Final = 256 << 20
STACK: Final = 1 << 20
THREAD_STACK: Final = 8 << 20
RUNNER: Final = """
let $answer;
function $run(entry, name, value) {
  $answer = undefined;
  const failed = (error) => ($answer = JSON.stringify({ failed: `${error}\\n${error?.stack ?? ""}` }));
  const done = (found) => ($answer = JSON.stringify({ found: found ?? null }));
  Promise.resolve().then(() => $need(entry)[name](JSON.parse(value))).then(done, failed);
}
"""


class DrawingError(Exception):
    """Error for a drawing that failed or exceeded its limits of time or memory."""


def run(function: str, value: Any) -> Any:
    """Call a function of `print/print.js` with a JSON value; return its result, awaited if it is a promise.

    `DrawingError` names the failure and its place.
    """
    with _starting:
        worker = _worker()
    return worker.submit(_drawn, function, json.dumps(value)).result()


_starting: Final = Lock()
_contexts: Final[list[Any]] = []
"""The JavaScript context; empty until the worker thread creates it. Only that thread uses it."""


@cache
def _worker() -> ThreadPoolExecutor:
    before = stack_size(THREAD_STACK)
    try:
        worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="drawing")
        worker.submit(int).result()  # starts the thread now, while the larger stack size is set
    finally:
        stack_size(before)
    return worker


def _drawn(function: str, value: str) -> Any:
    context = _contexts.pop() if _contexts else _context()
    found = _called(context, function, value)
    _contexts.append(context)
    return found


def _context() -> Any:
    """Return a JavaScript context with all modules defined."""
    context = quickjs.Context()
    context.set_memory_limit(MEMORY)
    context.set_max_stack_size(STACK)
    context.set_time_limit(SECONDS)
    context.eval(LOADER + RUNNER)
    for name, code in _modules().items():
        _guarded(name, partial(context.eval, code))
    return context


def _called(context: Any, function: str, value: str) -> Any:
    _guarded(ENTRY, partial(context.get("$run"), ENTRY, function, value))
    while _guarded(ENTRY, context.execute_pending_job):
        pass
    answer = context.eval("$answer")
    if answer is None:
        raise DrawingError(f"{ENTRY}: {function} waits for what never comes")
    result: dict[str, Any] = json.loads(answer)
    if "failed" in result:
        raise DrawingError(_words(result["failed"]))
    return result["found"]


def _guarded(what: str, act: Callable[[], Any]) -> Any:
    try:
        return act()
    except quickjs.JSException as error:
        raise DrawingError(f"{what}: {_words(str(error))}") from None


def _words(failed: str) -> str:
    """Return the failure as text; the engine throws null if it has no memory left for an error."""
    return "InternalError: out of memory" if failed.strip() == "null" else failed.strip()


@cache
def _modules() -> dict[str, str]:
    """Return the script of each module that the entry module needs, by module name."""
    try:
        return {name: f"{defined(name, (MODULES / name).read_text('utf-8'))} 0" for name in needed(ENTRY)}
    except ModuleError as error:
        raise DrawingError(str(error)) from None
