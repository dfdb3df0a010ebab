import type { Change, LogLine } from '../../telemetry/model.ts';
import { copiesOf } from '../../telemetry/same-name.ts';
import type { Snapshot } from '../../telemetry/view.ts';
import { type Climb, climbOf, climbsSince } from '../climb.ts';
import { callGraph } from './share-blame.ts';
import { type SideBySide, sideBySide } from './side-by-side.ts';
import type { Ranking, Subject } from './types.ts';

/**
 * Which change is to blame. A change is blamed on proof alone: its instances fail and those of the version before do
 * not, the failing code says what only this change touched, or the failure ends with its rollback. That it came shortly before makes it a suspect, and no more.
 */
export interface ChangeVerdict {
  blamed: BlamedChange | null;
  /** That one, and those proven to have broken something elsewhere; one of each service at most. */
  proven: readonly BlamedChange[];
  /** Changes shortly before, not proven: those of the likeliest place first, the nearest in time first. */
  suspects: readonly Change[];
}

export interface BlamedChange {
  change: Change;
  proof: Proof;
}

/**
 * What proves it: both versions side by side, a quote that stands both in the change and in what failed, a resource that was
 * steady until it came and has filled up since, or the rollback that ended the failure.
 */
export type Proof =
  | SideBySide
  | { kind: 'frame' | 'text'; quote: string; line: string; service: string }
  | { kind: 'climb'; climb: Climb }
  | { kind: 'rollback'; at: number };

/** Clock skew between systems, in milliseconds. */
const SLACK = 30_000;
/** What breaks something does so within this many milliseconds. */
const SHORTLY = 30 * 60_000;
/** A failure that ends this soon after a rollback ended with it; a rollout and the window of a rate may take longer. */
const ENDS_WITHIN = 2 * 60_000;
/** What began and ended this soon after the two did both with them. */
const BOTH_WITHIN = 5 * 60_000;
/** More suspects than this help nobody. */
const MOST_SUSPECTS = 5;

interface Failure {
  alerted?: number | null;
  onset?: number | undefined;
  affected?: readonly string[];
  end: number | null;
}

/**
 * @param failure.alerted when the alert's own expression left what was usual: the first signal that a change is compared with
 * @param failure.onset when what failed began, if that is known better than by the ranking
 * @param failure.affected what degrades with it, the alert's own service first
 * @param failure.end when it was over; `null` while it goes on
 */
export function blamedChange(
  snapshot: Snapshot,
  subject: Subject,
  { ranking }: Ranking,
  failure: Failure = { end: null },
): ChangeVerdict {
  const onset = failure.alerted ?? ranking[0]?.onset ?? failure.onset ?? snapshot.trigger;
  const messages = newComplaints(snapshot.logs, snapshot.trigger);
  const first = Math.min(snapshot.trigger, ...messages.map((line) => line.at));
  const until =
    ranking.length === 0 && (failure.alerted ?? failure.onset) === undefined ? first : Math.max(onset, first);
  const all = onceEach(snapshot.changes).filter(({ at }) => at <= until + SLACK);
  // What was taken back before it began is not running.
  const running = all.filter(
    (one) => !all.some((other) => takesBack(other, one) && other.at < onset - SLACK),
  );
  // What took it back is nothing to take back, unless its own instances show it.
  const known = running.filter((one) => !all.some((other) => takesBack(one, other)));
  const compared = bySideBySide(running, snapshot, onset);
  const places = placesOf(snapshot, subject, [
    ...ranking.map((one) => one.service),
    ...(failure.affected ?? []),
  ]);
  const place = ({ service }: Change) => {
    const copies = service === null ? [] : copiesOf(service, snapshot.services);
    return service === null
      ? places.length
      : places.findIndex((one) => one === service || copies.includes(one));
  };
  const near = snapshot.changes.filter((change) => place(change) >= 0);
  const rolledBack = byRollback(near, onset, failure.end);
  const proven =
    rolledBack !== null
      ? [rolledBack]
      : ([compared, byText(known, messages, snapshot)].find((some) => some.length > 0) ??
        byClimb(running, snapshot));
  const blamed = nearest(proven, place);
  const suspects = known
    .filter((change) => change !== blamed?.change && place(change) >= 0)
    .filter(({ at }) => at >= onset - SHORTLY && at <= onset + SLACK)
    .sort((a, b) => place(a) - place(b) || b.at - a.at)
    .slice(0, MOST_SUSPECTS);
  return { blamed, proven, suspects };
}

