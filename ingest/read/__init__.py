"""Reading: from the paths of a request to chunks of lines that can be validated each on its own.

`discover` finds the logs, `source` reads one, packed or not, and `split` cuts it into chunks (`chunk`). Small files are
left to whoever validates them (`small_files`). Files that grow are read from where they ended before (`tail`,
`checkpoints`).
"""
