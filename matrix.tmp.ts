import { randomUUID } from 'node:crypto';
import { systemClock } from './src/lib/clock.ts';
import { createBudget } from './src/service/telemetry/budget.ts';
import { investigate } from './src/service/investigation/investigate.ts';
import { createPrometheusSource } from './src/service/telemetry/prometheus/source.ts';
import { startPrometheus } from './test/support/prometheus/prometheus.ts';
import { SCENARIOS } from './test/support/prometheus/scenarios/index.ts';
import { writeFileSync } from 'node:fs';

const triggeredAt = Math.floor(Date.now() / 60000) * 60000;
const only = process.argv[2];
let ok = 0, n = 0;
for (const [i, s] of SCENARIOS.entries()) {
  if (only !== undefined && String(i) !== only && !s.name.includes(only)) continue;
  const world = s.make(triggeredAt);
  const p = await startPrometheus(world.history, { rules: s.rules ?? null });
  const source = createPrometheusSource({ url: p.url }, { grafanaUrl: null, clock: systemClock });
  const budget = createBudget({ requests: 300, ms: 60000 }, { clock: systemClock });
  const { service = null, title, description = '', tags = [], host } = s.issue;
  const issue = { title, description, environment: 'production', triggeredAt, service, context: { tags, ...(host && { host }), ...(service && { service }) } };
  const { results } = await investigate(issue as never, source, { id: randomUUID, now: triggeredAt, budget });
  const { rootCauseSummary: summary, incidentOverview } = results.rootCause;
  const right = s.expected === null ? summary === undefined : !!summary?.includes(s.expected.place) && s.expected.kind.test(summary);
  const place = s.expected === null ? summary === undefined : !!summary?.includes(s.expected.place);
  n++; if (right) ok++;
  console.log(`${right ? 'ok  ' : place ? 'KIND' : 'FAIL'} ${i} ${s.name} [${budget.spent().requests} req]\n       ${summary ?? '-'}\n       ${incidentOverview.slice(0, 260)}`);
  if (only !== undefined && process.env.V) {
    const w = { from: triggeredAt - 180*60000, to: triggeredAt + 1 };
    const sv = await source.services(w, budget); console.dir(sv, { depth: 4 });
    const ed = await source.edges(w, budget); console.dir(ed, { depth: 4 });
    const ch = await source.changes(w, budget); console.dir(ch, { depth: 4 });
    const sg = await source.signals(w, budget);
    if (sg.known) { const se = await source.series({ signals: sg.value.map(x=>x.id), stepMs: 60000 }, w, budget);
      if (se.known) for (const x of se.value) console.log(x.signal.measure.padEnd(12), x.service, x.instance ?? '', x.edge ? `${x.edge.caller}->${x.edge.callee} ${x.edge.side}` : '', x.signal.name, x.points.values.at(10)?.toPrecision(3), x.points.values.at(-2)?.toPrecision(3), 'lim', x.limit?.values.at(-1)); }
  }
  await source.close(); budget.end(); await p.stop();
}
console.log(`${ok} of ${n}`);
process.exit(0);
