"""The robot as a page of static files: firmware and simulator run in the browser."""
