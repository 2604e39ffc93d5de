//! Tables as Parquet files.

use crate::export::Column;
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// The columns of a table as a file.
pub(crate) fn write(columns: &[Column]) -> Result<Vec<u8>, ParquetError> {
    let field = |column: &Column| {
        let builder =
            |physical| Type::primitive_type_builder(column.name(), physical).with_repetition(Repetition::REQUIRED);
        let field = match column {
            Column::Text(..) => builder(PhysicalType::BYTE_ARRAY).with_logical_type(Some(LogicalType::String)).build(),
            Column::Whole(..) => builder(PhysicalType::INT64).build(),
            Column::Number(..) => builder(PhysicalType::DOUBLE).build(),
        };
        field.map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("games").with_fields(fields).build()?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::default()))?;
    let mut group = writer.next_row_group()?;
    for column in columns {
        write_column(column, &mut group)?;
    }
    group.close()?;
    writer.into_inner()
}

fn write_column(column: &Column, group: &mut SerializedRowGroupWriter<'_, Vec<u8>>) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else { return Ok(()) };
    match column {
        Column::Text(_, values) => {
            let values: Vec<ByteArray> = values.iter().map(|text| ByteArray::from(text.as_str())).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, None, None)?;
        }
        Column::Whole(_, values) => drop(writer.typed::<Int64Type>().write_batch(values, None, None)?),
        Column::Number(_, values) => drop(writer.typed::<DoubleType>().write_batch(values, None, None)?),
    }
    writer.close()
}
