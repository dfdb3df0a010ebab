import type { Anomaly } from './anomalies.ts';
import type { Case } from './case.ts';

/** What a step of the pipeline made of a case, in numbers and names: for whoever asks why a verdict is as it is. */
export interface Traced {
  step: keyof typeof TELLS;
  found: Readonly<Record<string, unknown>>;
}

const at = (time: number) => new Date(time).toISOString();
const shown = ({ series, onset, end }: Anomaly) =>
  `${series.service}${series.edge === null ? '' : ` (called by ${series.edge.caller})`} ${series.signal.label} since ${at(onset)}${end === null ? '' : ` until ${at(end)}`}`;

const TELLS = {
  observe: ({ view: { snapshot, trigger } }: Case) => ({
    trigger: at(trigger),
    services: snapshot.services.length,
    edges: snapshot.edges.length,
    series: snapshot.series.length,
    newest: snapshot.recent?.length ?? 0,
    lines: snapshot.logs.length,
    spans: snapshot.spans.length,
    changes: snapshot.changes.map(({ title, at: time }) => `${title}, ${at(time)}`),
    state: (snapshot.state ?? []).map(({ object, cause, confidence }) => `${object} ${cause} ${confidence}`),
    gaps: snapshot.gaps.map(({ source, what, reason }) => `${source} ${what}: ${reason}`),
  }),
  subject: ({ subject: { named, unknown, alerted, since }, view }: Case) => ({
    named,
    since: since && at(since),
    unknown,
    rule: view.snapshot.rule?.rule.expression ?? null,
    alerted: alerted.map(({ service, now, isFiring }) => ({ service, now, isFiring })),
  }),
  facts: ({ survey, present }: Case) => ({
    past: [...survey.anomalies.values()].flat().map(shown),
    present: present && [...[...present.own.values()].flat(), ...present.calls].map(shown),
  }),
  place: ({ placed: { by, ranking, incident } }: Case) => ({
    by,
    ranking: ranking.ranking.slice(0, 5).map(({ service, score }) => `${service} ${score.toFixed(2)}`),
    symptom: incident && shown(incident.primary),
    chosen: incident?.chosen ?? null,
  }),
  explain: ({ hypotheses, changes }: Case) => ({
    hypotheses: hypotheses
      .slice(0, 8)
      .map(
        ({ kind, candidate, assessment, order }) =>
          `${kind.name} at ${candidate.node.name}: strength ${assessment.strength.toFixed(2)}, order ${order.toFixed(2)}`,
      ),
    blamed: changes.blamed && `${changes.blamed.change.title} (${changes.blamed.proof.kind})`,
    suspects: changes.suspects.map(({ title }) => title),
  }),
  inside: ({ inside }: Case) =>
    Object.fromEntries(
      inside.map(({ why, looked }) => [
        looked.database,
        {
          why,
          facts: looked.facts.map(({ kind, object, weight }) => `${kind} ${object} ${weight}`),
          unread: looked.unread,
        },
      ]),
    ),
  prove: ({ proven: { confidence, rival, route, impact, outside, left, earlier } }: Case) => ({
    confidence,
    rival: rival?.candidate.node.name ?? null,
    route: route?.route ?? null,
    failed: impact && `${Math.round(impact.failed)} of ${Math.round(impact.requests)}`,
    outside: outside.map(({ host, incidents }) => `${host}: ${incidents.map(({ name }) => name).join(', ')}`),
    left: left.map(
      ({ series: { service, signal }, end, at: time }) => `${service} ${signal.label} ${end} ${at(time)}`,
    ),
    earlier: earlier && shown(earlier.anomaly),
  }),
};

export function traced(step: Traced['step'], c: Case): Traced {
  return { step, found: TELLS[step](c) };
}
