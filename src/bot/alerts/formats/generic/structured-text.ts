import { type Fact, normalizedName, toFact } from '../../facts.ts';
import { plainText, withoutMarkup } from '../../slack-text.ts';

const LINES = 40;
const LONGEST = 2_000;
const PAIR = /(?<![^\s])([A-Za-z_][\w.-]{0,60})=(?:"([^"\n]{0,500})"|([^\s"]{1,300}))(?=\s|$)/gu;
const JSON_PAIR =
  /["']([A-Za-z_][\w.@-]{0,60})["']\s{0,3}:\s{0,3}(?:["']([^"'\n]{0,500})["']|(-?\d[\d.]{0,30}|true|false))/gu;
/** Fewer may be parameters of a URL, or prose. */
const FEWEST = 3;
const NAMES = new Set([
  'alert',
  'alertname',
  'event',
  'msg',
  'message',
  'check',
  'monitor',
  'rule',
  'title',
  'summary',
]);
const TIMES = new Set(['ts', 'at', 'timestamp', '@timestamp', 'time', 'date']);
const SEGMENT = /^[*_]{0,2}(\p{L}[\p{L}\w /-]{0,30}?)[*_]{0,2}:[*_]{0,2} (\S.{0,200})$/u;

/** The facts in structured lines: `key=value`, JSON, columns between bars, several labels on a line. */
export function structuredFacts(body: string): Fact[] {
  const lines = body.split('\n', LINES).map((line) => line.slice(0, LONGEST));
  return [
    ...lines.flatMap(pairsOf),
    ...lines.flatMap(jsonOf),
    ...tableOf(lines),
    ...lines.flatMap(segmentsOf),
  ];
}

/** The pairs of a line of `key=value` only; the one with the event's name becomes the alert name. */
function pairsOf(line: string): Fact[] {
  if (line.split('=', FEWEST + 1).length <= FEWEST) return [];
  const words = withoutMarkup(plainText(line));
  const pairs = [...words.matchAll(PAIR)];
  const rest = words.replace(PAIR, '').trim();
  if (pairs.length < FEWEST || rest.length > words.length / 4) return [];
  return pairs.map(([, name = '', quoted, word = '']) => toFact(labelOf(name), quoted ?? word));
}

function jsonOf(line: string): Fact[] {
  if (!line.includes('"') && !line.includes("'")) return [];
  return [...plainText(line).matchAll(JSON_PAIR)].map(([, name = '', quoted, word = '']) =>
    toFact(labelOf(name), quoted ?? word),
  );
}

/** The first row of a table, each cell with its column's name. */
function tableOf(lines: readonly string[]): Fact[] {
  const rows = lines.filter((line) => line.split('|', 3).length > 2).map(cellsOf);
  const [head, ...others] = rows.filter((cells) => cells.some((cell) => /[^\s:-]/u.test(cell)));
  const row = others.find((cells) => cells.length === head?.length);
  if (!head || !row || !head.every((name) => /^\p{L}[\p{L}\w /#%.-]{0,30}$/u.test(name))) return [];
  return head.flatMap((name, at) => (row[at] ? [toFact(name, row[at])] : []));
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\s{0,8}\|/u, '')
    .replace(/\|\s{0,8}$/u, '')
    .split('|', 20)
    .map((cell) => withoutMarkup(cell).trim());
}

/** Labels between bars: `host: web-3 | env: prod`. */
function segmentsOf(line: string): Fact[] {
  const parts = line.split(/ \| | · | • | {2,}|; /u, 20);
  if (parts.length < 2) return [];
  return parts.flatMap((part) => {
    const [, name, value] = SEGMENT.exec(part.trim()) ?? [];
    return name === undefined || value === undefined ? [] : [toFact(name, value)];
  });
}

function labelOf(name: string): string {
  if (NAMES.has(normalizedName(name))) return 'alert name';
  return TIMES.has(normalizedName(name)) ? 'time' : name;
}
