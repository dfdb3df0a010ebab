import type { Change, LogLine } from '../../telemetry/model.ts';
import type { Snapshot } from '../../telemetry/view.ts';
import type { Ranking, Subject } from './types.ts';

/** A change, and how strongly it is suspected. */
interface BlamedChange {
  change: Change;
  /** The summed specificity of the words it shares with the symptom. */
  score: number;
  /** These words, the most specific first. */
  shared: readonly string[];
}

/** Below this, a change's overlap with the symptom is chance. */
const LEAST = 0.55;
/** Above this share of the first change's overlap, nothing tells which of two it was. */
const UNDECIDED = 0.9;
/** Words present in changed lines both before and after. */
const UNCHANGED = 0.25;
/** Alerts and metrics use general words, so they count for less than what the failing code logs. */
const GENERAL = 0.5;
/** Titles and paths say what a change is about, not what it changed. */
const ABOUT = 0.5;
/** A change to a service other than the suspects, or one not seen being deployed. */
const ELSEWHERE = 0.4;
const NOT_DEPLOYED = 0.8;
/** Clock skew between systems, in milliseconds. */
const SLACK = 30_000;
/** A change that breaks something at once does so within this many milliseconds. */
const SHORTLY = 30 * 60_000;
/** Files that are not executed. */
const INERT =
  /(\.(md|css|scss|svg|png|html|txt)|_test\.\w+|\.(test|spec)\.\w+|^docs\/|^\.github\/|testdata\/|CODEOWNERS|LICENSE)/;
/** Problems not caused by one's own changes. */
const OPERATIONAL =
  /certificate (has )?expired|x509: certificate|no such host|enotfound|servfail|name resol|quota exceeded|rate limit exceeded|insufficient capacity|poison|out of range|region.{0,20}(unavailable|outage)|provider.{0,20}outage|node ?not ?ready|evicted|noisy.?neighbou?r|steal time|traffic (?:spike|surge)|load.?shed/i;
const OPERATIONAL_WEIGHT = 0.4;

/**
 * The change to blame, or null: the one whose changed lines share the words that the failing code now logs. Being
 * recent is no proof; a deploy that only moves code changes no words.
 */
export function blamedChange(snapshot: Snapshot, subject: Subject, ranked: Ranking): BlamedChange | null {
  if (snapshot.changes.every(({ details }) => details === null)) return touching(snapshot, ranked);
  const [first, second] = scoredChanges(snapshot, subject, ranked);
  if (first === undefined || first.score < LEAST) return null;
  return second !== undefined && second.score > UNDECIDED * first.score ? null : first;
}

/** If no change's content is known: the first suspect's last change before it began to fail. */
function touching({ changes, trigger }: Snapshot, { ranking }: Ranking): BlamedChange | null {
  const [suspect] = ranking;
  if (suspect === undefined) return null;
  const onset = suspect.onset ?? trigger;
  const change = changes.findLast(
    ({ service, at }) => service === suspect.service && at <= onset + SLACK && at >= onset - SHORTLY,
  );
  return change === undefined ? null : { change, score: LEAST, shared: [] };
}

