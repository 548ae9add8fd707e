//! The HTTP server: who asks, what they may, what they are told.