/** Of several, the one at the likeliest place; `null` if that is not one. */
function nearest(proven: readonly BlamedChange[], place: (change: Change) => number): BlamedChange | null {
  if (proven.length <= 1) return proven[0] ?? null;
  const placed = proven.filter(({ change }) => place(change) >= 0);
  const [first, second] = placed.toSorted((a, b) => place(a.change) - place(b.change));
  return first !== undefined && (second === undefined || place(second.change) > place(first.change))
    ? first
    : null;
}

/**
 * Where a change can be the cause: what departs, and what reports nothing of itself, below the alert's service. A service
 * that reports and does not depart has not become worse, whatever was deployed there.
 */
function placesOf(
  { edges, series }: Snapshot,
  { service }: Subject,
  departing: readonly string[],
): readonly string[] {
  const reporting = new Set(series.filter(({ edge }) => edge === null).map((one) => one.service));
  const below = service === null ? [] : [...callGraph(edges).reachableFrom(service).keys()];
  return [...new Set([...departing, ...below.filter((one) => !reporting.has(one))])];
}

/** Whether it ran when something began, and is none that took another one back: neither is to be taken back. */
export function mayBeBehind(change: Change, onset: number, { changes }: Pick<Snapshot, 'changes'>): boolean {
  return !changes.some(
    (other) => takesBack(change, other) || (takesBack(other, change) && other.at < onset - SLACK),
  );
}

/** What took it back by then, if anything did. */
export function takenBackBy(change: Change, { changes }: Pick<Snapshot, 'changes'>): Change | undefined {
  return changes.find((other) => takesBack(other, change));
}

/** Whether two records are of one change: by its reference, or by what it was and when. */
export function sameChange(a: Change, b: Change): boolean {
  return a.ref === null || b.ref === null ? a.at === b.at && a.title === b.title : a.ref === b.ref;
}

/** A deploy and the commit that it deployed are one change. */
function onceEach(changes: readonly Change[]): Change[] {
  const byId = new Map<string, Change>();
  for (const change of changes) {
    const id = change.ref ?? `${change.kind} ${change.service} ${change.title} ${change.at}`;
    const known = byId.get(id);
    byId.set(
      id,
      known === undefined
        ? change
        : {
            ...known,
            ...change,
            at: Math.min(known.at, change.at),
            service: change.service ?? known.service,
            details: change.details ?? known.details,
          },
    );
  }
  return [...byId.values()];
}

/** Whether a change brings back what ran before another one of the same service. */
function takesBack(back: Change, of: Change): boolean {
  if (back.service === null || back.service !== of.service || back.at <= of.at) return false;
  if (back.version === null || of.version === null) return back.kind === 'rollback' && of.kind === 'deploy';
  if (back.version === of.version) return false;
  return (
    (back.before ?? of.version) === of.version &&
    (back.kind === 'rollback' || back.version === of.before || isOlder(back.version, of.version))
  );
}

/** A release has numbers; ids of commits have no order. */
const RELEASE = /^v?\d+(?:\.\d+)+/u;
const inOrder = new Intl.Collator('en', { numeric: true });

function isOlder(version: string, than: string): boolean {
  return RELEASE.test(version) && RELEASE.test(than) && inOrder.compare(version, than) < 0;
}

