import { projectFile } from '../support/files.ts';

/** One numbered section of the contract, such as 2.1 or 7. */
export interface Section {
  number: string;
  title: string;
  text: string;
  /** The first cells of its tables, in order. */
  rows: string[];
}

/** The contract's sections in order; of one that has parts, only what stands before its first part. */
export function sections(): Section[] {
  const [, ...parts] = projectFile('docs/service-api.md').split(/^##+ /mu);
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const [number = '', title = ''] = /^([\d.]*\d)\.? (.*)$/u.exec(heading)?.slice(1) ?? [];
    const cells = lines
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|')[1]?.trim() ?? '');
    const rows = cells.filter((_, index) => !isHead(cells, index));
    return { number, title, text: lines.join('\n'), rows };
  });
}

/** The section of that number. */
export function section(number: string): Section {
  const found = sections().find((candidate) => candidate.number === number);
  if (!found) throw new Error(`The contract has no section ${number}.`);
  return found;
}

function isHead(cells: readonly string[], index: number): boolean {
  const isRule = (cell: string | undefined): boolean => cell !== undefined && /^-+$/u.test(cell);
  return isRule(cells[index]) || isRule(cells[index + 1]);
}
