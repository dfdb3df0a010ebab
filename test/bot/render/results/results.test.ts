import { describe, expect, it } from 'vitest';
import { feedbackBlock } from '../../../../src/bot/render/asking/feedback.ts';
import { context, folded, section } from '../../../../src/bot/render/rendered.ts';
import { renderResults, resultsButtons } from '../../../../src/bot/render/results/results.ts';
import { allStrings } from '../../../support/block-strings.ts';
import { resultsView } from '../../../support/views.ts';
import { refusals } from '../every-renderer/limits.ts';

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
  it('are one message: verdict, causes and what to do open; evidence and timeline folded away', () => {
    expect(renderResults(WHOLE)).toEqual([
      {
        text: '#12 Checkout answers 502: root cause: Deploy v2.41 of ˋpaymentsˋ halved its connection pool.',
        blocks: [
          context('Results of *#12 Checkout answers 502*'),
          section('*Root cause* · confidence high\nDeploy v2.41 of `payments` halved its connection pool.'),
          section('*What happened*\nCheckout answered 12 % of requests with 502.'),
          section('*Remediation*'),
          section(
            '*1. Roll back payments* (immediate)\nThe last good version is v2.40.\n' +
              '1. Roll back (required)\n```rollout undo *```\n2. Watch the error rate',
          ),
          section(
            '*Causal chain* (cause → symptom)\n*Deploy v2.41* (confidence high)\n→ A full pool\n' +
              '→ Checkout 502 (outcome)',
          ),
          ...folded('Evidence · 2', [
            section('• *Pool exhausted* (confidence high)\nWaiting rose from 0 to 35.\n• *Deploy v2.41*'),
          ]),
          ...folded('Ruled out · 1', [section('• *Database* (ruled out)\nUnchanged at 4 ms.')]),
          ...folded('Timeline · 2', [
            section(
              '<!date^1795161660^{time} {date_short_pretty}|2026-11-20 08:01 UTC> – Deploy v2.41\n' +
                '<!date^1795161720^{time} {date_short_pretty}|2026-11-20 08:02 UTC> – Errors begin (outcome)',
            ),
          ]),
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

describe('the causal graph among results', () => {
  const picture = { fileId: 'F1', alt: 'A deploy leads to errors.' };
  const image = { type: 'image', slack_file: { id: 'F1' }, alt_text: 'A deploy leads to errors.' };

  it('is a picture once Slack can show it, in the place of its text, which Slack gets where it refuses that', () => {
    const [words] = renderResults(WHOLE);
    const at = words?.blocks.findIndex((block) => JSON.stringify(block).includes('Causal chain')) ?? -1;
    expect(renderResults({ ...WHOLE, picture })).toEqual([
      {
        text: words?.text,
        blocks: words?.blocks.with(at, expect.objectContaining(image)),
        plainer: words?.blocks,
      },
    ]);
  });

  it('is none where there is no graph', () => {
    const view = resultsView({ rootCause: { rootCauseSummary: 'A deploy.' } });
    expect(renderResults({ ...view, picture })).toEqual(renderResults(view));
  });

  it('leaves the end of each message where it was', () => {
    const long = 'One cause of many. '.repeat(140);
    const nodes = Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, title: long }));
    const evidence = Array.from({ length: 80 }, () => ({ title: long, description: long }));
    const huge = resultsView({
      ...WHOLE.results,
      rootCause: {
        rootCauseSummary: long,
        incidentOverview: long,
        relevantEvidence: evidence,
        irrelevantEvidence: evidence,
      },
      causalTree: { nodes },
      causalTreeV2: {},
    });
    const [without, withIt] = [renderResults(huge), renderResults({ ...huge, picture })];
    expect(without.length).toBeGreaterThan(1);
    expect(withIt.map(({ blocks }) => blocks.length)).toEqual(without.map(({ blocks }) => blocks.length));
  });
});

describe('a newer version of results', () => {
  it('says below the timeline what changed, folded away', () => {
    const before = { version: 1, results: { rootCause: { rootCauseSummary: 'A full disk.' } } };
    const [first] = renderResults({ ...WHOLE, version: 2, before });
    const containers = first?.blocks.filter(({ type }) => type === 'container');
    expect(containers?.slice(3)).toEqual(
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

  it('go on in a second and a third, each within the limits', () => {
    expect(messages.flatMap(refusals)).toEqual([]);
    expect(messages[0]?.blocks.at(-1)).toEqual(context('Continues below (1 of 3)'));
    expect(messages.map((message) => message.text).slice(1)).toEqual([
      'Results of #12, continued (2 of 3)',
      'Results of #12, continued (3 of 3)',
    ]);
  });

  it('say what is left off, part by part, and leave off no part whole', () => {
    const all = texts.flat();
    const starts = ['*Root cause*', '*What happened*', 'Evidence · 60', 'Ruled out · 60', '*Causal chain*'];
    for (const start of [...starts, 'Timeline · 500', '*Remediation*', '*1. A sentence']) {
      expect(all.filter((text) => text.startsWith(start)).length).toBeGreaterThan(0);
    }
    expect(all.filter((text) => text.includes('more parts'))).toEqual([]);
    expect(all.filter((text) => /shortened: \d+ more( actions)?$/u.test(text)).length).toBeGreaterThanOrEqual(
      5,
    );
  });

  it('have the verdict in the first', () => {
    expect(texts[0]?.some((text) => text.startsWith('*Root cause*'))).toBe(true);
  });
});

const chart = (fileId: string) => ({ picture: { fileId, alt: `Chart ${fileId}` }, drawn: null });

describe('charts in the results', () => {
  const results = { rootCause: { rootCauseSummary: 'The pool is full.' } };

  it('stand above the buttons that lead to the rest, two at most; in words the message is the same without', () => {
    const plain = renderResults(resultsView(results));
    const [message] = renderResults(resultsView(results, { charts: ['F1', 'F2', 'F3'].map(chart) }));
    const types = message?.blocks.map(({ type }) => type) ?? [];
    const buttons = types.indexOf('actions');
    expect(types.slice(buttons - 2, buttons)).toEqual(['image', 'image']);
    expect(message?.blocks.filter(({ type }) => type !== 'image')).toEqual(plain[0]?.blocks);
    expect(message?.plainer).toEqual(plain[0]?.blocks);
  });
});
