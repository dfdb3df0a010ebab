import type { Service } from '../telemetry/model.ts';
import { bestNamed } from './match.ts';
import { labelsOf, namedByLabels, namedByWords, withoutReporters } from './named-by-labels.ts';
import type { IssueToInvestigate } from './types.ts';

/** The service in telemetry that an issue is about, by its alert's labels or its text, or `null`. */
export function namedService(issue: IssueToInvestigate, all: readonly Service[]): string | null {
  const services = withoutReporters(all, issue.title);
  const labelled = namedByLabels(labelsOf(issue), services);
  if (labelled !== null) return labelled;
  if (issue.service === null) {
    const worded = namedByWords(issue.title, services);
    if (worded !== null) return worded;
  }
  const fields = fieldsOf(issue);
  const byName = new Map(
    services.flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [one, name])),
  );
  for (const field of fields) {
    const exact = field === null ? undefined : byName.get(field);
    if (exact !== undefined) return exact;
  }
  const best = bestNamed(fields, [...byName.keys()]);
  return best === null ? null : (byName.get(best) ?? null);
}

/** Labels for where something runs, not what it is. */
const AROUND =
  /^(?:(?:exported_|kubernetes_|k8s_)?namespace|cluster|prometheus|endpoint|team|region|zone|env(?:ironment)?|severity)\b/iu;

/** Fields that may name an issue's service, the most specific first. */
function fieldsOf({ service, title, description, context }: IssueToInvestigate): (string | null)[] {
  const text = (name: string) => {
    const value = context[name];
    return typeof value === 'string' ? value : null;
  };
  const tags = Array.isArray(context.tags)
    ? context.tags.filter((tag) => typeof tag === 'string' && !AROUND.test(tag)).join(' ')
    : null;
  return [service ?? text('service'), title, text('host'), tags, text('errorMessage'), description];
}