/** Every change that could be the cause, with its score, the likeliest first. */
function scoredChanges(snapshot: Snapshot, subject: Subject, { ranking }: Ranking): BlamedChange[] {
  const messages = newMessages(snapshot.logs, snapshot.trigger);
  const onset = Math.min(
    snapshot.trigger,
    ...messages
      .filter(({ service, complaint }) => complaint && service === subject.service)
      .map(({ onset }) => onset),
  );
  const candidates = candidatesOf(snapshot.changes, onset + SLACK);
  const names = termsOf(snapshot.services.map(({ name }) => name).join('\n'));
  const said = symptomTerms(
    snapshot.logs,
    messages.map(({ message }) => message),
    subject,
    ranking,
    snapshot.trigger - RECENT,
  );
  // A service's name is in whatever concerns it, and says nothing of what changed.
  const weight = (term: string) => (names.has(term) ? 0 : said(term));
  const texts = candidates.map(({ change }) => termsOf(`${change.title}\n${change.details ?? ''}`));
  const rare = rarity(texts);
  const suspects = new Set([subject.service, ...ranking.slice(0, 3).map(({ service }) => service)]);
  const operational = messages.some(({ message }) => OPERATIONAL.test(message));
  return candidates
    .map(({ change, terms }) => {
      const size = 1 + Math.log(1 + terms.size / 20);
      const shared = [...terms]
        .map(([term, share]) => ({ term, value: (weight(term) * rare(term) * share) / size }))
        .filter(({ value }) => value > 0)
        .sort((a, b) => b.value - a.value);
      const near = change.service === null ? NOT_DEPLOYED : suspects.has(change.service) ? 1 : ELSEWHERE;
      const sum = shared.reduce((total, { value }) => total + value, 0);
      return {
        change,
        score: sum * near * (operational ? OPERATIONAL_WEIGHT : 1),
        shared: shared.map(({ term }) => term),
      };
    })
    .sort((a, b) => b.score - a.score);
}

interface Candidate {
  change: Change;
  /** What it changed, 0 to 1 each: how strongly a word belongs to the change. */
  terms: ReadonlyMap<string, number>;
}

/** Changes that could be the cause; a deploy and the commit it deployed count as one. */
function candidatesOf(changes: readonly Change[], until: number): Candidate[] {
  const byId = new Map<string, Change>();
  for (const change of changes) {
    if (change.at > until) continue;
    const id = change.ref ?? `${change.kind} ${change.service} ${change.title}`;
    const known = byId.get(id);
    byId.set(
      id,
      known === undefined
        ? change
        : {
            ...known,
            ...change,
            service: change.service ?? known.service,
            details: change.details ?? known.details,
          },
    );
  }
  return [...byId.values()].flatMap((change) => {
    const lines = (change.details ?? '').split('\n');
    const files = lines.filter((line) => /^[\w./-]+$/.test(line) && /[./]/.test(line));
    if (files.length > 0 && files.every((file) => INERT.test(file))) return [];
    return [{ change, terms: changedTerms(change.title, files, lines) }];
  });
}

function changedTerms(
  title: string,
  files: readonly string[],
  lines: readonly string[],
): Map<string, number> {
  const removed = lines.filter((line) => /^-(?!--)/.test(line)).map((line) => line.slice(1));
  const added = lines.filter((line) => /^\+(?!\+\+)/.test(line)).map((line) => line.slice(1));
  const before = termsOf(removed.join('\n'));
  const after = termsOf(added.join('\n'));
  const terms = new Map<string, number>();
  const add = (found: Iterable<string>, share: number) => {
    for (const term of found) terms.set(term, Math.max(share, terms.get(term) ?? 0));
  };
  add(before, UNCHANGED);
  add(after, UNCHANGED);
  // A diff's hunk header names the enclosing function.
  add(termsOf([title, ...files, ...lines.filter((line) => line.startsWith('@@'))].join('\n')), ABOUT);
  add(termsOf(newValues(removed, added).join('\n')), 1);
  add(
    [...before, ...after].filter((term) => before.has(term) !== after.has(term)),
    1,
  );
  return terms;
}

/** Lines that differ only in a value: a setting, a version. Their other words are what changed. */
function newValues(removed: readonly string[], added: readonly string[]): string[] {
  const keyOf = (line: string) => /^\s*([\w.\-/ ]+?)\s*(?::=|[:=]|\sv(?=\d))/.exec(line)?.[1]?.trim();
  const values = new Map(removed.map((line) => [keyOf(line), line.trim()]));
  return added.filter((line) => {
    const key = keyOf(line);
    const old = key === undefined ? undefined : values.get(key);
    return old !== undefined && old.replaceAll(/\s+/g, ' ') !== line.trim().replaceAll(/\s+/g, ' ');
  });
}

