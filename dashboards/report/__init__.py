"""Reports: the figures of a selection as a reproducible page, PDF or workbook."""
