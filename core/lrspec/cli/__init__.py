"""The command line: one module a command. Only this package imports click and rich; what a command
needs is imported when it runs, so that `lrspec --help` is quick."""
