import { expect, it } from 'vitest';
import { resultsFile } from '../../../../src/bot/render/results/results-file.ts';
import { resultsView } from '../../../support/views.ts';

it('the file of results reads from the verdict to what to do, with every id', () => {
  const view = resultsView(
    {
      sessionUuid: 'session-1',
      rootCause: {
        rootCauseSummary: 'A deploy of `payments`.',
        incidentOverview: 'Checkout failed.\nIt goes on.',
        relevantEvidence: [
          {
            title: 'Deploy 2.41',
            status: 'relevant',
            confidence: 'high',
            description: 'At 08:01.',
            artifacts: [{ documentId: 'doc-1', title: 'Deploy', dataType: 'change' }],
          },
        ],
        irrelevantEvidence: [{ description: 'The database is well.' }],
      },
      causalTreeV2: {
        nodes: [{ id: 'a', title: 'Deploy', nodeType: 'cause', confidence: 'high' }, { id: 'b' }],
        edges: [{ from: 'a', to: 'b', confidence: 0.5 }],
      },
      timeline: [{ timestamp: '2026-11-20T08:01:00Z', title: 'Deploy', type: 'change' }],
      remediation: {
        actions: [
          {
            id: 'act-1',
            title: 'Roll back',
            markdownPrompt: 'Use ```sh\nkubectl\n```',
            steps: [{ id: 's-1', title: 'Undo', required: true, type: 'command', content: 'rollout undo' }],
          },
        ],
      },
    },
    { version: 2, simulated: true },
  );
  expect(resultsFile(view)).toEqual({
    name: 'results-12-v2.md',
    title: 'All results of #12, version 2',
    text: [
      '# Results of #12: Checkout answers 502',
      '**Simulated: not your systems**',
      'Version 2, investigation session-1',
      '## Root cause',
      'A deploy of `payments`.',
      '## What happened',
      'Checkout failed.\nIt goes on.',
      '## Evidence',
      '### Deploy 2.41',
      'Status: relevant · Confidence: high',
      'At 08:01.',
      '- Deploy · change · doc-1',
      '## Ruled out',
      '### Untitled',
      'The database is well.',
      '## Causal graph',
      '### Deploy',
      'Id: a · Kind: cause · Confidence: high',
      '### b',
      'Id: b',
      '- a → b (0.5)',
      '## Timeline',
      '### 2026-11-20T08:01:00Z · Deploy',
      'Kind: change',
      '## Remediation',
      '### 1. Roll back',
      'Id: act-1',
      '#### Step 1: Undo (required)',
      'Kind: command · Id: s-1',
      'rollout undo',
      '#### Prompt',
      '````\nUse ```sh\nkubectl\n```\n````\n',
    ].join('\n\n'),
  });
});
