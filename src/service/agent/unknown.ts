import type { Service } from '../telemetry/model.ts';
import { dimensionIn } from './breakdown.ts';
import { idIn } from './logs.ts';
import { beginsPhrase, weigh } from './phrases.ts';
import type { Choice } from './router.ts';
import { verdictOf } from './tools/verdict.ts';
import type { IssueLookup, IssueOverview, IssueRecord } from './types.ts';
import { EVERYTHING, isYesNo, profileIn, type Turn } from './understand.ts';
import { COMPOUND, SHAPED } from './without-names.ts';
import { knownInWords } from './words/health.ts';
import { causeInWords, withoutCause } from './words/verdict.ts';

const WORD = String.raw`([a-z][\w.-]*\w)`;
/** The closed classes of English: words that name nothing by themselves. */
const FUNCTION =
  /^(?:an?|the|th(?:is|at|ese|ose|ey|em|eir|ere)|its?|he|she|we|us|you|i|me|my|our|your|here|wh\w+|how|all|any\w*|every\w*|each|some\w*|no(?:t|w|ne|thing)?|ones?|both|others?|same|only|also|just|still|again|is|are|was|were|be(?:en|ing)?|ha[sd]|have|do(?:es)?|did|can|could|will|would|should|and|or|but|in|on|at|of|for|by|to|from|with|last|past|next|first|new|old|most|least|more|less|many|much|to(?:day|night)|yesterday|prod(?:uction)?|stag(?:e|ing)|dev(?:elopment)?|test)$/iu;

/** Where a sentence has the name of what it is about. */
const PLACES = [
  new RegExp(String.raw`\bservice\s+${WORD}`, 'iu'),
  new RegExp(String.raw`\b(?:the\s+)?${WORD}\s+service\b`, 'iu'),
  new RegExp(
    String.raw`^\W*(?:so |and |but )?(?:why|how|since when|when)?\s*(?:is|are|was|were|has|does|did|how's)\s+(?:the\s+)?${WORD}\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\b(?:what|who|which services?)\s+(?:calls?|uses?|depends? on)\s+(?:the\s+)?${WORD}`,
    'iu',
  ),
  new RegExp(String.raw`\bdo(?:es)?\s+(?:the\s+)?${WORD}\s+(?:call|use|depend)`, 'iu'),
  new RegExp(String.raw`^\W*(?:and|what about|how about)\s+(?:the\s+)?${WORD}\W*$`, 'iu'),
  new RegExp(String.raw`^\W*(?:is|was) (?:it|this|that)\s+(?:the\s+|an?\s+)?${WORD}\W*$`, 'iu'),
  new RegExp(
    String.raw`\b(?:wrong|issues?|problems?|trouble|happening|going on) with\s+(?:the\s+)?${WORD}`,
    'iu',
  ),
];
/** Where a change happened. With an article it is a word: `in the config`. */
const CHANGED = new RegExp(
  String.raw`\b(?:chang\w+|deploy\w*|releas\w+|merged|shipped|new|different)\s+(?:in|on|to|with|for|at|of)\s+${WORD}`,
  'iu',
);
const OF = new RegExp(String.raw`\b(?:of|for)\s+(?:the\s+)?${WORD}`, 'iu');

/**
 * What a question is about, by a name that telemetry does not know: `errors of ledger`, `is db-7 ok?` `null` if it names
 * something known, or nothing.
 *
 * @param isKnown whether it is another name of something known: an address, a pod
 */
function unknownServiceIn(
  { question, words, named, numberNamed, metricNamed, files }: Turn,
  isKnown: (name: string) => boolean,
): string | null {
  if (named.length > 0 || numberNamed !== null) return null;
  const text = question.replaceAll(/[\x60*"“”]/gu, '');
  const shaped = [...text.matchAll(SHAPED)].map(([name]) => name).filter((name) => !COMPOUND.test(name));
  const places = metricNamed === null && !/\blogs?\b/iu.test(words) ? PLACES : [...PLACES, OF];
  const placed = [...places, CHANGED].flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
  const isWord = (word: string) =>
    FUNCTION.test(word) ||
    [word, `service ${word}`].some(beginsPhrase) ||
    EVERYTHING.test(word) ||
    dimensionIn(`which ${word}`) !== null ||
    profileIn(word) !== null;
  return (
    [...shaped, ...placed.filter((word) => !isWord(word))].find(
      (name) => !files.some((file) => file.name.includes(name)) && !isKnown(name),
    ) ?? null
  );
}

/** A name of a part that telemetry does not know; whether the part is about a system at all. */
export function unknownFor(
  { tool, turn }: Choice,
  directory: readonly Service[],
): { name: string; isOurs: boolean } | null {
  // A namespace is no service, and its pods need not be known as ones.
  if (tool.isOffline || ['state', 'rules', 'outlook', 'database'].includes(tool.name)) return null;
  if (tool.name === 'logs' && idIn(turn.question) !== null) return null;
  const isKnown = (name: string) =>
    directory.some(({ aliases, instances = [] }) => [...aliases, ...instances].includes(name));
  const name = unknownServiceIn(turn, isKnown);
  return name === null ? null : { name, isOurs: isAboutSystems(turn, name) };
}

/** A cue besides *why*: nobody asks the sky for its error rate. */
function isAboutSystems(turn: Turn, name: string): boolean {
  const words = turn.words.replace(/^\W*why\b/iu, '').replaceAll(name, '·');
  return (
    words.includes('··') ||
    /[-.\d]/u.test(name) ||
    [...weigh({ turn: { ...turn, words }, hasState: true }).values()].some(({ score }) => score > 0)
  );
}

const MOST_LOOKED_AT = 20;

/** What can be said of something that telemetry does not know: which issue is about it. */
export async function aboutUnknown(
  name: string,
  {
    turn,
    issue,
    services,
    open,
    caveats,
  }: {
    turn: Turn;
    issue: IssueRecord | null;
    services: readonly string[];
    open: readonly IssueOverview[];
    /** Why some sources could not be read. */
    caveats: readonly string[];
  },
  issues: IssueLookup,
): Promise<string> {
  const unknown =
    caveats.length === 0
      ? `I know no service called ${name}: there are no metrics for it.`
      : `No source that I can read now knows a service called ${name}. ${caveats.join(' ')}`;
  const records = await Promise.all(
    open.slice(0, MOST_LOOKED_AT).map(({ number }) => issues.byNumber(number)),
  );
  const about = records.find(
    (one) =>
      one !== null &&
      `${one.title} ${one.description} ${JSON.stringify(one.context.tags ?? '')}`.includes(name),
  );
  if (about) {
    const cause = about.rootCauseSummary ?? withoutCause(verdictOf({ issue: about }));
    return `${unknown} #${about.number} ${about.title} is about it (${about.status.replaceAll('_', ' ')}). ${cause}`;
  }
  const isGuess = isYesNo(turn.question) && /^\W*(?:is|was) (?:it|this|that)\b/iu.test(turn.question);
  const cause = isGuess && issue !== null ? causeInWords(verdictOf({ issue })) : null;
  return `${unknown} ${cause ?? knownInWords(services)}`;
}
