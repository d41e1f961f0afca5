"""The entry point of Alembic, which runs the migrations on the connection of `create_schema`."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
