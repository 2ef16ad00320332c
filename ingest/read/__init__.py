"""Reading: from the paths of a request to chunks of lines that can each be validated separately.

`discover` finds the logs, `source` reads one, packed or not, and `split` cuts it into chunks (`chunk`). Small files are
left to the validating processes (`small_files`). Growing files are read from their last position (`tail`,
`checkpoints`).
"""
