//! What a person does on the pages, one file for each room.

mod access;
mod experiments;
mod film;
mod playing;
mod reviewing;
