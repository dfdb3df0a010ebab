/** What `/issue` does, each with the other words that people write for it (DESIGN section 3). */
const synonyms = {
  list: ['list', 'ls', 'all', 'search', 'find'],
  show: ['show', 'view', 'see', 'get', 'card'],
  results: ['results', 'result', 'findings', 'cause', 'rca'],
  resolve: ['resolve', 'resolved', 'close', 'closed', 'fix', 'fixed', 'solve', 'solved', 'done'],
  mute: ['mute', 'muted', 'silence', 'silenced', 'snooze'],
  reopen: ['reopen', 'reopened', 'open', 'unmute', 'unresolve'],
  ready: ['ready', 'ready_to_fix'],
  delete: ['delete', 'remove', 'rm', 'del', 'erase'],
} as const;
export type IssueVerb = keyof typeof synonyms;

const byWord: ReadonlyMap<string, IssueVerb> = new Map(
  entries().flatMap(([verb, words]) => words.map((word) => [word, verb] as const)),
);

function entries(): [IssueVerb, readonly string[]][] {
  const verbs: IssueVerb[] = ['list', 'show', 'results', 'resolve', 'mute', 'reopen', 'ready', 'delete'];
  return verbs.map((verb) => [verb, synonyms[verb]]);
}

/** The verb that a word in lower case means; `null` for none. */
export function verbOf(word: string): IssueVerb | null {
  return byWord.get(word) ?? null;
}

/** Every word that means a verb. */
export const verbWords: readonly string[] = [...byWord.keys()];

/** Words that say nothing: `mark issue 12 as resolved, please`. */
export const FILLERS: ReadonlySet<string> = new Set(
  'a an as at be for from in is issue issues it mark me number of please set the to until'.split(' '),
);

/** The status that the service knows by what people write for it; what they wrote where it is none of these. */
export function statusOf(written: string): string {
  const word = written
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/gu, '_');
  const verb = verbOf(word);
  if (verb === 'ready') return 'ready_to_fix';
  if (verb === 'resolve') return 'resolved';
  if (verb === 'mute') return 'muted';
  return word === 'running' || word === 'active' ? 'investigating' : word;
}
