import type { InvestigationResults } from '../../../contract/answers.ts';
import { clean } from '../escape.ts';

/** The texts that the messages of results set out to show; what they leave to *Everything* is not among them. */
function textsToShow(results: InvestigationResults): string[] {
  const { rootCause, timeline = [], remediation } = results;
  const evidence = [...(rootCause?.relevantEvidence ?? []), ...(rootCause?.irrelevantEvidence ?? [])];
  const texts = [
    rootCause?.rootCauseSummary,
    rootCause?.incidentOverview,
    ...evidence.flatMap(({ title, description }) => [title, description]),
    ...nodeTitles(results),
    ...timeline.map(({ title, description }) => title || description),
    ...(remediation?.actions ?? []).flatMap(({ title, description, steps = [] }) => [
      title,
      description,
      ...steps.flatMap((step) => [step.title || step.label, step.content]),
    ]),
  ];
  return texts.filter((text) => text !== undefined).filter((text) => clean(text).trim() !== '');
}

function nodeTitles({ causalTreeV2, causalTree }: InvestigationResults): (string | undefined)[] {
  const nodes = causalTreeV2?.nodes?.length ? causalTreeV2.nodes : (causalTree?.nodes ?? []);
  return nodes.map(({ title, description }) => title || description);
}

/** Whether messages show less than all of `textsToShow`. */
export function isShortened(messages: readonly { blocks: object }[], results: InvestigationResults): boolean {
  const escaped = messages.map(({ blocks }) => allTexts(blocks).join('\n')).join('\n');
  const shown = essence(escaped.replace(/&(?:amp|lt|gt);/gu, ''));
  return textsToShow(results).some((text) => isOfSigns(text) || !shown.includes(essence(text)));
}

const MANY_SIGNS = 200;

// Of what is all signs the essence says nothing; if there are many, some may have been cut.
function isOfSigns(text: string): boolean {
  const signs = text.match(/[^\p{L}\p{N}\s]/gu)?.length ?? 0;
  return signs > MANY_SIGNS && signs > essence(text).length;
}

// Letters and digits alone: escapes and look-alikes (two of which count as letters) differ in nothing else.
function essence(text: string): string {
  return clean(text).replace(/[^\p{L}\p{N}]+|[\u02cb\u02cd]/gu, '');
}

function allTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(allTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : allTexts(inner),
  );
}
