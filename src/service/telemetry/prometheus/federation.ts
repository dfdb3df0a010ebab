import { NAMESPACE_LABELS, SERVICE_LABELS } from './promql.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Where one Prometheus scrapes another, or a gateway, the labels of the scrape replace those of the series, which are
 * then called `exported_…`. These name the things.
 */
export interface Federation {
  /** The labels with which the series were made. */
  own(labels: Labels): Labels;
  /** The same, in PromQL. */
  prepare(operand: string): string;
}

const REPLACED = [...SERVICE_LABELS, ...NAMESPACE_LABELS, 'instance'];

/** @returns `null` if no series was exported by another Prometheus */
export function federationIn(targets: readonly Labels[], known: ReadonlySet<string>): Federation | null {
  if (!known.has('exported_job')) return null;
  const exported = targets.filter(({ exported_job: job = '' }) => job !== '');
  const jobs = new Set(exported.map(({ exported_job: job }) => job)).size;
  const isOfScrape = (label: string) =>
    jobs > 1 && new Set(exported.map((labels) => labels[label] ?? '')).size === 1;
  const replaced = REPLACED.filter((label) => known.has(`exported_${label}`)).map((label) => ({
    label,
  }));
  // Of a label that all of them have from the scrape, nothing is left.
  const dropped = SERVICE_LABELS.filter(
    (label) => !known.has(`exported_${label}`) && exported.some((one) => one[label]) && isOfScrape(label),
  );
  return {
    own: (labels) => {
      if (!labels.exported_job) return labels;
      const own = { ...labels };
      for (const { label } of replaced) {
        const value = labels[`exported_${label}`] ?? '';
        if (value !== '') own[label] = value;
      }
      for (const label of dropped) delete own[label];
      return own;
    },
    prepare: (operand) =>
      [
        ...replaced.map(({ label }) => [label, `.+;(.+)`] as const),
        ...dropped.map((label) => [label, `.+;()`] as const),
      ].reduce(
        (inner, [label, pattern]) =>
          `label_replace(label_join(${inner}, "job_and_own", ";", "exported_job", "exported_${label}"), "${label}", "$1", "job_and_own", "${pattern}")`,
        operand,
      ),
  };
}
