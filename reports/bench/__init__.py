"""The page of a bench of language models: figures alone, no boards, so that it can be published."""
