"""The sample recording: a made meeting with its truth and questions; see README.md here."""
