import { isHost, isRegion } from '../../hosts-and-regions.ts';
import { highestSeverity, severityWord } from '../../severity.ts';
import type { Alert } from '../../types.ts';

type FromTitle = Pick<Alert, 'severity' | 'service' | 'host' | 'region'>;

const SERVICE = /^[a-z][a-z\d]{0,60}(?:-[a-z][a-z\d]{0,60})+$/u;
const NAMESPACE =
  /^(?:kube|openshift|cattle|istio)-|-(?:system|prod|production|staging|stage|dev|test|ns)$|^(?:prod|production|staging|stage|dev|test)-/u;

/**
 * What a default title tells: `Name group-values (values of the other common labels)`. The labels' names are lost, so
 * only values that speak for themselves count; an environment is only hinted at.
 */
export function fromTitle(name: string): FromTitle {
  const open = parenthesis(name);
  const [alertName = '', ...group] = (open < 0 ? name : name.slice(0, open)).split(' ').filter(Boolean);
  const common =
    open < 0
      ? []
      : name
          .slice(open + 2, -1)
          .split(' ')
          .filter(Boolean);
  const values = [...group, ...common];
  // The alerts about Kubernetes' own objects group by namespace, and their instance is the exporter's.
  const kubernetes = alertName.startsWith('Kube') || common.includes('kube-state-metrics');
  return {
    severity: highestSeverity(values.map(severityWord)),
    service: kubernetes ? null : (group.find(isService) ?? null),
    host: kubernetes ? null : only(values.filter(isHost)),
    region: only(values.filter(isRegion)),
  };
}

/** Where the last parenthesis opens, one inside it included; -1 if the name ends without. */
function parenthesis(name: string): number {
  let depth = 0;
  for (let at = name.endsWith(')') ? name.length - 1 : 0; at > 0; at -= 1) {
    if (name[at] === ')') depth += 1;
    if (name[at] === '(') depth -= 1;
    if (depth === 0) return name[at - 1] === ' ' ? at - 1 : -1;
  }
  return -1;
}

function isService(value: string): boolean {
  return SERVICE.test(value) && !NAMESPACE.test(value) && !isRegion(value);
}

function only(values: readonly string[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}
