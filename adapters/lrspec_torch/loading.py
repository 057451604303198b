"""Telling a scheduler that its optimizer has loaded a state, without keeping it alive."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakMethod

from torch.optim import Optimizer

_HOOKS = "_optimizer_load_state_dict_post_hooks"


def after_loading(optimizer: Optimizer, method: Callable[[], None]) -> None:
    """Call the bound `method` whenever `optimizer` has loaded a state, as long as its object lives.

    A wrapper that forwards to an `optimizer` of its own is looked through. One that has no such
    attribute and never ran the constructor of `Optimizer` has no hooks, and nothing is called.
    """
    while not hasattr(optimizer, _HOOKS):
        inner = getattr(optimizer, "optimizer", None)
        if not isinstance(inner, Optimizer):
            return
        optimizer = inner

    def loaded(_: Optimizer) -> None:
        call = reference()
        if call is not None:  # pragma: no branch - the hook goes with the object
            call()

    handle = optimizer.register_load_state_dict_post_hook(loaded)
    reference = WeakMethod(method, lambda _: handle.remove())
