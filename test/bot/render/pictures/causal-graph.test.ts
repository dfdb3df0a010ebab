import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphOf, mostImportant } from '../../../../src/bot/render/pictures/causal-graph.ts';
import { arrange, METER_WIDTH } from '../../../../src/bot/render/pictures/graph-layout.ts';
import { graphPicture } from '../../../../src/bot/render/pictures/graph-picture.ts';
import { textWidth } from '../../../../src/bot/render/pictures/text.ts';
import type { InvestigationResults } from '../../../../src/contract/answers.ts';
import { HARD_GRAPHS } from '../../../support/gallery/hard-pictures.ts';
import { runs } from '../../../support/property-runs.ts';
import { anyResults } from './arbitrary.ts';
import { problemsOf } from './soundness.ts';

const RIVALS = HARD_GRAPHS['rival causes'] ?? {};

function chain(count: number): InvestigationResults {
  return {
    causalTreeV2: {
      nodes: Array.from({ length: count }, (_, i) => ({ id: `${i}`, title: `Step ${i}` })),
      edges: Array.from({ length: count }, (_, i) => ({ from: `${i}`, to: `${i + 1}` })),
    },
  };
}

describe('the picture of the causal graph', () => {
  it.each(['rival causes', 'the older form', 'hostile'])('%s is drawn as before', async (name) => {
    const picture = await graphPicture(HARD_GRAPHS[name] ?? {});
    await expect(picture?.svg).toMatchFileSnapshot(`snapshots/graph ${name}.svg`);
  });

  it('says in words what is to be seen', async () => {
    const picture = await graphPicture(RIVALS);
    expect(picture?.alt).toBe(
      'Causal graph of 7 nodes. Most likely path: Deploy of checkout-api v418 (trigger, high confidence) → Connection pool of checkout-api is exhausted (cause, high confidence) → checkout-api: latency p95 up 12-fold (high confidence) → Customers see errors at checkout (symptom, high confidence). Other nodes: Higher traffic than usual (low confidence); orders-db responds slowly (low confidence); gateway retries and doubles the load (medium confidence).',
    );
  });

  it('says which of several causes the verdict is about: that with which the likeliest way begins', () => {
    const labels = (nodes: readonly string[]) =>
      graphOf({
        causalTreeV2: {
          nodes: [...nodes, 'symptom'].map((nodeType, at) => ({ id: `${at}`, title: `${at}`, nodeType })),
          edges: nodes.map((_, at) => ({ from: `${at}`, to: `${at + 1}`, confidence: 0.9 })),
        },
      }).nodes.map(({ label }) => label);
    expect(labels(['cause', 'cause'])).toEqual(['Root cause', 'Cause', 'Symptom']);
    expect(labels(['cause'])).toEqual(['Cause', 'Symptom']);
  });

  it('there is none without a node', async () => {
    expect(await graphPicture({})).toBeNull();
    expect(await graphPicture({ causalTreeV2: { nodes: [], edges: [] } })).toBeNull();
  });

  it('fits the page’s width where there are few nodes', async () => {
    for (const name of ['one node', 'three in a row', 'rival causes', 'the older form', 'hostile'])
      expect((await graphPicture(HARD_GRAPHS[name] ?? {}))?.width).toBe(720);
  });

  it('of 500 nodes shows the most important, and says how many are left out', async () => {
    const picture = await graphPicture(HARD_GRAPHS['far too many nodes'] ?? {});
    const boxes = picture?.svg.split('<g>').length ?? 0;
    expect(boxes).toBeGreaterThan(14);
    expect(picture?.svg).toContain(`${501 - boxes} of 500 nodes not shown`);
    expect(picture?.svg).toContain('Checkout is down');
    expect(picture && problemsOf(picture)).toEqual([]);
  });

  it('keeps the surest links where there are too many to follow, and says so', async () => {
    const results = HARD_GRAPHS['everything linked to everything'] ?? {};
    const graph = mostImportant(graphOf(results), 60);
    expect([graph.edges.length, graph.edgesLeftOut]).toEqual([60, 810]);
    expect(graph.edges.every(({ confidence, onPath }) => onPath || (confidence ?? 0) > 0.9)).toBe(true);
    const picture = await graphPicture(results);
    expect(picture?.svg).toContain(' links not shown (the least certain).');
    expect(picture && problemsOf(picture)).toEqual([]);
  });

  it('shows both ends of a chain that is too long, and how many nodes are between them', () => {
    const graph = mostImportant(graphOf(chain(90)), 10);
    expect(graph.nodes.map(({ title }) => title)).toEqual(
      [0, 1, 2, 3, 4, 85, 86, 87, 88, 89].map((i) => `Step ${i}`),
    );
    expect(graph.edges.filter(({ skipped }) => skipped > 0)).toEqual([
      { from: '4', to: '85', confidence: undefined, onPath: true, skipped: 80 },
    ]);
    expect(graph.leftOut).toBe(80);
  });

  it('takes whatever a service answers: sound, within the page, boxes apart, texts in their boxes', async () => {
    await fc.assert(
      fc.asyncProperty(anyResults, async (results) => {
        const picture = await graphPicture(results);
        if (picture === null) return;
        expect(problemsOf(picture)).toEqual([]);
        await expectTidy(results);
      }),
      { numRuns: runs(80) },
    );
  });

  it('keeps boxes apart among many nodes, too', async () => {
    for (const name of ['many nodes', 'nothing linked', 'a chain too long'])
      await expectTidy(HARD_GRAPHS[name] ?? {});
  });
});

async function expectTidy(results: InvestigationResults): Promise<void> {
  const { boxes, width, height } = await arrange(mostImportant(graphOf(results), 30));
  for (const [index, a] of boxes.entries()) {
    expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + a.height <= height).toBe(true);
    for (const b of boxes.slice(index + 1)) {
      const apart =
        a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      expect(apart, `${a.node.title} and ${b.node.title}`).toBe(true);
    }
    for (const { text, x, y, size, weight, kind } of a.lines) {
      const before = kind === 'confidence' && /^(?:high|medium|low)/u.test(text) ? METER_WIDTH : 0;
      expect(x + before + textWidth(text, size, weight)).toBeLessThanOrEqual(a.width - 15);
      expect(y - size).toBeGreaterThanOrEqual(0);
      expect(y + size * 0.3).toBeLessThanOrEqual(a.height);
    }
  }
}
