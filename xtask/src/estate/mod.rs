//! Generated estates.
