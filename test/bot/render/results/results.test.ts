import { describe, expect, it } from 'vitest';
import { feedbackBlock } from '../../../../src/bot/render/asking/feedback.ts';
import { actions, button, context, folded, section } from '../../../../src/bot/render/rendered.ts';
import { renderResults, resultsButtons } from '../../../../src/bot/render/results/results.ts';
import { resultsFile } from '../../../../src/bot/render/results/results-file.ts';
import { allStrings } from '../../../support/block-strings.ts';
import { resultsView } from '../../../support/views.ts';
import { refusals } from '../every-renderer/limits.ts';

it('what is wrong and not explained is called no root cause', () => {
  const rootCauseSummary = 'Unexplained degradation of catalog: p95 rose to 2 s.';
  const said = (isUnexplained: boolean) =>
    JSON.stringify(renderResults(resultsView({ rootCause: { rootCauseSummary, isUnexplained } })));
  expect(said(true)).toContain('*Root cause unknown*\\nUnexplained degradation of catalog');
  expect(said(false)).toContain('*Root cause* · no confidence given\\nUnexplained degradation of catalog');
  expect(said(true)).toContain(': root cause unknown: Unexplained degradation');
  const file = (isUnexplained: boolean) =>
    resultsFile(resultsView({ rootCause: { rootCauseSummary, isUnexplained } })).text;
  expect(file(true)).toContain('## Root cause unknown\n');
  expect(file(false)).toContain('## Root cause\n');
});

const WHOLE = resultsView({
  rootCause: {
    incidentOverview: 'Checkout answered 12 % of requests with 502.',
    rootCauseSummary: 'Deploy v2.41 of `payments` halved its connection pool.',
    relevantEvidence: [
      {
        title: 'Pool exhausted',
        status: 'relevant',
        confidence: 'high',
        description: 'Waiting rose from 0 to 35.',
      },
      { title: 'Deploy v2.41', confidence: 'unknown' },
    ],
    irrelevantEvidence: [{ title: 'Database', status: 'ruled_out', description: 'Unchanged at 4 ms.' }],
  },
  causalTreeV2: {
    nodes: [
      { id: 'a', title: 'Deploy v2.41', confidence: 'high' },
      { id: 'b', title: 'A full pool' },
      { id: 'c', title: 'Checkout 502', nodeType: 'outcome' },
    ],
    edges: [
      { from: 'a', to: 'b', confidence: 0.9 },
      { from: 'b', to: 'c', confidence: 0.9 },
    ],
  },
  timeline: [
    { timestamp: '2026-11-20T08:02:00Z', title: 'Errors begin', type: 'outcome' },
    { timestamp: '2026-11-20T08:01Z', title: 'Deploy v2.41' },
  ],
  remediation: {
    actions: [
      {
        title: 'Roll back payments',
        category: 'immediate',
        description: 'The last good version is v2.40.',
        steps: [
          { title: 'Roll back', required: true, type: 'command', content: 'rollout undo *' },
          { title: 'Watch the error rate', type: 'info' },
        ],
      },
    ],
  },
});

const EVERYTHING = resultsButtons({ issueId: 'issue-1', version: 1 });

