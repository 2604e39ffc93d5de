//! Tables for other programs without a copy: the Arrow C data interface behind the PyCapsule protocol
//! (<https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>).
//!
//! A table becomes one batch of columns, whose memory lives until the last consumer has released it. The interface is one
//! of C, hence `unsafe`: its structures are those of the specification, and each is freed by its own `release`.
#![allow(unsafe_code, reason = "the interface is one of C; a crate for it takes as long to build as the laboratory")]

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use spinney_lab::column::{Column, Entry, Kind, Table};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

/// `struct ArrowSchema` of the specification.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    count: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private: *mut c_void,
}

/// `struct ArrowArray` of the specification.
#[repr(C)]
struct Array {
    length: i64,
    nulls: i64,
    offset: i64,
    buffer_count: i64,
    count: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private: *mut c_void,
}

/// `struct ArrowArrayStream` of the specification.
#[repr(C)]
struct Stream {
    schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private: *mut c_void,
}

/// A nullable column: `ARROW_FLAG_NULLABLE`.
const NULLABLE: i64 = 2;

/// The values of a column, in the buffers of the format.
struct Values {
    name: CString,
    format: &'static CStr,
    nulls: i64,
    /// Validity, then offsets or values, then text.
    buffers: Vec<Vec<u8>>,
}

/// A table in the memory that consumers read.
pub struct Batch {
    rows: usize,
    columns: Vec<Arc<Values>>,
}

fn set_bit(bits: &mut [u8], index: usize) {
    bits[index / 8] |= 1 << (index % 8);
}

impl Values {
    fn new(column: &Column<'_>, rows: usize) -> Self {
        let bits = || vec![0; rows.div_ceil(8).max(8)];
        let (mut validity, mut nulls) = (bits(), 0);
        let mut flags = bits();
        let mut fixed: Vec<u8> = Vec::with_capacity(8 * (rows + 1));
        // With room from the start, no buffer is a pointer to nowhere.
        let mut text: Vec<u8> = Vec::with_capacity(64);
        let is_text = column.kind == Kind::Text;
        if is_text {
            fixed.extend(0i64.to_ne_bytes());
        }
        for row in 0..rows {
            let entry = column.entry(row);
            match &entry {
                Entry::Nothing => nulls += 1,
                _ => set_bit(&mut validity, row),
            }
            match (entry, column.kind) {
                (Entry::Text(word), Kind::Text) => text.extend(word.as_bytes()),
                (Entry::Whole(number), Kind::Whole) => fixed.extend(number.to_ne_bytes()),
                (Entry::Number(number), Kind::Number) => fixed.extend(number.to_ne_bytes()),
                (Entry::Flag(true), Kind::Flag) => set_bit(&mut flags, row),
                (_, Kind::Whole | Kind::Number) => fixed.extend([0; 8]),
                _ => {}
            }
            if is_text {
                fixed.extend((text.len() as i64).to_ne_bytes());
            }
        }
        let (format, buffers) = match column.kind {
            Kind::Text => (c"U", vec![validity, fixed, text]),
            Kind::Whole => (c"l", vec![validity, fixed]),
            Kind::Number => (c"g", vec![validity, fixed]),
            Kind::Flag => (c"b", vec![validity, flags]),
        };
        // A name with a zero in it is nobody's.
        Self { name: CString::new(column.name.as_str()).unwrap_or_default(), format, nulls, buffers }
    }

    fn schema(&self) -> Schema {
        let name = self.name.clone().into_raw();
        let release = Some(column_release as unsafe extern "C" fn(*mut Schema));
        Schema { format: self.format.as_ptr(), name, flags: NULLABLE, release, ..Schema::of(c"") }
    }

    fn array(self: &Arc<Self>, rows: usize) -> Array {
        let pointers: Vec<*const c_void> = self.buffers.iter().map(|buffer| buffer.as_ptr().cast()).collect();
        let held = Held { pointers, children: Vec::new(), values: Some(self.clone()) };
        Array::of(rows, self.nulls, held)
    }
}

impl Batch {
    /// Takes a table in.
    pub fn new(table: &Table<'_>) -> Self {
        let columns = table.columns.iter().map(|column| Arc::new(Values::new(column, table.rows))).collect();
        Self { rows: table.rows, columns }
    }

