import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { causeGraph, chainBlocks } from '../../../../src/bot/render/results/causal-chain.ts';
import type { InvestigationResults } from '../../../../src/contract/answers.ts';

function chain(results: InvestigationResults): string[] {
  const [block] = chainBlocks(causeGraph(results));
  return (block?.text?.text ?? '').split('\n');
}

const names = (...ids: string[]) => ids.map((id) => ({ id, title: `Node ${id}` }));

describe('the causal chain as text', () => {
  it('is indented by level where causes fork', () => {
    const edges = ['ab', 'bc', 'bd', 'de'].map(([from = '', to = '']) => ({ from, to }));
    expect(chain({ causalTreeV2: { nodes: names('a', 'b', 'c', 'd', 'e'), edges } })).toEqual([
      '*Node a*',
      '\u2003→ Node b',
      '\u2003\u2003→ Node c',
      '\u2003\u2003→ Node d',
      '\u2003\u2003\u2003→ Node e',
    ]);
  });

  it('goes straight down where nothing forks', () => {
    const edges = ['ab', 'bc'].map(([from = '', to = '']) => ({ from, to }));
    expect(chain({ causalTreeV2: { nodes: names('a', 'b', 'c'), edges } })).toEqual([
      '*Node a*',
      '→ Node b',
      '→ Node c',
    ]);
  });

  it('names a node again that has two causes', () => {
    const edges = ['ac', 'bc', 'cd'].map(([from = '', to = '']) => ({ from, to }));
    expect(chain({ causalTreeV2: { nodes: names('a', 'b', 'c', 'd'), edges } })).toEqual([
      '*Node a*',
      '→ Node c',
      '→ Node d',
      '*Node b*',
      '→ Node c (see above)',
    ]);
  });

  it('is turned where the edges point from the symptom to its cause', () => {
    const nodes = [{ id: 's', title: 'Errors', nodeType: 'outcome' }, ...names('m', 'c')];
    const edges = [
      { from: 's', to: 'm' },
      { from: 'm', to: 'c' },
    ];
    expect(chain({ causalTreeV2: { nodes, edges } })).toEqual(['*Node c*', '→ Node m', '→ Errors (outcome)']);
  });

  it('is that of the older tree where the newer has no nodes', () => {
    const causalTree = {
      nodes: [
        { id: '1', title: 'Deploy', type: 'validated' },
        { id: '2', description: 'Errors' },
      ],
      edges: [{ source: '1', target: '2' }],
    };
    expect(chain({ causalTree, causalTreeV2: { nodes: [] } })).toEqual(['*Deploy* (validated)', '→ Errors']);
  });

  it('is not confused by cycles, dangling edges, loops and doubled nodes', () => {
    const edges = ['ab', 'ba', 'aa', 'ax', 'xb', 'ab'].map(([from = '', to = '']) => ({ from, to }));
    const nodes = [...names('a', 'b', 'a'), { title: 'Nameless' }];
    expect(chain({ causalTreeV2: { nodes, edges: [...edges, {}] } })).toEqual([
      '*Nameless*',
      '*Node a*',
      '→ Node b',
      '→ Node a (see above)',
    ]);
  });

  it('is absent without nodes', () => {
    expect(chainBlocks(causeGraph({}))).toEqual([]);
  });

  it('names every node once, whatever the edges', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    fc.assert(
      fc.property(fc.array(fc.record({ from: id, to: id })), (edges) => {
        const lines = chain({ causalTreeV2: { nodes: names('a', 'b', 'c', 'd', 'e'), edges } });
        const named = lines
          .filter((line) => !line.endsWith('(see above)'))
          .map((line) => line.match(/Node (.)/u)?.[1]);
        expect(named.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
      }),
    );
  });
});
