"""The conventional build: FastAPI, Pydantic models, SQLAlchemy's async ORM, served by uvicorn.

As a good engineer writes it: relationships loaded up front, answers validated once and encoded by Pydantic's core,
one session per request. It has no keys, limits or request log, which is to its advantage. It counts rows for
`total`, as is common, and so updates no counts when a status changes.
"""
