"""Runs the conformance data of the language on a backend: the reference evaluator, an installed
adapter, or anything else that answers cases. It knows no command line and prints nothing."""
