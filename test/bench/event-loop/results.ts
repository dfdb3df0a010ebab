import { rawJsonOf } from '../../../src/bot/render/evidence/evidence-modal.ts';
import { renderResults } from '../../../src/bot/render/results/results.ts';
import { resultsFile } from '../../../src/bot/render/results/results-file.ts';
import { InvestigationResults } from '../../../src/contract/answers.ts';
import { decode } from '../../../src/contract/client/decode.ts';
import { fill } from './messages.ts';
import type { Largest } from './stretch.ts';

/** Bytes of an answer of the service, at most. */
const MOST = 8 * 1024 * 1024;
const WORDS = 'the disk of db-1 is *full* now ';

/** Results and evidence as large as they are read. */
export function largestResults(): Largest[] {
  return [...about('10,000 of each', 10_000, 170), ...about('texts of 150,000', 10, 150_000), ...evidence()];
}

function about(kind: string, count: number, length: number): Largest[] {
  const results = resultsOf(count, fill(WORDS, length));
  const text = JSON.stringify(results);
  if (text.length > MOST) throw new Error(`${kind}: ${text.length} bytes are more than are read`);
  const view = {
    issueId: 'i',
    number: 1,
    version: 1,
    title: 'Disk full',
    results,
    simulated: false,
  } as const;
  const parsed: unknown = JSON.parse(text);
  return [
    { name: `results, ${kind}: JSON`, work: () => void JSON.parse(text) },
    { name: `results, ${kind}: decoding`, work: () => decode(InvestigationResults, parsed) },
    { name: `results, ${kind}: messages`, work: () => renderResults(view) },
    { name: `results, ${kind}: file of everything`, work: () => resultsFile(view) },
  ];
}

function resultsOf(count: number, words: string): InvestigationResults {
  const each = <T>(make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
  return {
    rootCause: {
      rootCauseSummary: words,
      relevantEvidence: each((i) => ({
        title: `e${i}`,
        description: words,
        artifacts: [{ documentId: `d${i}` }],
      })),
    },
    causalTreeV2: {
      nodes: each((i) => ({ id: `n${i}`, title: `t${i} ${words}` })),
      edges: each((i) => ({ from: `n${i}`, to: `n${i + 1}` })),
    },
    timeline: each((i) => ({ timestamp: '2026-01-01T00:00:00Z', title: `x${i}`, description: words })),
    remediation: { actions: [{ title: 'a', steps: each((i) => ({ id: `s${i}`, title: `s${i}` })) }] },
  };
}

function evidence(): Largest[] {
  const lines = Array.from({ length: 60_000 }, (_, i) => ({ timestamp: i, message: fill(WORDS, 90) }));
  const artifact = { id: 'a', type: 'logs', data: { lines } };
  return [{ name: 'evidence: its raw JSON', work: () => rawJsonOf(artifact) }];
}
