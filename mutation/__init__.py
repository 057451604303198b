"""Judges the conformance data: is every mutant of the evaluator killed by some case?"""
