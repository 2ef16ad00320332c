"""Reports: the figures of a selection as a page, a PDF or a workbook that can be reproduced."""
