import { describe, expect, it } from 'vitest';
import { renderResults } from '../../../src/bot/render/results/results.ts';
import { anyResultsView } from '../../support/arbitrary-views.ts';
import { runs } from '../../support/property-runs.ts';
import { MAY } from './every-renderer/inputs.ts';
import { refusals } from './every-renderer/limits.ts';
import { renderer } from './every-renderer/renderer.ts';
import { unsafeIn } from './every-renderer/safety.ts';
import { exportedRenderers } from './every-renderer/sources.ts';
import { everyRenderer } from './every-renderer.ts';

const RUNS = runs(60);

describe('every renderer', () => {
  it('is in the list of these properties', async () => {
    const names = everyRenderer.map(({ name }) => name);
    expect(names.toSorted()).toEqual(await exportedRenderers());
  });

  it.each(everyRenderer)(
    '$name stays within Slack’s limits, and mentions and links nothing from them',
    (one) => {
      one.holds((surfaces) => {
        for (const surface of surfaces) {
          expect(refusals(surface)).toEqual([]);
          expect(unsafeIn(surface, MAY)).toEqual([]);
        }
      }, RUNS);
    },
  );
});

describe('results, whatever they say', () => {
  it('are at most six messages, each of which shortens its own parts', () => {
    renderer(renderResults, anyResultsView).holds((messages) => {
      expect([1, 2, 3, 4, 5, 6]).toContain(messages.length);
      expect(JSON.stringify(messages)).not.toContain(' more parts');
    }, RUNS);
  });
});
