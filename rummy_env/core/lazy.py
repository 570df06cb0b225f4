"""Properties that are worked out once, when they are first asked for."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801  (used like `property`)
    """As `functools.cached_property`, without the lock that this takes before Python 3.12.

    A view of one game has some twenty of these and lives for one decision; the lock alone took a
    tenth of it (docs/decisions/0011-lazy-without-a-lock.md).
    """

    def __init__(self, method: Callable[[Any], T]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._method(instance)
        return value
