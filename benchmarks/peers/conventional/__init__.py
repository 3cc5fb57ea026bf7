"""The conventional build: FastAPI, Pydantic models, SQLAlchemy's async ORM, served by uvicorn.

As a good engineer writes it: relationships loaded up front, answers validated once and encoded by Pydantic's core, one
session a request. Without keys, limits and a request log, which is to its advantage. It counts rows for `total`, as is
usual, and so keeps no counts when a status changes.
"""
