import { diagnose } from '../investigation/diagnose.ts';
import { investigate } from '../investigation/investigate.ts';
import { neighborhood } from '../investigation/neighborhood.ts';
import { interestingServices } from '../investigation/steps/observe.ts';
import type { NewArtifact } from '../investigation/types.ts';
import { EvidenceStore } from '../investigation/words/artifacts.ts';
import type { Budget } from '../telemetry/budget.ts';
import { collect, readState } from '../telemetry/collect.ts';
import { mapped, unknown, type Window } from '../telemetry/model.ts';
import { withNewest } from '../telemetry/recent.ts';
import type { SystemCopy, TelemetrySource } from '../telemetry/source.ts';
import { viewOf } from '../telemetry/view.ts';
import { onsetOf, scopeOf } from './issue-scope.ts';
import type { Facts, IssueRecord } from './types.ts';

const MINUTE = 60_000;
/** How much telemetry is read before the time that a question is about. */
export const HOURS = 180 * MINUTE;
/** Of an issue, telemetry is read from before its onset, unless it is older. */
const MOST_HOURS = 24 * 60 * MINUTE;
const BEFORE_ONSET = 90 * MINUTE;
const MOST_SAMPLES = 200;

export interface Subject {
  services: readonly string[];
  at: number;
  /** The question in words; what it mentions counts. */
  text: string;
  issue: IssueRecord | null;
  context: Facts['context'];
}

export interface Sources extends Pick<Facts, 'issues' | 'open' | 'now' | 'catalog' | 'owners'> {
  telemetry: TelemetrySource;
  budget: Budget;
  id: () => string;
  cited: Set<string>;
  attached: NewArtifact[];
  /** Of several copies of a system: the labels of the one that is looked at. */
  labels: SystemCopy['labels'];
}

/** What the tools may read: the hours before the time in question are read up front, more on request. */
export async function factsFor(subject: Subject, sources: Sources): Promise<Facts> {
  const { telemetry, budget, issues, open, now, catalog, owners, id, cited, attached, labels } = sources;
  const { issue, at } = subject;
  const read = (
    window: Window,
    services: readonly string[] | null,
    { trigger = at, about = issue }: { trigger?: number; about?: IssueRecord | null } = {},
  ) =>
    collect(
      telemetry,
      {
        window,
        trigger: Math.min(trigger, window.to),
        stepMs: Math.max(MINUTE, Math.ceil((window.to - window.from) / MOST_SAMPLES / MINUTE) * MINUTE),
        pastMs: 0,
        alert: null,
        services,
        near: (system) =>
          neighborhood(system, [
            ...subject.services,
            ...(about === null ? [] : scopeOf(about, system.services).services),
          ]),
        interest: (metrics) => services ?? interestingServices(metrics, subject.services[0] ?? null),
      },
      budget,
    );
  const begin = issue === null ? now : onsetOf(issue) - BEFORE_ONSET;
  const from = at < now ? at - HOURS : Math.max(now - MOST_HOURS, Math.min(now - HOURS, begin));
  const snapshot = await read({ from, to: Math.min(now, at + 10 * MINUTE) + 1 }, null);
  const [view, fine] = [viewOf(snapshot), viewOf(withNewest(snapshot))];
  const thread = issue === null ? null : scopeOf(issue, view.services());
  const isWithin = subject.services.every((service) => thread?.services.includes(service) === true);
  // A question has no alert whose rule could be looked up.
  const { alertRule: _, ...withoutAlert } = telemetry;
  const lately = { from: now - HOURS, to: now + 1 };
  return {
    view,
    fine,
    issues,
    owners,
    owned: telemetry.owners ?? [],
    open,
    issue,
    scope: isWithin ? thread : null,
    thread,
    context: subject.context,
    now,
    catalog,
    sources: telemetry.name.split('+'),
    hasState: telemetry.state !== undefined,
    viewAt: async (record) => {
      const window = {
        from: onsetOf(record) - BEFORE_ONSET,
        to: Math.min(now, record.triggeredAt + MOST_HOURS) + 1,
      };
      const then = await read(window, null, { trigger: window.to, about: record });
      return { view: viewOf(then), fine: viewOf(withNewest(then)) };
    },
    changes: async (window) => {
      const reading = await telemetry.changes(window, budget);
      return reading.known ? reading.value : [];
    },
    state: async () => (telemetry.state ? readState(telemetry, lately, budget) : null),
    inside: telemetry.inside ?? null,
    objects: async () => (await telemetry.objects?.(lately, budget)) ?? null,
    search: async (text, service, window) =>
      mapped(await telemetry.logs(service, window, budget, text), (lines) =>
        lines.filter(({ message }) => message.toLowerCase().includes(text.toLowerCase())),
      ),
    look: async (window, services) => viewOf(withNewest(await read(window, services))),
    rules: async () =>
      (await telemetry.alertRules?.(budget)) ?? unknown('No source of telemetry here evaluates rules.'),
    evaluate: async (expression, window) =>
      (await telemetry.evaluate?.(expression, window, budget)) ??
      unknown('No source of telemetry here evaluates rules.'),
    attach: (artifacts) => void attached.push(...artifacts),
    investigate: ({ question, service, at: moment }) =>
      investigate(
        {
          title: question,
          description: '',
          isQuestion: true,
          environment: issue?.environment ?? 'production',
          triggeredAt: moment,
          service,
          context: {
            ...(service !== null && { service }),
            tags: Object.entries(labels).map(([name, value]) => `${name}:${value}`),
          },
        },
        withoutAlert,
        { id, now, budget },
      ),
    diagnose: (service) => diagnose(view, { named: service, text: subject.text }),
    evidenceStore: new EvidenceStore({
      view: fine,
      id,
      environment: issue?.environment ?? 'production',
      provider: telemetry.name,
    }),
    cite: (ids) => {
      for (const one of ids) cited.add(one);
    },
  };
}
