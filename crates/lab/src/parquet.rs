//! Tables as Parquet files.

use crate::column::{Column, Entry, Kind, Table};
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// A table as a file; every column may hold nothing.
pub(crate) fn write(table: &Table) -> Result<Vec<u8>, ParquetError> {
    let field = |column: &Column| {
        let builder =
            |physical| Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL);
        let field = match column.kind {
            Kind::Text => builder(PhysicalType::BYTE_ARRAY).with_logical_type(Some(LogicalType::String)).build(),
            Kind::Whole => builder(PhysicalType::INT64).build(),
            Kind::Number => builder(PhysicalType::DOUBLE).build(),
            Kind::Flag => builder(PhysicalType::BOOLEAN).build(),
        };
        field.map(Arc::new)
    };
    let fields = table.columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("games").with_fields(fields).build()?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::default()))?;
    let mut group = writer.next_row_group()?;
    for column in &table.columns {
        match column.kind {
            Kind::Text => write_column::<ByteArrayType>(column, table.rows, &mut group, |entry| match entry {
                Entry::Text(text) => Some(ByteArray::from(text.as_ref())),
                _ => None,
            }),
            Kind::Whole => write_column::<Int64Type>(column, table.rows, &mut group, |entry| match entry {
                Entry::Whole(number) => Some(number),
                _ => None,
            }),
            Kind::Number => write_column::<DoubleType>(column, table.rows, &mut group, |entry| match entry {
                Entry::Number(number) => Some(number),
                _ => None,
            }),
            Kind::Flag => write_column::<BoolType>(column, table.rows, &mut group, |entry| match entry {
                Entry::Flag(flag) => Some(flag),
                _ => None,
            }),
        }?;
    }
    group.close()?;
    writer.into_inner()
}

fn write_column<T: DataType>(
    column: &Column,
    rows: usize,
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    value: impl Fn(Entry) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else { return Ok(()) };
    let entries: Vec<Option<T::T>> = (0..rows).map(|row| value(column.entry(row))).collect();
    let levels: Vec<i16> = entries.iter().map(|entry| i16::from(entry.is_some())).collect();
    let values: Vec<T::T> = entries.into_iter().flatten().collect();
    writer.typed::<T>().write_batch(&values, Some(&levels), None)?;
    writer.close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use std::fs::{self, File};

    #[test]
    fn columns_are_read_back_with_their_types() {
        let columns = vec![
            Column::new("name", Kind::Text, |row| Entry::Text(["a", "b", "c"][row].into())),
            Column::new("k", Kind::Whole, |row| if row == 1 { Entry::Nothing } else { Entry::Whole(row as i64) }),
            Column::new("c", Kind::Number, |row| Entry::Number([0.5, f64::NAN, 2.0][row])),
            Column::new("on", Kind::Flag, |row| if row == 2 { Entry::Nothing } else { Entry::Flag(row == 0) }),
        ];
        let path = std::env::temp_dir().join(format!("spinney-columns-{}.parquet", std::process::id()));
        fs::write(&path, write(&Table { rows: 3, columns }).unwrap()).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(rows[0], "{name: \"a\", k: 0, c: 0.5, on: true}");
        assert_eq!(rows[1], "{name: \"b\", k: null, c: null, on: false}");
        assert_eq!(rows[2], "{name: \"c\", k: 2, c: 2.0, on: null}");
        fs::remove_file(path).unwrap();
    }
}
