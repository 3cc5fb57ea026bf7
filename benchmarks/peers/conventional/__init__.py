"""The conventional build: FastAPI, Pydantic models, SQLAlchemy's async ORM, served by uvicorn.

It is written as a good engineer would write it: relationships are loaded up front, answers are validated once and
encoded by Pydantic's core, and each request has one session. It has no keys, limits or request log, which is to its
advantage. It counts rows for `total`, as is common, and therefore need not update counts when a status changes.
"""
