"""The Keras adapter: a schedule document as a `LearningRateSchedule`."""

try:
    from lrspec_keras.schedules import LearningRateSchedule
except ModuleNotFoundError as error:
    # Whatever else is missing, the backend that Keras was told to use among it, says so itself.
    if error.name != "keras":
        raise
    message = "lrspec_keras needs keras, which is not installed; pip install 'lrspec[keras]'"
    raise ImportError(message, name="keras") from error

__all__ = ["LearningRateSchedule"]
