"""Conversations: questions that follow up, kept in the library's folder so that another process can go on with them."""
