"""What is recognised in text: credentials, code pages, orders to a model, complaints, broken messages."""
