import { z } from 'zod';
import type { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { SAID, type Said, type Verdict } from '../store/verdicts.ts';
import { confidenceIn, heldAgainst, kindIn, standingOf, withConfidence } from './record.ts';

/** A verdict's prediction. Stored: names and shapes must not change. */
export const Expected = z.object({
  sentence: z.string(),
  /** Once the change was taken back, or once the alert is over. */
  after: z.enum(['undo', 'recovery']),
  withinSeconds: z.number(),
});
type Expected = z.infer<typeof Expected>;

/** `null` if it predicts nothing. */
export function expectedOf({ expects }: Pick<Verdict, 'expects'>): Expected | null {
  return expects === null ? null : decodeStored(Expected, expects);
}

/** The prediction of a version's verdict, and what became of it. */
export async function predictionOf(
  issueId: string,
  version: number,
  { verdicts }: Pick<Aggregates, 'verdicts'>,
): Promise<{ sentence: string; outcome: string | null; at: number | null } | null> {
  const verdict = await verdicts.of(issueId);
  const expected = verdict?.version === version ? expectedOf(verdict) : null;
  if (verdict === null || expected === null) return null;
  return { sentence: expected.sentence, outcome: verdict.outcome, at: verdict.outcomeAt };
}

/**
 * Keeps the verdict of an investigation that has just ended, in the transaction that stores its results.
 *
 * @returns the results to store: with a lower confidence where the record of such verdicts refutes it
 */
export async function keepVerdict(
  tx: Pick<Aggregates, 'verdicts'>,
  issue: Pick<Issue, 'id' | 'channel'>,
  {
    version,
    results,
    at,
    expects = null,
  }: { version: number; results: InvestigationResults; at: number; expects?: Expected | null },
): Promise<InvestigationResults> {
  const confidence = confidenceIn(results);
  if (confidence === null) return results;
  const kind = kindIn(results);
  const record = kind === null ? [] : await tx.verdicts.knownLike({ kind, confidence }, issue.id);
  const held = heldAgainst(confidence, record);
  const { id: issueId, channel } = issue;
  await tx.verdicts.found({
    issueId,
    version,
    channel,
    at,
    confidence,
    shown: held.confidence,
    kind,
    expects: expects === null ? null : JSON.stringify(expects),
  });
  return held.confidence === confidence
    ? results
    : withConfidence(
        results,
        held.confidence,
        `Confidence ${held.confidence} instead of ${confidence}: of ${held.of} such verdicts here, ${held.right} ${held.right === 1 ? 'was' : 'were'} right.`,
      );
}

/** What a card shows of its verdict's record. */
export interface RecordOfIssue {
  /** Whether to ask if the verdict was right: once the issue is resolved, until somebody has said it. */
  asks: boolean;
  said: Said | null;
  saidBy: string | null;
  confidence: string;
  /** How often verdicts with this confidence were right in its channel; `null` while there are too few. */
  standing: { right: number; of: number } | null;
}

export async function recordOfIssue(
  { id, state, status, symptomOf }: Pick<Issue, 'id' | 'state' | 'status' | 'symptomOf'>,
  { verdicts }: Pick<Aggregates, 'verdicts'>,
): Promise<RecordOfIssue | null> {
  const verdict = state === 'created' && symptomOf === null ? await verdicts.of(id) : null;
  if (verdict === null) return null;
  const { said, saidBy, shown, channel } = verdict;
  return {
    asks: said === null && status === 'resolved',
    said: SAID.find((one) => one === said) ?? null,
    saidBy,
    confidence: shown,
    standing: standingOf(await verdicts.knownLike({ channel, shown }, id)),
  };
}

/**
 * What a person says of a verdict, with its audit entry: the first to say it.
 *
 * @returns false if somebody was faster, or there is nothing to say it of
 */
export async function sayOf(
  tx: Aggregates,
  { issueId, said, by, at }: { issueId: string; said: Said; by: string; at: number },
): Promise<boolean> {
  if (!(await tx.verdicts.say(issueId, said, by, at))) return false;
  await tx.audit.add({ at, who: by, what: `called the verdict ${WORDS[said]}`, issueId });
  await tx.outbox.refreshCards(issueId);
  return true;
}

const WORDS: Record<Said, string> = {
  yes: 'right',
  nearly: 'nearly right',
  no: 'wrong',
  other: 'wrong: it was something else',
};
