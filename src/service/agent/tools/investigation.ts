import type { Investigation } from '../../investigation/types.ts';
import type { Facts } from '../types.ts';

/** What an investigation finds that begins with a question, as one does that begins with an alert. */
export interface Investigated {
  summary: string | null;
  overview: string;
  confidence: string | null;
  evidence: { title: string; description: string }[];
  ruledOut: { title: string; description: string }[];
  /** Why nothing could be looked at; `null` if something was. */
  unread: string | null;
}

const MOST_EVIDENCE = 5;
const MOST_RULED_OUT = 2;

/** Investigates a thing as an issue on it would be. */
export async function investigation(
  { question, service, at }: { question: string; service: string | null; at: number },
  facts: Facts,
): Promise<Investigated> {
  const { results, artifacts, unread }: Investigation = await facts.investigate({ question, service, at });
  facts.attach(artifacts);
  return investigatedOf(results, unread);
}

/** The part of an investigation that an answer shows. */
export function investigatedOf({ rootCause }: Investigation['results'], unread: string | null): Investigated {
  const { relevantEvidence = [], irrelevantEvidence = [] } = rootCause;
  const brief = ({ title, description }: { title: string; description: string }) => ({ title, description });
  return {
    summary: rootCause.rootCauseSummary ?? null,
    overview: rootCause.incidentOverview ?? '',
    confidence: relevantEvidence[0]?.confidence ?? null,
    evidence: relevantEvidence.slice(0, MOST_EVIDENCE).map(brief),
    ruledOut: irrelevantEvidence.slice(0, MOST_RULED_OUT).map(brief),
    unread,
  };
}
