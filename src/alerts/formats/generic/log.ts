import { type Fact, fact, nameOf } from '../../facts.ts';
import { bare, plain } from '../../slack-text.ts';

const LINES = 20;
const LONGEST = 2_000;
const PAIR = /(?<![^\s])([A-Za-z_][\w.-]{0,60})=(?:"([^"\n]{0,500})"|([^\s"]{1,300}))(?=\s|$)/gu;
/** Fewer are an address's parameters, or a word of prose. */
const FEWEST = 3;
const NAMES = new Set(['alert', 'alertname', 'event', 'msg', 'message', 'check', 'monitor']);
const TIMES = new Set(['ts', 'at', 'timestamp']);

/** The pairs of lines that are nothing but `key=value`, as programs log; the one that names the event is its name. */
export function logFactsOf(body: string): Fact[] {
  return body.split('\n', LINES).flatMap((line) => {
    if (line.split('=', FEWEST + 1).length <= FEWEST) return [];
    const words = bare(plain(line.slice(0, LONGEST)));
    const pairs = [...words.matchAll(PAIR)];
    const rest = words.replace(PAIR, '').trim();
    if (pairs.length < FEWEST || rest.length > words.length / 4) return [];
    return pairs.map(([, name = '', quoted, word = '']) => fact(labelOf(name), quoted ?? word));
  });
}

function labelOf(name: string): string {
  if (NAMES.has(nameOf(name))) return 'alert name';
  return TIMES.has(nameOf(name)) ? 'time' : name;
}
