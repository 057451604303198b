"""What importers are made of: reading a configuration, writing nodes, the document at the end."""
