"""Derives a lake from logs without a warehouse, by any number of workers, with the figures of one warehouse."""
