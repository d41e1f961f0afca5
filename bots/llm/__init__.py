"""A bot that asks a language model, over the OpenAI chat-completions interface."""