/** The failure began with this version, and was over as soon as the one before it ran again. */
function byRollback(changes: readonly Change[], onset: number, end: number | null): BlamedChange | null {
  if (end === null) return null;
  for (const back of changes) {
    const lag = end - back.at;
    if (lag < -SLACK || lag > BOTH_WITHIN) continue;
    const change = changes.findLast(
      (one) =>
        one.service === back.service &&
        // Who reports a rollback need not know from what.
        (one.version === null || back.before == null
          ? back.kind === 'rollback' && one.kind === 'deploy'
          : one.version === back.before) &&
        one.at < back.at &&
        one.at >= onset - (lag > ENDS_WITHIN ? BOTH_WITHIN : SHORTLY) &&
        one.at <= onset + SLACK,
    );
    if (change !== undefined) return { change, proof: { kind: 'rollback', at: back.at } };
  }
  return null;
}

/** Of each service, the newest change of which that is true. */
function bySideBySide(changes: readonly Change[], { instances }: Snapshot, onset: number): BlamedChange[] {
  const proven = changes
    .filter(({ at }) => at >= onset - SHORTLY)
    .flatMap((change) => {
      const proof = sideBySide(change, instances);
      return proof === null ? [] : [{ change, proof }];
    });
  return [...new Map(proven.map((one) => [one.change.service, one])).values()];
}

/** A climb shows once it is more than noise, a part of itself later; and samples are coarse. */
const SHOWS_AFTER = { least: 10 * 60_000, part: 0.1 };
const COARSE = 5 * 60_000;

/** The only change of a service around the moment from which on something there has filled up that was steady before. */
function byClimb(changes: readonly Change[], { series }: Snapshot): BlamedChange[] {
  const climbs = series.flatMap((one) => climbOf(one) ?? []);
  const proven = climbs.flatMap((climb) => {
    const { series: of, foot, full } = climb;
    const { service } = of;
    const own = changes.filter((one) => one.service === service && Math.abs(one.at - foot.at) <= SHORTLY);
    const [change] = own;
    const requests = series.find((one) => one.service === service && one.signal.measure === 'requests');
    const late = Math.max(SHOWS_AFTER.least, SHOWS_AFTER.part * (full.at - foot.at));
    const isAtFoot = change !== undefined && change.at <= foot.at + COARSE && change.at >= foot.at - late;
    return own.length === 1 && isAtFoot && climbsSince(climb, requests)
      ? [{ change, proof: { kind: 'climb' as const, climb } }]
      : [];
  });
  return [...new Map(proven.map((one) => [one.change.service, one])).values()];
}

/** What another service runs is in no line of this one; what nobody saw being deployed may be anywhere. */
function mayRunTogether({ change: { service: a } }: Touched, { change: { service: b } }: Touched): boolean {
  return a === null || b === null || a === b;
}

/** Whether a line has a function as a stack trace has it: requests are often called like the function that takes them. */
function isFrame(line: string, name: string): boolean {
  const at = line.indexOf(name);
  return containsQuote(line, name) && /(?:\.|\bat |\bin |->\s*)$/u.test(line.slice(0, at))
    ? true
    : line.includes(`${name}(`);
}

interface Touched {
  change: Change;
  files: readonly string[];
  functions: readonly string[];
  /** Names, settings and messages that only its new lines have, and names that only its old ones do. */
  texts: readonly string[];
  /** Everything that it says, to see whether another change says the same. */
  all: string;
  /** Whether any of it is executed. */
  runs: boolean;
}

