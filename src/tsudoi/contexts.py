"""The one list of contexts. A new context is a folder with a `context.py`, and a line here."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tsudoi.access.context import CONTEXT as ACCESS
from tsudoi.access.registration import ActiveContexts, Context
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.core.secrets_check import BadSettings, SecretRule
from tsudoi.core.settings import Settings
from tsudoi.events.context import CONTEXT as EVENTS
from tsudoi.gateway.http import Outlet
from tsudoi.line.context import CONTEXT as LINE
from tsudoi.roster.context import CONTEXT as ROSTER

CONTEXTS: tuple[Context, ...] = (EVENTS, LINE, ROSTER, ACCESS)


def active_contexts(settings: Settings, contexts: Iterable[Context] = CONTEXTS) -> tuple[Context, ...]:
    """Those that are always there, and the optional ones that `FEATURES` names; all of them when it is empty."""
    contexts = tuple(contexts)
    known = [context.name for context in contexts if context.optional]
    unknown = [name for name in settings.features if name not in known]
    if unknown:
        raise BadSettings(
            [
                f"FEATURES: 「{name}」という機能はありません / there is no part called {name} → {', '.join(known)}"
                for name in unknown
            ]
        )
    wanted = settings.features or known
    return tuple(context for context in contexts if not context.optional or context.name in wanted)


def required_settings(contexts: Iterable[Context]) -> dict[str, SecretRule]:
    return {name: rule for context in contexts for name, rule in context.required_settings.items()}


@contextmanager
def open_runtime(
    settings: Settings, db: Database, contexts: Iterable[Context] = CONTEXTS, replacements: Iterable[object] = ()
) -> Iterator[Runtime]:
    """The runtime with the clients of every active context. `replacements` stand in for parts of their own class."""
    runtime, stand_ins = Runtime.of(settings, db), {type(part): part for part in replacements}
    active = active_contexts(settings, contexts)
    try:
        runtime.add(ActiveContexts(active))
        runtime.add(stand_ins.get(Outlet) or Outlet(db))
        for context in active:
            for make in context.parts:
                part = make(runtime)
                runtime.add(stand_ins.get(type(part), part))
        yield runtime
    finally:
        runtime.close()
