import { isPartOf } from '../catalog/find.ts';
import { isMomentName, termsOf } from '../catalog/terms.ts';
import { metricRows, type Reader } from './series.ts';

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

const OF_SUCCESS = /(?:^|_)last_(?:\w+_)?(?:success|successful|completion|completed|finished?)(?:_|$)/u;
const OF_START = /(?:^|_)last_(?:\w+_)?(?:run|start(?:ed)?|schedule)(?:_|$)/u;

/**
 * The runs of a job that a question names, as exporters of a cluster's state have them, or the program itself; `null` if
 * none has.
 */
export async function runsOf(
  question: string,
  services: readonly string[],
  facts: Reader,
): Promise<Runs | null> {
  const metrics = [...(facts.catalog?.metrics.values() ?? [])];
  const said = [...services, ...termsOf(question).map(({ word }) => word)];
  const read = async (name: string, where = '') => {
    const rows = await metricRows(name, { by: 'job_name, reason', where }, facts);
    return rows.map(({ labels, now }) => ({ labels, value: now ?? 0 }));
  };
  const latest = async (...all: ReturnType<typeof read>[]) => {
    const [last] = (await Promise.all(all)).flat().sort((a, b) => b.value - a.value);
    return last === undefined ? null : last.value * 1000;
  };
  // `nightly-29930530` is a run of `nightly`.
  const name = metrics
    .filter((one) => one.name.startsWith('kube_'))
    .flatMap(
      ({ labels }) => labels.cronjob ?? (labels.job_name ?? []).map((run) => run.replace(/-\d{6,}$/u, '')),
    )
    .find((one) => said.some((word) => one.toLowerCase() === word || isPartOf(one, word)));
  if (name !== undefined) {
    const [job, cron] = [`job_name=~"${name}(-[0-9]+)?"`, `cronjob="${name}"`];
    const starts = await read('kube_job_status_start_time', job);
    const [last] = starts.toSorted((a, b) => b.value - a.value);
    const of = last === undefined ? job : `job_name="${last.labels.job_name}"`;
    const [failed, reasons, complete] = await Promise.all([
      read('kube_job_failed', `${of},condition="true"`),
      read('kube_job_status_failed', of),
      read('kube_job_complete', `${of},condition="true"`),
    ]);
    const isSet = ({ value }: { value: number }) => value > 0;
    const reason = reasons.filter(isSet).flatMap(({ labels }) => labels.reason ?? [])[0] ?? null;
    const isKnown = failed.length + complete.length + reasons.length > 0;
    const state = complete.some(isSet) ? 'complete' : isKnown ? 'running' : null;
    return {
      name,
      started: await latest(Promise.resolve(starts), read('kube_cronjob_status_last_schedule_time', cron)),
      state: failed.some(isSet) || reason !== null ? 'failed' : state,
      reason,
      succeeded: await latest(
        read('kube_cronjob_status_last_successful_time', cron),
        read('kube_job_status_completion_time', job),
      ),
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
  const [started, succeeded] = await Promise.all(
    [starts, ends].map((some) => latest(...some.map((one) => read(one.name)))),
  );
  if (started == null || succeeded == null) return null;
  const thing = said.find((word) => starts[0]?.name.replaceAll('_', '-').includes(word)) ?? '';
  return { name: thing, started, state: succeeded >= started ? 'complete' : null, reason: null, succeeded };
}