    /// The capsule that consumers ask for.
    pub fn capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let source = Box::new(Source { rows: self.rows, columns: self.columns.clone(), is_given: false });
        let stream = Stream {
            schema: Some(stream_schema),
            next: Some(stream_next),
            error: Some(stream_error),
            release: Some(stream_release),
            private: Box::into_raw(source).cast(),
        };
        PyCapsule::new_with_value_and_destructor(py, stream, c"arrow_array_stream", |mut stream, _| {
            if let Some(release) = stream.release {
                // SAFETY: nobody has taken the stream over, or `release` would be empty.
                unsafe { release(&raw mut stream) };
            }
        })
    }
}

// SAFETY: the pointers lead to memory that the stream owns.
unsafe impl Send for Stream {}

/// What a stream gives: one batch.
struct Source {
    rows: usize,
    columns: Vec<Arc<Values>>,
    is_given: bool,
}

/// What an array keeps alive.
struct Held {
    pointers: Vec<*const c_void>,
    children: Vec<*mut Array>,
    values: Option<Arc<Values>>,
}

impl Schema {
    fn of(format: &'static CStr) -> Self {
        Self {
            format: format.as_ptr(),
            name: ptr::null(),
            metadata: ptr::null(),
            flags: 0,
            count: 0,
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: Some(schema_release),
            private: ptr::null_mut(),
        }
    }
}

impl Array {
    fn of(rows: usize, nulls: i64, held: Held) -> Self {
        let held = Box::leak(Box::new(held));
        Self {
            length: rows as i64,
            nulls,
            offset: 0,
            buffer_count: held.pointers.len() as i64,
            count: held.children.len() as i64,
            buffers: held.pointers.as_mut_ptr(),
            children: held.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(array_release),
            private: ptr::from_mut(held).cast(),
        }
    }

    fn released() -> Self {
        Self {
            length: 0,
            nulls: 0,
            offset: 0,
            buffer_count: 0,
            count: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private: ptr::null_mut(),
        }
    }
}

unsafe extern "C" fn column_release(schema: *mut Schema) {
    // SAFETY: the consumer or the parent hands over a schema of `Values::schema`, once; its name was made there.
    unsafe {
        drop(CString::from_raw((*schema).name.cast_mut()));
        (*schema).release = None;
    }
}

unsafe extern "C" fn schema_release(schema: *mut Schema) {
    // SAFETY: the consumer hands over a schema that `stream_schema` filled, once; a child that was moved out has no
    // `release` any more.
    unsafe {
        let own = &mut *schema;
        let children = Vec::from_raw_parts(own.children, own.count as usize, own.count as usize);
        for child in children {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&raw mut *child);
            }
        }
        own.release = None;
    }
}

unsafe extern "C" fn array_release(array: *mut Array) {
    // SAFETY: the consumer hands over an array of ours, once; a child that was moved out has no `release` any more.
    unsafe {
        let own = &mut *array;
        let held = Box::from_raw(own.private.cast::<Held>());
        for &child in &held.children {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&raw mut *child);
            }
        }
        drop(held.values);
        own.release = None;
    }
}

unsafe extern "C" fn stream_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: the consumer gives its stream, which has not been released, and room for a schema.
    unsafe {
        let source = &*(*stream).private.cast::<Source>();
        let children = source.columns.iter().map(|column| Box::into_raw(Box::new(column.schema())));
        // Of a slice length and capacity are one, which `schema_release` counts on.
        let children: &mut [*mut Schema] = Box::leak(children.collect());
        let (count, pointer) = (children.len() as i64, children.as_mut_ptr());
        ptr::write(out, Schema { name: c"".as_ptr(), count, children: pointer, ..Schema::of(c"+s") });
    }
    0
}

unsafe extern "C" fn stream_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as above.
    unsafe {
        let source = &mut *(*stream).private.cast::<Source>();
        if source.is_given {
            ptr::write(out, Array::released());
            return 0;
        }
        source.is_given = true;
        let children = source.columns.iter().map(|column| Box::into_raw(Box::new(column.array(source.rows)))).collect();
        let held = Held { pointers: vec![ptr::null()], children, values: None };
        ptr::write(out, Array::of(source.rows, 0, held));
    }
    0
}

unsafe extern "C" fn stream_error(_: *mut Stream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn stream_release(stream: *mut Stream) {
    // SAFETY: the consumer releases a stream once.
    unsafe {
        let own = &mut *stream;
        drop(Box::from_raw(own.private.cast::<Source>()));
        own.private = ptr::null_mut();
        own.release = None;
    }
}
