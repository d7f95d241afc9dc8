"""SEC: credentials, tools that are not what they were, and text that is meant for the model."""
