import { z } from 'zod';
import type { Budget } from './budget.ts';
import { askJson } from './http.ts';
import { type FiredAlert, known, type Reading, type Window } from './model.ts';

const Transitions = z.array(
  z.looseObject({
    time: z.number(),
    text: z.string().nullish(),
    alertName: z.string().nullish(),
    newState: z.string().nullish(),
  }),
);
type Transition = z.infer<typeof Transitions>[number];

/** So many are read at a time, and so many times. */
const PAGE = 1_000;
const MOST_PAGES = 20;

/** Which alerts of Grafana's own fired: each change of an alert's state is an annotation. */
export async function firedAnnotations(
  source: Parameters<typeof askJson>[0],
  window: Window,
  budget: Budget,
): Promise<Reading<FiredAlert[]>> {
  const all: Transition[] = [];
  let to = Math.floor(window.to);
  for (let page = 0; page < MOST_PAGES; page++) {
    const parameters = [
      ['type', 'alert'],
      ['from', String(Math.floor(window.from))],
      ['to', String(to)],
      ['limit', String(PAGE)],
    ] as const;
    const reading = await askJson(source, { path: '/api/annotations', parameters }, Transitions, budget);
    if (!reading.known) return reading;
    all.push(...reading.value);
    const oldest = Math.min(...reading.value.map(({ time }) => time));
    if (reading.value.length < PAGE || oldest >= to) break;
    to = oldest - 1;
  }
  const byAlert = Map.groupBy(
    all.sort((a, b) => a.time - b.time),
    (one) => JSON.stringify(alertOf(one)),
  );
  return known([...byAlert.values()].flatMap(firingsOf).sort((a, b) => a.from - b.from));
}

function firingsOf(transitions: readonly Transition[]): FiredAlert[] {
  const firings: FiredAlert[] = [];
  let from: number | null = null;
  for (const one of transitions) {
    const isFiring = /^alerting/iu.test(one.newState ?? '');
    if (isFiring) from ??= one.time;
    else if (from !== null) {
      firings.push({ ...alertOf(one), from, to: one.time });
      from = null;
    }
  }
  const last = transitions.at(-1);
  return from === null || last === undefined ? firings : [...firings, { ...alertOf(last), from, to: null }];
}

/** `High errors {instance=a, job=b} - Alerting`: the rule with the alert's labels, as Grafana writes it. */
function alertOf({ text, alertName }: Transition): Pick<FiredAlert, 'name' | 'labels'> {
  const words = (text ?? '').replaceAll(/<[^>]*>/gu, ' ');
  const { name, inner } = /^(?<name>.*?)\s*\{(?<inner>[^}]*)\}\s*-/su.exec(words)?.groups ?? {};
  const pairs = (inner ?? '').split(/,\s*/u).flatMap((pair) => {
    const [label = '', ...value] = pair.split('=');
    return value.length === 0 ? [] : [[label.trim(), value.join('=').trim()] as const];
  });
  const labels: Record<string, string> = Object.fromEntries(pairs);
  return {
    name: (alertName || name || labels.alertname || words.trim() || 'alert without a name').slice(0, 200),
    labels,
  };
}
