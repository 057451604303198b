"""The rules behind the warnings of `lrspec.linting`, in their order; each goes from a bound curve
to what may not be meant in it."""

from __future__ import annotations

from lrspec.lint_bases import no_base, rates_under_a_base
from lrspec.lint_run import Rule
from lrspec.lint_spans import (
    empty_stage,
    final_not_applied,
    long_warmup,
    never_reached,
    run_goes_on,
)
from lrspec.lint_values import first_update_at_zero, jump, late_rise, no_change, wrong_rates

RULES: tuple[Rule, ...] = (
    no_base,
    rates_under_a_base,
    no_change,
    first_update_at_zero,
    final_not_applied,
    jump,
    long_warmup,
    empty_stage,
    late_rise,
    never_reached,
    run_goes_on,
    wrong_rates,
)