/** How strongly each word belongs to the symptom; words also found in healthy lines do not. */
function symptomTerms(
  logs: readonly LogLine[],
  messages: readonly string[],
  subject: Subject,
  ranking: Ranking['ranking'],
  before: number,
): (term: string) => number {
  const failing = termsOf(messages.join('\n'));
  const healthy = termsOf(
    logs
      .filter(({ level, at }) => (level === 'info' || level === 'debug') && at < before)
      .map(({ message }) => message)
      .join('\n'),
  );
  const metrics = ranking.flatMap(({ reasons }) =>
    reasons.map((reason) => (reason.what === 'series' ? reason.metric : '')),
  );
  const general = termsOf([subject.title, subject.description, ...metrics].join('\n'));
  return (term) => {
    if (failing.has(term) && !healthy.has(term)) return 1;
    return general.has(term) && !healthy.has(term) ? GENERAL : 0;
  };
}

/** Messages new to a service. */
interface NewMessages {
  service: string;
  /** One per pattern, its first line verbatim. */
  message: string;
  /** Number of occurrences since then. */
  count: number;
  /** Whether it reports a problem. */
  complaint: boolean;
  /** Its first occurrence, in milliseconds since the epoch. */
  onset: number;
}

/** How far back a message counts as new: a disk fills slowly. */
const RECENT = 30 * 60_000;
/** This many lines of a new pattern are a change of behaviour even if they are not complaints. */
const MANY = 5;

/**
 * Messages that services have recently begun to log, the most frequent first: complaints, and anything entirely new.
 */
function newMessages(logs: readonly LogLine[], trigger: number): NewMessages[] {
  const patterns = new Map<string, { first: LogLine | null; recent: number; before: number }>();
  for (const line of logs) {
    if (line.at > trigger) continue;
    const key = `${line.service}\n${patternOf(line.message)}`;
    const pattern = patterns.get(key) ?? { first: null, recent: 0, before: 0 };
    if (line.at >= trigger - RECENT) {
      pattern.recent++;
      pattern.first ??= line;
    } else pattern.before++;
    patterns.set(key, pattern);
  }
  return [...patterns.values()]
    .flatMap(({ first, recent, before }) => {
      if (first === null) return [];
      const complaint = isComplaint(first);
      // What was logged more often in all the time before is no news.
      if (complaint ? recent <= before : before > 0 || recent < MANY) return [];
      return [{ service: first.service, message: first.message, count: recent, onset: first.at, complaint }];
    })
    .sort((a, b) => b.count - a.count);
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

/** Function words, which occur in every text. */
const GRAMMAR = new Set(
  'the and for from with not are was were has have had its this that into out onto per via then than when now new all any after before over under off'.split(
    ' ',
  ),
);

/**
 * The terms of a text: identifiers as a whole and in parts, words, and numbers, in lower case. `readThreeDSResult` is
 * `readthreedsresult`, `read`, `three`, `ds`, `result`.
 */
function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (const [word] of text.matchAll(/[A-Za-z_][A-Za-z0-9_]*|\d{2,}/g)) {
    const parts = word
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
      .split(/[ _]+/);
    for (const part of [word, ...parts]) {
      const term = singular(part.toLowerCase());
      if ((term.length >= 3 && !GRAMMAR.has(term)) || /^\d{2,}$/.test(term)) terms.add(term);
    }
  }
  return terms;
}

function singular(word: string): string {
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** How specific each term is, 0 to 1: highest if only one text has it, 0 if all do. */
function rarity(texts: readonly ReadonlySet<string>[]): (term: string) => number {
  const counts = new Map<string, number>();
  for (const terms of texts) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const most = Math.log(texts.length + 1);
  return (term) => Math.log((texts.length + 1) / Math.max(1, counts.get(term) ?? 0)) / most;
}
