import { NAMES, type Outcome } from './investigator.ts';
import { grid } from './measure.ts';

const HEALTHY = 'Nothing injected';
const NOTHING = 'Nothing found';

/** The outcomes as text: a confusion matrix of injected and top-ranked kinds, and the accuracies with their targets. */
export function report(outcomes: readonly Outcome[]): string {
  return `${confusion(outcomes)}\n\n${shares(outcomes)}`;
}

function confusion(outcomes: readonly Outcome[]): string {
  const kinds = Object.values(NAMES);
  const others = outcomes.map(foundKind).filter((kind) => kind !== NOTHING && !kinds.includes(kind));
  const columns = [...kinds, ...new Set(others), NOTHING];
  const letters = columns.map((_, i) => String.fromCharCode(97 + i));
  const rows = [...kinds, HEALTHY].map((injected) => {
    const those = outcomes.filter((outcome) => injectedKind(outcome) === injected);
    const cells = columns.map((column) => those.filter((outcome) => foundKind(outcome) === column).length);
    const right = those.filter((outcome) => outcome.right).length;
    return [injected, ...cells.map((n) => (n === 0 ? '·' : `${n}`)), `${right} of ${those.length}`];
  });
  const legend = columns.map((column, i) => `${letters[i]} ${column.toLowerCase()}`).join(', ');
  return `${grid([['injected ↓, named first →', ...letters, 'both right'], ...rows])}\n${legend}; both right: kind and service`;
}

function shares(outcomes: readonly Outcome[]): string {
  const faulty = outcomes.filter(({ injected }) => injected.fault !== null);
  const seenFrom = (view: Outcome['injected']['seenFrom']) =>
    faulty.filter(({ injected }) => injected.seenFrom === view);
  const cpu = outcomes.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  const at = (share: number) => `${(cpu[Math.floor(share * cpu.length)] ?? 0).toFixed(1)} ms`;
  return grid([
    ['investigator', 'measured', 'asked'],
    ['service and kind both right', share(faulty), '≥ 90%'],
    ['  alert from where it begins', share(seenFrom('origin')), ''],
    ['  alert from a caller', share(seenFrom('caller')), ''],
    ['  alert that names no service', share(seenFrom('nowhere')), ''],
    [
      'healthy shop, nothing found',
      share(outcomes.filter(({ injected }) => injected.fault === null)),
      '≥ 95%',
    ],
    ['CPU of an investigation, median', at(0.5), '< 300 ms'],
    ['CPU of an investigation, p99', at(0.99), '< 300 ms'],
  ]);
}

function share(outcomes: readonly Outcome[]): string {
  if (outcomes.length === 0) return 'no case';
  const right = outcomes.filter((outcome) => outcome.right).length;
  return `${((100 * right) / outcomes.length).toFixed(1)}% (${right} of ${outcomes.length})`;
}

function injectedKind({ injected: { fault } }: Outcome): string {
  return fault === null ? HEALTHY : NAMES[fault.kind];
}

function foundKind({ found }: Outcome): string {
  return found === null ? NOTHING : found.kind;
}