/** The changes whose files, functions or new texts the failing lines name, if no other change has them too. */
function byText(
  changes: readonly Change[],
  messages: readonly LogLine[],
  { logs, services, trigger }: Snapshot,
): BlamedChange[] {
  if (messages.length === 0) return [];
  const touched = changes.map(touchedBy).filter(({ runs }) => runs);
  const healthy = logs.filter(({ at }) => at < trigger - RECENT).map(({ message }) => message);
  const names = new Set(services.flatMap(({ name, aliases }) => [name, ...aliases]));
  const proven = touched.flatMap((one) => {
    const isOnlyIts = (quote: string) =>
      !names.has(quote) &&
      !touched.some(
        (other) => other !== one && mayRunTogether(one, other) && containsQuote(other.all, quote),
      ) &&
      !healthy.some((line) => containsQuote(line, quote));
    // What another service logs is about what that one does.
    const own = messages.filter(({ service }) => (one.change.service ?? service) === service);
    const find = (
      kind: 'frame' | 'text',
      quotes: readonly string[],
      matches: (line: string, quote: string) => boolean = containsQuote,
    ): BlamedChange[] =>
      quotes.filter(isOnlyIts).flatMap((quote) => {
        const line = own.find(({ message }) => matches(message, quote));
        if (line === undefined) return [];
        const { service, message } = line;
        return [{ change: one.change, proof: { kind, quote, line: message, service } }];
      });
    const frames = [...find('frame', one.files), ...find('frame', one.functions, isFrame)];
    return frames.length > 0
      ? frames.slice(0, 1)
      : longestFirst(find('text', one.texts, isNamed)).slice(0, 1);
  });
  return [...Map.groupBy(proven, ({ change }) => change.service).values()].flatMap((ofService) => {
    const frames = ofService.filter(({ proof }) => proof.kind === 'frame');
    const strongest = frames.length > 0 ? frames : ofService;
    // Two changes that the failing lines of one service name are two suspects.
    return strongest.length === 1 ? strongest : [];
  });
}

function longestFirst(all: readonly BlamedChange[]): BlamedChange[] {
  const length = ({ proof }: BlamedChange) => ('quote' in proof ? proof.quote.length : 0);
  return all.toSorted((a, b) => length(b) - length(a));
}

/** Whether a text contains another literally, not as a part of a word. */
function containsQuote(text: string, quote: string): boolean {
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + quote.length] ?? ' ';
    if (!/\w/u.test(before) && !/\w/u.test(after)) return true;
  }
  return false;
}

/** Whether a line names a text. A quoted word in a payload that it shows is not what it complains of. */
function isNamed(line: string, text: string): boolean {
  const isQuoted = text.startsWith("'") || text.startsWith('"');
  return containsQuote(isQuoted ? (line.split('{')[0] ?? '') : line, text);
}

const LONGEST = 100_000;

function touchedBy(change: Change): Touched {
  const details = (change.details ?? '').slice(0, LONGEST);
  const lines = details.split('\n');
  const removed = linesOf(lines, '-').join('\n');
  const added = linesOf(lines, '+').join('\n');
  const files = lines
    .filter((line) => /^[\w./-]+\.\w+$/u.test(line))
    .flatMap((file) => [file, file.split('/').at(-1) ?? file]);
  const headers = lines.filter((line) => line.startsWith('@@')).join('\n');
  const functions = [
    ...identifiersIn(headers).filter((name) => FUNCTION.test(headersAbout(headers, name))),
    ...calledIn(`${removed}\n${added}`),
  ];
  // A flag or a setting has no diff: its name is what changed.
  const title = change.kind === 'flag' || change.kind === 'config' ? identifiersIn(change.title) : [];
  const texts = [
    ...title,
    ...newValues(removed, added),
    ...[...identifiersIn(added), ...messagesIn(added)].filter((text) => !removed.includes(text)),
    // What the code no longer knows, it complains of: `KeyError: 'dvd'`.
    ...identifiersIn(removed).filter((text) => !added.includes(text)),
    ...quotedIn(removed).filter((text) => !quotedIn(added).includes(text)),
  ];
  return {
    change,
    files: [...new Set(files)].filter((file) => file.length >= SHORTEST),
    functions: [...new Set(functions)],
    texts: [...new Set(texts)],
    runs: files.length === 0 || files.some((file) => !INERT.test(file)),
    all: `${change.title}\n${added}\n${headers}\n${files.join('\n')}`,
  };
}

/** Files that are not executed. */
const INERT = /(?:\.(?:md|css|scss|svg|png|html|txt)|_test\.\w+|\.(?:test|spec)\.\w+|CODEOWNERS|LICENSE)$/u;

/** The keys of settings that have another value now. */
function newValues(removed: string, added: string): string[] {
  const keyOf = (line: string) => /^\s*"?([\w.-]+)"?\s*[:=]/u.exec(line)?.[1];
  const before = new Map(removed.split('\n').map((line) => [keyOf(line), line.trim()]));
  return added.split('\n').flatMap((line) => {
    const key = keyOf(line);
    const was = key === undefined ? undefined : before.get(key);
    const isNew = was !== undefined && was.replaceAll(/\s+/gu, '') !== line.replaceAll(/\s+/gu, '');
    return key !== undefined && isNew ? identifiersIn(key) : [];
  });
}

