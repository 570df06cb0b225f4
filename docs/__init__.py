"""The documentation: pages in Markdown, their tables, and the site."""
