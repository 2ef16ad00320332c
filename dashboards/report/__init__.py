"""Reports: what the figures of a selection come to, as a page, a PDF or a workbook that can be made again."""
