import { prepared } from '../model/prepare.ts';
import { each } from '../ui/each.ts';
import { Drawn, isDrawn } from './drawn.tsx';
import { EmojiText } from './emoji-text.tsx';
import type { TableBlock, TableCell } from './schema.ts';

/** A table with its first row as the head. One that is wider than its place scrolls, so it can be focused. */
export function Table({ table, label = 'Table' }: { table: TableBlock; label?: string }) {
  const [head = [], ...rows] = table.rows;
  const look = (index: number) => {
    const { align = 'left', is_wrapped = false } = table.column_settings[index] ?? {};
    return `${align} ${is_wrapped ? 'wrapped' : ''}`;
  };
  return (
    // Without a place in the order of focus, what does not fit could not be read with the keyboard.
    <section className="table-frame" aria-label={label} {...FOCUSABLE}>
      <table>
        <thead>
          <tr>
            {each(head, (cell, index) => (
              <th scope="col" className={look(index)}>
                <Cell cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {each(rows, (row) => (
            <tr>
              {each(row, (cell, index) => (
                <td className={look(index)}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const FOCUSABLE = { tabIndex: 0 };

function Cell({ cell }: { cell: TableCell }) {
  if (cell.type === 'raw_text') return <EmojiText text={cell.text} />;
  if (cell.type === 'raw_number') return cell.text ?? String(cell.value);
  const block = prepared(cell);
  return isDrawn(block) ? <Drawn block={block} /> : null;
}
