"""Reading: turns the paths of a request into chunks of lines that can each be validated separately.

`discover` finds the logs, `source` reads one log, compressed or not, and `split` cuts it into chunks (`chunk`). Small
files are read by the validating processes themselves. `tail` reads growing files from their last position.
"""
