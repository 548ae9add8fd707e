// What a table shows.

export interface Column<T> {
  id: string;
  label: string;
  /** The cell's text, when no snippet shows it. */
  text?: (row: T) => unknown;
  /** Makes the column sortable; numbers and strings are compared as such. */
  sort?: (row: T) => string | number;
  /** A CSS width; columns without one share what is left. */
  width?: string;
  align?: 'right';
  /** Left out on narrow screens. */
  wide?: boolean;
}

export interface Order {
  column: string;
  down: boolean;
}

/** Rows in order; equal ones stay as they came. */
export function ordered<T>(rows: readonly T[], columns: readonly Column<T>[], order: Order | undefined): readonly T[] {
  const sort = columns.find((column) => column.id === order?.column)?.sort;
  if (!order || !sort) return rows;
  const keyed = rows.map((row) => ({ row, key: sort(row) }));
  keyed.sort((a, b) => compare(a.key, b.key) * (order.down ? -1 : 1));
  return keyed.map(({ row }) => row);
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
