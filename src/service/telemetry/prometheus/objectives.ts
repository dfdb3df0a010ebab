import type { Budget } from '../budget.ts';
import { known, type Objective, type Reading } from '../model.ts';
import { serviceNamed } from '../named-service.ts';
import type { Sampled } from './client.ts';
import { scrapedIdentity } from './naming.ts';
import type { Recognition } from './recognition.ts';

/** What Sloth records of every objective, and Pyrra with its generic rules. */
const SLOTH = {
  left: 'slo:period_error_budget_remaining:ratio',
  burnRate: 'slo:current_burn_rate:ratio',
  days: 'slo:time_period:days',
};
const PYRRA = {
  objective: 'pyrra_objective',
  availability: 'pyrra_availability',
  seconds: 'pyrra_window',
  requests: 'pyrra_requests:rate5m',
  errors: 'pyrra_errors:rate5m',
};
const DAY = 24 * 3_600_000;
/** Labels that the series of one objective do not share. */
const OWN = new Set(['__name__', 'sloth_window']);

/** The objectives of a service among those that recording rules have; nothing is asked where there are no such rules. */
export async function objectivesOf(
  service: string,
  {
    recognition: { names, client },
    services,
    at,
    budget,
  }: { recognition: Recognition; services: readonly string[]; at: number; budget: Budget },
): Promise<Reading<Objective[]>> {
  const recorded = [...Object.values(SLOTH), ...Object.values(PYRRA)].filter((name) => names.has(name));
  if (!recorded.includes(SLOTH.left) && !recorded.includes(PYRRA.availability)) return known([]);
  const reading = await client.query(`{__name__=~"${recorded.join('|')}"}`, at, budget);
  if (!reading.known) return reading;
  const shared = ({ labels }: Sampled) => Object.entries(labels).filter(([name]) => !OWN.has(name));
  const groups = Map.groupBy(reading.value, (one) => JSON.stringify(shared(one).sort()));
  const found = [...groups.values()].flatMap((group) => {
    const objective = objectiveIn(group);
    const { sloth_service: of, slo = '', ...labels } = Object.fromEntries(group.flatMap(shared));
    const label = of === undefined ? 'slo' : 'sloth_slo';
    const tags = [of ?? scrapedIdentity(labels)?.name ?? ''];
    const name = labels.sloth_slo ?? slo;
    if (objective === null || serviceNamed({ tags, name }, services) !== service) return [];
    const metric = of === undefined ? PYRRA.availability : SLOTH.left;
    return [{ name, ...objective, query: `${metric}{${label}=${JSON.stringify(name)}}` }];
  });
  // Of two with one name, such as of two regions, nothing says which is meant.
  return known(
    found.filter(({ name }) => found.filter((one) => one.name === name).length === 1),
    reading.caveats,
  );
}

function objectiveIn(group: readonly Sampled[]): Omit<Objective, 'name' | 'query'> | null {
  const newest = (name: string) =>
    group.find(({ labels }) => labels.__name__ === name)?.points.values.at(-1) ?? null;
  const [left, days] = [newest(SLOTH.left), newest(SLOTH.days)];
  if (left !== null && days !== null) return { left, periodMs: days * DAY, burnRate: newest(SLOTH.burnRate) };
  const [objective, availability, seconds] = [PYRRA.objective, PYRRA.availability, PYRRA.seconds].map(newest);
  if (objective == null || availability == null || seconds == null || objective >= 1) return null;
  const budget = 1 - objective;
  const [requests, errors] = [newest(PYRRA.requests), newest(PYRRA.errors)];
  const burnRate = requests === null || errors === null || requests <= 0 ? null : errors / requests / budget;
  return { left: (availability - objective) / budget, periodMs: seconds * 1000, burnRate };
}
