//! The server, asked as its callers ask it.

mod authorize;
mod gateway;
mod incidents;
mod live;
