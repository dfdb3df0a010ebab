import type { Entry } from './entries.ts';

/** How an entry is printed, on one line or more. */
interface Format {
  header: string | null;
  line(entry: Entry): string;
}

const COLUMNS = ['seq', 'at', 'who', 'what', 'issue', 'issueId', 'channel', 'hash'] as const;

const fieldsOf = ({ seq, at, who, what, number, issueId, channel, hash }: Entry) => ({
  seq,
  at: new Date(at).toISOString(),
  who,
  what,
  issue: number,
  issueId,
  channel,
  hash,
});

export const formats = {
  jsonl: { header: null, line: (entry) => JSON.stringify(fieldsOf(entry)) },
  /** RFC 4180. */
  csv: {
    header: COLUMNS.join(','),
    line: (entry) => {
      const fields = fieldsOf(entry);
      return COLUMNS.map((column) => cell(fields[column])).join(',');
    },
  },
} as const satisfies Record<string, Format>;

export function isFormat(name: string): name is keyof typeof formats {
  return Object.hasOwn(formats, name);
}

/** What people wrote must not become a formula in a spreadsheet. */
function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
