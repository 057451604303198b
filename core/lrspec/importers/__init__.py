"""Importers: the configuration of another system as an lrspec document, exact or refused.

One module a system, with its parts beside it under the same name; what they share is
`lrspec.importing`. `lrspec.importers.nemo.load(config)` gives the document, with what it assumed as
`notes`. No framework is needed.
"""