/** `func (c *Charge) readThreeDSResult(`, `def charge_card(`, `function totalOf(`. */
const FUNCTION = /\b(?:func|def|fn|function|class|void|public|private|static|async)\b|\w\s*\(/u;

/** Functions that changed lines call or declare. */
function calledIn(text: string): string[] {
  return [...text.matchAll(/([A-Za-z_]\w*)\s*\(/gu)].flatMap(([, name = '']) => identifiersIn(name));
}

function headersAbout(headers: string, name: string): string {
  return headers.split('\n').find((line) => line.includes(name)) ?? '';
}

function linesOf(lines: readonly string[], sign: '+' | '-'): string[] {
  return lines
    .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
    .map((line) => line.slice(1));
}

/** Shorter texts occur by chance. */
const SHORTEST = 6;

/** Names of two words or more: `readThreeDSResult`, `payment_capture_v2`, `pool.max-size`. */
function identifiersIn(text: string): string[] {
  return [...text.matchAll(/[A-Za-z_][\w]*(?:[.-][A-Za-z_]\w*)*/gu)]
    .flatMap(([name]) => [name, ...name.split(/[.-]/u)])
    .filter((name) => name.length >= SHORTEST && wordsIn(name) >= 2);
}

function wordsIn(name: string): number {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .split(/[ _.-]+/u)
    .filter(Boolean).length;
}

/** Quoted words, in either quotes: an error names them in its language's own. */
function quotedIn(text: string): string[] {
  return [...text.matchAll(/(["'])([A-Za-z][\w.-]{2,})\1/gu)].flatMap(([, , word]) => [
    `'${word}'`,
    `"${word}"`,
  ]);
}

/** What a quoted text says, without the places that are filled in: at least two words of it. */
function messagesIn(text: string): string[] {
  return [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`/gu)]
    .flatMap(([, double, single, back]) =>
      (double ?? single ?? back ?? '').split(/%[-+\d.]*\w|\$?\{[^}]*\}/u),
    )
    .map((part) => part.trim().replace(/[:=,]$/u, ''))
    .filter((part) => part.length >= 2 * SHORTEST && /\S\s\S/u.test(part));
}

/** How far back a message counts as new: a disk fills slowly. */
const RECENT = 30 * 60_000;
/** One line per pattern says it. */
const MOST_PATTERNS = 500;

/** The first line of each complaint that has lately become more frequent, in the order of time. */
function newComplaints(logs: readonly LogLine[], trigger: number): LogLine[] {
  const patterns = new Map<string, { first: LogLine | null; recent: number; before: number }>();
  for (const line of logs) {
    if (line.at > trigger || !isComplaint(line)) continue;
    const key = `${line.service}\n${patternOf(line.message)}`;
    const pattern = patterns.get(key) ?? { first: null, recent: 0, before: 0 };
    if (line.at >= trigger - RECENT) {
      pattern.recent++;
      pattern.first ??= line;
    } else pattern.before++;
    patterns.set(key, pattern);
    if (patterns.size >= MOST_PATTERNS) break;
  }
  return [...patterns.values()].flatMap(({ first, recent, before }) =>
    first === null || recent <= before ? [] : [first],
  );
}

function isComplaint({ level, message }: LogLine): boolean {
  if (level !== null && /^(error|err|fatal|critical|crit|alert|emerg|panic|severe|warn|warning)/.test(level))
    return true;
  return /\b(error|exception|panic|fatal|failed|timed out)\b/i.test(message);
}

/** The message without the parts that vary: numbers, ids, quoted values. */
function patternOf(message: string): string {
  return message
    .slice(0, 200)
    .replaceAll(/[0-9a-f]{8}[0-9a-f-]*|\d+/gi, '#')
    .replaceAll(/"[^"]*"|'[^']*'/g, '""');
}
