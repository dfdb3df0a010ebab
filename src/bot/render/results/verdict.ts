import type { SectionBlock } from '@slack/types';
import type { InvestigationResults, RootCause } from '../../../contract/answers.ts';
import { cutEscaped } from '../cut.ts';
import { clean, literal } from '../escape.ts';
import { body } from '../links.ts';
import { section } from '../rendered.ts';
import { type CauseGraph, causeGraph } from './graph.ts';
import { passage } from './phrases.ts';

const MAX_TEXT = 2400;
/** For a card, which is mainly about the status. */
const MAX_BRIEF = 400;
/** Unescaped: far more than is shown, far less than would take long to process. */
const MAX_SOURCE = 20_000;

/** Whether the service names a root cause (contract, 2.7); without one, nothing was found. */
export function hasRootCause(rootCause: RootCause | undefined): boolean {
  return clean(rootCause?.rootCauseSummary ?? '').trim() !== '';
}

/** The verdict: root cause with its confidence, or that nothing was found; then what happened. */
export function verdictBlocks(rootCause: RootCause | undefined, graph: CauseGraph): SectionBlock[] {
  const overview = body(passage(rootCause?.incidentOverview, MAX_SOURCE));
  const happened = overview === '' ? [] : [section(`*What happened*\n${cutEscaped(overview, MAX_TEXT)}`)];
  if (!hasRootCause(rootCause)) {
    return [section('*No root cause found*'), ...happened];
  }
  const summary = cutEscaped(body(passage(rootCause?.rootCauseSummary, MAX_SOURCE)), MAX_TEXT);
  return [section(`*Root cause* · ${verdictConfidence(graph)}\n${summary}`), ...happened];
}

/** The root cause with its confidence, or that nothing was found, in a few lines. */
export function verdictInBrief(results: InvestigationResults): SectionBlock {
  const { rootCause } = results;
  if (!hasRootCause(rootCause)) return section('*No root cause found*');
  const summary = body(passage(rootCause?.rootCauseSummary, MAX_BRIEF));
  return section(
    `*Root cause* · ${verdictConfidence(causeGraph(results))}\n${cutEscaped(summary, 2 * MAX_BRIEF)}`,
  );
}

// The contract gives a root cause no confidence of its own; the cause in the graph has one.
function verdictConfidence(graph: CauseGraph): string {
  const stated = graph.causes.map((id) => graph.nodes.get(id)?.confidence).find((value) => value);
  return stated === undefined ? 'no confidence given' : literal(stated);
}
