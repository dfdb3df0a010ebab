import { isPartOf } from '../catalog/find.ts';
import { isMomentName, termsOf } from '../catalog/terms.ts';
import type { Facts } from '../types.ts';

/** What is known of the runs of something that runs from time to time. */
export interface Runs {
  name: string;
  /** The last start, in milliseconds; `null` if that is not exported. */
  started: number | null;
  /** How the last run went; `null` if that is not exported. */
  state: 'failed' | 'complete' | 'running' | null;
  reason: string | null;
  /** When the last successful one ended. */
  succeeded: number | null;
}

const MINUTE = 60_000;
const STARTED = ['kube_cronjob_status_last_schedule_time', 'kube_job_status_start_time'];
const SUCCEEDED = ['kube_cronjob_status_last_successful_time', 'kube_job_status_completion_time'];
const OF_SUCCESS = /(?:^|_)last_(?:\w+_)?(?:success|successful|completion|completed|finished?)(?:_|$)/u;
const OF_START = /(?:^|_)last_(?:\w+_)?(?:run|start(?:ed)?|schedule)(?:_|$)/u;

/**
 * The runs of a job that a question names, as exporters of a cluster's state have them, or the program itself; `null` if
 * none has.
 */
export async function runsOf(
  question: string,
  services: readonly string[],
  { catalog, evaluate, now, system }: Facts,
): Promise<Runs | null> {
  const metrics = [...(catalog?.metrics.values() ?? [])];
  const said = [...services, ...termsOf(question).map(({ word }) => word)];
  const jobs = new Set(
    metrics.flatMap(({ name, labels }) =>
      name.startsWith('kube_') ? (labels.cronjob ?? (labels.job_name ?? []).map(jobOf)) : [],
    ),
  );
  const own = (name: string) => said.some((word) => name.toLowerCase() === word || isPartOf(name, word));
  const name = [...jobs].find(own);
  const where = Object.entries(system).map(([label, value]) => `,${label}=${JSON.stringify(value)}`);
  const read = async (metric: string, selector: string) => {
    if (catalog?.metrics.has(metric) !== true) return [];
    const reading = await evaluate(`${metric}{${selector}${where.join('')}}`, {
      from: now - 2 * MINUTE,
      to: now + 1,
    });
    return reading.known
      ? reading.value.map(({ labels, points }) => ({ labels, value: points.values.at(-1) ?? 0 }))
      : [];
  };
  const newest = (all: readonly { value: number }[]) =>
    all.length === 0 ? null : Math.max(...all.map(({ value }) => value)) * 1000;
  if (name !== undefined) {
    const ofJob = `job_name=~"${name}(-[0-9]+)?"`;
    const cron = `cronjob="${name}"`;
    const all = async (names: readonly string[]) =>
      (await Promise.all(names.map((one) => read(one, one.includes('cronjob') ? cron : ofJob)))).flat();
    const starts = await read('kube_job_status_start_time', ofJob);
    const last = starts.toSorted((a, b) => b.value - a.value)[0]?.labels.job_name;
    const of = last === undefined ? ofJob : `job_name="${last}"`;
    const [failed, reasons, complete] = await Promise.all([
      read('kube_job_failed', `${of},condition="true"`),
      read('kube_job_status_failed', of),
      read('kube_job_complete', `${of},condition="true"`),
    ]);
    const isSet = ({ value }: { value: number }) => value > 0;
    const reason =
      reasons.find((one) => isSet(one) && one.labels.reason !== undefined)?.labels.reason ?? null;
    const isKnown = failed.length + complete.length + reasons.length > 0;
    return {
      name,
      started: newest(await all(STARTED)),
      state:
        [...failed].some(isSet) || reason !== null
          ? 'failed'
          : complete.some(isSet)
            ? 'complete'
            : isKnown
              ? 'running'
              : null,
      reason,
      succeeded: newest(await all(SUCCEEDED)),
    };
  }
  const moments = (pattern: RegExp) =>
    metrics.filter(
      (one) =>
        isMomentName(one) &&
        pattern.test(one.name) &&
        said.some((word) => word.length > 3 && one.name.replaceAll('_', '-').includes(word)),
    );
  const [starts, ends] = [moments(OF_START), moments(OF_SUCCESS)];
  if (starts.length === 0 || ends.length === 0) return null;
  const all = async (some: typeof starts) =>
    newest((await Promise.all(some.map((one) => read(one.name, '')))).flat());
  const [started, succeeded] = await Promise.all([all(starts), all(ends)]);
  if (started === null || succeeded === null) return null;
  const thing = said.find((word) => starts[0]?.name.replaceAll('_', '-').includes(word)) ?? '';
  return { name: thing, started, state: succeeded >= started ? 'complete' : null, reason: null, succeeded };
}

/** `nightly-29930530` is a run of `nightly`. */
function jobOf(name: string): string {
  return name.replace(/-\d{6,}$/u, '');
}
