"""The Climbers (Holger Lanz, 2008, 2018) as a record of pure functions."""
