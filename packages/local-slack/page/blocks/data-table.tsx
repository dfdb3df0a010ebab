import { useState } from 'react';
import { z } from 'zod';
import { tableCell } from './schema.ts';
import { Table } from './table.tsx';

/** A `data_table` block. Its first row is the head. */
export const dataTableBlock = z.object({
  type: z.literal('data_table'),
  rows: z.array(z.array(tableCell)),
  caption: z.string().default(''),
  page_size: z.number().default(5),
});

/** A table with a caption, shown a page at a time. */
export function DataTable({ table }: { table: z.infer<typeof dataTableBlock> }) {
  const { caption, page_size: size, rows } = table;
  const [head = [], ...body] = rows;
  const pages = Math.max(1, Math.ceil(body.length / size));
  const [chosen, setPage] = useState(0);
  const page = Math.min(chosen, pages - 1);
  const shown = [head, ...body.slice(page * size, (page + 1) * size)];
  // Numbers stand under each other.
  const column_settings = head.map((_, index) => {
    const isNumber = body.some((row) => row[index]?.type === 'raw_number');
    return { align: isNumber ? ('right' as const) : ('left' as const), is_wrapped: false };
  });
  return (
    <div className="data-table">
      <p className="data-table-caption">{caption}</p>
      <Table table={{ type: 'table', rows: shown, column_settings }} label={caption} />
      {pages > 1 && (
        <div className="data-table-pages">
          {/* Not disabled at the ends: the button would lose the focus. */}
          <button
            type="button"
            className="button"
            aria-disabled={page === 0}
            onClick={() => setPage(Math.max(page - 1, 0))}
          >
            Previous
          </button>
          <span role="status">{`${page + 1} of ${pages}`}</span>
          <button
            type="button"
            className="button"
            aria-disabled={page === pages - 1}
            onClick={() => setPage(Math.min(page + 1, pages - 1))}
          >
            Next
          </button>
        </div>
      )}
    </div>
  );
}
