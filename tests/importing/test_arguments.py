"""The arguments of training scripts, as people write them down."""

from __future__ import annotations

import pytest

from lrspec.importing.arguments import parse_arguments


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("--lr 1e-3", {"lr": 1e-3}),
        ("--lr=1e-3 --sched=step", {"lr": 1e-3, "sched": "step"}),
        ("--decay-epochs 2.4 --amp", {"decay_epochs": 2.4, "amp": True}),
        ("--amp --milestones 30 60 -b 128", {"amp": True, "milestones": [30, 60], "b": 128}),
        ("--low -1e-4 --high -1", {"low": -1e-4, "high": -1}),
        ("python train.py /data \\\n  --epochs 3 \\\r\n --x", {"epochs": 3, "x": True}),
        ("# the run\n--lr 1 # more\n--note 'a b'\n", {"lr": 1, "note": "a b"}),
        ("--lr $LR --min-lr nan --top .inf", {"lr": "$LR", "min_lr": "nan", "top": ".inf"}),
        ("--empty= --next 1", {"empty": "", "next": 1}),
        ("--x 3 --y 4\n--x 3", {"x": 3, "y": 4}),
        ('ARGS="--lr 1 \\\n --amp"\npython train.py $ARGS --b 2\n', {"lr": 1, "amp": True, "b": 2}),
        (
            "ON='--x'\nA=(--y)\nt --lr 1 $ON --b 2 ${A[@]}\nt --c 3 $@",
            {"x": True, "y": True, "lr": 1, "b": 2, "c": 3},
        ),
        ("--lr 1 $MORE", {"lr": [1, "$MORE"]}),
        ("ARGS='--lr 1'\ncd folder", {"lr": 1}),
        ("ARGS=(\n --amp\n --lr 1 \n)\nrun x", {"amp": True, "lr": 1}),
        ("ARGS+=(--lr 1)\nMORE=(-b 2)", {"lr": 1, "b": 2}),
        ("# --a 1 \\\n--lr 1 \\\n# it's --b 2 \\\n--c 3", {"lr": 1, "c": 3}),
        ("--name 'a # b' --hash a#b", {"name": "a # b", "hash": "a#b"}),
        ("LR=1e-3\nexport N=5\n--lr $LR --steps ${N}000", {"lr": 1e-3, "steps": 5000}),
        (f"A={'9' * 41}\n--lr $A", {"lr": "$A"}),
        ("LR=1\nLR=2\n--lr $LR --end ${M}", {"lr": "$LR", "end": "${M}"}),
        ("if x; then\nN=5\nfi\nM=6\n--a $N --b $M", {"a": "$N", "b": 6}),
        ("--lr 1 --lr 2 --x --x 3", {"lr": "1 or 2", "x": "nothing or 3"}),
        ("rm -f a\n[ -f b ]\n--lr 1", {"f": "a or b ]", "lr": 1}),
        ("A=(--n $(( 3 * $M )) --x)", {"n": "$(( 3 * $M ))", "x": True}),
        ("t --x \\\n --lr 1\necho done", {"x": True, "lr": 1}),
        ("t --lr 1 2>&1 | tee -a log", {"lr": 1, "a": "log"}),
        ("t --lr 1 > log &\nwait", {"lr": 1}),
        ("t --lr 1 >>log; t2\nt --b 3 &> log", {"lr": 1, "b": 3}),
        ("t --lr 1 && t2 || t3", {"lr": 1}),
        ("t --a 'x > y; z' --b 2;", {"a": "x > y; z", "b": 2}),
        ("--milestones\n30\n60\n--lr\n1\n", {"milestones": [30, 60], "lr": 1}),
        ("A=(\n --lr\n 1\n --x; --y\n)", {"lr": 1, "x": True, "y": True}),
        ('srun bash -c "t --lr 1 --x" --b 2', {"c": True, "lr": 1, "x": True, "b": 2}),
        ("A=$1\nB=2\n--lr ${B:-3} --a $A --b $B", {"lr": "${B:-3}", "a": "$A", "b": 2}),
    ],
)
def test_arguments_are_a_mapping(text: str, found: object) -> None:
    assert parse_arguments(text) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no argument such as --lr 1e-3 stands in it"),
        ("python train.py", "no argument such as --lr 1e-3 stands in it"),
        ("--lr '1", "No closing quotation"),
    ],
)
def test_text_that_is_no_arguments(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_arguments(text)
