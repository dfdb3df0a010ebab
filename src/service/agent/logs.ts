import { z } from 'zod';
import { amount, duration, timeOfDay } from '../investigation/format.ts';
import { gravityOf, patternOf } from '../investigation/log-patterns.ts';
import type { LogLine, Window } from '../telemetry/model.ts';
import { stem, termsOf, wordsOfName } from './catalog/terms.ts';
import { code, echo } from './echo.ts';
import { concernedBy, subjectOf } from './issue-scope.ts';
import { momentOf } from './moment.ts';
import { sameAs } from './names.ts';
import { cannotTell, services, tool, window, windowOf } from './tool.ts';
import type { Facts } from './types.ts';
import { namespaceIn } from './understand.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MOST_PATTERNS = 5;
const MOST_LINES = 20;
const LONGEST = 400;
/** Of so many services, lines are read until some have any. */
const MOST_SERVICES = 4;

/** Text to search for: in quotes, or after words that search. */
const QUOTED = /["“”]([^"“”]{2,100})["“”]|(?<!\w)['‘]([^'’]{2,100})['’](?!\w)/u;
const SEARCHED =
  /\b(?:contain(?:s|ing)?|mention(?:s|ing)?|matching|grep(?: for)?|search(?:ing)?(?: \S+)* for|with the (?:text|word|string|id|code)|error codes?|request ids?|(?:order|user|trace|customer) ids?)\s+["“`']?([\w.:/-]{3,100})/iu;

/** Text in quotes; the name of a service in quotes is no text to search for. */
export function literalIn(question: string, named: readonly string[]): string | null {
  const found = QUOTED.exec(question);
  const text = found?.[1] ?? found?.[2] ?? null;
  return text === null || named.includes(text) ? null : text;
}

/** What one order, request or customer is called: `B-99213`, a UUID. */
const ID =
  /(?<![\w#-])(?:[A-Z]{1,5}-\d{3,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:req|ord|usr|cus|order|user|trace)[_-][0-9a-z]*\d[0-9a-z]*)(?![\w-])/u;

export function idIn(question: string): string | null {
  return ID.exec(question)?.[0] ?? null;
}

/** Of an issue, where its cause is seen, what it is about, and what else it involves. */
function writingIn({ scope }: Facts): string[] {
  return scope === null ? [] : [...new Set([...scope.causes, ...concernedBy(scope)])];
}

function quotedIn({ scope, cite }: Facts): string[] {
  const found = (scope?.issue.findings?.rootCause.relevantEvidence ?? []).filter(({ artifacts }) =>
    artifacts.some(({ dataType }) => dataType === 'log'),
  );
  cite(found.flatMap(({ artifacts }) => artifacts.map(({ documentId }) => documentId)));
  return found.map(({ title, description }) => `- ${title}. ${description}`);
}

/** Show me the logs of orders. Which lines mention timeout since 14:00? */
export const logs = tool({
  name: 'logs',
  answers:
    'log lines of a service: the most frequent errors, the newest lines, or those with a text, over a time',
  example: 'Show the logs of {service}',
  input: z.object({
    services,
    ...window,
    text: z.string().min(1).max(200).nullable().default(null),
    /** The newest lines, so many of them, rather than patterns. */
    newest: z.number().int().min(0).max(MOST_LINES).default(0),
    namespace: z.string().max(300).nullable().default(null),
    /** Errors and warnings alone, where there are some. */
    errors: z.boolean().default(true),
    words: z.array(z.string().max(100)).max(20).default([]),
  }),
  fill: (turn, facts) => {
    const { question, words } = turn;
    const text = literalIn(question, turn.named) ?? SEARCHED.exec(question)?.[1] ?? idIn(question);
    const names = facts.view.services().map(({ name }) => name);
    const count =
      /\b(?:last|latest|newest|recent|tail)\s+(\d{1,3})?\s*(?:log )?(?:lines?|logs?|entries|messages?)\b/iu.exec(
        words,
      );
    return {
      services: turn.services.length > 0 ? [...turn.services] : writingIn(facts),
      ...turn.window,
      // One order or request may be of any time of the day.
      ...(!turn.timed && text !== null && { from: facts.now - DAY }),
      to: turn.at < facts.now ? turn.window.to : facts.now + 1,
      text: text === null || names.includes(text) ? null : text,
      namespace: namespaceIn(question),
      newest: count === null ? 0 : Math.min(MOST_LINES, Number(count[1] ?? 10)),
      errors: !/\ball\b|\bevery\b|\binfo\b|\bdebug\b/iu.test(words),
      words: termsOf(words).flatMap(({ word, isThing }) => (isThing ? word : [])),
    };
  },
  run: async ({ services: asked, text, newest, errors, namespace, words, ...args }, facts) => {
    const own = [...new Set(asked.flatMap((name) => sameAs(name, facts.view.services())))];
    const over = windowOf(args, facts.now);
    const first = subjectOf({ services: own }, facts);
    const nothing = (text: string) => cannotTell(text, { lines: [] });
    if (first === null && text === null)
      return nothing('The logs of which service? Name one, or a text to search for.');
    let [service, read] = [first, await linesOf(first, text, over, facts)];
    // What is in the lines of one, the lines of another may not say.
    for (const other of own.slice(1, MOST_SERVICES))
      if (read.lines.length === 0) [service, read] = [other, await linesOf(other, text, over, facts)];
    if (read.lines.length === 0) service = first;
    const { lines: found, none, unread } = read;
    const elsewhere = service === null ? null : (facts.view.node(service)?.workload?.namespace ?? null);
    if (namespace !== null && elsewhere !== null && elsewhere !== namespace)
      return nothing(
        `I see no ${service} in namespace ${namespace}, only in namespace ${elsewhere}. Ask for its logs there if that is the one you mean.`,
      );
    const span = `the ${duration(over.to - over.from)} before ${momentOf(over.to, facts.now)}`;
    const where = service === null ? 'any service' : service;
    if (none !== null) {
      const quoted = text === null ? quotedIn(facts) : [];
      const head = `I have no log lines of ${where} in ${span}. ${none}`;
      const results = quoted.length === 0 ? [] : ['', 'The results quote these:', '', ...quoted];
      return nothing([head, ...results].join('\n'));
    }
    if (found.length === 0)
      return {
        data: { lines: [] },
        says: { relation: 'exists', holds: ID.test(text ?? '') || unread.length > 0 ? null : false },
        text: `I searched: no line of ${where} in ${span} contains ${echo(text ?? '')}${unread.length === 0 ? '' : ', as far as I could read'}. ${unread.join(' ')}`.trim(),
      };
    const bad = found.filter((line) => gravityOf(line) !== 'info');
    const shown = errors && text === null && newest === 0 && bad.length > 0 ? bad : found;
    facts.evidenceStore.logs(service ?? found[0]?.service ?? 'logs', shown);
    const everywhere =
      namespace !== null && elsewhere === null
        ? ' I searched all namespaces: the lines don’t name theirs.'
        : '';
    const head = `**${where === 'any service' ? 'Logs' : `${where} logs`}** in ${span}: ${amount(found.length, '{line}')}${text === null ? '' : ` with ${echo(text)}`}, ${amount(bad.length, '{error}')} or warnings.${everywhere}`;
    const data = {
      total: found.length,
      errors: bad.length,
      lines: shown.slice(-MOST_LINES).map(({ at, level, message, service: of }) => ({
        at: new Date(at).toISOString(),
        service: of,
        level,
        message: message.slice(0, 500),
      })),
    };
    // What was asked about one id is in the lines, and not whether there are any.
    const says = {
      relation: 'exists' as const,
      holds: text !== null && ID.test(text) ? null : (text === null ? bad : found).length > 0,
    };
    const rows =
      newest > 0
        ? shown.slice(-newest).map((line) => `- ${timeOfDay(line.at)}: ${quoted(line)}`)
        : patternsIn(shown, words);
    const order = newest > 0 ? 'The newest' : 'Most frequent first';
    return { data, says, text: [`${head} ${order}:`, '', ...rows].join('\n') };
  },
});

/** `- 14 times, last at 14:02 UTC: …`: those with the words that are asked for, then the most frequent. */
function patternsIn(lines: readonly LogLine[], words: readonly string[]): string[] {
  const hits = ([line]: readonly LogLine[]) => {
    const own = wordsOfName(line?.message ?? '');
    return words.filter((word) => own.includes(stem(word))).length;
  };
  return [...Map.groupBy(lines, ({ message }) => patternOf(message)).values()]
    .map((some) => ({ some, worth: hits(some) }))
    .sort((a, b) => b.worth - a.worth || b.some.length - a.some.length)
    .map(({ some }) => some)
    .slice(0, MOST_PATTERNS)
    .map((some) => {
      const times = some.length === 1 ? 'once' : `${some.length} times, last`;
      const [first] = some.map(quoted);
      return `- ${times} at ${timeOfDay(some.at(-1)?.at ?? 0)}: ${first}`;
    });
}

/** The lines of a service, or those of any with a text; `none` says why there are no lines at all, `unread` what a search missed. */
async function linesOf(
  service: string | null,
  text: string | null,
  over: Window,
  facts: Facts,
): Promise<{ lines: readonly LogLine[]; none: string | null; unread: readonly string[] }> {
  const nowhere = 'Logs are read from Loki, VictoriaLogs or Elasticsearch, if one is connected.';
  if (text === null) {
    const view = await facts.look(over, service === null ? null : [service]);
    const lines = service === null ? [] : view.logs(service, over);
    const gap = view.gaps.find(({ what }) => what === 'logs');
    const none = gap === undefined ? nowhere : `They could not all be read: ${gap.reason}`;
    return { lines, none: lines.length > 0 ? null : none, unread: [] };
  }
  const found = await facts.search(text, service, over);
  if (!found.known) return { lines: [], none: `They could not be searched: ${found.reason}`, unread: [] };
  const { value: lines, caveats: unread } = found;
  if (lines.length > 0) return { lines, none: null, unread };
  // That none has it is said only where there are lines.
  const newest = await facts.search('', service, { from: Math.max(over.from, over.to - HOUR), to: over.to });
  return { lines, none: newest.known && newest.value.length > 0 ? null : nowhere, unread };
}

function quoted({ message }: LogLine): string {
  return code(message.slice(0, LONGEST));
}
