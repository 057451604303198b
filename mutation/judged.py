"""What of a function the conformance data can judge: all but the texts of its problems, its
assertions, and what a curve keeps for other uses than its values."""

from __future__ import annotations

import ast

# What makes a problem or leads to one, and which of its arguments are more than text; `cast`
# tells the type checker.
_PROBLEMS = {
    "problem": (0, 1),
    "missing": (1,),
    "no_length": (0,),
    "rounds_to_zero": (0,),
    "need_batches": (0,),
    "need_sequence_length": (0,),
    "_axis_of_a_sample": (0,),
    "_nothing_left": (0, 1),
    "_whole_power": (0,),
    "_as_given": (0,),
    "boundary_problem": (0, 1),
    "_too_many": (0, 1),
    "Place": (0, 1, 2),
    "Quantity": (0, 1),
    # For phases: what a piece of a curve is called, and which there are.
    "Piece": (),
    "Laid": (0, 1, 2),
    "cast": (1,),
    "TypeError": (),
    "ValueError": (),
}
# Where a problem is, and what it says besides, in the words of the functions that hand it on.
_WORDS = {"column", "inherited_from", "line", "message", "source", "strict"}
# What an implementation takes beyond the clauses is left to it (clause 11).
_LIMITS = {"LAST_STEP", "_FARTHEST", "_MOST_BITS", "_MOST_ROUNDED", "_too_long", "_too_many"}
# What a curve is given beside its resolution: for its phases, its messages, its pickle.
_KEPT = {"document", "facts", "name", "steps", "warnings", "facts_used", "pieces", "units"}


def judged(function: str) -> str:
    """A function in a form that is equal for two of them that no case can tell apart."""
    tree = _Judged().visit(ast.parse(function))
    while unread := _assigned(tree) - _read(tree):
        tree = _Without(unread).visit(tree)
    return ast.dump(tree)


def _read(tree: ast.AST) -> set[str]:
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def _assigned(tree: ast.AST) -> set[str]:
    return {name for node in ast.walk(tree) if (name := _target(node)) is not None}


def _target(node: ast.AST) -> str | None:
    """The name that a plain assignment is to."""
    match node:
        case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
            return name
        case ast.AugAssign(target=ast.Name(name)):
            return name
        case _:
            return None


def _limited(node: ast.AST) -> bool:
    return not _LIMITS.isdisjoint(_read(node))


def _none(flag: ast.expr) -> ast.expr:
    is_false = isinstance(flag, ast.Constant) and flag.value is False
    return ast.Constant(None) if is_false else flag


class _Without(ast.NodeTransformer):
    """Removes the assignments to some names."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def generic_visit(self, node: ast.AST) -> ast.AST:
        return ast.Pass() if _target(node) in self.names else super().generic_visit(node)


class _Judged(ast.NodeTransformer):
    """Removes what no case can tell apart."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """It tells the type checker what holds anyway."""
        return ast.Pass()

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """An AssertionError stands where nothing comes."""
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        never = isinstance(raised, ast.Name) and raised.id == "AssertionError"
        return ast.Pass() if never or _limited(node) else self.generic_visit(node)

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """A last case that does nothing is as good as none."""
        self.generic_visit(node)
        match node.cases[-1]:
            case ast.match_case(ast.MatchAs(None), None, [ast.Pass()]):
                node.cases.pop()
            case _:
                pass
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        """What does nothing either way need not be asked."""
        self.generic_visit(node)
        idle = all(isinstance(statement, ast.Pass) for statement in node.body)
        return ast.Pass() if idle and not node.orelse else node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """A limit of its own is an implementation's to set."""
        return ast.Pass() if _limited(node) else self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Only messages are formatted."""
        return ast.Constant("text")

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """A warning stops no run and changes no value (clause 9.1)."""
        match node.value:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="warnings"))):
                return ast.Pass()
            case _:
                return ast.Pass() if _limited(node) else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Calls keep the arguments that are not text."""
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in _PROBLEMS:
            kept = [arg for i, arg in enumerate(node.args) if i in _PROBLEMS[name]]
            node.args, node.keywords = kept, []
        node.keywords = [word for word in node.keywords if word.arg not in _WORDS]
        # A flag is asked for nothing but whether it is true: None is as good as False.
        node.args = [_none(arg) for arg in node.args]
        for word in node.keywords:
            word.value = _none(word.value)
        if name == "Curve":
            node.keywords = [word for word in node.keywords if word.arg not in _KEPT]
        return self.generic_visit(node)
