"""The torch adapter: a schedule document as a real `torch.optim.lr_scheduler.LRScheduler`."""

try:
    from lrspec_torch.importing import from_scheduler
    from lrspec_torch.scheduler import LRScheduler
except ModuleNotFoundError as error:
    # Whatever else is missing, a part of torch among it, says so itself.
    if error.name != "torch":
        raise
    message = "lrspec_torch needs torch, which is not installed; pip install 'lrspec[torch]'"
    raise ImportError(message, name="torch") from error

__all__ = ["LRScheduler", "from_scheduler"]
