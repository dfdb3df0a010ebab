/** Stands for a name in the words of a question. */
const NAME = '·';

/**
 * What people call a part of a system, by its shape: `checkout-service`, `db-7`, `billing.example.com`,
 * `10.0.6.1:8080`.
 */
export const SHAPED =
  /(?<![\w./-])(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|[a-z][a-z0-9]*(?:[-./][a-z0-9]+)+(?::\d+)?|[a-z]+-?\d[\w-]*)(?![\w-])/giu;
/** Two words that are written as one. */
export const COMPOUND =
  /^(?:[a-z]{2,}-(?:[a-z]+ing|[a-z]+ed|back|up|out|down|off|on|to-date|loops?|call|ready|cause|rate|pull)|p\d\d|[45]xx|[45]\d\d|v\d[\w.]*|k8s|e\.g|i\.e)$/iu;
const ISSUE = /(?<![\w#])(?:issue\s+)?#\d{1,9}\b/giu;
const MENTIONED = /[`"“]([a-z0-9][\w./:-]*)[`"”]/giu;

/** A question in which every name is a dot, whether telemetry knows it or its shape shows that it is one. */
export function withoutNames(question: string, services: readonly string[]): string {
  const known = [...services].sort((a, b) => b.length - a.length);
  const escaped = known.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&'));
  const without =
    escaped.length === 0
      ? question
      : question.replaceAll(new RegExp(String.raw`(?<![\w-])(?:${escaped.join('|')})(?![\w-])`, 'giu'), NAME);
  return without
    .replaceAll(ISSUE, NAME)
    .replaceAll(MENTIONED, NAME)
    .replaceAll(SHAPED, (name) => (COMPOUND.test(name) ? name : NAME));
}
