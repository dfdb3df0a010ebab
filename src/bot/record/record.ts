import type { InvestigationResults } from '../../contract/answers.ts';
import { causeKeyOf, causeNodeOf } from '../issues/cause.ts';
import type { Judged, Known, Verdict } from '../store/verdicts.ts';

/** What became of a verdict. */
export type Fate = 'right' | 'nearly' | 'wrong' | 'unknown';
/** How that is known: a person said so, its prediction came true or did not, or what was done looks like it. */
export type Source = 'said' | 'came_true' | 'looks_like';

interface Tally {
  right: number;
  nearly: number;
  wrong: number;
  unknown: number;
}

/** One confidence, with what became of its verdicts by source: each verdict once, by the first source that knows. */
export interface RecordLine {
  confidence: string;
  all: number;
  fates: Tally;
  sources: Record<Source, Tally>;
}

const FATES: ReadonlyMap<string, Fate> = new Map([
  ['yes', 'right'],
  ['nearly', 'nearly'],
  ['no', 'wrong'],
  ['other', 'wrong'],
]);
/** A step that was ticked looks like a right verdict once the issue is resolved; nothing looks like a wrong one. */
const OVER = new Set(['resolved']);

/** What is known of a verdict's fate, and how. */
export function fateOf(
  verdict: Pick<Verdict, 'said' | 'outcome'> & Partial<Pick<Judged, 'tickedAt' | 'status'>>,
): { fate: Fate; source: Source | null } {
  const { said, outcome, tickedAt = null, status = '' } = verdict;
  const judged = said === null ? undefined : FATES.get(said);
  if (judged !== undefined) return { fate: judged, source: 'said' };
  if (outcome !== null) return { fate: outcome === 'came_true' ? 'right' : 'wrong', source: 'came_true' };
  if (tickedAt !== null && OVER.has(status)) return { fate: 'right', source: 'looks_like' };
  return { fate: 'unknown', source: null };
}

const ORDER = ['high', 'medium', 'low'];

/** By confidence, the highest first. */
export function recordOf(verdicts: readonly Judged[]): RecordLine[] {
  const byConfidence = Map.groupBy(verdicts, ({ shown }) => shown);
  const rank = (confidence: string) => (ORDER.indexOf(confidence) + ORDER.length + 1) % (ORDER.length + 1);
  return [...byConfidence]
    .map(([confidence, own]): RecordLine => {
      const sources = { said: noTally(), came_true: noTally(), looks_like: noTally() };
      const fates = noTally();
      for (const { fate, source } of own.map(fateOf)) {
        fates[fate] += 1;
        if (source !== null) sources[source][fate] += 1;
      }
      return { confidence, all: own.length, fates, sources };
    })
    .sort((a, b) => rank(a.confidence) - rank(b.confidence));
}

function noTally(): Tally {
  return { right: 0, nearly: 0, wrong: 0, unknown: 0 };
}

/** How often verdicts like one were right, of those of which a person said it or that made a prediction. */
interface Standing {
  right: number;
  nearly: number;
  of: number;
}

function standingIn(known: readonly Known[]): Standing {
  const of = (fate: Fate) =>
    known.filter((one) => fateOf(one).fate === fate).reduce((sum, { n }) => sum + Number(n), 0);
  const [right, nearly] = [of('right'), of('nearly')];
  return { right, nearly, of: right + nearly + of('wrong') };
}

/** How often verdicts with this confidence were right in the channel; `null` for fewer than five. */
export function standingOf(known: readonly Known[]): Pick<Standing, 'right' | 'of'> | null {
  const { right, of } = standingIn(known);
  return of < FEWEST ? null : { right, of };
}

const FEWEST = 5;

/** How often a confidence is right before this place has a record, and from which share on it may be called so. */
const LEVELS = {
  high: { prior: 0.9, least: 0.75, below: 'medium' },
  medium: { prior: 0.7, least: 0.5, below: 'low' },
} as const;
/** As many verdicts as the prior counts for. */
const WEIGHT = 12;

/**
 * The confidence that the record of this kind of cause leaves: lower if it was wrong too often, never higher. A few
 * misses do not refute it, since the prior counts for twelve.
 *
 * @param record verdicts of this kind that were given this confidence
 */
export function heldAgainst(
  confidence: string,
  record: readonly Known[],
): { confidence: string } & Pick<Standing, 'right' | 'of'> {
  const { right, nearly, of } = standingIn(record);
  const prior = levelOf(confidence)?.prior ?? 0;
  const share = (prior * WEIGHT + right + nearly / 2) / (WEIGHT + of);
  let held = confidence;
  for (let level = levelOf(held); level !== null && share < level.least; level = levelOf(held))
    held = level.below;
  return { confidence: held, right, of };
}

function levelOf(confidence: string) {
  return confidence === 'high' || confidence === 'medium' ? LEVELS[confidence] : null;
}

/** The verdict's confidence, in lower case; `null` if nothing was found, or none is given. */
export function confidenceIn(results: InvestigationResults): string | null {
  const stated = causeNodeOf(results)?.confidence?.trim().toLowerCase();
  const { rootCauseSummary = '', isUnexplained = false } = results.rootCause ?? {};
  const isFound = /\S/u.test(rootCauseSummary) && !isUnexplained;
  return isFound && stated ? stated.slice(0, 40) : null;
}

/** What kind of cause results name, without its place: `connection-pool exhaustion`; `null` if they say none. */
export function kindIn(results: InvestigationResults): string | null {
  const [kind = ''] = (causeKeyOf(results) ?? '').split(/\s(?:of|in|on|to|from|between|after)\s|:/u);
  return kind === '' ? null : kind;
}

/** The results with another confidence of their verdict, and a sentence that says why. */
export function withConfidence(
  results: InvestigationResults,
  confidence: string,
  why: string,
): InvestigationResults {
  const { causalTreeV2, rootCause } = results;
  const cause = causeNodeOf(results);
  return {
    ...results,
    rootCause: { ...rootCause, incidentOverview: `${rootCause?.incidentOverview ?? ''} ${why}`.trim() },
    causalTreeV2: {
      ...causalTreeV2,
      nodes: (causalTreeV2?.nodes ?? []).map((node) => (node === cause ? { ...node, confidence } : node)),
    },
  };
}
