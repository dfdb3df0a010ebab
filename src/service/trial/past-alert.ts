import type { AlertRule, FiredAlert, Reading } from '../telemetry/model.ts';

export interface PastAlert {
  name: string;
  /** Milliseconds. */
  from: number;
  /** `null` if it still fires, or nothing says when it ended. */
  to: number | null;
  /** Equal for the same alert, whenever it fires. */
  identity: string;
  description: string;
  service: string | null;
  environment: string;
  /** Its labels as `tags`, and whatever else its message says, as in a create request. */
  context: Readonly<Record<string, unknown>>;
  /** Where its tool shows it, if it says so. */
  url: string | null;
}

/** An alert with the times at which it fired again, and the bot would not have looked at it anew. */
export interface PastProblem extends PastAlert {
  again: readonly { from: number; to: number | null }[];
}

/** As the bot's channels have it, unless somebody sets another. */
const COOL_DOWN = 30 * 60_000;
const RECOVERY = 2 * 60_000;
/** Within a cool-down; what fires more often is flapping. */
const MOST_LOOKS = 2;

export function tagsOf({ context }: PastAlert): string[] {
  return Array.isArray(context.tags) ? context.tags.filter((tag) => typeof tag === 'string') : [];
}

/** Each problem once, oldest first: what fires again is another one once its recovery has held, unless it is flapping. */
export function problemsOf(alerts: readonly PastAlert[]): PastProblem[] {
  const problems: (PastAlert & { again: { from: number; to: number | null }[] })[] = [];
  const looks = new Map<string, typeof problems>();
  for (const alert of alerts.toSorted((a, b) => a.from - b.from)) {
    const { identity, from, to } = alert;
    const before = looks.get(identity) ?? [];
    const problem = before.at(-1);
    const latest = problem?.again.at(-1) ?? problem;
    const pause = latest === undefined ? COOL_DOWN : from - (latest.to ?? latest.from);
    const recent = before.filter((one) => from - one.from < COOL_DOWN).length;
    const isAnew = pause >= COOL_DOWN || (latest?.to != null && pause >= RECOVERY && recent < MOST_LOOKS);
    if (problem !== undefined && !isAnew) problem.again.push({ from, to });
    else {
      const another = { ...alert, again: [] };
      problems.push(another);
      looks.set(identity, [...before, another]);
    }
  }
  return problems;
}

/** An alert that fired, in the words in which Alertmanager's default template would have sent it. */
export function pastAlert(fired: FiredAlert, rules: Reading<readonly AlertRule[]>): PastAlert {
  const { name, labels, from, to } = fired;
  const rule = rules.known
    ? rules.value.find(
        (one) =>
          one.name === name && Object.entries(one.labels).every(([key, value]) => labels[key] === value),
      )
    : undefined;
  const own = Object.entries(labels).filter(([key]) => key !== 'alertname');
  const notes = Object.entries(rule?.annotations ?? {}).map(
    ([key, text]) => ` - ${key} = ${filledIn(text, labels)}`,
  );
  return {
    name,
    from,
    to,
    identity: JSON.stringify([name, ...own.toSorted(([a], [b]) => (a < b ? -1 : 1))]),
    description: [
      'Labels:',
      ` - alertname = ${name}`,
      ...own.map(([key, value]) => ` - ${key} = ${value}`),
      ...(notes.length === 0 ? [] : ['Annotations:', ...notes]),
    ].join('\n'),
    service: labels.service ?? null,
    environment: labels.environment ?? labels.env ?? 'production',
    context: {
      ...(labels.service !== undefined && { service: labels.service }),
      tags: Object.entries(labels).map(([key, value]) => `${key}:${value}`),
    },
    url: null,
  };
}

/** A rule's annotation with the labels that it names; the value that it had is not known. */
function filledIn(text: string, labels: FiredAlert['labels']): string {
  return text.replaceAll(/\{\{(?<inner>[^}]*)\}\}/gu, (_all, inner: string) => {
    const label = /^\s*\$labels\.(\w+)\s*$/u.exec(inner)?.[1];
    return (label === undefined ? undefined : labels[label]) ?? '…';
  });
}
