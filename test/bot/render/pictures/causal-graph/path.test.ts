import { describe, expect, it } from 'vitest';
import { graphOf } from '../../../../../src/bot/render/pictures/causal-graph.ts';

type Link = [from: string, to: string, confidence?: number];

function pathOf(nodes: Record<string, string>, links: Link[]): string[] {
  return graphOf({
    causalTreeV2: {
      nodes: Object.entries(nodes).map(([id, said]) => {
        const [nodeType, confidence] = said.split(' ');
        return { id, title: id, ...(nodeType ? { nodeType } : {}), ...(confidence ? { confidence } : {}) };
      }),
      edges: links.map(([from, to, confidence]) => ({
        from,
        to,
        ...(confidence === undefined ? {} : { confidence }),
      })),
    },
  }).path;
}

describe('the likeliest way', () => {
  it('takes the edges that are surest together, even where that is longer', () => {
    expect(
      pathOf({ a: 'cause', b: '', c: 'outcome' }, [
        ['a', 'c', 0.3],
        ['a', 'b', 0.9],
        ['b', 'c', 0.9],
      ]),
    ).toEqual(['a', 'b', 'c']);
  });

  it('begins at what is called the cause, with what triggered it before it', () => {
    expect(
      pathOf({ noise: 'effect high', deploy: 'trigger', bad: 'root_cause', down: 'outcome' }, [
        ['noise', 'down', 1],
        ['deploy', 'bad', 0.5],
        ['bad', 'down', 0.5],
      ]),
    ).toEqual(['deploy', 'bad', 'down']);
  });

  it('begins at the surest beginning where none is called the cause', () => {
    expect(
      pathOf({ low: ' low', high: ' high', end: 'outcome' }, [
        ['low', 'end'],
        ['high', 'end'],
      ]),
    ).toEqual(['high', 'end']);
  });

  it('ends where most ways end if nothing is called the symptom', () => {
    expect(
      pathOf({ a: '', b: '', c: '', d: '' }, [
        ['a', 'd'],
        ['a', 'b'],
        ['b', 'c'],
      ]),
    ).toEqual(['a', 'b', 'c']);
  });

  it('ends also in a cycle, and is empty where nothing is linked', () => {
    expect(
      pathOf({ a: 'cause', b: 'outcome' }, [
        ['a', 'b'],
        ['b', 'a'],
      ]),
    ).toEqual(['a', 'b']);
    expect(pathOf({ a: 'cause', b: 'outcome' }, [])).toEqual([]);
  });
});

describe('what a node is', () => {
  it('is said by the service, else by its place on the way', () => {
    const graph = graphOf({
      causalTree: {
        nodes: [
          { id: '1', type: 'validated', title: 'First' },
          { id: '2', type: 'validated', title: 'Second' },
          { id: '3', title: 'Third' },
        ],
        edges: [
          { source: '1', target: '2' },
          { source: '2', target: '3' },
        ],
      },
    });
    expect(graph.nodes.map(({ title, role, label }) => [title, role, label])).toEqual([
      ['First', 'cause', 'Cause'],
      ['Second', 'step', 'Validated'],
      ['Third', 'symptom', 'Symptom'],
    ]);
  });
});
