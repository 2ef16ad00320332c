"""From logs to a lake without a warehouse between them, by any number of workers, with the figures of one warehouse."""