describe('the results of an investigation', () => {
  it('are one message: verdict, what to do first and who is hit open, and all else folded; without folds, steps and buttons', () => {
    expect(renderResults(WHOLE)).toEqual([
      {
        text: '#12 Checkout answers 502: root cause: Deploy v2.41 of `payments` halved its connection pool.',
        blocks: [
          context('Results of *#12 Checkout answers 502*'),
          section('*Root cause* · confidence high\nDeploy v2.41 of `payments` halved its connection pool.'),
          section('*Do first:* Roll back payments\n```rollout undo *```'),
          actions([button('Done', 'step:tick', '1.0-0:issue-1')]),
          section('*What happened*\nCheckout answered 12 % of requests with 502.'),
          ...folded('Steps · 1. Roll back payments · 2 steps, 1 required · immediate', [
            section('The last good version is v2.40.'),
            {
              ...section('⬜ Roll back (required)\n```rollout undo *```'),
              accessory: button('Done', 'step:tick', '1.0-0:issue-1'),
            },
            {
              ...section('⬜ Watch the error rate'),
              accessory: button('Done', 'step:tick', '1.0-1:issue-1'),
            },
            actions([expect.objectContaining({ action_id: 'step:ask' })]),
          ]),
          ...folded('Causal chain, from cause to symptom', [
            section('*Deploy v2.41* (confidence high)\n→ A full pool\n→ Checkout 502 (outcome)'),
          ]),
          ...folded('Evidence · 2', [
            section('• *Pool exhausted* (confidence high)\nWaiting rose from 0 to 35.\n• *Deploy v2.41*'),
          ]),
          ...folded('Ruled out · 1', [section('• *Database* (ruled out)\nUnchanged at 4 ms.')]),
          ...folded('Timeline · 2', [
            section(
              '<!date^1795161660^{time_secs} {date_short_pretty}|2026-11-20 08:01 UTC> – Deploy v2.41\n' +
                '<!date^1795161720^{time_secs}|2026-11-20 08:02 UTC> – Errors begin',
            ),
          ]),
          ...EVERYTHING,
          feedbackBlock({ issueId: 'issue-1', version: 1 }),
        ],
        plainer: [
          context('Results of *#12 Checkout answers 502*'),
          section('*Root cause* · confidence high\nDeploy v2.41 of `payments` halved its connection pool.'),
          section('*Do first:* Roll back payments\n```rollout undo *```'),
          actions([button('Done', 'step:tick', '1.0-0:issue-1')]),
          section('*What happened*\nCheckout answered 12 % of requests with 502.'),
          section('*Steps · 1. Roll back payments · 2 steps, 1 required · immediate*'),
          section('The last good version is v2.40.'),
          {
            ...section('⬜ Roll back (required)\n```rollout undo *```'),
            accessory: button('Done', 'step:tick', '1.0-0:issue-1'),
          },
          {
            ...section('⬜ Watch the error rate'),
            accessory: button('Done', 'step:tick', '1.0-1:issue-1'),
          },
          actions([expect.objectContaining({ action_id: 'step:ask' })]),
          ...EVERYTHING,
          feedbackBlock({ issueId: 'issue-1', version: 1 }),
        ],
      },
    ]);
  });

  it('say that nothing was found where there is no root cause, and what was ruled out', () => {
    const view = resultsView({
      rootCause: { rootCauseSummary: ' ', irrelevantEvidence: [{ description: 'Latency is *normal*.' }] },
    });
    expect(renderResults(view)).toEqual([
      {
        text: '#12 Checkout answers 502: no root cause found',
        blocks: [
          context('Results of *#12 Checkout answers 502*'),
          section('*No root cause found*'),
          ...folded('Ruled out · 1', [section('• Latency is ∗normal∗.')]),
          ...EVERYTHING,
          feedbackBlock({ issueId: 'issue-1', version: 1 }),
        ],
        plainer: [
          context('Results of *#12 Checkout answers 502*'),
          section('*No root cause found*'),
          ...EVERYTHING,
          feedbackBlock({ issueId: 'issue-1', version: 1 }),
        ],
      },
    ]);
  });

  it('name their version from the second on, and that they are simulated', () => {
    const [first] = renderResults(resultsView({}, { version: 2, simulated: true }));
    expect(first).toEqual({
      text: 'Simulated: not your systems. #12 Checkout answers 502: no root cause found',
      blocks: [
        context('Simulated: not your systems'),
        context('Results of *#12 Checkout answers 502* · version 2'),
        section('*No root cause found*'),
        ...resultsButtons({ issueId: 'issue-1', version: 2 }),
        feedbackBlock({ issueId: 'issue-1', version: 2 }),
      ],
    });
  });

  it('leave out a graph of two boxes that says what the verdict does, and what the verdict has said of the evidence', () => {
    const cause = 'The pool of payments is full since the deploy of 2.41.';
    const [message] = renderResults(
      resultsView({
        rootCause: {
          rootCauseSummary: cause,
          relevantEvidence: [
            { title: 'A deploy', description: `${cause} It has only 5 connections.` },
            {
              title: 'A log line',
              description: 'It has only 5 connections. It has only 5 connections: see its settings.',
            },
          ],
        },
        causalTreeV2: {
          nodes: [
            { id: 'a', title: 'Deploy of 2.41' },
            { id: 'b', title: 'The pool of payments is full' },
          ],
        },
      }),
    );
    expect(message?.blocks.slice(1, -2)).toEqual([
      section(`*Root cause* · no confidence given\n${cause}`),
      ...folded('Evidence · 2', [
        section(
          '• *A deploy*\nIt has only 5 connections.\n• *A log line*\nIt has only 5 connections: see its settings.',
        ),
      ]),
    ]);
  });

  it('do not state a confidence that the service did not', () => {
    const [first] = renderResults(resultsView({ rootCause: { rootCauseSummary: 'A deploy.' } }));
    expect(first?.blocks[1]).toEqual(section('*Root cause* · no confidence given\nA deploy.'));
  });
});

