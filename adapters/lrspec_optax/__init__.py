"""The optax adapter: a schedule document as an `optax.Schedule`."""

from importlib import import_module

try:
    import_module("optax")  # its schedules are functions: nothing but its presence is needed
    from lrspec_optax.schedules import Schedule, schedule
except ModuleNotFoundError as error:
    # Whatever else is missing, a part of JAX among it, says so itself.
    if error.name not in ("jax", "optax"):
        raise
    message = (
        f"lrspec_optax needs {error.name}, which is not installed; pip install 'lrspec[optax]'"
    )
    raise ImportError(message, name=error.name) from error

__all__ = ["Schedule", "schedule"]
