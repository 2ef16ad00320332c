"""Pages, reports and the web server: what people see of the warehouse."""

from himalaya_core.renamed import install

install()
