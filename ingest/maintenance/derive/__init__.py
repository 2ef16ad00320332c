"""Derives a lake directly from logs, without a warehouse, on any number of workers.

The figures equal those of one warehouse with all these logs.
"""