describe('a newer version of results', () => {
  it('says below the timeline what changed, folded away', () => {
    const before = { version: 1, results: { rootCause: { rootCauseSummary: 'A full disk.' } } };
    const [first] = renderResults({ ...WHOLE, version: 2, before });
    const containers = first?.blocks.filter(({ type }) => type === 'container');
    expect(containers?.slice(5)).toEqual(
      folded('What changed since version 1', [
        section(
          '• Different root cause. Before: A full disk.\n' +
            '• Evidence added: Pool exhausted; Deploy v2.41\n• Ruled out added: Database\n' +
            '• Steps added: Roll back payments: Roll back; Roll back payments: Watch the error rate',
        ),
      ]),
    );
  });
});

describe('results that exceed one message', () => {
  const words = 'A sentence & more of it, <quoted>. '.repeat(200);
  const steps = Array.from({ length: 30 }, (_, index) => ({ title: `Step ${index}`, content: words }));
  const evidence = Array.from({ length: 60 }, (_, index) => ({
    title: `Finding ${index}`,
    description: words,
  }));
  const huge = resultsView({
    rootCause: {
      rootCauseSummary: words,
      incidentOverview: words,
      relevantEvidence: evidence,
      irrelevantEvidence: evidence,
    },
    causalTree: { nodes: Array.from({ length: 300 }, (_, index) => ({ id: `${index}`, title: words })) },
    timeline: Array.from({ length: 500 }, (_, index) => ({ title: `Entry ${index} ${words}` })),
    remediation: { actions: Array.from({ length: 40 }, () => ({ title: words, description: words, steps })) },
  });
  const messages = renderResults(huge);
  const texts = messages.map((message) => allStrings(message.blocks).map(([, text]) => text));

  it('go on in further ones, each within the limits', () => {
    expect(messages.flatMap(refusals)).toEqual([]);
    const of = messages.length;
    expect(of).toBeGreaterThan(3);
    expect(messages[0]?.blocks.at(-1)).toEqual(context(`Continues below (1 of ${of})`));
    expect(messages.map((message) => message.text).slice(1)).toEqual(
      Array.from({ length: of - 1 }, (_, n) => `Results of #12, continued (${n + 2} of ${of})`),
    );
  });

  it('say what is left off, part by part, and leave off no part whole', () => {
    const all = texts.flat();
    const starts = ['*Root cause*', 'What happened', 'Evidence · 60', 'Ruled out · 60', 'Causal chain'];
    for (const start of [...starts, 'Timeline · 500', 'Steps · 1. A sentence']) {
      expect(all.filter((text) => text.startsWith(start)).length).toBeGreaterThan(0);
    }
    expect(all.filter((text) => text.includes('more parts'))).toEqual([]);
    expect(all.filter((text) => /shortened: \d+ more( actions)?$/u.test(text)).length).toBeGreaterThanOrEqual(
      4,
    );
  });

  it('have the verdict in the first', () => {
    expect(texts[0]?.some((text) => text.startsWith('*Root cause*'))).toBe(true);
  });
});

describe('the metrics of results', () => {
  const metric = (name: string, more: object = {}) => ({
    id: name,
    type: 'metric',
    data: { name, dataPoints: [{ timeUnixNano: '1780000000000000000', asDouble: 18.7 }] },
    ...more,
  });
  const evidence = { title: 'Errors', description: 'From 0.26% to 18.7%.', artifacts: [{ documentId: 'a' }] };
  const results = {
    rootCause: {
      rootCauseSummary: 'Errors went from 0.26% to 18.7% with 2 of `18.7%`.',
      relevantEvidence: [evidence],
    },
  };

  it('stand above the buttons as charts, two at most; the message is the same without', () => {
    const plain = renderResults(resultsView(results));
    const [message] = renderResults(
      resultsView(results, { metrics: ['a', 'b', 'c'].map((id) => metric(id)) }),
    );
    const types = message?.blocks.map(({ type }) => type) ?? [];
    const buttons = types.lastIndexOf('actions');
    expect(types.slice(buttons - 2, buttons)).toEqual(['data_visualization', 'data_visualization']);
    expect(message?.blocks.filter(({ type }) => type !== 'data_visualization')).toEqual(plain[0]?.blocks);
  });

  it('have the number that the verdict rests on as a link to where it can be asked again', () => {
    const providerUrl = 'https://prometheus.example.com/graph?g0.expr=errors';
    const [message] = renderResults(resultsView(results, { metrics: [metric('a', { providerUrl })] }));
    expect(message?.blocks[1]).toEqual(
      section(
        `*Root cause* · no confidence given\nErrors went from 0.26% to <${providerUrl}|18.7%> with 2 of \`18.7%\`.`,
      ),
    );
    const [without] = renderResults(resultsView(results, { metrics: [metric('a')] }));
    expect(JSON.stringify(without)).not.toContain('http');
  });
});
