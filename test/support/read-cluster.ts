import { readFileSync } from 'node:fs';
import { systemClock } from '../../src/lib/clock.ts';
import { createBudget } from '../../src/service/telemetry/budget.ts';
import { createKubernetesSource } from '../../src/service/telemetry/kubernetes.ts';

// A process of its own, so that its memory is what reading a cluster takes: `node read-cluster.ts KUBECONFIG MS`.
const [kubeconfig = '', ms = '60000'] = process.argv.slice(2);
const budget = createBudget({ requests: 300, ms: Number(ms) }, { clock: systemClock });
const source = createKubernetesSource(kubeconfig, { clock: systemClock });
const before = process.cpuUsage();
const answer = await source.state?.({ from: 0, to: Date.now() }, budget, async () => []);
const { user, system } = process.cpuUsage(before);
const took = Math.round((user + system) / 1_000);
budget.end();
await source.close();
// `maxRSS` begins with what the process had that started it; the kernel counts this one anew.
const peak = /^VmHWM:\s+(\d+) kB/mu.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
process.stdout.write(JSON.stringify({ ms: took, mib: Math.round(Number(peak) / 1024), answer }));
