import { comparableName } from './combined.ts';
import type { Edge, LogLine, Service } from './model.ts';

/** Of a line without a level, words that it fails by. */
const FAILS =
  /\b(?:errors?|fail(?:ed|ure)?|refused|time[d ]?-?outs?|unreachable|E(?:CONN|HOST|NOT|AI_)[A-Z_]+)\b/iu;
const FAILING = /^(?:err|fatal|crit|panic|alert|emerg)/iu;
/** A host, as lines write it: before a port, in a URL, or after what could not be found or reached. */
const HOSTS = [
  /(?<![\w.-])([a-z][\w.-]*):\d{2,5}(?!\d)/giu,
  /\w:\/\/(?:[^\s/@]*@)?([a-z][\w.-]*)/giu,
  /\b(?:ENOTFOUND|EAI_AGAIN|lookup|host|upstream)[ =:"'`]+([a-z][\w.-]*)/giu,
];
/** One line may name anything. */
const FEWEST = 2;

/** Who calls whom, as far as failing lines name a service by its host: a hint where nothing else tells. */
export function namedInLines(lines: readonly LogLine[], services: readonly Service[]): Edge[] {
  const known = new Map(
    services.flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [comparableName(one), name])),
  );
  const times = new Map<string, { edge: Edge; times: number }>();
  for (const { service: caller, level, message } of lines) {
    if (level === null ? !FAILS.test(message) : !FAILING.test(level)) continue;
    const hosts = HOSTS.flatMap((like) => [...message.matchAll(like)].map(([, host = '']) => host));
    const callees = hosts.flatMap(
      (host) => known.get(comparableName(host)) ?? known.get(comparableName(host.split('.')[0] ?? '')) ?? [],
    );
    for (const callee of new Set(callees)) {
      if (callee === caller) continue;
      const key = `${caller}\n${callee}`;
      times.set(key, { edge: { caller, callee }, times: (times.get(key)?.times ?? 0) + 1 });
    }
  }
  return [...times.values()].flatMap((one) => (one.times >= FEWEST ? [one.edge] : []));
}
