//! The generated shaders against the CPU's model of the specification (`scene::gx`), pixel by pixel, within 2/255: many small
//! squares in one picture, each with a material of its own.

mod alpha;
mod blending;
mod chance;
mod charpipe;
mod combiners;
mod coordinates;
mod fog;
mod indirect;
mod lighting;
mod sheet;
