//! The server, asked as its callers ask it.

mod authorize;
mod gateway;
