"""`lrspec lsp`: the language server, for what a schema cannot say. It needs pygls."""
