"""A report in the forms that others read: JUnit XML, Markdown, a page of HTML. All text of others is only text."""
