"""Bit sets in registers: population count and lowest bit, as single machine instructions."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic


def _popcount(typingctx: Any, mask: Any) -> Any:  # noqa: ARG001 - numba's calling convention

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, builder.ctpop(arguments[0]), signature.args[0], types.int64)

    return types.int64(mask), generate


def _lowest(typingctx: Any, mask: Any) -> Any:  # noqa: ARG001 - numba's calling convention

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        zero_is_undefined = ir.Constant(ir.IntType(1), 1)
        return context.cast(builder, builder.cttz(arguments[0], zero_is_undefined), signature.args[0], types.int64)

    return types.int64(mask), generate


popcount: Any = intrinsic(_popcount)
"""The number of set bits."""
lowest: Any = intrinsic(_lowest)
"""The number of the lowest set bit; undefined for 0."""
