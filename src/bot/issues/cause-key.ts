import type { InvestigationResults } from '../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';

const MAX_KEY = 200;

/**
 * Kind and place of the cause that results name, as text to compare: *bad deploy of payments*. Versions and other
 * numbers differ from case to case, and are left out. `null` without a cause.
 */
export function causeKeyOf(results: InvestigationResults): string | null {
  const { rootCause, remediation } = results;
  if (!/\S/u.test(rootCause?.rootCauseSummary ?? '')) return null;
  // What undoes a cause names its kind and place too.
  const words = causeNodeOf(results)?.title ?? remediation?.actions?.[0]?.title ?? '';
  const key = oneLine(words.trim() || (rootCause?.rootCauseSummary ?? ''))
    .toLowerCase()
    .replace(/(?:\s(?:to|from))?\s\S*\d+\.\d\S*/gu, '');
  return key === '' ? null : cutAtWord(key, MAX_KEY);
}

/** The cause in the graph. */
export function causeNodeOf({ causalTreeV2 }: InvestigationResults) {
  return causalTreeV2?.nodes?.find(({ nodeType }) => /^(?:root[\s_-]?)?cause$/iu.test(nodeType ?? ''));
}

/** The service, or the object, that the cause is at: what the graph calls it, where its title names that too; `null` if unknown. */
export function causePlaceOf(results: InvestigationResults): string | null {
  const node = causeNodeOf(results);
  return node?.id != null && node.id !== '' && namesIn(node.title ?? '').includes(node.id) ? node.id : null;
}

/** The words of a text that may be names. */
export function namesIn(text: string): string[] {
  return oneLine(text).match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*(?<=[\p{L}\p{N}])/gu) ?? [];
}
