import type { Series } from '../../telemetry/model.ts';
import type { Intent, Turn } from '../types.ts';
import { levelsOf } from './metric.ts';

/** A Prometheus metric name: words of letters and digits joined by underscores. */
const METRIC_NAME = /\b[a-z][a-z0-9]*(?:[_:][a-z0-9]+)+\b/giu;
const MOST = 5;

/** Show go_goroutines of payments. */
export const namedMetric: Intent = {
  name: 'named metric',
  example: 'Show process_resident_memory_bytes of {service}',
  matches: (turn) => nameIn(turn) !== null,
  async answer(turn, tools) {
    const name = nameIn(turn) ?? '';
    const asked = turn.services.length > 0 ? turn.services : null;
    const view = await tools.look(turn.window, asked);
    const isNamed = ({ signal }: Series) => signal.name === name || signal.label === name;
    const services = asked ?? view.services().map((service) => service.name);
    const found = services
      .flatMap((service) => view.series(service).filter(isNamed))
      .map((series) => ({ series, points: view.points(series, turn.window) }))
      .filter(({ points }) => points.length > 0);
    if (found.length === 0) {
      const where = asked === null ? 'No service reports' : `${asked.join(', ')} does not report`;
      return `${where} a metric called ${name} in that time, as far as it was read.`;
    }
    for (const { series } of found.slice(0, MOST)) tools.evidenceStore.metric(series, turn.window);
    const more = found.length > MOST ? [`${found.length - MOST} more services report it.`] : [];
    return [
      ...found.slice(0, MOST).map(({ series, points }) => levelsOf(series, points, turn, tools).join('\n')),
      ...more,
    ].join('\n\n');
  },
};

function nameIn({ question, named }: Turn): string | null {
  return (
    [...question.matchAll(METRIC_NAME)].map(([name]) => name).find((name) => !named.includes(name)) ?? null
  );
}
