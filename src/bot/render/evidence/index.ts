import type { KnownBlock } from '@slack/types';
import type { Artifact } from '../../../contract/answers.ts';
import { inSections } from '../in-sections.ts';
import { alertBlocks } from './alert.ts';
import { changeBlocks } from './change.ts';
import { clusterBlocks } from './cluster.ts';
import { factLines } from './facts.ts';
import { logBlocks } from './logs.ts';
import { metricBlocks } from './metric.ts';
import { traceBlocks } from './trace.ts';

/** What the data of a kind says; `null` if it has another form than the kind suggests. */
type Summary = (data: Record<string, unknown>) => KnownBlock[] | null;

interface Kind {
  /** Of a `type`, in lower case and letters only; the contract only lists `metric`. */
  types: readonly string[];
  /** What people call it. */
  name: string;
  summary: Summary;
}

const kinds: readonly Kind[] = [
  { types: ['metric', 'metrics'], name: 'metric', summary: metricBlocks },
  { types: ['log', 'logs'], name: 'logs', summary: logBlocks },
  { types: ['trace', 'traces', 'span', 'spans'], name: 'trace', summary: traceBlocks },
  {
    types: ['change', 'changes', 'deploy', 'deployment', 'code', 'commit', 'pullrequest', 'codechange'],
    name: 'change',
    summary: changeBlocks,
  },
  { types: ['alert', 'alerts', 'incident', 'incidents', 'monitor'], name: 'alert', summary: alertBlocks },
  {
    types: ['kubernetes', 'k8s', 'cluster', 'pod', 'infrastructure', 'resource'],
    name: 'cluster',
    summary: clusterBlocks,
  },
];

/** The `data` of an artifact (contract 2.8) in words, whatever its `type` and whatever it holds. */
export function summaryBlocks({ type, data = {} }: Artifact): KnownBlock[] {
  return kindOf(type)?.summary(data) ?? inSections(factLines(data));
}

/** What people call a kind of artifact; one that is not known by its own name. Untrusted. */
export function kindName(type: string | undefined): string {
  return kindOf(type)?.name ?? type ?? '';
}

function kindOf(type = ''): Kind | undefined {
  const word = type.toLowerCase().replace(/[^a-z\d]/gu, '');
  return kinds.find(({ types }) => types.includes(word));
}
